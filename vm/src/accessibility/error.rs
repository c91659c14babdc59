//! Why something could not be done by accessibility.

use thiserror::Error;

use crate::failure::{Failure, FailureKind};

/// Why something could not be done by accessibility.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AccessError {
    /// There is no accessibility here.
    #[error("accessibility is unavailable: {reason}")]
    Absent {
        /// Why.
        reason: String,
        /// What to install or set.
        hint: String,
    },
    /// The step's time is over or a signal came: what [`Stop`](crate::stop::Stop) says of it.
    #[error("{0}")]
    Stopped(Failure),
    /// An application does not answer.
    #[error("{limit}: {application} does not answer")]
    Silent {
        /// The application, in words.
        application: String,
        /// What [`Stop`](crate::stop::Stop) says of the time.
        limit: String,
    },
    /// The control is no longer there.
    #[error("the control is gone")]
    Gone,
    /// The application has ended.
    #[error("{0} has ended")]
    Ended(String),
    /// The application cannot do it, or says no.
    #[error("{0}")]
    Refused(String),
}

impl From<Failure> for AccessError {
    fn from(failure: Failure) -> Self {
        Self::Stopped(failure)
    }
}

impl From<AccessError> for Failure {
    fn from(error: AccessError) -> Self {
        let message = error.to_string();
        match error {
            AccessError::Stopped(failure) => failure,
            AccessError::Absent { hint, .. } => Failure::new(FailureKind::Unavailable, message).hint(hint),
            AccessError::Silent { .. } => {
                Failure::new(FailureKind::Timeout, message).hint("wait until it is idle, or start it again")
            }
            AccessError::Gone | AccessError::Ended(_) | AccessError::Refused(_) => Failure::step(message),
        }
    }
}
