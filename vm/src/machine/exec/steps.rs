//! Instructions of a step: its begin, its tries, what follows a failed try, and its end.

use spec::artifact::{OnFailure, StepKind, StepRecord};
use spec::grammar::duration;
use spec::kind;
use spec::operand::{Index, Label, Setting, Slot, Step};
use spec::value::Value;

use crate::failure::{Failure, FailureKind};
use crate::machine::Machine;
use crate::machine::attempt::first_backend;
use crate::machine::deadline::Deadline;
use crate::machine::exec::{Flow, interrupted};
use crate::machine::frame::{Frame, Held, Open, Trying, corrupt};
use crate::machine::observer::{Pause, Trial};
use crate::machine::policy::{self, RetryPolicy, Verdict};
use crate::machine::raised::Raised;
use crate::report::{Attempt, Status, StepReport};

/// The word for a called macro where a backend is named.
pub const MACRO: &str = "macro";

impl<'a> Machine<'a> {
    pub(super) fn begin_step(&mut self, frame: &mut Frame, step: Step, end: Label) -> Result<Flow, Raised> {
        if frame.open.is_some() {
            return Err(corrupt().into());
        }
        self.demand_backends(frame)?;
        self.look_up(frame)?;
        self.budget.step()?;
        let record = self.record(step.index())?;
        let id = format!("{}{}", frame.prefix, record.id);
        let began_us = self.world.now_us();
        let turn = frame.turn();
        let entry = self.ledger.begin(&id, turn);
        frame.open = Some(Open {
            step: step.index(),
            id,
            entry,
            turn,
            end,
            began_us,
            policy: RetryPolicy::of(record),
            deadline: Deadline::new(began_us, record.timeout_us, None).or_sooner(frame.limit.as_ref()),
            tries: 0,
            fallen_back: false,
            spent: false,
            trying: None,
            attempts: Vec::new(),
            failure: None,
            outputs: Vec::new(),
            output: Default::default(),
            backend: None,
            would: None,
            verifying: None,
        });
        Ok(Flow::On)
    }

    pub(super) fn when(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        if frame.boolean()? {
            return Ok(Flow::On);
        }
        let end = frame.step()?.end;
        self.close_step(frame, Status::Skipped)?;
        Ok(Flow::To(end))
    }

    /// A computed timeout takes the place of the record's.
    pub(super) fn limit(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        let after_us = timeout_us(&*frame.present()?)?;
        let around = frame.limit.clone();
        let open = frame.step()?;
        open.deadline = Deadline::new(open.began_us, after_us, None).or_sooner(around.as_ref());
        Ok(Flow::On)
    }

    /// A computed setting takes the place of the record's.
    pub(super) fn policy(&mut self, frame: &mut Frame, setting: Setting) -> Result<Flow, Raised> {
        let value = frame.present()?;
        frame.step()?.policy.set(setting, &value)?;
        Ok(Flow::On)
    }

    /// A computed timeout of the whole macro; it can only shorten the time there is.
    pub(super) fn total(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        let after_us = timeout_us(&*frame.present()?)?;
        let name = self.artifact.macros.get(frame.unit).map(|unit| unit.name.as_str()).unwrap_or_default();
        let own = Deadline::new(self.world.now_us(), after_us, Some(format!("macro `{name}`")));
        frame.limit = Some(own.or_sooner(frame.limit.as_ref()));
        Ok(Flow::On)
    }

    pub(super) fn begin_try(&mut self, frame: &mut Frame, handler: Label) -> Result<Flow, Raised> {
        let record = self.record(frame.step()?.step)?;
        let backend = match record.kind {
            StepKind::Act { route, .. } => first_backend(self.artifact, route),
            StepKind::Call { .. } => MACRO,
        };
        self.try_with(frame, handler, backend)
    }

