//! The pixels.

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Rect;
use crate::stop::Stop;

/// One monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    /// Its name, such as `HDMI-1`.
    pub name: String,
    /// Where it is on the desktop.
    pub area: Rect,
    /// Whether it is the primary one.
    pub primary: bool,
}

/// What a part of the screen showed at one moment; valid until the next capture.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Where it was captured.
    pub area: Rect,
    /// Bytes from one row to the next, a multiple of 4.
    pub stride: usize,
    /// Blue, green, red and one byte without meaning for each pixel, row by row from the top.
    pub pixels: &'a [u8],
}

/// The pixels.
pub trait Screen {
    /// The whole desktop: all monitors and what is between them.
    ///
    /// # Errors
    /// The display does not answer.
    fn desktop_area(&mut self) -> Result<Rect, DesktopError>;

    /// The monitors, in the order of the display; at least one.
    ///
    /// # Errors
    /// The display does not answer.
    fn monitors(&mut self) -> Result<Vec<Monitor>, DesktopError>;

    /// Captures a part of the desktop.
    ///
    /// # Errors
    /// `area` is not covered by the desktop, or the display has no readable pixels.
    fn capture(&mut self, area: Rect) -> Result<Frame<'_>, DesktopError>;

    /// Takes note of changes of `area` from now on: what is captured after this and changes then is what the next
    /// [`Screen::wait_for_change`] tells of. Waits for nothing.
    ///
    /// # Errors
    /// The display does not answer.
    fn watch(&mut self, area: Rect) -> Result<(), DesktopError>;

    /// Waits until pixels of `area` may have changed since the last call or since [`Screen::watch`], and returns what may have
    /// changed. An area nobody watched until now may have changed as a whole: then it returns at once. Sleeps without polling where
    /// the display tells of changes; elsewhere it returns ten times a second.
    ///
    /// # Errors
    /// `stop` came first.
    fn wait_for_change(&mut self, area: Rect, stop: &Stop<'_>) -> Result<Rect, DesktopError>;
}
