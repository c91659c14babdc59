//! Noticing the end of a display while nothing is asked of it.

use std::marker::PhantomData;
#[cfg(unix)]
use std::os::fd::BorrowedFd;

use crate::desktop::error::DesktopError;
use crate::process::{Deadline, Interrupt};

/// What is cut when a display ends. For displays that do not tell there is one that is never cut.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lifeline<'a> {
    #[cfg(unix)]
    connection: Option<BorrowedFd<'a>>,
    lives: PhantomData<&'a ()>,
}

impl<'a> Lifeline<'a> {
    /// The one of a connection to a display server.
    #[cfg(target_os = "linux")]
    pub fn of(connection: BorrowedFd<'a>) -> Self {
        Self { connection: Some(connection), lives: PhantomData }
    }

    /// The connection, to be polled for [`Lifeline::CUT`] together with other descriptors.
    #[cfg(target_os = "linux")]
    pub fn connection(self) -> Option<BorrowedFd<'a>> {
        self.connection
    }

    /// What a poll of the connection must ask for. An end of one of both directions is the end: servers close both.
    #[cfg(target_os = "linux")]
    pub const CUT: rustix::event::PollFlags = rustix::event::PollFlags::RDHUP;

    /// Sleeps until a moment; ends early when the request to stop is made.
    ///
    /// # Errors
    /// [`DesktopError::Lost`], as soon as the display ends.
    pub fn sleep(self, until: Deadline, interrupt: &Interrupt) -> Result<(), DesktopError> {
        #[cfg(target_os = "linux")]
        if let Some(connection) = self.connection {
            return linux::sleep(connection, until, interrupt);
        }
        interrupt.wait_until(until);
        Ok(())
    }

    /// Fails when the display has ended.
    ///
    /// # Errors
    /// [`DesktopError::Lost`].
    pub fn check(self) -> Result<(), DesktopError> {
        #[cfg(target_os = "linux")]
        if let Some(connection) = self.connection {
            return linux::check(connection);
        }
        Ok(())
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::os::fd::BorrowedFd;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use crate::desktop::error::DesktopError;
    use crate::desktop::lifeline::Lifeline;
    use crate::process::{Deadline, Interrupt};

    pub fn sleep(connection: BorrowedFd<'_>, until: Deadline, interrupt: &Interrupt) -> Result<(), DesktopError> {
        while interrupt.raised().is_none() && !until.is_past() {
            let timeout = until.remaining().and_then(|left| Timespec::try_from(left).ok());
            let mut fds = [PollFd::from_borrowed_fd(connection, Lifeline::CUT), PollFd::new(interrupt, PollFlags::IN)];
            // A signal that breaks it off has raised the request.
            let woken = poll(&mut fds, timeout.as_ref()).unwrap_or(0);
            if woken > 0 && !fds[0].revents().is_empty() {
                return Err(ended());
            }
            if woken > 0 {
                interrupt.confirm();
            }
        }
        Ok(())
    }

    pub fn check(connection: BorrowedFd<'_>) -> Result<(), DesktopError> {
        let mut fds = [PollFd::from_borrowed_fd(connection, Lifeline::CUT)];
        match poll(&mut fds, Some(&Timespec::default())) {
            Ok(cut) if cut > 0 => Err(ended()),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    fn ended() -> DesktopError {
        DesktopError::Lost { reason: "the display server has ended".to_owned() }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;
    use std::time::{Duration, Instant};

    use crate::desktop::error::DesktopError;
    use crate::desktop::lifeline::Lifeline;
    use crate::process::{Deadline, Interrupt};

    #[test]
    fn the_end_of_a_server_ends_a_sleep_and_its_events_do_not() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let interrupt = Interrupt::new().unwrap();
        let lifeline = Lifeline::of(ours.as_fd());
        std::io::Write::write_all(&mut &theirs, b"an event").unwrap();
        let began = Instant::now();
        lifeline.sleep(Deadline::after(Duration::from_millis(20)), &interrupt).unwrap();
        assert!(began.elapsed() >= Duration::from_millis(20));
        assert_eq!(lifeline.check(), Ok(()));
        let server = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            drop(theirs);
        });
        let error = lifeline.sleep(Deadline::after(Duration::from_secs(60)), &interrupt).unwrap_err();
        server.join().unwrap();
        assert!(matches!(error, DesktopError::Lost { .. }) && began.elapsed() < Duration::from_secs(30));
        assert!(lifeline.check().is_err());
    }

    #[test]
    fn a_request_to_stop_ends_a_sleep() {
        let (ours, _theirs) = UnixStream::pair().unwrap();
        let interrupt = Interrupt::new().unwrap();
        interrupt.raise(15);
        Lifeline::of(ours.as_fd()).sleep(Deadline::never(), &interrupt).unwrap();
        Lifeline::default().sleep(Deadline::never(), &interrupt).unwrap();
    }
}
