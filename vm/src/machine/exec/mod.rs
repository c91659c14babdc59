//! The loop over instructions: one match over all of them, and the way out when one fails.

mod calls;
mod flow;
mod steps;
mod unwind;
mod values;

use spec::op::Op;
use spec::operand::Label;

use crate::failure::{Failure, FailureKind};
use crate::machine::Machine;
use crate::machine::deadline::Deadline;
use crate::machine::eval::Arithmetic;
use crate::machine::exec::values::Comparison;
use crate::machine::frame::{Frame, Guard, corrupt};
use crate::machine::raised::Raised;
use crate::process::SignalName;

/// Where execution goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// At the next instruction.
    On,
    /// At another one.
    To(Label),
    /// The macro has ended.
    Ended,
}

/// After so many instructions, deadlines and the interrupt are looked at even where nothing waits.
const LOOK_EVERY: u64 = 1024;

impl Machine<'_> {
    /// Runs a macro to its end.
    ///
    /// # Errors
    /// The failure that ended it, after its `finally` block has run.
    pub fn run_frame(&mut self, frame: &mut Frame) -> Result<(), Raised> {
        loop {
            match self.instruction(frame) {
                Ok(Flow::On) => {}
                Ok(Flow::To(label)) => frame.next = label.index(),
                Ok(Flow::Ended) => return Ok(()),
                Err(raised) => self.unwind(frame, raised)?,
            }
        }
    }

    /// Whether a signal asks to stop, or what is around the macro's steps has run out of time. A first signal between two steps of a
    /// `finally` block fails the run and none of these steps.
    ///
    /// # Errors
    /// When either is so.
    pub fn look_up(&mut self, frame: &mut Frame) -> Result<(), Failure> {
        if let Some(signal) = self.interrupt.raised() {
            let failure = interrupted(signal);
            let between = frame.open.is_none();
            let Guard::Running { pending: pending @ None, .. } = &mut frame.guard else { return Err(failure) };
            if !between {
                return Err(failure);
            }
            *pending = Some(Raised::from(failure).at(None, self.ledger.code_place(frame.at)));
            self.interrupt.clear();
            frame.limit = Some(self.grace());
        }
        match &frame.limit {
            Some(limit) if limit.passed(self.world.now_us()) => Err(limit.failure(None)),
            Some(_) | None => Ok(()),
        }
    }

    /// Until when `finally` blocks may run after the failure at hand.
    pub fn grace(&mut self) -> Deadline {
        let now = self.world.now_us();
        self.grace.get_or_insert_with(|| flow::finally_limit(now)).clone()
    }

    /// Executes the next instruction if it only computes; where to go on, or nothing when it does more or fails.
    pub fn compute(&mut self, frame: &mut Frame) -> Option<usize> {
        if !self.artifact.code.get(frame.next).is_some_and(only_computes) {
            return None;
        }
        match self.instruction(frame) {
            Ok(Flow::On) => Some(frame.next),
            Ok(Flow::To(label)) => Some(label.index()),
            Ok(Flow::Ended) | Err(_) => None,
        }
    }

    fn instruction(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        frame.at = frame.next;
        frame.left = None;
        let unit = self.artifact.macros.get(frame.unit).ok_or_else(corrupt)?;
        if !(unit.start as usize..unit.end as usize).contains(&frame.at) {
            return Err(corrupt().into());
        }
        let op = *self.artifact.code.get(frame.at).ok_or_else(corrupt)?;
        frame.next = frame.at + 1;
        if self.budget.instruction()?.is_multiple_of(LOOK_EVERY) {
            self.look_up(frame)?;
        }
        match op {
            Op::Const { value } => self.constant(frame, value),
            Op::Load { slot } => self.load(frame, slot),
            Op::LoadMaybe { slot } => self.load_maybe(frame, slot),
            Op::Store { slot } => self.store(frame, slot),
            Op::Clear { slot } => self.clear(frame, slot),
            Op::Env { name } => self.env(frame, name),
            Op::Concat { count } => self.concat(frame, count),
            Op::List { count } => self.list(frame, count),
            Op::Dict { count } => self.dict(frame, count),
            Op::Field { name } => self.field(frame, name),
            Op::Index {} => self.index(frame),
            Op::Apply { function } => self.apply(frame, function),
            Op::Not {} => self.not(frame),
            Op::Neg {} => self.neg(frame),
            Op::Eq {} => self.equality(frame, true),
            Op::Ne {} => self.equality(frame, false),
            Op::Lt {} => self.comparison(frame, Comparison::Less),
            Op::Le {} => self.comparison(frame, Comparison::NotGreater),
            Op::Gt {} => self.comparison(frame, Comparison::Greater),
            Op::Ge {} => self.comparison(frame, Comparison::NotLess),
            Op::Add {} => self.arithmetic(frame, Arithmetic::Add),
            Op::Sub {} => self.arithmetic(frame, Arithmetic::Sub),
            Op::Mul {} => self.arithmetic(frame, Arithmetic::Mul),
            Op::Div {} => self.arithmetic(frame, Arithmetic::Div),
            Op::Rem {} => self.arithmetic(frame, Arithmetic::Rem),
            Op::Bool {} => self.is_boolean(frame),
            Op::Jump { target } => Ok(Flow::To(target)),
            Op::JumpUnless { target } => self.jump_when(frame, false, target),
            Op::JumpIf { target } => self.jump_when(frame, true, target),
            Op::OrElse { target } => self.or_else(frame, target),
            Op::Test { condition } => self.test(frame, condition),
            Op::Demand { phase } => self.demand(frame, phase),
            Op::SkipSimulated { phase, target } => self.skip_simulated(frame, phase, target),
            Op::Step { step, end } => self.begin_step(frame, step, end),
            Op::When {} => self.when(frame),
            Op::Limit {} => self.limit(frame),
            Op::Policy { setting } => self.policy(frame, setting),
            Op::Total {} => self.total(frame),
            Op::Try { handler } => self.begin_try(frame, handler),
            Op::Act { route, given } => self.act(frame, route, given),
            Op::Call { callee, given } => self.call(frame, callee, given),
            Op::Output { index, slot } => self.output(frame, index, slot),
            Op::Verify { again } => self.verify(frame, again),
            Op::EndTry {} => self.end_try(frame),
            Op::Retry { again } => self.retry(frame, again),
            Op::Fallback { handler } => self.fallback(frame, handler),
            Op::Settle {} => self.settle(frame),
            Op::EndStep {} => self.end_step(frame),
            Op::Append { slot } => self.append(frame, slot),
            Op::Each { list, index } => self.each(frame, list, index),
            Op::Next { list: _, index, item, end } => self.next(frame, index, item, end),
            Op::Loop { next } => Ok(Flow::To(next)),
            Op::Guard { finally } => self.guard(frame, finally),
            Op::Finally {} => self.begin_finally(frame),
            Op::EndFinally {} => self.end_finally(frame),
            Op::Result { index } => self.result(frame, index),
            Op::Return {} => self.end_macro(frame),
        }
    }
}

