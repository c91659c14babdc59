//! The rules a well-formed artifact can still break; `spec/artifact.md` lists them.

use std::fmt;

/// How a record breaks the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableFault {
    /// An index names nothing.
    OutOfRange {
        /// What was looked for.
        what: &'static str,
        /// The index.
        index: u64,
        /// How many there are.
        count: u64,
    },
    /// There must be at least one.
    Empty {
        /// Of what.
        what: &'static str,
    },
    /// More than is allowed.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: u64,
        /// The most allowed.
        limit: u64,
    },
    /// A name that is there twice.
    Duplicate {
        /// What it names.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A constant of the wrong type.
    WrongType {
        /// What the constant is for.
        what: &'static str,
        /// The type it must have.
        expected: &'static str,
    },
    /// A constant that refers forwards, unfolds too far or is no number.
    Constant,
    /// Instructions that are not exactly those after the macro before.
    CodeRange {
        /// Where the macro's code begins.
        start: u32,
        /// Where it ends.
        end: u32,
    },
    /// A macro that uses fewer slots than it has parameters.
    Slots,
    /// An action number that names nothing.
    UnknownAction(u8),
    /// An action of a route that does not do the same as its first, or whose backend is there twice.
    NotEquivalent {
        /// The first action.
        first: &'static str,
        /// The other.
        other: &'static str,
    },
    /// A called macro that is not before its caller.
    CallOrder,
    /// Outputs that are not those of the action or macro.
    Outputs,
    /// Instructions begin the step never, or more than once.
    StepUses {
        /// How many do.
        found: u32,
    },
    /// A step with a fallback that its code never begins.
    NoFallback,
    /// A step said to run always that need not.
    MustRun,
    /// Sides, pixels or values that do not fit together.
    Mismatch {
        /// What does not fit.
        what: &'static str,
    },
    /// Events that go back in time.
    TimeOrder {
        /// The event.
        event: u32,
    },
    /// An event that is wrong in itself.
    Event {
        /// The event.
        event: u32,
        /// What is wrong.
        what: &'static str,
    },
    /// The capability manifest leaves out something the code does.
    Unclaimed {
        /// What it leaves out.
        what: &'static str,
        /// Its name.
        name: String,
    },
}

/// How an instruction breaks the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeFault {
    /// An operand names nothing.
    OutOfRange {
        /// What was looked for.
        what: &'static str,
        /// The index.
        index: u64,
        /// How many there are.
        count: u64,
    },
    /// A constant that must be text.
    NotText,
    /// A step of another macro.
    ForeignStep,
    /// A called macro that is not before its caller.
    CallOrder,
    /// A label outside the macro.
    LabelOutside,
    /// A label before the instruction that must be after it.
    BackwardLabel,
    /// A label after the instruction that must be before it.
    ForwardLabel,
    /// A label that leads to the wrong instruction.
    WrongTarget {
        /// What it must lead to.
        expected: &'static str,
    },
    /// Fewer values on the stack than are taken.
    Underflow {
        /// How many there are.
        found: u32,
        /// How many are taken.
        needed: u32,
    },
    /// More values on the stack than are allowed.
    Overflow {
        /// The most allowed.
        limit: u32,
    },
    /// Values left on the stack where it must be empty.
    ValuesLeft {
        /// How many.
        found: u32,
    },
    /// Ways that meet here with different states.
    Join,
    /// Control falls off the end of the macro.
    FallsOff,
    /// An instruction where it must not be.
    Misplaced {
        /// Where it must be.
        expected: &'static str,
    },
    /// An action or macro that is not the step's.
    WrongAction,
    /// A given parameter there is none of.
    UnknownParameter {
        /// Its place.
        place: u32,
    },
    /// A required parameter that is not given.
    MissingParameter {
        /// Its name.
        name: String,
    },
    /// A slot that a running loop keeps its list or index in.
    LoopSlot,
    /// A step said to run always that need not.
    MustRun,
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableFault::OutOfRange { what, index, count } => {
                write!(f, "{what} {index} does not exist, there are {count}")
            }
            TableFault::Empty { what } => write!(f, "there must be at least one {what}"),
            TableFault::TooMany { what, found, limit } => write!(f, "{what}: found {found}, at most {limit} allowed"),
            TableFault::Duplicate { what, name } => write!(f, "{what} `{name}` is there twice"),
            TableFault::WrongType { what, expected } => write!(f, "{what} must be of type {expected}"),
            TableFault::Constant => f.write_str("the constant is not well-formed"),
            TableFault::CodeRange { start, end } => write!(f, "code {start}..{end} does not follow the macro before"),
            TableFault::Slots => f.write_str("there are fewer slots than parameters"),
            TableFault::UnknownAction(number) => write!(f, "action number {number:#04x} is not known"),
            TableFault::NotEquivalent { first, other } => write!(f, "`{other}` cannot stand in for `{first}`"),
            TableFault::CallOrder => f.write_str("a macro can only call macros before it"),
            TableFault::Outputs => f.write_str("the outputs are not those of what the step does"),
            TableFault::StepUses { found } => write!(f, "the step must be begun by one instruction, found {found}"),
            TableFault::NoFallback => f.write_str("the step's fallback is never begun"),
            TableFault::MustRun => f.write_str("a step whose failure is forgiven cannot be one that must run"),
            TableFault::Mismatch { what } => write!(f, "{what} do not fit together"),
            TableFault::TimeOrder { event } => write!(f, "event {event} is due before the one before it"),
            TableFault::Event { event, what } => write!(f, "event {event}: {what}"),
            TableFault::Unclaimed { what, name } => write!(f, "the manifest leaves out {what} `{name}`"),
        }
    }
}

impl fmt::Display for CodeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodeFault::OutOfRange { what, index, count } => {
                write!(f, "{what} {index} does not exist, there are {count}")
            }
            CodeFault::NotText => f.write_str("the constant must be text"),
            CodeFault::ForeignStep => f.write_str("the step belongs to another macro"),
            CodeFault::CallOrder => f.write_str("a macro can only call macros before it"),
            CodeFault::LabelOutside => f.write_str("the label is outside the macro"),
            CodeFault::BackwardLabel => f.write_str("the label must be after the instruction"),
            CodeFault::ForwardLabel => f.write_str("the label must be before the instruction"),
            CodeFault::WrongTarget { expected } => write!(f, "the label must lead to {expected}"),
            CodeFault::Underflow { found, needed } => write!(f, "takes {needed} values, the stack has {found}"),
            CodeFault::Overflow { limit } => write!(f, "the stack would hold more than {limit} values"),
            CodeFault::ValuesLeft { found } => write!(f, "{found} values are left on the stack"),
            CodeFault::Join => f.write_str("ways meet here with different states"),
            CodeFault::FallsOff => f.write_str("control falls off the end of the macro"),
            CodeFault::Misplaced { expected } => write!(f, "must be {expected}"),
            CodeFault::WrongAction => f.write_str("is not what the step does"),
            CodeFault::UnknownParameter { place } => write!(f, "parameter {place} does not exist"),
            CodeFault::MissingParameter { name } => write!(f, "required parameter `{name}` is not given"),
            CodeFault::LoopSlot => f.write_str("the slot belongs to a running loop"),
            CodeFault::MustRun => f.write_str("a step that must run can be skipped here"),
        }
    }
}
