//! What the two libraries say, as an error of the desktop.

use enigo::InputError;
use xcap::XCapError;

use crate::desktop::error::DesktopError;

impl From<InputError> for DesktopError {
    fn from(error: InputError) -> Self {
        Self::other(format!("input could not be simulated: {error}"))
    }
}

impl From<XCapError> for DesktopError {
    fn from(error: XCapError) -> Self {
        Self::other(format!("the screen could not be read: {error}"))
    }
}