/// Whether an instruction touches nothing but the stack.
fn only_computes(op: &Op) -> bool {
    match op {
        Op::Const { .. }
        | Op::Load { .. }
        | Op::LoadMaybe { .. }
        | Op::Env { .. }
        | Op::Concat { .. }
        | Op::List { .. }
        | Op::Dict { .. }
        | Op::Field { .. }
        | Op::Index {}
        | Op::Apply { .. }
        | Op::Not {}
        | Op::Neg {}
        | Op::Eq {}
        | Op::Ne {}
        | Op::Lt {}
        | Op::Le {}
        | Op::Gt {}
        | Op::Ge {}
        | Op::Add {}
        | Op::Sub {}
        | Op::Mul {}
        | Op::Div {}
        | Op::Rem {}
        | Op::Bool {}
        | Op::Jump { .. }
        | Op::OrElse { .. } => true,
        Op::Store { .. }
        | Op::Clear { .. }
        | Op::JumpUnless { .. }
        | Op::JumpIf { .. }
        | Op::Test { .. }
        | Op::Demand { .. }
        | Op::SkipSimulated { .. }
        | Op::Step { .. }
        | Op::When {}
        | Op::Limit {}
        | Op::Policy { .. }
        | Op::Total {}
        | Op::Try { .. }
        | Op::Act { .. }
        | Op::Call { .. }
        | Op::Output { .. }
        | Op::Verify { .. }
        | Op::EndTry {}
        | Op::Retry { .. }
        | Op::Fallback { .. }
        | Op::Settle {}
        | Op::EndStep {}
        | Op::Append { .. }
        | Op::Each { .. }
        | Op::Next { .. }
        | Op::Loop { .. }
        | Op::Guard { .. }
        | Op::Finally {}
        | Op::EndFinally {}
        | Op::Result { .. }
        | Op::Return {} => false,
    }
}

/// A signal asked to stop.
pub fn interrupted(signal: i32) -> Failure {
    Failure::new(FailureKind::Interrupted(signal), format!("interrupted by {}", SignalName(signal)))
}
