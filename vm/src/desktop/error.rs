//! Why something could not be done on the display.

use thiserror::Error;

use crate::desktop::geometry::{Point, Rect};
use crate::failure::{Failure, FailureKind};
use crate::stop::Stop;

/// Why something could not be done on the display.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DesktopError {
    /// There is no display, or it cannot be used.
    #[error("{reason}")]
    Absent {
        /// Why.
        reason: String,
        /// What to install or set.
        hint: String,
    },
    /// The connection to the display broke.
    #[error("the connection to the display was lost: {reason}")]
    Lost {
        /// What the connection says.
        reason: String,
    },
    /// The step's time is over or a signal came: what [`Stop`](crate::stop::Stop) says of it.
    #[error("{0}")]
    Stopped(Failure),
    /// A place outside of every monitor.
    #[error("({x}, {y}) is outside of the screen, which has {width}x{height} pixels", x = .point.x, y = .point.y, width = .screen.width, height = .screen.height)]
    OffScreen {
        /// The place.
        point: Point,
        /// The whole desktop.
        screen: Rect,
    },
    /// An area that is not on the screen with all its pixels.
    #[error("the area of {width}x{height} pixels at ({x}, {y}) is not wholly on the screen, which has {wide}x{high} pixels", width = .area.width, height = .area.height, x = .area.x, y = .area.y, wide = .screen.width, high = .screen.height)]
    Uncovered {
        /// The area.
        area: Rect,
        /// The whole desktop.
        screen: Rect,
    },
    /// Something this display cannot do.
    #[error("{0}")]
    Unsupported(String),
    /// Something went wrong on the display, in words.
    #[error("{message}")]
    Other {
        /// What was found.
        message: String,
        /// What to do.
        hint: Option<String>,
    },
}

impl DesktopError {
    /// Something went wrong, with nothing to advise.
    pub fn other(message: impl Into<String>) -> Self {
        Self::Other { message: message.into(), hint: None }
    }

    /// A display server that says nothing.
    pub fn silent() -> Self {
        let reason = "the display server does not answer".to_owned();
        Self::Absent { reason, hint: "check that the server that `DISPLAY` names is not stopped".to_owned() }
    }

    /// Whether the time was over.
    pub fn is_timeout(&self) -> bool {
        matches!(self, Self::Stopped(failure) if failure.kind == FailureKind::Timeout)
    }

    /// The end of a time that was more than enough for a server that answers means that it does not.
    #[must_use]
    pub fn or_silent(self) -> Self {
        if self.is_timeout() { Self::silent() } else { self }
    }

    /// Says at the end of the time what was found until then. The end of an action's own time, when that was nearer than the step's, is a failure
    /// like others, after which another try may follow. Other errors stay as they are.
    #[must_use]
    pub fn at_limit(self, nearer: &Stop<'_>, step: &Stop<'_>, found: &str) -> Self {
        match self {
            Self::Stopped(failure) if failure.kind == FailureKind::Timeout => {
                let expired = nearer.expired(step, Failure::step(found));
                if expired.kind == FailureKind::Step { Self::other(expired.message) } else { Self::Stopped(expired) }
            }
            Self::Stopped(_)
            | Self::Absent { .. }
            | Self::Lost { .. }
            | Self::OffScreen { .. }
            | Self::Uncovered { .. }
            | Self::Unsupported(_)
            | Self::Other { .. } => self,
        }
    }
}

impl From<Failure> for DesktopError {
    fn from(failure: Failure) -> Self {
        Self::Stopped(failure)
    }
}

impl From<DesktopError> for Failure {
    fn from(error: DesktopError) -> Self {
        let message = error.to_string();
        match error {
            DesktopError::Stopped(failure) => failure,
            DesktopError::Absent { hint, .. } => Failure::new(FailureKind::Unavailable, message).hint(hint),
            DesktopError::Other { hint: Some(hint), .. } => Failure::step(message).hint(hint),
            DesktopError::Lost { .. }
            | DesktopError::OffScreen { .. }
            | DesktopError::Uncovered { .. }
            | DesktopError::Unsupported(_)
            | DesktopError::Other { hint: None, .. } => Failure::step(message),
        }
    }
}
