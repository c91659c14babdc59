//! A macro in the middle of running: its variables, its place in the code, and the step it is in.

use std::ops::Deref;
use std::rc::Rc;

use spec::action::Outputs;
use spec::operand::{Label, Slot};
use spec::value::{Dict, Value};

use crate::failure::{Failure, FailureKind};
use crate::machine::deadline::Deadline;
use crate::machine::ledger::Entry;
use crate::machine::observer::Trial;
use crate::machine::policy::RetryPolicy;
use crate::machine::raised::Raised;
use crate::report::Attempt;

/// A value that may be absent, shared between slots and stack.
pub type Item = Option<Held>;

/// A value that slots and stack hold.
#[derive(Clone, Debug)]
pub struct Held {
    /// The value.
    pub value: Rc<Value>,
    /// Whether it is a secret, or made of one.
    pub secret: bool,
}

impl Held {
    /// A value, and whether it is a secret.
    pub fn new(value: Value, secret: bool) -> Self {
        Self { value: Rc::new(value), secret }
    }

    /// A value that is no secret.
    pub fn open(value: Value) -> Self {
        Self::new(value, false)
    }

    /// The value itself.
    pub fn into_value(self) -> Value {
        Rc::unwrap_or_clone(self.value)
    }
}

impl Deref for Held {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.value
    }
}

/// A running macro.
pub struct Frame {
    /// Its place in the artifact.
    pub unit: usize,
    /// The instruction at hand.
    pub at: usize,
    /// The next instruction.
    pub next: usize,
    /// Its variables.
    pub slots: Vec<Item>,
    /// Values under computation.
    pub stack: Vec<Item>,
    /// The loops it is in, outermost first.
    pub loops: Vec<Turns>,
    /// The step it is in.
    pub open: Option<Open>,
    /// Where the step that the instruction at hand ended ends in the code.
    pub left: Option<Label>,
    /// What cuts it off from outside its steps.
    pub limit: Option<Deadline>,
    /// The state of its `finally` block.
    pub guard: Guard,
    /// Its results so far, with the instructions that made them.
    pub results: Vec<Option<(Value, usize)>>,
    /// What conditions observed since the last one was judged.
    pub seen: Vec<Seen>,
    /// What stands before the ids of its steps: `call/`.
    pub prefix: String,
    /// The turn of the loop around the step that called it.
    pub outer_turn: Option<usize>,
}

/// A loop.
pub struct Turns {
    /// The list.
    pub list: Held,
    /// The next element.
    pub next: usize,
}

/// What happens with the `finally` block.
pub enum Guard {
    /// There is none, or none yet.
    None,
    /// It begins when something fails, at this instruction.
    Armed(Label),
    /// It runs.
    Running {
        /// What goes on when it ends.
        pending: Option<Raised>,
        /// The limit that applies again when it ends.
        limit: Option<Deadline>,
    },
    /// It has run.
    Done,
}

/// What a condition observed.
pub struct Seen {
    /// The condition with its arguments.
    pub test: String,
    /// Whether it held.
    pub holds: bool,
    /// What was there.
    pub seen: String,
}

/// A step that has begun and not ended.
pub struct Open {
    /// Its record's place.
    pub step: usize,
    /// Its id with everything before it.
    pub id: String,
    /// Where its report goes.
    pub entry: Entry,
    /// The turn of its loop.
    pub turn: Option<usize>,
    /// One past its last instruction.
    pub end: Label,
    /// When it began.
    pub began_us: u64,
    /// How often it is tried, how long it is looked at, and what its failure means.
    pub policy: RetryPolicy,
    /// When it must have ended; the soonest of its own and those around it.
    pub deadline: Deadline,
    /// Tries of the route, or of the fallback since that began.
    pub tries: u32,
    /// Whether the fallback has begun.
    pub fallen_back: bool,
    /// Whether its time is over for another try or the fallback.
    pub spent: bool,
    /// The try it is in.
    pub trying: Option<Trying>,
    /// Every try that ended.
    pub attempts: Vec<Attempt>,
    /// Why the last try failed.
    pub failure: Option<Raised>,
    /// The outputs of the last try, by their places in the step's record.
    pub outputs: Outputs,
    /// The outputs of the last try, by name.
    pub output: Dict,
    /// The backend of the last try.
    pub backend: Option<&'static str>,
    /// The arguments of the last try, in a simulated world.
    pub would: Option<Dict>,
    /// The wait for its `verify` conditions.
    pub verifying: Option<Verifying>,
}

