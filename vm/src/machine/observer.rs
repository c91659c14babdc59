//! Whoever wants to know what a run does while it does it.

use spec::action::Action;

use crate::report::{Attempt, StepReport};

/// A run that begins: nothing of it was looked at yet, its parameters neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginning<'a> {
    /// The macro's name.
    pub macro_name: &'a str,
    /// How many steps the macro has, those of called macros included, each once.
    pub steps_total: usize,
    /// Whether the world is a simulated one.
    pub simulated: bool,
}

/// A try of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial<'a> {
    /// The step's id; steps of called macros are `call/inner`.
    pub step: &'a str,
    /// Which turn of its loop, from 0.
    pub iteration: Option<usize>,
    /// Which of all its tries, those of a fallback too, from 1.
    pub number: usize,
}

/// What a step waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// The time between a try that failed and the next one.
    Backoff,
    /// Conditions that must hold after the action.
    Verify,
}

impl Pause {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Pause::Backoff => "backoff",
            Pause::Verify => "verify",
        }
    }
}

/// Is told what happens, when it happens. Every text is already without secrets.
pub trait Observer {
    /// The run begins.
    fn run_started(&mut self, _run: Beginning<'_>) {}

    /// A step begins; `iteration` is the turn of its loop, from 0.
    fn step_started(&mut self, _id: &str, _iteration: Option<usize>) {}

    /// A try is about to be done by this action, which says the backend too.
    fn routed(&mut self, _of: Trial<'_>, _action: Action) {}

    /// A try of a step failed; another one, a fallback or the step's failure follows.
    fn try_failed(&mut self, _of: Trial<'_>, _attempt: &Attempt) {}

    /// A step begins to wait, for at most `longest_us` microseconds. A pause follows the try it is told with.
    fn waiting(&mut self, _of: Trial<'_>, _pause: Pause, _longest_us: u64) {}

    /// A step ended.
    fn step_finished(&mut self, _step: &StepReport) {}

    /// Something was forgiven.
    fn warned(&mut self, _warning: &str) {}
}

/// Does not listen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}
