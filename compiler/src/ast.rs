//! A macro as it was written: shapes are right, names and types are not checked yet. Every leaf knows its place.

use spec::artifact::OnFailure;
use spec::operand::Setting;
use spec::span::{Span, Spanned};
use spec::value::{Type, Value};

use crate::expr::template::{Part, Template};

/// A whole macro file.
#[derive(Clone, Debug)]
pub struct Definition {
    /// `name:`.
    pub name: Spanned<String>,
    /// `version:`, with the spelling of the source.
    pub version: String,
    /// `description:`.
    pub description: String,
    /// `parameters:`, in order.
    pub parameters: Vec<Parameter>,
    /// `preconditions:`.
    pub preconditions: Vec<Condition>,
    /// `steps:`.
    pub steps: Vec<Step>,
    /// `postconditions:`.
    pub postconditions: Vec<Condition>,
    /// `finally:`, steps that always run at the end.
    pub finally: Vec<Step>,
    /// `outputs:`.
    pub outputs: Vec<Output>,
    /// `tags:`.
    pub tags: Vec<String>,
    /// `composable:`.
    pub composable: bool,
    /// `agent_hints:`.
    pub agent_hints: Value,
    /// `timeout:` of the whole macro, in microseconds.
    pub timeout_us: Option<u64>,
    /// `timeout:` or `timeout_ms:` of the whole macro with an expression in it.
    pub limit: Option<Limit>,
    /// The whole mapping.
    pub span: Span,
}

/// A declared parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Spanned<String>,
    /// `type:`, `string` when not written.
    pub ty: Type,
    /// `required:`.
    pub required: bool,
    /// `secret:`.
    pub secret: bool,
    /// Whether `secret: false` is written: its name may be what it likes.
    pub open: bool,
    /// `default:`.
    pub default: Option<Spanned<Value>>,
    /// Whether a default is written that is none: that was reported, and the parameter counts as having one.
    pub default_broken: bool,
    /// `enum:`.
    pub choices: Vec<Spanned<Value>>,
    /// `min:`.
    pub min: Option<Spanned<Value>>,
    /// `max:`.
    pub max: Option<Spanned<Value>>,
    /// `description:`.
    pub description: String,
    /// `example:`.
    pub example: Option<Spanned<Value>>,
}

/// A value as written: scalars are templates.
#[derive(Clone, Debug)]
pub enum Written {
    /// A scalar.
    Scalar(Scalar),
    /// A sequence.
    List(Vec<Written>, Span),
    /// A mapping.
    Map(Vec<(Spanned<String>, Written)>, Span),
}

/// A scalar as written.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// Its text with the expressions in it; spelling as in the source.
    pub template: Template,
    /// What YAML 1.2 makes of it when it has no expression: `3` is an integer unless it was quoted.
    pub literal: Value,
    /// Where its text begins in the source, when that has the same bytes as the template.
    pub start: Option<u32>,
    /// The place of each part of the template, by index; of an expression, from its `$` to behind its `}`.
    pub parts: Vec<Span>,
    /// Whether every expression in it could be read; what could not is missing in the template, and was reported.
    pub sound: bool,
    /// The whole scalar.
    pub span: Span,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    /// `id:`; `step_<index>` when not written.
    pub id: Spanned<String>,
    /// What it does.
    pub body: Body,
    /// `when:`.
    pub when: Option<Scalar>,
    /// `for_each:`.
    pub for_each: Option<Written>,
    /// `timeout:` or `timeout_ms:`, in microseconds.
    pub timeout_us: Option<u64>,
    /// `timeout:` or `timeout_ms:` with an expression in it.
    pub limit: Option<Limit>,
    /// Other settings with an expression in them.
    pub computed: Vec<Computed>,
    /// `on_failure:`; `None` when it is computed.
    pub on_failure: Option<OnFailure>,
    /// `retry_policy:` or `retry_max:`.
    pub retry: Option<Spanned<Retry>>,
    /// `verify:`.
    pub verify: Option<Verify>,
    /// `expose:`, names of secrets that may be seen in it.
    pub expose: Vec<Spanned<String>>,
    /// The whole step.
    pub span: Span,
}

