//! MIT-SHM, RandR and DAMAGE: the pixels.

mod changes;
mod colors;
mod format;
mod monitors;
mod read;
mod segment;

use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ConnectionExt, Window};

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Rect;
use crate::desktop::screen::{Frame, Monitor, Screen};
use crate::desktop::x11::X11;
use crate::desktop::x11::screen::changes::Changes;
use crate::desktop::x11::screen::read::{Reader, Refused};
use crate::stop::Stop;

/// How the display is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// By a socket of this machine, over which memory can be shared.
    Local,
    /// By the network.
    Remote,
}

/// The size of the screen, the memory its pixels come to, and what has changed.
#[derive(Debug)]
pub struct ScreenState {
    /// Width and height, when they are not those of the connection's setup any more.
    size: Option<(u16, u16)>,
    reader: Reader,
    changes: Changes,
}

impl ScreenState {
    /// Nothing captured yet.
    pub fn new(reach: Reach) -> Self {
        Self { size: None, reader: Reader::new(reach), changes: Changes::default() }
    }

    /// Takes note of an event.
    pub fn note(&mut self, event: &Event, root: Window) {
        if let Event::ConfigureNotify(changed) = event
            && changed.window == root
        {
            self.size = Some((changed.width, changed.height));
            self.changes.forget();
        }
        self.changes.note(event);
    }
}

impl Screen for X11 {
    fn desktop_area(&mut self) -> Result<Rect, DesktopError> {
        self.take_events()?;
        self.known_area()
    }

    fn monitors(&mut self) -> Result<Vec<Monitor>, DesktopError> {
        self.all_monitors()
    }

    fn capture(&mut self, area: Rect) -> Result<Frame<'_>, DesktopError> {
        self.take_events()?;
        self.check_covered(area)?;
        let filled = match self.read_pixels(area) {
            // The screen became another one since its size was told.
            Err(Refused::Mismatch(_)) => {
                self.ask_size()?;
                self.check_covered(area)?;
                self.read_pixels(area)
            }
            other => other,
        };
        let filled = filled.map_err(DesktopError::from)?;
        Ok(Frame { area, stride: filled.stride, pixels: self.pixels.reader.pixels(&filled) })
    }

    fn watch(&mut self, area: Rect) -> Result<(), DesktopError> {
        self.watch_changes(area)
    }

    fn wait_for_change(&mut self, area: Rect, stop: &Stop<'_>) -> Result<Rect, DesktopError> {
        self.wait_changes(area, stop)
    }
}

impl X11 {
    /// The whole desktop, as far as events told.
    fn known_area(&self) -> Result<Rect, DesktopError> {
        let (width, height) = match self.pixels.size {
            Some(size) => size,
            None => {
                let screen = self.root_screen().ok_or_else(|| DesktopError::other("the display has no screen"))?;
                (screen.width_in_pixels, screen.height_in_pixels)
            }
        };
        Ok(Rect { x: 0, y: 0, width: width.into(), height: height.into() })
    }

    /// Asks how large the screen is.
    fn ask_size(&mut self) -> Result<(), DesktopError> {
        let root = self.conn.get_geometry(self.root)?.reply()?;
        self.pixels.size = Some((root.width, root.height));
        Ok(())
    }

    fn check_covered(&mut self, area: Rect) -> Result<(), DesktopError> {
        if self.known_area()?.covers(area) {
            return Ok(());
        }
        self.ask_size()?;
        let screen = self.known_area()?;
        if screen.covers(area) { Ok(()) } else { Err(DesktopError::Uncovered { area, screen }) }
    }
}
