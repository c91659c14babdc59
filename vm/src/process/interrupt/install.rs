//! The signals that raise the request of this process.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::{flag, low_level::pipe};

use crate::process::inherit;
use crate::process::interrupt::Interrupt;

static INSTALLED: Mutex<Option<Interrupt>> = Mutex::new(None);

/// Whether the signals are to do again what they do by default.
static RELEASED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

pub(crate) fn install() -> io::Result<Interrupt> {
    let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    RELEASED.store(false, Ordering::SeqCst);
    if let Some(interrupt) = &*installed {
        return Ok(interrupt.clone());
    }
    let interrupt = Interrupt::new()?;
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
        if matches!(signal, SIGHUP | SIGQUIT) && inherit::is_ignored(signal) {
            continue;
        }
        // Handlers run in the order in which they were registered: the signal is set before a wait wakes.
        flag::register_conditional_default(signal, Arc::clone(&RELEASED))?;
        let number = usize::try_from(signal).map_err(io::Error::other)?;
        flag::register_usize(signal, Arc::clone(&interrupt.0.signal), number)?;
        pipe::register(signal, interrupt.0.wake.writer()?)?;
    }
    *installed = Some(interrupt.clone());
    Ok(interrupt)
}

pub(crate) fn release() {
    RELEASED.store(true, Ordering::SeqCst);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rustix::process::{Signal, getpid, kill_process};

    use crate::process::deadline::Deadline;
    use crate::process::interrupt::Interrupt;

    #[test]
    fn a_signal_raises_the_request() {
        let interrupt = Interrupt::install().unwrap();
        assert!(Interrupt::install().unwrap().raised().is_none());
        kill_process(getpid(), Signal::TERM).unwrap();
        assert_eq!(interrupt.wait_until(Deadline::after(Duration::from_secs(30))), Some(15));
        kill_process(getpid(), Signal::INT).unwrap();
        while interrupt.count() < 2 {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(interrupt.raised(), Some(2));
        interrupt.clear();
        assert_eq!((interrupt.raised(), interrupt.count()), (None, 0));
    }
}
