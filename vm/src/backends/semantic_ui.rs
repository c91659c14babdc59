//! Windows and controls: there is nothing to drive a display with in this build, and the backend says so.

use spec::action::Backend;

use crate::backends::absent::Absent;

/// The backend as it is here.
pub fn probe() -> Absent {
    Absent::without_input(Backend::SemanticUi)
}
