//! Which devices an action uses: keyboard, pointer, screen, model. What is done to a control through accessibility counts as what a hand would
//! do with it: it changes the same things.

use crate::action::Action;
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
    /// The contents of every window, whatever its title.
    pub every_window: bool,
}

/// What every window is called where titles are listed.
pub const EVERY_WINDOW: &str = "*";

/// The devices of an action; `given` is whether it has an argument of a shape that is not empty. What a recording does is in its events.
pub fn of(action: Action, given: &dyn Fn(Shape) -> bool) -> Devices {
    let none = Devices::default();
    match action {
        Action::RunCommand
        | Action::StartProcess
        | Action::FindExecutable
        | Action::Replay
        | Action::JsonGet
        | Action::JsonSet
        | Action::JsonDelete
        | Action::XmlGetAttr
        | Action::XmlSetAttr
        | Action::XmlGetText
        | Action::XmlSetText
        | Action::TextReplace
        | Action::RegexReplace
        | Action::CopyFile
        | Action::WriteFile
        | Action::MakeDir
        | Action::DeleteFile => none,
        Action::ClickImage
        | Action::ClickRelative
        | Action::Scroll
        | Action::Drag
        | Action::DragRelative
        | Action::MoveTo => Devices { clicks: true, captures: given(Shape::Image), types: given(Shape::Keys), ..none },
        Action::WaitImage | Action::WaitGone | Action::CaptureRegion => Devices { captures: true, ..none },
        Action::VisualTypeText | Action::Hotkey | Action::Shortcut | Action::UiTypeText | Action::SetText => {
            Devices { types: true, ..none }
        }
        Action::Instruct | Action::InstructWithRefine => {
            Devices { types: true, clicks: true, captures: true, model: true, ..none }
        }
        Action::MenuClick
        | Action::ButtonClick
        | Action::Toggle
        | Action::Select
        | Action::CloseWindow
        | Action::MoveWindow => Devices { clicks: true, ..none },
        // The window they name is asked for by its title.
        Action::WaitForWindow | Action::FocusWindow | Action::GetText | Action::WaitForControl => none,
        Action::GetControls => Devices { every_window: !given(Shape::Text), ..none },
    }
}

#[cfg(test)]
mod tests {
    use crate::action::{Action, Backend, Effect};
    use crate::device::{Devices, of};

    #[test]
    fn whatever_changes_a_window_uses_a_device() {
        for action in Action::ALL {
            let used = of(*action, &|_| true);
            match action.backend() {
                Backend::NativeApi | Backend::FileTransform | Backend::GuiMacro => {
                    assert_eq!(used, Devices::default(), "{action:?}");
                }
                Backend::VisualAnchor => assert!(used != Devices::default(), "{action:?}"),
                Backend::GuiAgent => assert!(used.types && used.clicks && used.captures && used.model, "{action:?}"),
                Backend::SemanticUi => {
                    let changes = action.effect() != Effect::Reads && *action != Action::FocusWindow;
                    assert_eq!(used.types || used.clicks, changes, "{action:?}");
                }
            }
        }
    }
}
