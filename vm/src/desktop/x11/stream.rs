//! The socket to the display server, with a limit: no read or write waits beyond the step's deadline or a signal, so that a server
//! that does not answer cannot hang a run.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::{Error, ErrorKind, IoSlice, Result};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use x11rb::rust_connection::{DefaultStream, PollMode, RustConnection, Stream};
use x11rb::utils::RawFdContainer;

use crate::process::{Deadline, Interrupt};
use crate::stop::Stop;

/// How long a request that was begun may still take to be written when time is over.
const LAST_WRITE: Duration = Duration::from_secs(1);

/// A server that does not answer for so long is silent.
const SILENCE: Duration = Duration::from_millis(500);

/// The connection to the display server.
pub type Conn = RustConnection<Bounded>;

/// A socket whose waits end in time.
#[derive(Debug)]
pub struct Bounded {
    inner: DefaultStream,
    limit: RefCell<Limit>,
    /// Whether the last write found no room.
    full: Cell<bool>,
    /// Whether a wait is for events, which may never come, and not for an answer.
    events: Cell<bool>,
    silence: Cell<Silence>,
}

/// What is known of a server that owes us an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Silence {
    /// It answers.
    None,
    /// It has not answered within a step.
    Noticed,
    /// Nor while what a step held was put back. It is given no more time.
    Final,
}

/// The error of a wait that a signal ended, with its number.
#[derive(Clone, Copy, Debug)]
pub struct Asked(pub i32);

#[derive(Clone, Debug)]
struct Limit {
    deadline: Deadline,
    interrupt: Option<Interrupt>,
}

impl Bounded {
    /// A socket that is given up as `stop` says.
    pub fn new(inner: DefaultStream, stop: &Stop<'_>) -> Self {
        let limit = Limit { deadline: stop.deadline(), interrupt: Some(stop.interrupt().clone()) };
        Self {
            inner,
            limit: RefCell::new(limit),
            full: Cell::new(false),
            events: Cell::new(false),
            silence: Cell::new(Silence::None),
        }
    }

    /// From now on waits end as `stop` says.
    pub fn limit(&self, stop: &Stop<'_>) {
        *self.limit.borrow_mut() = Limit { deadline: stop.deadline(), interrupt: Some(stop.interrupt().clone()) };
    }

    /// From now on waits end after `grace`, whatever signals come: for what must still be put back. A server that let such a time pass in silence
    /// gets no other before it has spoken.
    pub fn grace(&self, grace: Duration) {
        let given_up = self.silence.get() == Silence::Final && !self.answers();
        let grace = if given_up { Duration::ZERO } else { grace };
        *self.limit.borrow_mut() = Limit { deadline: Deadline::after(grace), interrupt: None };
    }

    /// Whether the server has answered all that it was asked, or had little time to.
    pub fn answers(&self) -> bool {
        self.silence.get() == Silence::None || is_ready(&self.inner, PollFlags::IN)
    }

    /// Whether waits from now on are for events, which may never come.
    pub fn expect_events(&self, events: bool) {
        self.events.set(events);
    }

    fn noted(&self, written: Result<usize>) -> Result<usize> {
        let full = written.as_ref().is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
        self.full.set(full);
        written
    }

    fn wait(&self, flags: PollFlags) -> Result<()> {
        let (began, limit) = (Instant::now(), self.limit.borrow());
        let waited = wait(&self.inner, &limit, flags);
        let late = waited.as_ref().is_err_and(|error| error.kind() == ErrorKind::TimedOut);
        if late && limit.interrupt.is_none() && !self.events.get() {
            self.silence.set(Silence::Final);
        } else if late && began.elapsed() >= SILENCE && !self.events.get() && self.silence.get() == Silence::None {
            self.silence.set(Silence::Noticed);
        }
        waited
    }
}

fn is_ready(socket: &DefaultStream, flags: PollFlags) -> bool {
    poll(&mut [PollFd::new(socket, flags)], Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
}

fn wait(socket: &DefaultStream, limit: &Limit, flags: PollFlags) -> Result<()> {
    loop {
        if let Some(signal) = limit.interrupt.as_ref().and_then(Interrupt::raised) {
            return Err(Error::other(Asked(signal)));
        }
        let left = limit.deadline.remaining();
        let timeout = left.and_then(|left| Timespec::try_from(left).ok());
        let mut fds = vec![PollFd::new(socket, flags)];
        fds.extend(limit.interrupt.as_ref().map(|interrupt| PollFd::new(interrupt, PollFlags::IN)));
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) if fds.first().is_some_and(|fd| !fd.revents().is_empty()) => return Ok(()),
            // What is ready now is taken even when the time is over.
            Ok(_) if limit.deadline.is_past() => return Err(ErrorKind::TimedOut.into()),
            Ok(_) => {
                if let Some(interrupt) = &limit.interrupt {
                    interrupt.confirm();
                }
            }
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

impl AsFd for Bounded {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.inner.as_fd()
    }
}

impl Stream for Bounded {
    fn poll(&self, mode: PollMode) -> Result<()> {
        // x11rb asks before every request, even one that only goes into its buffer. A write that finds no room says so itself.
        if mode.writable() && !self.full.replace(false) {
            return Ok(());
        }
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, mode.readable());
        flags.set(PollFlags::OUT, mode.writable());
        match self.wait(flags) {
            // A request of which a part is missing would be the end of the connection, and of all that must still be put back.
            Err(error) if mode.writable() && self.silence.get() != Silence::Final => {
                let last = Limit { deadline: Deadline::after(LAST_WRITE), interrupt: None };
                let written = wait(&self.inner, &last, flags);
                if written.is_err() {
                    self.silence.set(Silence::Final);
                }
                written.map_err(|_| error)
            }
            waited => waited,
        }
    }

    fn read(&self, buf: &mut [u8], fds: &mut Vec<RawFdContainer>) -> Result<usize> {
        let read = self.inner.read(buf, fds);
        if read.as_ref().is_ok_and(|count| *count > 0) {
            self.silence.set(Silence::None);
        }
        read
    }

    fn write(&self, buf: &[u8], fds: &mut Vec<RawFdContainer>) -> Result<usize> {
        self.noted(self.inner.write(buf, fds))
    }

    fn write_vectored(&self, bufs: &[IoSlice<'_>], fds: &mut Vec<RawFdContainer>) -> Result<usize> {
        self.noted(self.inner.write_vectored(bufs, fds))
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a signal came")
    }
}

impl std::error::Error for Asked {}
