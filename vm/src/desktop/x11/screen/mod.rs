//! MIT-SHM, RandR and DAMAGE: the pixels.

use x11rb::protocol::Event;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Rect;
use crate::desktop::screen::{Frame, Monitor, Screen};
use crate::desktop::x11::X11;
use crate::stop::Stop;

/// The shared memory, and what has changed.
#[derive(Debug, Default)]
pub struct ScreenState {}

impl ScreenState {
    /// Takes note of an event.
    pub fn note(&mut self, _event: &Event) {}
}

fn pending<T>() -> Result<T, DesktopError> {
    Err(DesktopError::Unsupported("capture is not there yet".to_owned()))
}

impl Screen for X11 {
    fn desktop_area(&mut self) -> Result<Rect, DesktopError> {
        let screen = self.root_screen().ok_or_else(|| DesktopError::other("the display has no screen"))?;
        Ok(Rect { x: 0, y: 0, width: screen.width_in_pixels.into(), height: screen.height_in_pixels.into() })
    }

    fn monitors(&mut self) -> Result<Vec<Monitor>, DesktopError> {
        pending()
    }

    fn capture(&mut self, _: Rect) -> Result<Frame<'_>, DesktopError> {
        pending()
    }

    fn wait_for_change(&mut self, _: Rect, _: &Stop<'_>) -> Result<Rect, DesktopError> {
        pending()
    }
}
