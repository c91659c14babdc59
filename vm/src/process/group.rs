//! A child that leads a process group of its own.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::thread;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::process::exit::Exit;
use crate::process::inherit;
use crate::process::watch::watch;

/// A child and its process group. Dropped before [`Group::reap`], it kills them.
///
/// Until the child is waited for, its number cannot be given to another process, so signals to the group reach no stranger.
pub(crate) struct Group {
    child: Option<Child>,
    pid: Pid,
}

impl Group {
    pub(crate) fn spawn(command: &mut Command) -> io::Result<Self> {
        let child = inherit::spawn(command.process_group(0))?;
        let pid = Pid::from_child(&child);
        Ok(Self { child: Some(child), pid })
    }

    /// A descriptor that becomes readable when the child has ended.
    pub(crate) fn watch(&self) -> io::Result<OwnedFd> {
        watch(self.pid)
    }

    /// The child, to take its pipes.
    pub(crate) fn child_mut(&mut self) -> Option<&mut Child> {
        self.child.as_mut()
    }

    /// Asks the whole group to end. A stopped process acts on that only when it continues.
    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
        self.signal(Signal::CONT);
    }

    /// Kills the whole group.
    pub(crate) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Waits for the child, which must have ended, or else this blocks.
    pub(crate) fn reap(mut self) -> io::Result<Exit> {
        match self.child.take() {
            Some(mut child) => child.wait().map(Exit::from),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn signal(&self, signal: Signal) {
        if self.child.is_some() {
            // It fails only when the group is gone or has become someone else's by `setuid`: nothing is left to do.
            let _ = kill_process_group(self.pid, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        if let Some(mut child) = self.child.take()
            && !matches!(child.try_wait(), Ok(Some(_)))
        {
            // A process in an uninterruptible call dies late; nobody should wait for that here.
            let _ = thread::Builder::new().stack_size(64 << 10).spawn(move || child.wait());
        }
    }
}

/// Whether a descriptor, of the watch for instance, is ready now.
pub(crate) fn is_ready(fd: BorrowedFd<'_>) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut [PollFd::from_borrowed_fd(fd, PollFlags::IN)], Some(&now)).is_ok_and(|ready| ready > 0)
}
