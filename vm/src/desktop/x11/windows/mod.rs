//! EWMH and ICCCM: the windows.

use x11rb::protocol::Event;
use x11rb::protocol::xproto;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Rect;
use crate::desktop::windows::{Window, WindowId, Windows};
use crate::desktop::x11::X11;
use crate::stop::Stop;

/// What has changed among the windows.
#[derive(Debug, Default)]
pub struct WindowState {}

impl WindowState {
    /// Takes note of an event.
    pub fn note(&mut self, _event: &Event, _root: xproto::Window) {}
}

fn pending<T>() -> Result<T, DesktopError> {
    Err(DesktopError::Unsupported("windows are not there yet".to_owned()))
}

impl Windows for X11 {
    fn windows(&mut self) -> Result<Vec<Window>, DesktopError> {
        pending()
    }

    fn active_window(&mut self) -> Result<Option<WindowId>, DesktopError> {
        pending()
    }

    fn focus_window(&mut self, _: WindowId, _: &Stop<'_>) -> Result<(), DesktopError> {
        pending()
    }

    fn close_window(&mut self, _: WindowId, _: &Stop<'_>) -> Result<(), DesktopError> {
        pending()
    }

    fn move_window(
        &mut self,
        _: WindowId,
        _: Option<(i32, i32)>,
        _: Option<(u32, u32)>,
        _: &Stop<'_>,
    ) -> Result<Rect, DesktopError> {
        pending()
    }

    fn wait_for_windows(&mut self, _: &Stop<'_>) -> Result<(), DesktopError> {
        pending()
    }
}
