//! Which devices an action uses: keyboard, pointer, screen, model.

use crate::action::{Action, Backend, Effect};
use crate::kind::Shape;

/// Devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Devices {
    /// The keyboard.
    pub types: bool,
    /// The pointer.
    pub clicks: bool,
    /// The screen, looked at.
    pub captures: bool,
    /// A model.
    pub model: bool,
}

/// The devices of an action; `given` is whether it has an argument of a shape. What a recording does is in its events.
pub fn of(action: Action, given: &dyn Fn(Shape) -> bool) -> Devices {
    match action.backend() {
        Backend::NativeApi | Backend::FileTransform | Backend::GuiMacro => Devices::default(),
        Backend::GuiAgent => Devices { types: true, clicks: true, captures: true, model: true },
        Backend::VisualAnchor | Backend::SemanticUi => Devices {
            types: given(Shape::Keys) || matches!(action, Action::VisualTypeText | Action::UiTypeText),
            captures: given(Shape::Image) || action == Action::CaptureRegion,
            clicks: action.backend() == Backend::VisualAnchor
                && action.effect() != Effect::Reads
                && !matches!(action, Action::VisualTypeText | Action::Hotkey | Action::CaptureRegion),
            model: false,
        },
    }
}
