//! What tells one run from all others, known before anything of it is done.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use xxhash_rust::xxh3::xxh3_64;

/// A run that is about to be done.
#[derive(Clone, Debug)]
pub struct Identity {
    /// An id that sorts by time and differs between runs, also between those of one moment.
    pub run_id: String,
    /// The session it belongs to, when one is named.
    pub session: Option<String>,
    /// When it began.
    pub began: SystemTime,
    /// The same by a clock that never goes back.
    clock: Instant,
}

impl Identity {
    /// A run that begins now.
    pub fn new(session: Option<&str>) -> Self {
        let began = SystemTime::now();
        let since = began.duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = format!("{} {}", std::process::id(), since.as_nanos());
        let run_id = format!("{:011x}-{:08x}", since.as_millis(), xxh3_64(seed.as_bytes()) & 0xffff_ffff);
        Self { run_id, session: session.map(str::to_owned), began, clock: Instant::now() }
    }

    /// How long ago it began.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }
}
