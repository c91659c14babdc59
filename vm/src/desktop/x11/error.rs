//! What the connection says, as an error of the desktop.

use std::io::ErrorKind;

use x11rb::errors::{ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::x11_utils::X11Error;

use crate::desktop::error::DesktopError;
use crate::desktop::x11::stream::Asked;
use crate::failure::{Failure, FailureKind};
use crate::stop::interrupted;

impl From<ConnectionError> for DesktopError {
    fn from(error: ConnectionError) -> Self {
        let ConnectionError::IoError(io) = &error else { return Self::Lost { reason: error.to_string() } };
        if io.kind() == ErrorKind::TimedOut {
            let message = "the display server has not answered";
            return Self::Stopped(Failure::new(FailureKind::Timeout, message));
        }
        match io.get_ref().and_then(|inner| inner.downcast_ref::<Asked>()) {
            Some(Asked(signal)) => Self::Stopped(interrupted(*signal)),
            None => Self::Lost { reason: io.to_string() },
        }
    }
}

impl From<ReplyError> for DesktopError {
    fn from(error: ReplyError) -> Self {
        match error {
            ReplyError::ConnectionError(error) => error.into(),
            ReplyError::X11Error(error) => error.into(),
        }
    }
}

impl From<ReplyOrIdError> for DesktopError {
    fn from(error: ReplyOrIdError) -> Self {
        match error {
            ReplyOrIdError::ConnectionError(error) => error.into(),
            ReplyOrIdError::X11Error(error) => error.into(),
            ReplyOrIdError::IdsExhausted => Self::Lost { reason: "no resource numbers are left".to_owned() },
        }
    }
}

impl From<X11Error> for DesktopError {
    fn from(error: X11Error) -> Self {
        let request = error.request_name.unwrap_or("request");
        Self::other(format!("the display refused {request}: {:?}", error.error_kind))
    }
}
