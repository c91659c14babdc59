//! A macro as it is understood: names are slots, types are known, defaults are filled in, nothing required is missing.
//!
//! Lowering cannot fail: whatever could be wrong was reported before this was made.

use std::collections::BTreeSet;

use spec::action::{Action, Presence};
use spec::artifact::{Meta, OnFailure, ResultKind};
use spec::condition::Condition as Test;
use spec::function::Function;
use spec::operand::{Setting, Slot};
use spec::span::Span;
use spec::value::{Type, Value};

/// A macro and every macro it calls, callees first; the last is the one that runs.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The macros.
    pub macros: Vec<Macro>,
    /// What the last one says of itself.
    pub meta: Meta,
}

/// A macro.
#[derive(Clone, Debug)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// Its parameters; parameter `n` is slot `n`.
    pub parameters: Vec<Parameter>,
    /// How many slots it uses; the lowering may take more.
    pub slots: u16,
    /// Conditions before the first step.
    pub preconditions: Vec<Condition>,
    /// Its steps.
    pub steps: Vec<Step>,
    /// Conditions after the last step.
    pub postconditions: Vec<Condition>,
    /// Steps that always run at the end.
    pub finally: Vec<Step>,
    /// What it declares as results.
    pub results: Vec<Output>,
    /// The most time it may take, in microseconds.
    pub timeout_us: Option<u64>,
    /// A timeout of the whole macro that is computed when it begins: milliseconds, or a duration as text.
    pub limit: Option<Expr>,
    /// The whole file.
    pub span: Span,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether it must be given.
    pub required: bool,
    /// Whether its value must never be shown.
    pub secret: bool,
    /// Whether it is read somewhere without a fallback, though it has neither a default nor must be given.
    pub needed: bool,
    /// Its value when not given.
    pub default: Option<Value>,
    /// The only values allowed; empty allows all.
    pub choices: Vec<Value>,
    /// The least value allowed.
    pub min: Option<Value>,
    /// The greatest value allowed.
    pub max: Option<Value>,
    /// What it means.
    pub description: String,
    /// A value as an example.
    pub example: Option<Value>,
}

/// An expression, with the place it was written at.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant.
    Const(Value),
    /// A slot that is present here.
    Slot(Slot),
    /// A slot that may be absent; only under `OrElse`.
    MaybeSlot(Slot),
    /// An environment variable, which may be absent.
    Env(String),
    /// Values joined as text.
    Concat(Vec<Expr>),
    /// A list.
    List(Vec<Expr>),
    /// A dict.
    Dict(Vec<(String, Expr)>),
    /// A field of a dict.
    Field(Box<Expr>, String),
    /// An element by index or key.
    Index(Box<Expr>, Box<Expr>),
    /// A function.
    Apply(Function, Vec<Expr>),
    /// A unary operator.
    Unary(Unary, Box<Expr>),
    /// A binary operator.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Both, the second only when the first is true.
    And(Box<Expr>, Box<Expr>),
    /// Either, the second only when the first is false.
    Or(Box<Expr>, Box<Expr>),
    /// The first unless it is absent, null or empty text; then the second.
    OrElse(Box<Expr>, Box<Expr>),
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// Boolean opposite.
    Not,
    /// Negative.
    Neg,
}

/// Binary operators that evaluate both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Not greater.
    Le,
    /// Greater.
    Gt,
    /// Not less.
    Ge,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Remainder.
    Rem,
}

/// A condition.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Which.
    pub kind: ConditionKind,
    /// The whole of it.
    pub span: Span,
}