    pub(super) fn end_try(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        let now = self.world.now_us();
        let open = frame.step()?;
        let trying = open.trying.take().ok_or_else(corrupt)?;
        let duration_us = now.saturating_sub(trying.began_us);
        open.attempts.push(Attempt { backend: trying.backend.to_owned(), duration_us, error: None });
        open.failure = None;
        Ok(Flow::On)
    }

    pub(super) fn output(&mut self, frame: &mut Frame, Index(index): Index, slot: Slot) -> Result<Flow, Raised> {
        let value = frame.step()?.outputs.get(usize::from(index)).cloned().flatten();
        if let Some(value) = &value {
            self.budget.value(value)?;
        }
        *frame.slot(slot)? = value.map(Held::open);
        Ok(Flow::On)
    }

    pub(super) fn retry(&mut self, frame: &mut Frame, again: Label) -> Result<Flow, Raised> {
        let now = self.world.now_us();
        let open = frame.step()?;
        let Some(raised) = &mut open.failure else { return Err(corrupt().into()) };
        match policy::after_failure(&open.policy, open.tries, raised.failure.kind, open.deadline.left_us(now)) {
            Verdict::Again(pause_us) => {
                if pause_us > 0 {
                    let of = Trial { number: open.attempts.len(), ..open.trial() };
                    self.ledger.waiting(of, Pause::Backoff, pause_us);
                    self.world.sleep_until(now.saturating_add(pause_us), self.interrupt);
                }
                match self.interrupt.raised() {
                    Some(signal) => Err(interrupted(signal).into()),
                    None => Ok(Flow::To(again)),
                }
            }
            Verdict::OutOfTime => {
                raised.failure = out_of_time(&open.deadline, raised, &open.id);
                open.spent = true;
                Ok(Flow::On)
            }
            Verdict::GiveUp => Ok(Flow::On),
        }
    }

    pub(super) fn fallback(&mut self, frame: &mut Frame, handler: Label) -> Result<Flow, Raised> {
        let now = self.world.now_us();
        let open = frame.step()?;
        let record = self.record(open.step)?;
        let StepKind::Act { fallback: Some(route), .. } = record.kind else { return Err(corrupt().into()) };
        let Some(raised) = &mut open.failure else { return Err(corrupt().into()) };
        if !policy::may_fall_back(raised.failure.kind) {
            return Ok(Flow::To(handler));
        }
        if open.spent {
            return Ok(Flow::To(handler));
        }
        if open.deadline.passed(now) {
            raised.failure = out_of_time(&open.deadline, raised, &open.id);
            return Ok(Flow::To(handler));
        }
        if !open.fallen_back {
            open.fallen_back = true;
            open.tries = 0;
        }
        self.try_with(frame, handler, first_backend(self.artifact, route))
    }

    pub(super) fn settle(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        let on_failure = frame.step()?.policy.on_failure;
        self.settle_as(frame, on_failure)
    }

    pub(super) fn end_step(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        self.close_step(frame, Status::Ok)?;
        Ok(Flow::On)
    }

    /// Ends a step whose failure is final: forgives it, or hands it on.
    pub(super) fn settle_as(&mut self, frame: &mut Frame, on_failure: OnFailure) -> Result<Flow, Raised> {
        let open = frame.step()?;
        let (id, step, end) = (open.id.clone(), open.step, open.end);
        let raised = open.failure.clone().ok_or_else(corrupt)?;
        match on_failure {
            OnFailure::Fail => {
                self.close_step(frame, Status::Failed)?;
                Err(raised.at(Some(&id), self.ledger.step_place(step)))
            }
            OnFailure::Skip => {
                self.close_step(frame, Status::Skipped)?;
                Ok(Flow::To(end))
            }
            OnFailure::Continue => {
                self.ledger.warn(&format!("step `{id}` failed and the macro went on: {}", raised.message(&id)));
                self.close_step(frame, Status::Failed)?;
                Ok(Flow::To(end))
            }
        }
    }

