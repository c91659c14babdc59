//! Conditions: looking, judging before and after, and waiting until they hold.

use std::time::Duration;

use spec::condition::{Condition, Test};
use spec::op::Op;
use spec::operand::{Label, Phase};
use spec::value::Value;

use crate::failure::{Failure, FailureKind};
use crate::machine::Machine;
use crate::machine::exec::{Flow, interrupted};
use crate::machine::frame::{Frame, Held, Seen, Verifying, absent};
use crate::machine::limits;
use crate::machine::observer::Pause;
use crate::machine::raised::Raised;
use crate::machine::text::{millis, shown};
use crate::need;
use crate::world::{Call, Observation, SET_EMPTY, Warnings, permit};

/// The first pause between two looks, in microseconds; each next one is twice as long.
const FIRST_PAUSE_US: u64 = 50_000;
/// The longest pause between two looks, in microseconds.
const LONGEST_PAUSE_US: u64 = 250_000;

impl Machine<'_> {
    pub(super) fn test(&mut self, frame: &mut Frame, condition: Condition) -> Result<Flow, Raised> {
        let items = frame.pop_many(condition.operands().len())?;
        let values: Result<Vec<Value>, Failure> =
            items.into_iter().map(|item| item.map(Held::into_value).ok_or_else(absent)).collect();
        let values = values?;
        let test = written(condition, &values);
        if self.world.restricted() {
            permit(self.world, &need::of_condition(condition, &values))?;
        }
        let read = Test::read(condition, values).map_err(|error| {
            let failure = Failure::new(FailureKind::BadArgument, format!("`{test}`: {}", error.message));
            error.help.into_iter().fold(failure, Failure::hint)
        })?;
        match self.observe(frame, &read) {
            Ok(Observation { holds, seen }) => {
                frame.seen.push(Seen { test, holds, seen });
                frame.push(Value::Boolean(holds));
                Ok(Flow::On)
            }
            Err(failure) => self.unknown(frame, test, failure),
        }
    }

    pub(super) fn demand(&mut self, frame: &mut Frame, phase: Phase) -> Result<Flow, Raised> {
        let holds = frame.boolean()?;
        let seen = std::mem::take(&mut frame.seen);
        if !holds {
            return Err(Failure::new(kind_of(phase), verdict(phase, &seen)).into());
        }
        // It holds, and yet what was asked for is hardly what is there.
        for found in seen.iter().filter(|found| found.holds && found.seen == SET_EMPTY) {
            self.ledger.warn(&format!("{phase} `{}` holds, but the variable is {SET_EMPTY}", found.test));
        }
        Ok(Flow::On)
    }

    pub(super) fn verify(&mut self, frame: &mut Frame, again: Label) -> Result<Flow, Raised> {
        if frame.boolean()? {
            frame.seen.clear();
            return Ok(Flow::On);
        }
        self.look_again(frame, again)
    }

    /// What has not happened cannot be looked at: a simulated world notes the conditions, with the arguments they would have.
    pub(super) fn skip_simulated(&mut self, frame: &mut Frame, phase: Phase, target: Label) -> Result<Flow, Raised> {
        if !self.world.simulated() {
            return Ok(Flow::On);
        }
        let whose = match &frame.open {
            Some(open) => format!(" of step `{}`", open.id),
            None => frame.prefix.strip_suffix('/').map(|id| format!(" of step `{id}`")).unwrap_or_default(),
        };
        for test in self.would_test(frame, target) {
            self.ledger.not_evaluated(&format!("{phase} `{test}`{whose}"));
        }
        Ok(Flow::To(target))
    }

    /// Looks whether a condition holds, within the time of whatever it belongs to.
    pub(super) fn observe(&mut self, frame: &Frame, test: &Test) -> Result<Observation, Failure> {
        let now = self.world.now_us();
        let left_us = frame.deadline().map_or(limits::LOOK_US, |deadline| deadline.left_us(now).min(limits::LOOK_US));
        // A condition is looked at again and again: what it has to remark is in what is seen.
        let warnings = Warnings::default();
        let call = Call {
            remaining: Duration::from_micros(left_us),
            interrupt: self.interrupt,
            streams: &self.artifact.streams,
            images: &self.artifact.images,
            warnings: &warnings,
            macro_name: &self.artifact.meta.name,
            step: frame.open.as_ref().map_or("", |open| open.id.as_str()),
        };
        self.world.observe(test, &call)
    }

    /// A condition of which nobody can say whether it holds: neither it nor its opposite does.
    fn unknown(&mut self, frame: &mut Frame, test: String, failure: Failure) -> Result<Flow, Raised> {
        let own = matches!(failure.kind, FailureKind::Interrupted(_) | FailureKind::Unavailable);
        match self.judge(frame) {
            Some(Op::Verify { again }) if !own => {
                let seen = format!("cannot be told: {}", failure.message);
                frame.seen.push(Seen { test, holds: false, seen });
                let height = frame.step()?.trying.as_ref().map_or(0, |trying| trying.height);
                frame.stack.truncate(height);
                self.look_again(frame, again)
            }
            Some(Op::Demand { phase }) if !own => {
                let message = format!("{phase} `{test}` cannot be told: {}", failure.message);
                Err(Failure { kind: kind_of(phase), message, ..failure }.into())
            }
            Some(_) | None => Err(failure.into()),
        }
    }

    fn judge(&self, frame: &Frame) -> Option<Op> {
        let end = self.artifact.macros.get(frame.unit)?.end as usize;
        let ahead = self.artifact.code.get(frame.next..end)?;
        ahead.iter().copied().find(|op| matches!(op, Op::Verify { .. } | Op::Demand { .. }))
    }

    fn look_again(&mut self, frame: &mut Frame, again: Label) -> Result<Flow, Raised> {
        let now = self.world.now_us();
        let seen = std::mem::take(&mut frame.seen);
        let open = frame.step()?;
        let within_us = open.policy.within_us;
        let first = open.verifying.is_none();
        let fresh = Verifying { until_us: now.saturating_add(within_us), pause_us: FIRST_PAUSE_US };
        let verifying = open.verifying.get_or_insert(fresh);
        let until_us = verifying.until_us.min(open.deadline.at_us);
        if now >= until_us {
            let mut message = verdict(Phase::Verify, &seen);
            if within_us > 0 {
                message.push_str(&format!(
                    " (waited {})",
                    millis(within_us.saturating_sub(verifying.until_us - until_us))
                ));
            }
            return Err(Failure::new(FailureKind::Verification, message).into());
        }
        let pause_us = verifying.pause_us;
        verifying.pause_us = (pause_us * 2).min(LONGEST_PAUSE_US);
        if first {
            self.ledger.waiting(open.trial(), Pause::Verify, until_us - now);
        }
        self.world.sleep_until(now.saturating_add(pause_us).min(until_us), self.interrupt);
        match self.interrupt.raised() {
            Some(signal) => Err(interrupted(signal).into()),
            None => Ok(Flow::To(again)),
        }
    }

    /// The conditions between here and `target` as far as their arguments can be computed without their having been reached.
    fn would_test(&mut self, frame: &mut Frame, target: Label) -> Vec<String> {
        let (at, next, stack) = (frame.at, frame.next, std::mem::take(&mut frame.stack));
        let mut tests = Vec::new();
        while frame.next < target.index() {
            let Some(op) = self.artifact.code.get(frame.next).copied() else { break };
            if let Op::Test { condition } = op {
                let items = frame.pop_many(condition.operands().len()).unwrap_or_default();
                let values: Option<Vec<Value>> = items.into_iter().map(|item| item.map(Held::into_value)).collect();
                tests.push(match values {
                    Some(values) if values.len() == condition.operands().len() => written(condition, &values),
                    Some(_) | None => condition.name().to_owned(),
                });
                frame.push(Value::Boolean(true));
                frame.next += 1;
            } else if matches!(op, Op::Demand { .. } | Op::Verify { .. } | Op::JumpIf { .. } | Op::JumpUnless { .. }) {
                // Every part of `any` and `all` is named.
                frame.stack.pop();
                frame.next += 1;
            } else {
                let from = frame.next;
                match self.compute(frame) {
                    Some(next) => frame.next = next.max(from + 1),
                    None => {
                        frame.stack.clear();
                        frame.next = from + 1;
                    }
                }
            }
        }
        (frame.at, frame.next, frame.stack) = (at, next, stack);
        tests
    }
}

/// The condition as a macro writes it: `file_size_gt: [/x, 10]`.
fn written(condition: Condition, values: &[Value]) -> String {
    match values {
        [one] => format!("{}: {}", condition.name(), shown(one)),
        many => {
            let many: Vec<String> = many.iter().map(shown).collect();
            format!("{}: [{}]", condition.name(), many.join(", "))
        }
    }
}

fn kind_of(phase: Phase) -> FailureKind {
    match phase {
        Phase::Precondition => FailureKind::Precondition,
        Phase::Postcondition => FailureKind::Postcondition,
        Phase::Verify => FailureKind::Verification,
    }
}

/// "precondition `file_exists: /nope` does not hold: not found".
fn verdict(phase: Phase, seen: &[Seen]) -> String {
    match seen {
        [] => format!("{phase} does not hold"),
        [one] => {
            let not = if one.holds { "not " } else { "" };
            format!("{phase} `{not}{}` does not hold: {}", one.test, one.seen)
        }
        many => {
            let many: Vec<String> = many.iter().map(|one| format!("`{}`: {}", one.test, one.seen)).collect();
            format!("{phase} does not hold: {}", many.join("; "))
        }
    }
}