/// A setting that is computed when the step begins.
#[derive(Clone, Debug)]
pub struct Computed {
    /// Which one.
    pub setting: Setting,
    /// Its key.
    pub key: Spanned<&'static str>,
    /// Its value.
    pub value: Written,
}

/// A timeout that is computed when the step or macro begins.
#[derive(Clone, Debug)]
pub enum Limit {
    /// `timeout:`, a duration with its unit.
    Duration(Scalar),
    /// `timeout_ms:`, a number of milliseconds.
    Millis(Scalar),
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Body {
    /// An action.
    Action(ActionCall),
    /// `backend: recovery`: an action that is tried again, and perhaps by another backend.
    Recovery(Recovery),
    /// `macro:` and `with:`.
    Call {
        /// The macro called.
        name: Spanned<String>,
        /// Its arguments.
        with: Vec<(Spanned<String>, Written)>,
    },
    /// Nothing that could be read; why was reported. The values written there are kept for their names.
    Broken(Vec<Written>),
}

/// An action and its arguments.
#[derive(Clone, Debug)]
pub struct ActionCall {
    /// `backend:`; `native_api` when not written.
    pub backend: Spanned<String>,
    /// `action:`.
    pub action: Spanned<String>,
    /// `params:`.
    pub params: Vec<(Spanned<String>, Written)>,
    /// Where `params:` is, or the step when it has none.
    pub params_span: Span,
}

/// A recovery step.
#[derive(Clone, Debug)]
pub struct Recovery {
    /// The nested step's action; its backend is `primary_backend` where that is written.
    pub step: ActionCall,
    /// `fallback_backend:` of `retry_with_fallback`.
    pub fallback: Option<Spanned<String>>,
}

/// How often and after which pauses a step is tried again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// How many tries may follow the first.
    pub retries: u32,
    /// The pauses, in microseconds; the last repeats; empty is no pause.
    pub backoff_us: Vec<u64>,
}

/// Conditions that must hold after a step.
#[derive(Clone, Debug)]
pub struct Verify {
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// How long they may take to become true, in microseconds.
    pub within: Spanned<u64>,
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
    /// One of the table, with its arguments; their number is right.
    Test(spec::condition::Condition, Vec<Written>),
    /// `not:`.
    Not(Box<Condition>),
    /// `any:`.
    Any(Vec<Condition>),
    /// `all:`.
    All(Vec<Condition>),
}

/// A declared output.
#[derive(Clone, Debug)]
pub struct Output {
    /// `name:`.
    pub name: Spanned<String>,
    /// `path:` or `value:`.
    pub value: OutputValue,
    /// `expose:`, names of secrets that may be in it.
    pub expose: Vec<Spanned<String>>,
    /// `description:`.
    pub description: String,
}

/// What an output is.
#[derive(Clone, Debug)]
pub enum OutputValue {
    /// `path:`, a file that exists when the macro has succeeded.
    Path(Scalar),
    /// `value:`.
    Value(Written),
}

impl Written {
    /// Whether it is nothing: an unquoted null.
    pub fn is_null(&self) -> bool {
        match self {
            Written::Scalar(scalar) => scalar.literal == Value::Null && scalar.sound && scalar.template.is_constant(),
            Written::List(..) | Written::Map(..) => false,
        }
    }
}

impl Scalar {
    /// The place of some bytes of its text, or the whole scalar when it is written otherwise.
    pub fn place_at(&self, range: std::ops::Range<usize>) -> Span {
        match self.start {
            Some(start) => Span::new(self.span.file, start as usize + range.start..start as usize + range.end),
            None => self.span,
        }
    }

    /// The place of an expression part by its range, the whole scalar when it is none of its parts.
    pub fn place_of(&self, range: &std::ops::Range<usize>) -> Span {
        let is_part = |part: &Part| match part {
            Part::Text(_) => false,
            Part::Expr { range: known, .. } => known == range,
        };
        let index = self.template.parts.iter().position(is_part);
        index.and_then(|index| self.parts.get(index).copied()).unwrap_or(self.span)
    }
}
