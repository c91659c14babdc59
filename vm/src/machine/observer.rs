//! Whoever wants to know what a run does while it does it.

use crate::report::{Attempt, StepReport};

/// Is told what happens, when it happens. Every text is already without secrets.
pub trait Observer {
    /// A step begins; `iteration` is the turn of its loop, from 0.
    fn step_started(&mut self, _id: &str, _iteration: Option<usize>) {}

    /// A try of a step failed; another one, a fallback or the step's failure follows.
    fn try_failed(&mut self, _id: &str, _attempt: &Attempt) {}

    /// A step ended.
    fn step_finished(&mut self, _step: &StepReport) {}

    /// Something was forgiven.
    fn warned(&mut self, _warning: &str) {}
}

/// Does not listen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}
