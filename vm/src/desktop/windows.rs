//! The windows.

use std::time::Duration;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::{Point, Rect};
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
    /// The name of this instance of the application, as `WM_CLASS` gives it; may be empty.
    pub instance: String,
    /// The process it belongs to, when it says so.
    pub pid: Option<u32>,
    /// Its client area (without the frame of the window manager), in pixels of the desktop.
    pub area: Rect,
    /// Whether it can be seen now, though perhaps covered: neither iconified nor shaded, and on the current desktop.
    pub visible: bool,
    /// Whether the window manager may manage it; it leaves splash screens and other pop-ups alone.
    pub managed: bool,
    /// The window it is a dialog of.
    pub parent: Option<WindowId>,
}

/// How something was done to a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By a message to the window manager, as EWMH has it.
    Ewmh,
    /// By X11 itself, without a window manager.
    X11,
    /// By the means of another system.
    System,
}

impl Method {
    /// The word for it in a result.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Ewmh => "ewmh",
            Method::X11 => "x11",
            Method::System => "system",
        }
    }
}

/// The windows.
pub trait Windows {
    /// The windows there are, topmost first, with those that are iconified or on another desktop. Pop-ups that no window manager manages are
    /// among them while they are shown and have a title; menus and tooltips are not.
    ///
    /// # Errors
    /// The display does not answer.
    fn windows(&mut self) -> Result<Vec<Window>, DesktopError>;

    /// The window that has the keyboard.
    ///
    /// # Errors
    /// The display does not answer.
    fn active_window(&mut self) -> Result<Option<WindowId>, DesktopError>;

    /// The window that a click at a place would reach; `None` for the background, and a number that is not among [`Windows::windows`] for a
    /// frame, a menu and the like.
    ///
    /// # Errors
    /// The display does not answer.
    fn window_at(&mut self, point: Point) -> Result<Option<WindowId>, DesktopError>;

    /// Shows a window (from another desktop, from an icon, from its title bar) in front of others and gives it the keyboard; returns when it
    /// has it, and says how that was done.
    ///
    /// # Errors
    /// It was closed, one of its dialogs is modal, or something else keeps the keyboard: what.
    fn focus_window(&mut self, window: WindowId, stop: &Stop<'_>) -> Result<Method, DesktopError>;

    /// Asks a window to close, and waits up to `limit` until it has; says how that was done. Nothing is ever killed.
    ///
    /// # Errors
    /// It cannot be asked, a dialog came up, or it is still there when `limit` or `stop` comes.
    fn close_window(&mut self, window: WindowId, limit: Duration, stop: &Stop<'_>) -> Result<Method, DesktopError>;

    /// Moves a window's client area, gives it another size, or both, and waits until it is so. A maximised window becomes a normal one.
    ///
    /// # Errors
    /// It was closed, or has another place or size in the end: which.
    fn move_window(
        &mut self,
        window: WindowId,
        place: Option<(i32, i32)>,
        size: Option<(u32, u32)>,
        stop: &Stop<'_>,
    ) -> Result<Rect, DesktopError>;

    /// Waits until windows may have come or changed their names since the last call; the first call returns at once, so look first and wait
    /// then. On X11 it sleeps without polling, and does not return more than about a hundred times a second.
    ///
    /// # Errors
    /// `stop` came first.
    fn wait_for_windows(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError>;
}