/// A try.
pub struct Trying {
    /// Where its failure is handled.
    pub handler: Label,
    /// How many values were on the stack.
    pub height: usize,
    /// When it began.
    pub began_us: u64,
    /// Who does it.
    pub backend: &'static str,
}

/// A wait until conditions hold.
#[derive(Clone, Copy)]
pub struct Verifying {
    /// When the wait is over.
    pub until_us: u64,
    /// The next pause.
    pub pause_us: u64,
}

impl Open {
    /// The try it is in, or the next one.
    pub fn trial(&self) -> Trial<'_> {
        Trial { step: &self.id, iteration: self.turn, number: self.attempts.len() + 1 }
    }
}

impl Frame {
    /// Pushes a present value that is no secret.
    pub fn push(&mut self, value: Value) {
        self.stack.push(Some(Held::open(value)));
    }

    /// Pushes a present value that is a secret when what it was made of is.
    pub fn push_made(&mut self, value: Value, secret: bool) {
        self.stack.push(Some(Held::new(value, secret)));
    }

    /// Pops a value, absent or not.
    ///
    /// # Errors
    /// When there is none, which no verified program does.
    pub fn pop(&mut self) -> Result<Item, Failure> {
        self.stack.pop().ok_or_else(corrupt)
    }

    /// Pops a value that must be present.
    ///
    /// # Errors
    /// When it is absent.
    pub fn present(&mut self) -> Result<Held, Failure> {
        self.pop()?.ok_or_else(absent)
    }

    /// Pops a boolean.
    ///
    /// # Errors
    /// When it is absent or something else.
    pub fn boolean(&mut self) -> Result<bool, Failure> {
        let value = self.present()?;
        match &*value {
            Value::Boolean(value) => Ok(*value),
            other @ (Value::Null
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::List(_)
            | Value::Dict(_)) => Err(Failure::new(
                FailureKind::Evaluation,
                format!("needs `true` or `false`, found {} ({})", spec::kind::describe(other), other.kind()),
            )),
        }
    }

    /// Pops `count` values, the first pushed first.
    ///
    /// # Errors
    /// When there are fewer, which no verified program does.
    pub fn pop_many(&mut self, count: usize) -> Result<Vec<Item>, Failure> {
        let height = self.stack.len().checked_sub(count).ok_or_else(corrupt)?;
        Ok(self.stack.split_off(height))
    }

    /// A slot.
    ///
    /// # Errors
    /// When there is none of that number, which no verified program names.
    pub fn slot(&mut self, slot: Slot) -> Result<&mut Item, Failure> {
        self.slots.get_mut(slot.index()).ok_or_else(corrupt)
    }

    /// The step it is in.
    ///
    /// # Errors
    /// When it is in none, which no verified program does.
    pub fn step(&mut self) -> Result<&mut Open, Failure> {
        self.open.as_mut().ok_or_else(corrupt)
    }

    /// The turn of the innermost loop, from 0, or of the loop around the calling step.
    pub fn turn(&self) -> Option<usize> {
        self.loops.last().map(|turns| turns.next.saturating_sub(1)).or(self.outer_turn)
    }

    /// What cuts an action or an observation off.
    pub fn deadline(&self) -> Option<&Deadline> {
        self.open.as_ref().map(|open| &open.deadline).or(self.limit.as_ref())
    }
}

/// A program that no verifier passes.
pub fn corrupt() -> Failure {
    Failure::new(FailureKind::Corrupt, "the program does not obey the rules of its instructions")
}

/// A value that is not there was read.
pub fn absent() -> Failure {
    Failure::new(FailureKind::Evaluation, "a value that is absent was read")
        .hint("write `${…:-fallback}` where a value may be absent")
}
