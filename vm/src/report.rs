//! What a run was: the data behind the JSON document that `run --json` prints.

use spec::artifact::Place;
use spec::value::Dict;

use crate::failure::Failure;

/// A finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The macro's name.
    pub macro_name: String,
    /// Why the run failed; `None` is success.
    pub failure: Option<RunFailure>,
    /// The declared results, by name.
    pub results: Dict,
    /// What did not go as written and was forgiven.
    pub warnings: Vec<String>,
    /// Every step that was run, skipped or forgiven, in order, then those that were not reached.
    pub steps: Vec<StepReport>,
    /// Postconditions and verifications that a simulated world could not evaluate.
    pub not_evaluated: Vec<String>,
    /// The whole run, in microseconds.
    pub duration_us: u64,
    /// How many steps the macro has, those of called macros included, each once.
    pub steps_total: usize,
    /// Whether the world was a simulated one.
    pub simulated: bool,
}

/// Why and where a run failed.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFailure {
    /// The reason.
    pub failure: Failure,
    /// The step that failed, as in its report; `None` outside steps.
    pub step: Option<String>,
    /// Where the macro says so.
    pub place: Option<SourcePlace>,
}

/// A place in a named source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file, relative to the folder of the macro that runs.
    pub file: String,
    /// The range in it.
    pub place: Place,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It did what it should.
    Ok,
    /// It failed, and the macro stopped or went on with a warning.
    Failed,
    /// Its `when` was false, or its failure was forgiven by `on_failure: skip`.
    Skipped,
    /// The run ended before it.
    NotRun,
}

impl Status {
    /// The word in a result.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Failed => "failed",
            Status::Skipped => "skipped",
            Status::NotRun => "not_run",
        }
    }
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// The step's id; steps of called macros are `call/inner`.
    pub id: String,
    /// Which turn of its loop, from 0.
    pub iteration: Option<usize>,
    /// How it ended.
    pub status: Status,
    /// The outputs of its last try, by name; of a failed step, what there was.
    pub output: Dict,
    /// Why it failed, also when that was forgiven.
    pub failure: Option<Failure>,
    /// From its begin to its end, in microseconds, pauses between tries included.
    pub duration_us: u64,
    /// The backend that did it, or that failed last; `recovery(…)` around it for recovery steps.
    pub backend_used: Option<String>,
    /// Every try.
    pub attempts: Vec<Attempt>,
    /// In a simulated run, the arguments it would have been done with.
    pub would: Option<Dict>,
    /// Where it is written.
    pub place: Option<SourcePlace>,
}

/// One try of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The backend tried.
    pub backend: String,
    /// How long it took, in microseconds.
    pub duration_us: u64,
    /// Why it failed; `None` is success.
    pub error: Option<String>,
}

impl Report {
    /// Whether the run succeeded.
    pub fn success(&self) -> bool {
        self.failure.is_none()
    }

    /// The exit code: 0, or the failure's.
    pub fn exit_code(&self) -> i32 {
        self.failure.as_ref().map_or(0, |failed| failed.failure.kind.exit_code())
    }
}
