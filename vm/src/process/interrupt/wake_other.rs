//! A counter of reasons to wake, for systems without pollable pipes.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Default)]
pub(crate) struct Wake {
    reasons: Mutex<u32>,
    changed: Condvar,
}

impl Wake {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self::default())
    }

    pub(crate) fn notify(&self) {
        let mut reasons = self.reasons();
        *reasons = reasons.saturating_add(1);
        self.changed.notify_all();
    }

    pub(crate) fn reset(&self) {
        *self.reasons() = 0;
    }

    pub(crate) fn count(&self) -> u32 {
        *self.reasons()
    }

    /// Waits and tells whether there is a reason; it may return early without one.
    pub(crate) fn wait(&self, timeout: Option<Duration>) -> bool {
        let reasons = self.reasons();
        if *reasons > 0 {
            return true;
        }
        let reasons = match timeout {
            Some(span) => self.changed.wait_timeout(reasons, span).unwrap_or_else(PoisonError::into_inner).0,
            None => self.changed.wait(reasons).unwrap_or_else(PoisonError::into_inner),
        };
        *reasons > 0
    }

    fn reasons(&self) -> MutexGuard<'_, u32> {
        self.reasons.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
