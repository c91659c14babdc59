//! Steps to instructions: loop, condition, tries, fallback, verification and what a failure means all become control flow.
//!
//! ```text
//! each … L: next …                       for_each
//! step S, end=E ; <when> when ; <timeout> limit ; <setting> policy
//! T: try H ; <arguments> act ; output… ; V: <conditions> verify V ; end_try ; jump D
//! H: retry T ; fallback H2 ; … ; H2: settle
//! D: end_step
//! E: <collect> loop L
//! ```

use spec::action::Output;
use spec::artifact::{OnFailure, StepKind, StepRecord};
use spec::op::Op;
use spec::operand::{Callee, Index, Mask, Phase, Route, Slot, Step};
use spec::span::Span;
use spec::value::Value;

use crate::ir;
use crate::ir::{ActionCall, Body, Each, Expr, Linked};
use crate::lower::Context;
use crate::lower::code::Hole;

/// Which list of a macro a step is in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// `steps:`.
    Body,
    /// `finally:`.
    Finally,
}

impl Context {
    /// Emits a step of the macro `owner`.
    pub fn step(&mut self, owner: usize, step: &ir::Step, linked: &Linked, place: Place) {
        let record = self.record(owner, step, linked, place);
        let number = Step(self.steps.len() as u32);
        self.steps.push(record);
        self.step_spans.push(step.span);
        match &step.each {
            Some(each) => self.turns(number, step, each),
            None => self.once(number, step, step.success),
        }
    }

    fn record(&mut self, owner: usize, step: &ir::Step, linked: &Linked, place: Place) -> StepRecord {
        let (kind, recovery, outputs) = match &step.body {
            Body::Act { call, fallback, recovery } => {
                let route = self.route(&call.route);
                let fallback = fallback.as_ref().map(|call| self.route(&call.route));
                let names = |outputs: &[Output]| outputs.iter().map(|output| output.name.to_owned()).collect();
                let outputs = call.route.first().map(|action| names(action.outputs())).unwrap_or_default();
                (StepKind::Act { route, fallback }, *recovery, outputs)
            }
            Body::Call { callee, .. } => {
                let results = linked.macros.get(*callee as usize).map(|unit| unit.results.as_slice());
                let names = results.unwrap_or_default().iter().map(|result| result.name.clone()).collect();
                (StepKind::Call { callee: *callee }, false, names)
            }
        };
        StepRecord {
            id: step.id.clone(),
            owner: owner as u32,
            kind,
            recovery,
            must_run: place == Place::Body
                && step.when.is_none()
                && step.each.is_none()
                && step.on_failure == Some(OnFailure::Fail),
            timeout_us: step.timeout_us,
            retries: step.retries,
            backoff_us: step.backoff_us.clone(),
            // A computed one is set before the first try.
            on_failure: step.on_failure.unwrap_or(OnFailure::Fail),
            within_us: step.within_us,
            outputs,
        }
    }

    fn turns(&mut self, number: Step, step: &ir::Step, each: &Each) {
        let (list, turn) = (self.fresh_slot(), step.success.map(|_| self.fresh_slot()));
        for (_, collected) in &each.collect {
            self.code.push(Op::List { count: Default::default() }, step.span);
            self.code.push(Op::Store { slot: *collected }, step.span);
        }
        self.set(step.success, true, step.span);
        self.expr(&each.list);
        self.code.push(Op::Each { list, index: each.index }, each.list.span);
        let next_at = self.code.here();
        let next = self.code.hole(each.list.span);
        for (slot, _) in &each.collect {
            self.code.push(Op::Clear { slot: *slot }, step.span);
        }
        self.set(turn, false, step.span);
        self.once(number, step, turn);
        for (slot, collected) in &each.collect {
            self.code.push(Op::LoadMaybe { slot: *slot }, step.span);
            self.code.push(Op::Append { slot: *collected }, step.span);
        }
        if let Some(turn) = turn {
            self.code.push(Op::Load { slot: turn }, step.span);
            let succeeded = self.code.hole(step.span);
            self.set(step.success, false, step.span);
            let target = self.code.here();
            self.code.fill(succeeded, Op::JumpIf { target });
        }
        self.code.push(Op::Loop { next: next_at }, step.span);
        let end = self.code.here();
        self.code.fill(next, Op::Next { list, index: each.index, item: each.item, end });
    }

    fn once(&mut self, number: Step, step: &ir::Step, success: Option<Slot>) {
        let begin = self.code.hole(step.span);
        if let Some(when) = &step.when {
            self.expr(when);
            self.code.push(Op::When {}, when.span);
        }
        if let Some(limit) = &step.limit {
            self.expr(limit);
            self.code.push(Op::Limit {}, limit.span);
        }
        for (setting, value) in &step.computed {
            self.expr(value);
            self.code.push(Op::Policy { setting: *setting }, value.span);
        }
        let again = self.code.here();
        let attempt = self.code.hole(step.span);
        let fallback = match &step.body {
            Body::Act { call, fallback, .. } => {
                self.act(call, step.span);
                fallback.as_ref()
            }
            Body::Call { callee, arguments } => {
                let given = self.arguments(arguments);
                self.code.push(Op::Call { callee: Callee(*callee), given }, step.span);
                None
            }
        };
        let mut done = vec![self.succeed(step, success)];
        let handler = self.code.here();
        self.code.fill(attempt, Op::Try { handler });
        self.code.push(Op::Retry { again }, step.span);
        if let Some(call) = fallback {
            let attempt = self.code.hole(step.span);
            self.act(call, step.span);
            done.push(self.succeed(step, success));
            let handler = self.code.here();
            self.code.fill(attempt, Op::Fallback { handler });
        }
        self.code.push(Op::Settle {}, step.span);
        for hole in done {
            self.code.jump_here(hole);
        }
        self.code.push(Op::EndStep {}, step.span);
        let end = self.code.here();
        self.code.fill(begin, Op::Step { step: number, end });
    }

    /// The end of a try that has acted: outputs, verification, and a jump to the step's end.
    fn succeed(&mut self, step: &ir::Step, success: Option<Slot>) -> Hole {
        for (index, slot) in &step.outputs {
            self.code.push(Op::Output { index: Index(*index), slot: *slot }, step.span);
        }
        if let Some(first) = step.verify.first() {
            let skip = self.code.hole(first.span);
            for condition in &step.verify {
                let again = self.code.here();
                self.condition(condition);
                self.code.push(Op::Verify { again }, condition.span);
            }
            let target = self.code.here();
            self.code.fill(skip, Op::SkipSimulated { phase: Phase::Verify, target });
        }
        self.code.push(Op::EndTry {}, step.span);
        self.set(success, true, step.span);
        self.code.hole(step.span)
    }

    fn act(&mut self, call: &ActionCall, span: Span) {
        let route = Route(self.route(&call.route));
        let given = self.arguments(&call.arguments);
        self.code.push(Op::Act { route, given }, span);
    }

    fn arguments(&mut self, arguments: &[(u16, Expr)]) -> Mask {
        arguments.iter().fold(Mask::default(), |mask, (place, value)| {
            self.expr(value);
            Mask(mask.0 | 1 << place)
        })
    }

    fn set(&mut self, slot: Option<Slot>, value: bool, span: Span) {
        if let Some(slot) = slot {
            self.constant(Value::Boolean(value), span);
            self.code.push(Op::Store { slot }, span);
        }
    }
}
