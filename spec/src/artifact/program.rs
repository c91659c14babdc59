//! The tables beside the code: macros, their parameters and results, steps and routes.

use wincode::{SchemaRead, SchemaWrite};

use crate::value::Type;

/// A macro in an artifact.
#[derive(Clone, Debug, Default, PartialEq, SchemaWrite, SchemaRead)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// Its parameters; parameter `n` is slot `n`.
    pub parameters: Vec<ParameterRecord>,
    /// What it declares as results.
    pub results: Vec<ResultRecord>,
    /// How many slots it uses, parameters included.
    pub slots: u16,
    /// Its first instruction.
    pub start: u32,
    /// One past its last instruction.
    pub end: u32,
    /// The most time it may take, in microseconds.
    pub timeout_us: Option<u64>,
}

/// A parameter of a macro. Numbers in it are indexes of constants.
#[derive(Clone, Debug, PartialEq, SchemaWrite, SchemaRead)]
pub struct ParameterRecord {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeTag,
    /// Whether it must be given.
    pub required: bool,
    /// Whether its value must never be shown.
    pub secret: bool,
    /// Whether the macro reads it where it would have no value, so that a run without it must fail before its first step.
    pub needed: bool,
    /// Its value when not given.
    pub default: Option<u32>,
    /// The only values allowed; empty allows all.
    pub choices: Vec<u32>,
    /// The least value allowed.
    pub min: Option<u32>,
    /// The greatest value allowed.
    pub max: Option<u32>,
    /// What it means.
    pub description: String,
    /// A value as an example.
    pub example: Option<u32>,
}

/// A declared type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SchemaWrite, SchemaRead)]
pub enum TypeTag {
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Float,
    /// `true` or `false`.
    Boolean,
    /// A list.
    List,
    /// A mapping.
    Dict,
}

impl From<TypeTag> for Type {
    fn from(tag: TypeTag) -> Type {
        match tag {
            TypeTag::String => Type::String,
            TypeTag::Integer => Type::Integer,
            TypeTag::Float => Type::Float,
            TypeTag::Boolean => Type::Boolean,
            TypeTag::List => Type::List,
            TypeTag::Dict => Type::Dict,
        }
    }
}

/// A declared result of a macro.
#[derive(Clone, Debug, PartialEq, SchemaWrite, SchemaRead)]
pub struct ResultRecord {
    /// Its name.
    pub name: String,
    /// File or value.
    pub kind: ResultKind,
    /// What it means.
    pub description: String,
}

/// Whether a result is the path of a file or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SchemaWrite, SchemaRead)]
pub enum ResultKind {
    /// `path:`, the file must exist when the macro has succeeded.
    Path,
    /// `value:`.
    Value,
}

/// The most tries that may follow the first, as a macro can have them.
pub const MAX_RETRIES: u32 = 1000;

/// The longest pause between tries that a macro can have, in milliseconds: a day.
pub const MAX_BACKOFF_MS: u32 = 86_400_000;

/// A step of a macro.
#[derive(Clone, Debug, PartialEq, SchemaWrite, SchemaRead)]
pub struct StepRecord {
    /// Its id.
    pub id: String,
    /// The macro it belongs to.
    pub owner: u32,
    /// What it does.
    pub kind: StepKind,
    /// Whether `backend: recovery` was written around it.
    pub recovery: bool,
    /// Whether it runs in every run that gets so far: no `when`, no loop, and a failure stops the macro.
    pub must_run: bool,
    /// The most time it may take with all its tries, in microseconds.
    pub timeout_us: u64,
    /// How many tries may follow the first.
    pub retries: u32,
    /// The pauses between tries, in microseconds; the last one repeats.
    pub backoff_us: Vec<u64>,
    /// What its failure means.
    pub on_failure: OnFailure,
    /// How long its `verify` conditions may take to become true, in microseconds.
    pub within_us: u64,
    /// The output names in the step's report, by the `Index` operand.
    pub outputs: Vec<String>,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, SchemaWrite, SchemaRead)]
pub enum StepKind {
    /// An action by a route, and another route when the first has failed for good.
    Act {
        /// The route.
        route: u32,
        /// The fallback's route.
        fallback: Option<u32>,
    },
    /// A call of a linked macro.
    Call {
        /// The macro.
        callee: u32,
    },
}

/// What the failure of a step means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SchemaWrite, SchemaRead)]
pub enum OnFailure {
    /// The macro fails.
    Fail,
    /// The step is forgiven and counts as skipped.
    Skip,
    /// The macro goes on with a warning.
    Continue,
}

impl OnFailure {
    /// All of them, as messages list them.
    pub const ALL: [OnFailure; 3] = [Self::Fail, Self::Skip, Self::Continue];

    /// As macros write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Skip => "skip",
            Self::Continue => "continue",
        }
    }
}

/// The actions that can do a step, the requested one first; numbers of [`crate::action::Action`].
#[derive(Clone, Debug, Default, PartialEq, SchemaWrite, SchemaRead)]
pub struct RouteRecord {
    /// The actions.
    pub actions: Vec<u8>,
}
