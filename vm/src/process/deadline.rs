//! The moment until which something may take.

use std::time::{Duration, Instant};

/// A moment of the monotonic clock, or none: then there is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    at: Option<Instant>,
    limit: Option<Duration>,
}

impl Deadline {
    /// No limit at all.
    pub fn never() -> Self {
        Self { at: None, limit: None }
    }

    /// `limit` from now on. A limit beyond the range of the clock is no limit.
    pub fn after(limit: Duration) -> Self {
        Self { at: Instant::now().checked_add(limit), limit: Some(limit) }
    }

    /// A given moment. How long it was away when it was chosen is not known.
    pub fn at(moment: Instant) -> Self {
        Self { at: Some(moment), limit: None }
    }

    /// The moment itself.
    pub fn instant(self) -> Option<Instant> {
        self.at
    }

    /// The span the deadline was made from, for messages like "timed out after 1000 ms".
    pub fn limit(self) -> Option<Duration> {
        self.limit
    }

    /// The time left: zero when the moment has passed, `None` when there is no limit.
    pub fn remaining(self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// Whether the moment has come.
    pub fn is_past(self) -> bool {
        self.at.is_some_and(|at| at <= Instant::now())
    }

    /// The earlier one of two deadlines; the first of equals.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        match (self.at, other.at) {
            (Some(mine), Some(theirs)) if theirs < mine => other,
            (None, Some(_)) => other,
            (Some(_) | None, _) => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use crate::process::deadline::Deadline;

    #[test]
    fn the_earlier_one_wins_and_keeps_its_limit() {
        let short = Deadline::after(Duration::from_secs(5));
        let long = Deadline::after(Duration::from_secs(50));
        assert_eq!(short.min(long), short);
        assert_eq!(long.min(short), short);
        assert_eq!(short.min(Deadline::never()), short);
        assert_eq!(Deadline::never().min(short), short);
        assert_eq!(Deadline::never().min(Deadline::never()), Deadline::never());
        assert_eq!(long.min(short).limit(), Some(Duration::from_secs(5)));
    }

    #[test]
    fn remaining_ends_at_zero() {
        let now = Deadline::at(Instant::now());
        assert_eq!(now.remaining(), Some(Duration::ZERO));
        assert!(now.is_past());
        assert!(!Deadline::after(Duration::from_secs(60)).is_past());
        assert_eq!(Deadline::never().remaining(), None);
    }

    #[test]
    fn a_limit_beyond_the_clock_is_no_limit() {
        assert_eq!(Deadline::after(Duration::MAX).remaining(), None);
        assert!(!Deadline::after(Duration::MAX).is_past());
    }
}