    /// A report of a step that did nothing.
    pub(in crate::machine) fn empty_report(
        &self,
        step: usize,
        id: String,
        iteration: Option<usize>,
        status: Status,
    ) -> StepReport {
        StepReport {
            id,
            iteration,
            status,
            output: Default::default(),
            failure: None,
            duration_us: 0,
            backend_used: None,
            attempts: Vec::new(),
            would: None,
            place: self.ledger.step_place(step),
        }
    }

    pub(in crate::machine) fn record(&self, step: usize) -> Result<&'a StepRecord, Failure> {
        self.artifact.steps.get(step).ok_or_else(corrupt)
    }

    fn try_with(&mut self, frame: &mut Frame, handler: Label, backend: &'static str) -> Result<Flow, Raised> {
        let began_us = self.world.now_us();
        let height = frame.stack.len();
        if self.finallies == 0 {
            // Whatever failed before is settled: the next failure has its own time to clean up.
            self.grace = None;
        }
        let open = frame.step()?;
        if open.trying.is_some() {
            return Err(corrupt().into());
        }
        open.tries = open.tries.saturating_add(1);
        open.trying = Some(Trying { handler, height, began_us, backend });
        open.outputs = Vec::new();
        open.output = Default::default();
        open.verifying = None;
        if open.deadline.passed(began_us) {
            return Err(open.deadline.failure(None).into());
        }
        match self.interrupt.raised() {
            Some(signal) => Err(interrupted(signal).into()),
            None => Ok(Flow::On),
        }
    }

    fn close_step(&mut self, frame: &mut Frame, status: Status) -> Result<(), Failure> {
        let now = self.world.now_us();
        let open = frame.open.take().ok_or_else(corrupt)?;
        let record = self.record(open.step)?;
        frame.left = Some(open.end);
        let failure = open.failure.map(|raised| Failure { message: raised.message(&open.id), ..raised.failure });
        let backend_used = open.backend.map(|backend| match (record.recovery, open.fallen_back) {
            (false, _) => backend.to_owned(),
            (true, true) => format!("recovery(fallback={backend})"),
            (true, false) => format!("recovery({backend}, attempt={})", open.tries),
        });
        let mut output = open.output;
        if let Some(failure) = &failure {
            output.extend(failure.partial.iter().cloned());
        }
        let report = StepReport {
            iteration: open.turn,
            output,
            failure,
            duration_us: now.saturating_sub(open.began_us),
            backend_used,
            attempts: open.attempts,
            would: open.would,
            ..self.empty_report(open.step, open.id, open.turn, status)
        };
        self.ledger.finish(open.entry, report);
        Ok(())
    }
}

fn out_of_time(deadline: &Deadline, raised: &Raised, id: &str) -> Failure {
    Failure { partial: raised.failure.partial.clone(), ..deadline.failure(Some(&raised.message(id))) }
}

/// A timeout in microseconds, from milliseconds or from a duration as text.
fn timeout_us(value: &Value) -> Result<u64, Failure> {
    let found = match value {
        Value::Integer(millis) => u64::try_from(*millis).ok().and_then(|millis| millis.checked_mul(1000)),
        Value::String(text) => match duration::parse(text) {
            Ok(micros) => Some(micros),
            Err(error) => {
                return Err(Failure::new(FailureKind::BadArgument, format!("`timeout`: {error}")).hint(error.help()));
            }
        },
        Value::Null | Value::Boolean(_) | Value::Float(_) | Value::Number(_) | Value::List(_) | Value::Dict(_) => None,
    };
    found.filter(|micros| (1..=duration::MAX_MICROS).contains(micros)).ok_or_else(|| {
        let longest = duration::display(duration::MAX_MICROS);
        let message =
            format!("a timeout must be longer than nothing and at most {longest}, found {}", kind::describe(value));
        Failure::new(FailureKind::BadArgument, message)
    })
}
