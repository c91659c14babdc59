//! The vision model: nothing in this build can ask one, and the backend says so.

use spec::action::Backend;

use crate::backends::absent::Absent;

/// The backend as it is here.
pub fn probe() -> Absent {
    let hint = "use `visual_anchor`, `semantic_ui` or `native_api` actions";
    Absent::new(Backend::GuiAgent, "this build has no model client yet", Some(hint))
}
