//! When a step that failed is tried again, when its fallback may begin, and when it is over.

use spec::artifact::{MAX_BACKOFF_MS, MAX_RETRIES, OnFailure, StepRecord};
use spec::grammar::duration;
use spec::kind;
use spec::operand::Setting;
use spec::value::Value;

use crate::failure::{Failure, FailureKind};

/// The settings of a step: those of its record, unless they are computed when it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// How many tries may follow the first.
    pub retries: u32,
    /// The pauses between tries, in microseconds; the last repeats.
    pub backoff_us: Vec<u64>,
    /// How long its conditions may take to become true, in microseconds.
    pub within_us: u64,
    /// What its failure means.
    pub on_failure: OnFailure,
}

/// The most pauses.
const MAX_PAUSES: usize = 1000;

impl RetryPolicy {
    /// What the record says.
    pub fn of(record: &StepRecord) -> Self {
        Self {
            retries: record.retries,
            backoff_us: record.backoff_us.clone(),
            within_us: record.within_us,
            on_failure: record.on_failure,
        }
    }

    /// Changes a setting to a computed value.
    ///
    /// # Errors
    /// [`FailureKind::BadArgument`]: it is none of what the setting can be.
    pub fn set(&mut self, setting: Setting, value: &Value) -> Result<(), Failure> {
        match setting {
            Setting::Retries => {
                let retries = whole(value)
                    .and_then(|retries| u32::try_from(retries).ok())
                    .filter(|retries| *retries <= MAX_RETRIES);
                let wanted = || wrong(&format!("the number of retries must be from 0 to {MAX_RETRIES}"), value);
                self.retries = retries.ok_or_else(wanted)?;
            }
            Setting::Backoff => {
                let list = if let Value::List(pauses) = value { Some(pauses) } else { None };
                let pauses = list.filter(|pauses| pauses.len() <= MAX_PAUSES);
                let pauses = pauses.map_or(std::slice::from_ref(value), Vec::as_slice);
                self.backoff_us = pauses.iter().map(pause).collect::<Result<_, _>>()?;
            }
            Setting::Within => {
                let Value::String(text) = value else {
                    return Err(wrong("`within` must be a duration such as `5s`", value));
                };
                let parsed = duration::parse(text);
                self.within_us = parsed.map_err(|error| {
                    Failure::new(FailureKind::BadArgument, format!("`within`: {error}")).hint(error.help())
                })?;
            }
            Setting::OnFailure => {
                let word = match value {
                    Value::String(word) => OnFailure::ALL.into_iter().find(|known| known.name() == word),
                    Value::Null
                    | Value::Boolean(_)
                    | Value::Integer(_)
                    | Value::Float(_)
                    | Value::Number(_)
                    | Value::List(_)
                    | Value::Dict(_) => None,
                };
                self.on_failure =
                    word.ok_or_else(|| wrong("`on_failure` must be `fail`, `skip` or `continue`", value))?;
            }
        }
        Ok(())
    }
}

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
pub fn after_failure(policy: &RetryPolicy, tries: u32, kind: FailureKind, left_us: u64) -> Verdict {
    if !repeatable(kind, left_us) || tries > policy.retries {
        return Verdict::GiveUp;
    }
    let pause = pause_us(&policy.backoff_us, tries);
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
        | FailureKind::Model(_)
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
        | FailureKind::Model(_)
        | FailureKind::Uncertain => false,
    }
}

fn pause(value: &Value) -> Result<u64, Failure> {
    let millis = whole(value).and_then(|millis| u32::try_from(millis).ok()).filter(|millis| *millis <= MAX_BACKOFF_MS);
    millis
        .map(|millis| u64::from(millis) * 1000)
        .ok_or_else(|| wrong(&format!("a pause must be from 0 to {MAX_BACKOFF_MS} milliseconds"), value))
}

/// A whole number; digits as text count, as they do where the value is written.
fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(*number),
        Value::String(text) => text.parse().ok(),
        Value::Null | Value::Boolean(_) | Value::Float(_) | Value::Number(_) | Value::List(_) | Value::Dict(_) => None,
    }
}

fn wrong(wanted: &str, found: &Value) -> Failure {
    Failure::new(FailureKind::BadArgument, format!("{wanted}, found {}", kind::describe(found)))
}

/// An action's own timeout is a failure like any other; the step's is final.
fn repeatable(kind: FailureKind, left_us: u64) -> bool {
    kind.retryable() || (kind == FailureKind::Timeout && left_us > 0)
}

#[cfg(test)]
mod tests {
    use spec::artifact::OnFailure;
    use spec::operand::Setting;
    use spec::value::Value;

    use crate::failure::FailureKind;
    use crate::machine::policy::{RetryPolicy, Verdict, after_failure, pause_us};

    fn policy(retries: u32, backoff_us: &[u64]) -> RetryPolicy {
        RetryPolicy { retries, backoff_us: backoff_us.to_vec(), within_us: 0, on_failure: OnFailure::Fail }
    }

    #[test]
    fn the_last_pause_repeats() {
        let pauses: Vec<u64> = (1..5).map(|tries| pause_us(&[100, 400], tries)).collect();
        assert_eq!(pauses, [100, 400, 400, 400]);
        assert_eq!(pause_us(&[], 3), 0);
    }

    #[test]
    fn only_what_may_end_otherwise_is_repeated_and_only_in_time() {
        let judged = |tries, kind, left| after_failure(&policy(1, &[100]), tries, kind, left);
        assert_eq!(judged(1, FailureKind::Step, 101), Verdict::Again(100));
        assert_eq!(judged(1, FailureKind::Step, 100), Verdict::OutOfTime);
        assert_eq!(judged(2, FailureKind::Step, 1000), Verdict::GiveUp);
        assert_eq!(judged(1, FailureKind::BadArgument, 1000), Verdict::GiveUp);
        assert_eq!(judged(1, FailureKind::Uncertain, 1000), Verdict::GiveUp);
        assert_eq!(judged(1, FailureKind::Timeout, 1000), Verdict::Again(100));
        assert_eq!(judged(1, FailureKind::Timeout, 0), Verdict::GiveUp);
    }

    #[test]
    fn settings_can_be_computed() {
        let mut computed = policy(0, &[]);
        let text = |text: &str| Value::String(text.to_owned());
        computed.set(Setting::Retries, &Value::Integer(3)).unwrap();
        computed.set(Setting::Backoff, &Value::List(vec![Value::Integer(5), text("10")])).unwrap();
        computed.set(Setting::Within, &text("2s")).unwrap();
        computed.set(Setting::OnFailure, &text("skip")).unwrap();
        let expected = RetryPolicy {
            retries: 3,
            backoff_us: vec![5000, 10_000],
            within_us: 2_000_000,
            on_failure: OnFailure::Skip,
        };
        assert_eq!(computed, expected);
        for (setting, value) in [
            (Setting::Retries, Value::Integer(-1)),
            (Setting::Retries, Value::Integer(1001)),
            (Setting::Backoff, Value::Integer(86_400_001)),
            (Setting::Backoff, Value::List(vec![Value::Null])),
            (Setting::Within, Value::Integer(5)),
            (Setting::Within, text("5 parsecs")),
            (Setting::OnFailure, text("Skip")),
        ] {
            let failure = computed.set(setting, &value).unwrap_err();
            assert_eq!(failure.kind, FailureKind::BadArgument, "{setting} {value:?}");
            assert_eq!(computed, expected);
        }
    }
}
