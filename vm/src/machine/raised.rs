//! A failure on its way out: what failed, and where it began.

use crate::failure::Failure;
use crate::report::SourcePlace;

/// A failure that has left the instruction it happened at.
#[derive(Clone, Debug)]
pub struct Raised {
    /// Why.
    pub failure: Failure,
    /// Where it began; `None` until somebody who knows has said.
    pub origin: Option<Box<Origin>>,
}

/// Where a failure began.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The step's id, as in its report; `None` outside steps.
    pub step: Option<String>,
    /// Where it is written.
    pub place: Option<SourcePlace>,
}

impl From<Failure> for Raised {
    fn from(failure: Failure) -> Self {
        Self { failure, origin: None }
    }
}

impl Raised {
    /// Says where it began, unless that is known.
    pub fn at(mut self, step: Option<&str>, place: Option<SourcePlace>) -> Self {
        if self.origin.is_none() {
            self.origin = Some(Box::new(Origin { step: step.map(str::to_owned), place }));
        }
        self
    }

    /// The sentence for the step `id`: a failure that came from a step inside it names that step.
    pub fn message(&self, id: &str) -> String {
        match self.origin.as_ref().and_then(|origin| origin.step.as_deref()) {
            Some(inner) if inner != id => format!("step `{inner}` failed: {}", self.failure.message),
            Some(_) | None => self.failure.message.clone(),
        }
    }
}
