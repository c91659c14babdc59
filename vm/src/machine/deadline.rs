//! Points in a world's time after which a step, a called macro or a run has failed.

use crate::failure::{Failure, FailureKind};
use crate::machine::text::millis;

/// When something must have ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The world's time in microseconds.
    pub at_us: u64,
    /// How long it was from its begin, in microseconds; for messages.
    pub after_us: u64,
    /// Whose it is, when it is not the step's own: "step `call`", "macro `m`".
    pub of: Option<String>,
}

impl Deadline {
    /// A deadline `after_us` from now.
    pub fn new(now_us: u64, after_us: u64, of: Option<String>) -> Self {
        Self { at_us: now_us.saturating_add(after_us), after_us, of }
    }

    /// The one that passes first; of two at the same time, this one.
    pub fn or_sooner(self, other: Option<&Deadline>) -> Deadline {
        match other {
            Some(other) if other.at_us < self.at_us => other.clone(),
            Some(_) | None => self,
        }
    }

    /// Whether it has passed.
    pub fn passed(&self, now_us: u64) -> bool {
        now_us >= self.at_us
    }

    /// How much time is left, in microseconds.
    pub fn left_us(&self, now_us: u64) -> u64 {
        self.at_us.saturating_sub(now_us)
    }

    /// That it has passed, with what happened last.
    pub fn failure(&self, last: Option<&str>) -> Failure {
        let mut message = format!("timed out after {}", millis(self.after_us));
        if let Some(of) = &self.of {
            message.push_str(&format!(", the limit of {of}"));
        }
        // What was cut off by the same deadline has nothing to add.
        if let Some(last) = last.filter(|last| !last.is_empty() && !last.starts_with("timed out after")) {
            message.push_str(&format!("; last error: {last}"));
        }
        Failure::new(FailureKind::Timeout, message)
    }
}
