//! The way out of a failure: to the step's handler, to the `finally` block, or out of the macro.

use spec::artifact::OnFailure;
use spec::op::Op;
use spec::operand::Label;

use crate::failure::FailureKind;
use crate::machine::Machine;
use crate::machine::deadline::Deadline;
use crate::machine::exec::Flow;
use crate::machine::frame::{Frame, Guard, corrupt};
use crate::machine::policy;
use crate::machine::raised::Raised;
use crate::report::Attempt;

impl Machine<'_> {
    /// Finds where a failure is handled in the macro.
    ///
    /// # Errors
    /// The failure, when it ends the macro.
    pub(super) fn unwind(&mut self, frame: &mut Frame, raised: Raised) -> Result<(), Raised> {
        frame.seen.clear();
        if frame.open.is_none() {
            let raised = raised.at(None, self.ledger.code_place(frame.at));
            let end = frame.left;
            return self.leave(frame, raised, end);
        }
        match self.fail_step(frame, raised) {
            Ok(next) => {
                frame.next = next.index();
                Ok(())
            }
            Err(raised) => {
                let end = frame.left;
                self.leave(frame, raised, end)
            }
        }
    }

    /// The failure of a step: to its handler, or, where none can help, to the step's end.
    fn fail_step(&mut self, frame: &mut Frame, mut raised: Raised) -> Result<Label, Raised> {
        let now = self.world.now_us();
        // What is around the step cannot be forgiven by the step.
        let mut ends =
            policy::ends_run(raised.failure.kind) || frame.limit.as_ref().is_some_and(|limit| limit.passed(now));
        let open = frame.step()?;
        let Some(trying) = open.trying.take() else {
            open.failure = Some(raised);
            return self.settle_failed(frame, ends);
        };
        let error = raised.message(&open.id);
        if let Err(over) = self.budget.bytes(error.len().saturating_add(size_of::<Attempt>())) {
            (raised, ends) = (over.into(), true);
        }
        let duration_us = now.saturating_sub(trying.began_us);
        let attempt = Attempt { backend: trying.backend.to_owned(), duration_us, error: Some(error) };
        self.ledger.try_failed(open.trial(), &attempt);
        open.attempts.push(attempt);
        open.failure = Some(raised);
        frame.stack.truncate(trying.height);
        if ends {
            return self.settle_failed(frame, true);
        }
        Ok(trying.handler)
    }

    fn settle_failed(&mut self, frame: &mut Frame, ends: bool) -> Result<Label, Raised> {
        let on_failure = if ends { OnFailure::Fail } else { frame.step()?.policy.on_failure };
        match self.settle_as(frame, on_failure)? {
            Flow::To(end) => {
                frame.stack.clear();
                Ok(end)
            }
            Flow::On | Flow::Ended => Err(corrupt().into()),
        }
    }

    /// A failure no step of this macro keeps: `finally` first, then out. `end` is where a failed step ends.
    fn leave(&mut self, frame: &mut Frame, raised: Raised, end: Option<Label>) -> Result<(), Raised> {
        frame.stack.clear();
        match std::mem::replace(&mut frame.guard, Guard::Done) {
            Guard::None | Guard::Done => Err(raised),
            Guard::Armed(_) if self.insisted => {
                let name = self.artifact.macros.get(frame.unit).map(|unit| unit.name.clone()).unwrap_or_default();
                self.ledger.warn(&format!("`finally` of macro `{name}` did not run: a second signal asked to stop"));
                Err(raised)
            }
            Guard::Armed(finally) => {
                if let FailureKind::Interrupted(_) = raised.failure.kind {
                    // Cleaning up is not interrupted by the signal that made it necessary; another one does.
                    self.interrupt.clear();
                }
                let limit = frame.limit.replace(self.grace());
                frame.guard = Guard::Running { pending: Some(raised), limit };
                self.finallies += 1;
                frame.loops.clear();
                frame.next = finally.index();
                Ok(())
            }
            Guard::Running { pending, limit } => self.fail_finally(frame, raised, pending, limit, end),
        }
    }

    /// A failure inside `finally`: its other steps still run, and the first failure of all stays the run's.
    fn fail_finally(
        &mut self,
        frame: &mut Frame,
        raised: Raised,
        pending: Option<Raised>,
        limit: Option<Deadline>,
        end: Option<Label>,
    ) -> Result<(), Raised> {
        let kind = raised.failure.kind;
        let now = self.world.now_us();
        let mut over = policy::ends_run(kind) || frame.limit.as_ref().is_some_and(|limit| limit.passed(now));
        if let FailureKind::Interrupted(_) = kind {
            match pending {
                Some(_) => self.insisted = true,
                None => {
                    // The first signal of a run that went well so far: the other steps clean up as after any signal.
                    self.interrupt.clear();
                    frame.limit = Some(self.grace());
                    over = false;
                }
            }
        }
        let first = match pending {
            None => raised,
            Some(first) => {
                self.ledger.warn(&format!("in `finally`: {}", raised.message("")));
                first
            }
        };
        if over {
            self.finallies = self.finallies.saturating_sub(1);
            frame.limit = limit;
            return Err(first);
        }
        let next = match end {
            Some(end) => end,
            None => {
                frame.loops.clear();
                self.finally_end(frame)?
            }
        };
        frame.guard = Guard::Running { pending: Some(first), limit };
        frame.next = next.index();
        Ok(())
    }

    fn finally_end(&self, frame: &Frame) -> Result<Label, Raised> {
        let end = self.artifact.macros.get(frame.unit).map_or(0, |unit| unit.end as usize);
        let rest = self.artifact.code.get(frame.at..end).unwrap_or_default();
        let ahead = rest.iter().position(|op| matches!(op, Op::EndFinally {})).ok_or_else(corrupt)?;
        u32::try_from(frame.at + ahead).map(Label).map_err(|_| corrupt().into())
    }
}
