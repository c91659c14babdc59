//! When a step that failed is tried again, when its fallback may begin, and when it is over.

use spec::artifact::StepRecord;

use crate::failure::FailureKind;

/// What follows a failed try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Another try after a pause, in microseconds.
    Again(u64),
    /// Tries are left, but no time for another one.
    OutOfTime,
    /// No other try.
    GiveUp,
}

/// Judges a failed try: `tries` were made, and `left_us` are left until the step's deadline.
///
/// The pause belongs to the step's time: when the deadline would pass during it, there is no point in waiting for that.
pub fn after_failure(record: &StepRecord, tries: u32, kind: FailureKind, left_us: u64) -> Verdict {
    if !repeatable(kind, left_us) || tries > record.retries {
        return Verdict::GiveUp;
    }
    let pause = pause_us(&record.backoff_us, tries);
    if pause >= left_us { Verdict::OutOfTime } else { Verdict::Again(pause) }
}

/// The pause after the try with this number, from 1; the last pause repeats, and without any there is none.
pub fn pause_us(backoff_us: &[u64], tries: u32) -> u64 {
    let place = usize::try_from(tries.saturating_sub(1)).unwrap_or(usize::MAX);
    backoff_us.get(place).or(backoff_us.last()).copied().unwrap_or(0)
}

/// Whether the fallback may begin after a failure of this kind. What may have had its effect is not done in another way.
pub fn may_fall_back(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Step
        | FailureKind::Timeout
        | FailureKind::BadArgument
        | FailureKind::Unavailable
        | FailureKind::Verification
        | FailureKind::Postcondition
        | FailureKind::Precondition
        | FailureKind::Evaluation => true,
        FailureKind::Parameters
        | FailureKind::Limit
        | FailureKind::Refused
        | FailureKind::Uncertain
        | FailureKind::Interrupted(_)
        | FailureKind::Corrupt => false,
    }
}

/// Whether a failure of this kind ends the run, whatever the step says of failures.
pub fn ends_run(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Interrupted(_) | FailureKind::Limit | FailureKind::Corrupt | FailureKind::Refused => true,
        FailureKind::Step
        | FailureKind::Timeout
        | FailureKind::BadArgument
        | FailureKind::Parameters
        | FailureKind::Unavailable
        | FailureKind::Precondition
        | FailureKind::Postcondition
        | FailureKind::Verification
        | FailureKind::Evaluation
        | FailureKind::Uncertain => false,
    }
}

/// An action's own timeout is a failure like any other; the step's is final.
fn repeatable(kind: FailureKind, left_us: u64) -> bool {
    kind.retryable() || (kind == FailureKind::Timeout && left_us > 0)
}

#[cfg(test)]
mod tests {
    use spec::artifact::{OnFailure, StepKind, StepRecord};

    use crate::failure::FailureKind;
    use crate::machine::policy::{Verdict, after_failure, pause_us};

    fn record(retries: u32, backoff_us: &[u64]) -> StepRecord {
        StepRecord {
            id: "s".to_owned(),
            owner: 0,
            kind: StepKind::Act { route: 0, fallback: None },
            recovery: false,
            must_run: false,
            timeout_us: 0,
            retries,
            backoff_us: backoff_us.to_vec(),
            on_failure: OnFailure::Fail,
            within_us: 0,
            outputs: Vec::new(),
        }
    }

    #[test]
    fn the_last_pause_repeats() {
        let pauses: Vec<u64> = (1..5).map(|tries| pause_us(&[100, 400], tries)).collect();
        assert_eq!(pauses, [100, 400, 400, 400]);
        assert_eq!(pause_us(&[], 3), 0);
    }

    #[test]
    fn only_what_may_end_otherwise_is_repeated_and_only_in_time() {
        let judged = |tries, kind, left| after_failure(&record(1, &[100]), tries, kind, left);
        assert_eq!(judged(1, FailureKind::Step, 101), Verdict::Again(100));
        assert_eq!(judged(1, FailureKind::Step, 100), Verdict::OutOfTime);
        assert_eq!(judged(2, FailureKind::Step, 1000), Verdict::GiveUp);
        assert_eq!(judged(1, FailureKind::BadArgument, 1000), Verdict::GiveUp);
        assert_eq!(judged(1, FailureKind::Uncertain, 1000), Verdict::GiveUp);
        assert_eq!(judged(1, FailureKind::Timeout, 1000), Verdict::Again(100));
        assert_eq!(judged(1, FailureKind::Timeout, 0), Verdict::GiveUp);
    }
}
