//! Why a step or a run failed: typed, so that a macro can recover from some failures and a caller can tell them apart.

use std::fmt;

/// A failure in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The reason, as a type.
    pub kind: FailureKind,
    /// One sentence: what was found, what was wanted.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// What the action had produced before it failed (for instance output captured before a timeout), by output name.
    pub partial: Vec<(String, spec::value::Value)>,
}

/// The kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// An action did not do what it should.
    Step,
    /// A deadline passed.
    Timeout,
    /// A computed argument is not of its kind.
    BadArgument,
    /// The values given to the run do not fit the macro's parameters.
    Parameters,
    /// No backend that could do it is available here.
    Unavailable,
    /// A precondition does not hold.
    Precondition,
    /// A postcondition does not hold, or a declared file is missing.
    Postcondition,
    /// A step's `verify` does not hold.
    Verification,
    /// A value that is absent was read, or a computation has no result.
    Evaluation,
    /// A limit of the machine was reached.
    Limit,
    /// What it is about to touch is not allowed; nothing forgives that.
    Refused,
    /// An action may or may not have had its effect, and is not repeated.
    Uncertain,
    /// A model could not be asked, or its answer is of no use.
    Model(ModelFault),
    /// A signal asked to stop; the number is the signal's.
    Interrupted(i32),
    /// A program that no compiler of ours makes.
    Corrupt,
}

/// What is wrong with a model, its server or its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModelFault {
    /// No connection, or it broke.
    Unreachable,
    /// The server answers with an HTTP status that is no success.
    Status,
    /// The server sends elsewhere; that is not followed.
    Redirected,
    /// The server's answer is none of a model.
    NoAnswer,
    /// The model refuses.
    Refused,
    /// The model's answer was cut at its limit of tokens.
    Truncated,
    /// The model's answer is not what it was asked for.
    BadReply,
    /// The end was not reached in the steps allowed.
    Unfinished,
}

impl ModelFault {
    /// The stable word for it in a result's `error_code`.
    pub const fn code(self) -> &'static str {
        match self {
            ModelFault::Unreachable => "model_unreachable",
            ModelFault::Status => "model_status",
            ModelFault::Redirected => "model_redirected",
            ModelFault::NoAnswer => "model_no_answer",
            ModelFault::Refused => "model_refused",
            ModelFault::Truncated => "model_truncated",
            ModelFault::BadReply => "model_bad_reply",
            ModelFault::Unfinished => "model_not_finished",
        }
    }
}

impl FailureKind {
    /// The stable word for it in a result's `error_code`.
    pub const fn code(self) -> &'static str {
        match self {
            FailureKind::Step => "step_failed",
            FailureKind::Timeout => "timeout",
            FailureKind::BadArgument => "bad_argument",
            FailureKind::Parameters => "usage",
            FailureKind::Unavailable => "backend_unavailable",
            FailureKind::Precondition => "precondition_unmet",
            FailureKind::Postcondition => "postcondition_unmet",
            FailureKind::Verification => "verification_failed",
            FailureKind::Evaluation => "evaluation_failed",
            FailureKind::Limit => "limit_reached",
            FailureKind::Refused => "refused",
            FailureKind::Uncertain => "uncertain_delivery",
            FailureKind::Model(fault) => fault.code(),
            FailureKind::Interrupted(_) => "interrupted",
            FailureKind::Corrupt => "bad_artifact",
        }
    }

    /// The exit code of a run that ends so.
    pub const fn exit_code(self) -> i32 {
        match self {
            FailureKind::Step
            | FailureKind::BadArgument
            | FailureKind::Postcondition
            | FailureKind::Verification
            | FailureKind::Evaluation
            | FailureKind::Limit
            | FailureKind::Model(_) => 1,
            FailureKind::Parameters => 2,
            FailureKind::Precondition => 4,
            FailureKind::Timeout => 5,
            FailureKind::Refused => 6,
            FailureKind::Unavailable => 7,
            FailureKind::Corrupt => 8,
            FailureKind::Uncertain => 9,
            FailureKind::Interrupted(signal) => 128i32.saturating_add(signal),
        }
    }

    /// Whether another try could end otherwise.
    pub const fn retryable(self) -> bool {
        match self {
            FailureKind::Step | FailureKind::Verification | FailureKind::Postcondition => true,
            FailureKind::Model(fault) => match fault {
                ModelFault::Redirected | ModelFault::Refused => false,
                ModelFault::Unreachable
                | ModelFault::Status
                | ModelFault::NoAnswer
                | ModelFault::Truncated
                | ModelFault::BadReply
                | ModelFault::Unfinished => true,
            },
            FailureKind::Timeout
            | FailureKind::BadArgument
            | FailureKind::Parameters
            | FailureKind::Unavailable
            | FailureKind::Precondition
            | FailureKind::Evaluation
            | FailureKind::Limit
            | FailureKind::Refused
            | FailureKind::Uncertain
            | FailureKind::Interrupted(_)
            | FailureKind::Corrupt => false,
        }
    }
}

impl Failure {
    /// A failure with neither hint nor partial outputs.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, partial: Vec::new() }
    }

    /// An action did not do what it should.
    pub fn step(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Step, message)
    }

    /// Adds what to do.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds an output that was there before the failure.
    pub fn partial(mut self, name: impl Into<String>, value: spec::value::Value) -> Self {
        self.partial.push((name.into(), value));
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