/// The kinds of condition.
#[derive(Clone, Debug)]
pub enum ConditionKind {
    /// One of the table, with its arguments.
    Test(Test, Vec<Expr>),
    /// The opposite.
    Not(Box<Condition>),
    /// At least one.
    Any(Vec<Condition>),
    /// Every one.
    All(Vec<Condition>),
}

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its id.
    pub id: String,
    /// What it does.
    pub body: Body,
    /// Runs only when this is true.
    pub when: Option<Expr>,
    /// Runs once for each element.
    pub each: Option<Each>,
    /// The most time it may take with all its tries, in microseconds.
    pub timeout_us: u64,
    /// A timeout that is computed when the step begins: milliseconds, or a duration as text.
    pub limit: Option<Expr>,
    /// Other settings that are computed when the step begins.
    pub computed: Vec<(Setting, Expr)>,
    /// How many tries may follow the first.
    pub retries: u32,
    /// The pauses between tries, in microseconds; the last repeats.
    pub backoff_us: Vec<u64>,
    /// What its failure means; `None` when it is computed.
    pub on_failure: Option<OnFailure>,
    /// Conditions that must hold after it.
    pub verify: Vec<Condition>,
    /// How long they may take to become true, in microseconds.
    pub within_us: u64,
    /// Secrets that may be seen in it, with the places where they are named.
    pub expose: Vec<Exposed>,
    /// Slots that get an output, by the output's place: of the action in its table, of a called macro in its results.
    pub outputs: Vec<(u16, Slot)>,
    /// The slot that gets whether it succeeded, when something reads that; false until then.
    pub success: Option<Slot>,
    /// The whole step.
    pub span: Span,
}

impl Step {
    /// What is computed before its first try, besides the arguments: its condition, its loop's list, its settings.
    pub fn settings(&self) -> impl Iterator<Item = &Expr> {
        let computed = self.computed.iter().map(|(_, value)| value);
        self.when.iter().chain(self.each.as_ref().map(|each| &each.list)).chain(&self.limit).chain(computed)
    }
}

/// A secret that may be seen.
#[derive(Clone, Copy, Debug)]
pub struct Exposed {
    /// The parameter's place.
    pub parameter: u16,
    /// Where it is named.
    pub span: Span,
}

/// A loop around a step.
#[derive(Clone, Debug)]
pub struct Each {
    /// The list.
    pub list: Expr,
    /// The slot of `item`.
    pub item: Slot,
    /// The slot of `index`.
    pub index: Slot,
    /// Lists that collect an output of every turn: the turn's slot, and the list's.
    pub collect: Vec<(Slot, Slot)>,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Body {
    /// An action.
    Act {
        /// The action and its arguments.
        call: ActionCall,
        /// Another backend's action when the first has failed for good.
        fallback: Option<ActionCall>,
        /// Whether `backend: recovery` was written around it.
        recovery: bool,
    },
    /// A call of a linked macro.
    Call {
        /// Its place in [`Linked::macros`].
        callee: u32,
        /// Its arguments, by the parameter's place.
        arguments: Vec<(u16, Expr)>,
    },
}

impl Body {
    /// What is computed together before something is done: the arguments of the action, of its fallback, or of the call.
    pub fn arguments(&self) -> Vec<&[(u16, Expr)]> {
        match self {
            Body::Act { call, fallback, .. } => {
                std::iter::once(call).chain(fallback).map(|call| call.arguments.as_slice()).collect()
            }
            Body::Call { arguments, .. } => vec![arguments],
        }
    }
}

/// An action and its arguments.
#[derive(Clone, Debug)]
pub struct ActionCall {
    /// The actions that can do it, the requested one first.
    pub route: Vec<Action>,
    /// Its arguments, by the parameter's place in the requested action's table, in rising order.
    pub arguments: Vec<(u16, Expr)>,
}

impl ActionCall {
    /// The value of a parameter of `action` by its place: its own, or that of the parameter it is the same as.
    pub fn given(&self, action: Action, place: usize) -> Option<&Expr> {
        let own = |place: usize| self.arguments.iter().find(|(index, _)| usize::from(*index) == place);
        let found = own(place).or_else(|| match action.parameters().get(place)?.presence {
            Presence::Same(other) => own(action.parameter(other)?.0),
            Presence::Required | Presence::Optional | Presence::Default(_) | Presence::Filled => None,
        });
        found.map(|(_, value)| value)
    }
}

/// A declared result.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// File or value.
    pub kind: ResultKind,
    /// Its value.
    pub value: Expr,
    /// Its static type.
    pub ty: Type,
    /// Secrets that may be in it, with the places where they are named.
    pub expose: Vec<Exposed>,
    /// The places of the secret parameters it is made of.
    pub secrets: BTreeSet<u16>,
    /// What it means.
    pub description: String,
}
