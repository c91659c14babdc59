//! X11, over one connection: XTEST and XKB for input, MIT-SHM and DAMAGE for pixels, EWMH and ICCCM for windows.

mod address;
mod error;
mod events;
mod input;
mod keyboard;
mod open;
mod screen;
mod stream;
mod windows;

use std::os::fd::AsFd;

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{Screen as Root, Window};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::input::InputState;
use crate::desktop::x11::screen::ScreenState;
use crate::desktop::x11::stream::Conn;
use crate::desktop::x11::windows::WindowState;
use crate::desktop::{Desktop, Lifeline};
use crate::stop::Stop;

/// An X11 display.
#[derive(Debug)]
pub struct X11 {
    conn: Conn,
    screen: usize,
    root: Window,
    input: InputState,
    pixels: ScreenState,
    windows: WindowState,
}

impl X11 {
    /// The screen's description from the connection's setup.
    fn root_screen(&self) -> Option<&Root> {
        self.conn.setup().roots.get(self.screen)
    }
}

impl Desktop for X11 {
    fn limit(&mut self, stop: &Stop<'_>) {
        self.conn.stream().limit(stop);
    }

    fn begin_step(&mut self) {
        self.input.begin_step();
    }

    fn answers(&self) -> bool {
        self.conn.stream().answers()
    }

    fn lifeline(&self) -> Lifeline<'_> {
        Lifeline::of(self.conn.stream().as_fd())
    }

    fn keyboard_layout(&mut self) -> Result<String, DesktopError> {
        self.layout_names()
    }
}
