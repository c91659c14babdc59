//! The windows.

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Rect;
use crate::stop::Stop;

/// A window's number on its display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WindowId(pub u32);

/// A window of an application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its number.
    pub id: WindowId,
    /// Its title.
    pub title: String,
    /// The name of its application, as `WM_CLASS` gives it; may be empty.
    pub class: String,
    /// The process it belongs to, when it says so.
    pub pid: Option<u32>,
    /// Its client area (without the frame of the window manager), in pixels of the desktop.
    pub area: Rect,
    /// Whether it can be seen now: not iconified, and on the current desktop.
    pub visible: bool,
    /// The window it is a dialog of.
    pub parent: Option<WindowId>,
}

/// The windows.
pub trait Windows {
    /// The windows there are, topmost first, with those that are iconified or on another desktop.
    ///
    /// # Errors
    /// The display does not answer.
    fn windows(&mut self) -> Result<Vec<Window>, DesktopError>;

    /// The window that has the keyboard.
    ///
    /// # Errors
    /// The display does not answer.
    fn active_window(&mut self) -> Result<Option<WindowId>, DesktopError>;

    /// Shows a window (from another desktop, from an icon) and gives it the keyboard; returns when it has it.
    ///
    /// # Errors
    /// It was closed, or something else keeps the keyboard until `stop`.
    fn focus_window(&mut self, window: WindowId, stop: &Stop<'_>) -> Result<(), DesktopError>;

    /// Asks a window to close, and waits until it has.
    ///
    /// # Errors
    /// It is still there when `stop` comes.
    fn close_window(&mut self, window: WindowId, stop: &Stop<'_>) -> Result<(), DesktopError>;

    /// Moves a window's client area, gives it another size, or both, and waits until it is so.
    ///
    /// # Errors
    /// It was closed, or stays where it is.
    fn move_window(
        &mut self,
        window: WindowId,
        place: Option<(i32, i32)>,
        size: Option<(u32, u32)>,
        stop: &Stop<'_>,
    ) -> Result<Rect, DesktopError>;

    /// Waits until windows may have come, gone, moved or changed their titles since the last call; the first call returns at once.
    /// Sleeps without polling.
    ///
    /// # Errors
    /// `stop` came first.
    fn wait_for_windows(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError>;
}
