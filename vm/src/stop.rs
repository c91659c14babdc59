//! When an action has to end early: its time is over, or a signal asks for it.

use std::time::Duration;

use crate::failure::{Failure, FailureKind};
use crate::process::{Deadline, Interrupt, SignalName};
use crate::world::Call;

/// What can end a call early.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'a> {
    limit: Duration,
    deadline: Deadline,
    interrupt: &'a Interrupt,
}

impl<'a> Stop<'a> {
    /// What can end `call`, which begins now.
    pub fn new(call: &Call<'a>) -> Self {
        Self { limit: call.remaining, deadline: Deadline::after(call.remaining), interrupt: call.interrupt }
    }

    /// What can end a part of a call that may take `limit` from now on.
    pub fn within(limit: Duration, interrupt: &'a Interrupt) -> Self {
        Self { limit, deadline: Deadline::after(limit), interrupt }
    }

    /// The same with a nearer end, when `limit` from now on is earlier.
    #[must_use]
    pub fn at_most(&self, limit: Duration) -> Self {
        let own = Self::within(limit, self.interrupt);
        if self.deadline.remaining().is_some_and(|left| left <= limit) { *self } else { own }
    }

    /// Whether this is the nearer end of a part of a call, and not the end of the call itself.
    pub fn is_nearer_than(&self, call: &Stop<'_>) -> bool {
        self.deadline != call.deadline
    }

    /// Until when the call may take.
    pub fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// The call's interrupt.
    pub fn interrupt(&self) -> &'a Interrupt {
        self.interrupt
    }

    /// Whether the call must end.
    pub fn asked(&self) -> bool {
        self.interrupt.raised().is_some() || self.deadline.is_past()
    }

    /// Fails when the call must end.
    ///
    /// # Errors
    /// [`FailureKind::Interrupted`] or [`FailureKind::Timeout`].
    pub fn check(&self) -> Result<(), Failure> {
        if self.asked() { Err(self.failure()) } else { Ok(()) }
    }

    /// Why the call ended early.
    pub fn failure(&self) -> Failure {
        match self.interrupt.raised() {
            Some(signal) => interrupted(signal),
            None => self.timed_out(),
        }
    }

    /// The failure at the end of `self`, which is a part of `call` or all of it, when `found` is what there was until then. A signal says itself. The end of
    /// the call is a timeout; after how long, the machine adds. The end of a part that was nearer is a failure like others, after which another
    /// try may follow.
    pub fn expired(&self, call: &Stop<'_>, found: Failure) -> Failure {
        if self.interrupt.raised().is_some() {
            return self.failure();
        }
        if !self.is_nearer_than(call) {
            return Failure { kind: FailureKind::Timeout, ..found };
        }
        Failure { message: format!("{}: {}", self.timed_out().message, found.message), ..found }
    }

    /// The time is over. A started millisecond counts as one: 999.9 ms are left when a limit of 1000 ms reaches an action.
    pub(crate) fn timed_out(&self) -> Failure {
        let limit = self.limit.as_micros().div_ceil(1000);
        Failure::new(FailureKind::Timeout, format!("timed out after {limit} ms"))
    }
}

/// A signal came.
pub(crate) fn interrupted(signal: i32) -> Failure {
    Failure::new(FailureKind::Interrupted(signal), format!("interrupted by {}", SignalName(signal)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::failure::{Failure, FailureKind};
    use crate::process::Interrupt;
    use crate::stop::Stop;

    #[test]
    fn the_nearer_end_decides() {
        let interrupt = Interrupt::new().unwrap();
        let call = Stop::within(Duration::from_secs(60), &interrupt);
        let (near, far) = (call.at_most(Duration::from_millis(20)), call.at_most(Duration::from_secs(600)));
        assert!(near.is_nearer_than(&call) && !far.is_nearer_than(&call) && !call.is_nearer_than(&call));
        let found = || Failure::step("nothing was there");
        let expired = |stop: &Stop<'_>| (stop.expired(&call, found()).kind, stop.expired(&call, found()).message);
        assert_eq!(expired(&near), (FailureKind::Step, "timed out after 20 ms: nothing was there".to_owned()));
        assert_eq!(expired(&far), (FailureKind::Timeout, "nothing was there".to_owned()));
        interrupt.raise(15);
        assert_eq!(expired(&near).0, FailureKind::Interrupted(15));
        assert_eq!(expired(&far).0, FailureKind::Interrupted(15));
    }
}
