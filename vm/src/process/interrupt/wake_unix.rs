//! A pipe that is readable while there is a reason to wake. Each byte in it is one reason.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::ioctl_fionread;

pub(crate) struct Wake {
    reader: PipeReader,
    writer: PipeWriter,
}

impl Wake {
    pub(crate) fn new() -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        for end in [reader.as_fd(), writer.as_fd()] {
            fcntl_setfl(end, fcntl_getfl(end)? | OFlags::NONBLOCK)?;
        }
        Ok(Self { reader, writer })
    }

    pub(crate) fn notify(&self) {
        // A full pipe is readable already.
        let _ = (&self.writer).write(&[0]);
    }

    pub(crate) fn reset(&self) {
        let mut buffer = [0; 512];
        while (&self.reader).read(&mut buffer).is_ok_and(|n| n > 0) {}
    }

    pub(crate) fn count(&self) -> u32 {
        ioctl_fionread(&self.reader).map_or(0, |bytes| u32::try_from(bytes).unwrap_or(u32::MAX))
    }

    /// Waits and tells whether there is a reason; it may return early without one.
    pub(crate) fn wait(&self, timeout: Option<Duration>) -> bool {
        let mut fds = [PollFd::new(&self.reader, PollFlags::IN)];
        let timeout = timeout.and_then(|span| Timespec::try_from(span).ok());
        poll(&mut fds, timeout.as_ref()).is_ok_and(|ready| ready > 0)
    }

    /// Another descriptor of the writing end.
    pub(crate) fn writer(&self) -> io::Result<OwnedFd> {
        Ok(self.writer.try_clone()?.into())
    }
}

impl AsFd for Wake {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}
