//! A request to stop, made by a signal or by another thread.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::process::deadline::Deadline;
use crate::process::interrupt::wake::Wake;

#[cfg(unix)]
mod install;
#[cfg(unix)]
#[path = "wake_unix.rs"]
mod wake;
#[cfg(not(unix))]
#[path = "wake_other.rs"]
mod wake;

/// A handle to one request to stop. Clones share it; raising it wakes every wait at once.
#[derive(Clone)]
pub struct Interrupt(Arc<State>);

struct State {
    /// The number of the latest signal, 0 when there is none. It has its own count because signal handlers hold it.
    signal: Arc<AtomicUsize>,
    wake: Wake,
}

impl Interrupt {
    /// A request that nobody has made yet, and that no signal raises.
    ///
    /// # Errors
    /// The system has no descriptor left.
    pub fn new() -> io::Result<Self> {
        Ok(Self(Arc::new(State { signal: Arc::new(AtomicUsize::new(0)), wake: Wake::new()? })))
    }

    /// The request of this process: raised by SIGINT, SIGTERM, SIGHUP and SIGQUIT from the first call on. Every call
    /// returns the same one. SIGHUP and SIGQUIT stay ignored where the caller had them ignored, as `nohup` and a shell's `&` do.
    ///
    /// # Errors
    /// The system has no descriptor left or refuses a handler. On a system without these signals:
    /// [`io::ErrorKind::Unsupported`].
    pub fn install() -> io::Result<Self> {
        #[cfg(unix)]
        return install::install();
        #[cfg(not(unix))]
        return Err(io::Error::new(io::ErrorKind::Unsupported, "signals are not handled on this system"));
    }

    /// Lets the signals end this process again, as they do by default, until the next [`Interrupt::install`]. Nobody waits for the request any
    /// more, and who waits for something else, for instance for a reader of its output, could not be stopped otherwise.
    pub fn release() {
        #[cfg(unix)]
        install::release();
    }

    /// Makes the request, with the number of the signal it stands for (at least 1).
    pub fn raise(&self, signal: i32) {
        // The order matters: whoever is woken must find the signal.
        self.0.signal.store(usize::try_from(signal.max(1)).unwrap_or(1), Ordering::SeqCst);
        self.0.wake.notify();
    }

    /// The signal, once the request was made: the latest one if there were several.
    pub fn raised(&self) -> Option<i32> {
        let signal = self.0.signal.load(Ordering::SeqCst);
        i32::try_from(signal).ok().filter(|signal| *signal > 0)
    }

    /// How often the request was made since it was last cleared. A second time means that the user insists.
    pub fn count(&self) -> u32 {
        self.0.wake.count()
    }

    /// Forgets the request.
    pub fn clear(&self) {
        self.0.signal.store(0, Ordering::SeqCst);
        self.settle();
    }

    /// Waits until the request is made, and returns its signal, or until the deadline, and returns `None`. A request made
    /// earlier returns at once.
    pub fn wait_until(&self, deadline: Deadline) -> Option<i32> {
        loop {
            if let Some(signal) = self.raised() {
                return Some(signal);
            }
            if deadline.is_past() {
                return None;
            }
            if self.0.wake.wait(deadline.remaining()) {
                self.confirm();
            }
        }
    }

    /// The signal after a wait was woken; without one the wake-up is taken back, so that the next wait sleeps again.
    pub(crate) fn confirm(&self) -> Option<i32> {
        let signal = self.raised();
        if signal.is_none() {
            self.settle();
        }
        signal
    }

    fn settle(&self) {
        self.0.wake.reset();
        // A request made meanwhile may have lost its wake-up to the reset.
        if self.raised().is_some() && self.count() == 0 {
            self.0.wake.notify();
        }
    }
}

/// Readable while the request stands. Nobody but the handle may read from it.
#[cfg(unix)]
impl std::os::fd::AsFd for Interrupt {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.0.wake.as_fd()
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interrupt").field("raised", &self.raised()).field("count", &self.count()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use crate::process::deadline::Deadline;
    use crate::process::interrupt::Interrupt;

    #[test]
    fn is_raised_counted_and_cleared() {
        let interrupt = Interrupt::new().unwrap();
        assert_eq!((interrupt.raised(), interrupt.count()), (None, 0));
        interrupt.clone().raise(2);
        interrupt.raise(15);
        assert_eq!((interrupt.raised(), interrupt.count()), (Some(15), 2));
        interrupt.clear();
        assert_eq!((interrupt.raised(), interrupt.count()), (None, 0));
        assert_eq!(interrupt.wait_until(Deadline::after(Duration::from_millis(20))), None);
    }

    #[test]
    fn a_wait_wakes_before_its_deadline() {
        let interrupt = Interrupt::new().unwrap();
        let other = interrupt.clone();
        let began = Instant::now();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            other.raise(2);
        });
        assert_eq!(interrupt.wait_until(Deadline::after(Duration::from_secs(60))), Some(2));
        assert!(began.elapsed() < Duration::from_secs(30));
        assert_eq!(interrupt.wait_until(Deadline::never()), Some(2));
        thread.join().unwrap();
    }

    #[test]
    fn a_wake_up_without_a_signal_is_taken_back() {
        let interrupt = Interrupt::new().unwrap();
        interrupt.0.wake.notify();
        assert_eq!(interrupt.wait_until(Deadline::after(Duration::from_millis(20))), None);
        assert_eq!(interrupt.count(), 0);
    }

    #[test]
    fn many_requests_do_not_block() {
        let interrupt = Interrupt::new().unwrap();
        (0..100_000).for_each(|_| interrupt.raise(2));
        assert!(interrupt.count() > 1);
        interrupt.clear();
        assert_eq!(interrupt.count(), 0);
    }
}
