//! EWMH and ICCCM: the windows.

mod answer;
mod atoms;
mod client;
mod close;
mod focus;
mod hit;
mod list;
mod modal;
mod place;
mod root;
mod text;
mod time;
mod watch;

use std::time::{Duration, Instant};

use x11rb::protocol::xproto;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::{Point, Rect};
use crate::desktop::windows::{Method, Window, WindowId, Windows};
use crate::desktop::x11::X11;
use crate::desktop::x11::windows::atoms::Atoms;
use crate::desktop::x11::windows::root::Manager;
use crate::stop::Stop;

/// What has changed among the windows.
#[derive(Debug)]
pub struct WindowState {
    atoms: Option<Atoms>,
    /// A window of our own, never shown, with a property whose change tells the time.
    own: Option<xproto::Window>,
    /// The time the last change of that property was told at.
    told_at: Option<xproto::Timestamp>,
    /// Whether windows may have come or changed their names since somebody last waited.
    changed: bool,
    /// Whether the window manager has changed its list since then.
    relisted: bool,
    /// The windows that were shown since then and that the window manager leaves alone.
    mapped: Vec<xproto::Window>,
    /// The windows the window manager listed when it was last asked.
    listed: Vec<xproto::Window>,
    /// The window manager, while it runs.
    manager: Option<Manager>,
    /// When a wait for changes last ended.
    woken: Option<Instant>,
}

impl Default for WindowState {
    fn default() -> Self {
        Self {
            atoms: None,
            own: None,
            told_at: None,
            changed: true,
            relisted: false,
            mapped: Vec::new(),
            listed: Vec::new(),
            manager: None,
            woken: None,
        }
    }
}

impl Windows for X11 {
    fn windows(&mut self) -> Result<Vec<Window>, DesktopError> {
        let (manager, clients) = self.clients()?;
        Ok(clients.iter().map(|client| client.window(manager.desktop)).collect())
    }

    fn active_window(&mut self) -> Result<Option<WindowId>, DesktopError> {
        self.holder().map(|holder| holder.map(WindowId))
    }

    fn window_at(&mut self, point: Point) -> Result<Option<WindowId>, DesktopError> {
        self.hit(point).map(|window| window.map(WindowId))
    }

    fn focus_window(&mut self, window: WindowId, stop: &Stop<'_>) -> Result<Method, DesktopError> {
        self.give_focus(window.0, stop)
    }

    fn close_window(&mut self, window: WindowId, limit: Duration, stop: &Stop<'_>) -> Result<Method, DesktopError> {
        self.ask_to_close(window.0, limit, stop)
    }

    fn move_window(
        &mut self,
        window: WindowId,
        place: Option<(i32, i32)>,
        size: Option<(u32, u32)>,
        stop: &Stop<'_>,
    ) -> Result<Rect, DesktopError> {
        self.place(window.0, place, size, stop)
    }

    fn wait_for_windows(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.await_change(stop)
    }
}
