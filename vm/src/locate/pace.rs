//! How often a wait looks: at once after a quiet time, and on a screen that never rests only so often that a core has most of its time
//! left.

use std::time::{Duration, Instant};

/// Looks may take one part in so many of the time.
const SHARE: u32 = 4;
/// How much may be saved up in quiet times, so that the few changes with which something appears are all looked at at once.
const MOST: Duration = Duration::from_millis(30);

/// What looks may cost now.
#[derive(Debug)]
pub struct Pace {
    saved: Duration,
    owed: Duration,
    since: Instant,
}

impl Pace {
    /// After a quiet time.
    pub fn new(now: Instant) -> Self {
        Self { saved: MOST, owed: Duration::ZERO, since: now }
    }

    /// A look ended `now` that took so long.
    pub fn looked(&mut self, took: Duration, now: Instant) {
        self.rested(now);
        let short = took.saturating_sub(self.saved);
        self.saved = self.saved.saturating_sub(took);
        self.owed = self.owed.saturating_add(short);
    }

    /// How long to rest before the next look.
    pub fn rest(&mut self, now: Instant) -> Duration {
        self.rested(now);
        self.owed.saturating_mul(SHARE)
    }

    fn rested(&mut self, now: Instant) {
        let earned = now.saturating_duration_since(self.since) / SHARE;
        self.since = now;
        let left = earned.saturating_sub(self.owed);
        self.owed = self.owed.saturating_sub(earned);
        self.saved = self.saved.saturating_add(left).min(MOST);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use crate::locate::pace::Pace;

    const MILLI: Duration = Duration::from_millis(1);

    #[test]
    fn a_quiet_wait_looks_at_once_and_several_times() {
        let began = Instant::now();
        let mut pace = Pace::new(began);
        for look in 0..10 {
            assert_eq!(pace.rest(began), Duration::ZERO, "{look}");
            pace.looked(3 * MILLI, began);
        }
        assert_eq!(pace.rest(began), Duration::ZERO);
        pace.looked(3 * MILLI, began);
        assert_eq!(pace.rest(began), 12 * MILLI);
        assert_eq!(pace.rest(began + 12 * MILLI), Duration::ZERO);
    }

    #[test]
    fn a_busy_wait_takes_its_share_only() {
        let mut now = Instant::now();
        let mut pace = Pace::new(now);
        let (began, mut spent) = (now, Duration::ZERO);
        for _ in 0..1000 {
            now += pace.rest(now);
            now += 5 * MILLI;
            spent += 5 * MILLI;
            pace.looked(5 * MILLI, now);
        }
        let whole = now - began;
        assert!(spent * 100 < whole * 27, "{spent:?} of {whole:?}");
        assert!(spent * 100 > whole * 20, "{spent:?} of {whole:?}");
    }

    #[test]
    fn rest_is_not_saved_without_bound() {
        let began = Instant::now();
        let mut pace = Pace::new(began);
        let later = began + 100_000 * MILLI;
        pace.looked(130 * MILLI, later);
        assert_eq!(pace.rest(later), 400 * MILLI);
    }
}
