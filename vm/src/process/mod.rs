//! Stand-in until the process layer is merged: a request to stop, as a flag.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// A handle to one request to stop. Clones share it.
#[derive(Clone)]
pub struct Interrupt(Arc<(AtomicI32, AtomicU32)>);

impl Interrupt {
    /// A request that nobody has made yet.
    ///
    /// # Errors
    /// None here.
    pub fn new() -> io::Result<Self> {
        Ok(Self(Arc::new((AtomicI32::new(0), AtomicU32::new(0)))))
    }

    /// Makes the request.
    pub fn raise(&self, signal: i32) {
        self.0.0.store(signal.max(1), Ordering::SeqCst);
        self.0.1.fetch_add(1, Ordering::SeqCst);
    }

    /// The signal, once the request was made.
    pub fn raised(&self) -> Option<i32> {
        Some(self.0.0.load(Ordering::SeqCst)).filter(|signal| *signal > 0)
    }

    /// How often the request was made since it was last cleared.
    pub fn count(&self) -> u32 {
        self.0.1.load(Ordering::SeqCst)
    }

    /// Forgets the request.
    pub fn clear(&self) {
        self.0.0.store(0, Ordering::SeqCst);
        self.0.1.store(0, Ordering::SeqCst);
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interrupt").field("raised", &self.raised()).finish()
    }
}
