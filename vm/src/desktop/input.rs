//! The pointer and the keys.

use std::time::Duration;

use spec::grammar::keys::{Chord, Key};
use spec::kind::MouseButton;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Point;
use crate::stop::Stop;

/// Whether a key or button goes down or up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// It goes down and stays there.
    Down,
    /// It comes up.
    Up,
}

/// The pointer and the keys. What goes out is only queued until [`Input::flush`], except where a function says that it waits.
///
/// Before the first event every function takes the display's input lock, so that no two runs drive one display at once; it is held
/// until this is dropped.
pub trait Input {
    /// Takes the input lock, and waits for another run that has it.
    ///
    /// # Errors
    /// `stop` came first: who has it.
    fn take_input(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError>;

    /// Presses a key with its modifiers and releases both; waits until the display has it.
    ///
    /// # Errors
    /// No key of the keyboard can give it; then nothing was pressed.
    fn chord(&mut self, chord: Chord, stop: &Stop<'_>) -> Result<(), DesktopError>;

    /// Presses or releases one key.
    ///
    /// # Errors
    /// No key of the keyboard can give it.
    fn key(&mut self, key: Key, press: Press, stop: &Stop<'_>) -> Result<(), DesktopError>;

    /// Puts the keyboard to rest for taps, until the next [`Input::chord`], [`Input::type_text`] or [`Input::release_all`]: no lock changes what
    /// keys give, and no key of others is down. The other two do so by themselves.
    ///
    /// # Errors
    /// The display does not answer.
    fn rest(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.take_input(stop)
    }

    /// Presses and releases one key with the modifiers it needs, on a keyboard at rest; one that the keyboard does not have as it is
    /// is a chord.
    ///
    /// # Errors
    /// No key of the keyboard can give it.
    fn tap(&mut self, key: Key, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.key(key, Press::Down, stop)?;
        self.key(key, Press::Up, stop)
    }

    /// Types a text into whatever has the focus, with a pause after each character, and returns how many characters that was. Waits
    /// until receivers have read it.
    ///
    /// # Errors
    /// A character that cannot be typed: then nothing was. `stop` came first: the error says how much was typed.
    fn type_text(&mut self, text: &str, interval: Duration, stop: &Stop<'_>) -> Result<usize, DesktopError>;

    /// Where the pointer is.
    ///
    /// # Errors
    /// The display does not answer.
    fn pointer(&mut self) -> Result<Point, DesktopError>;

    /// Moves the pointer.
    ///
    /// # Errors
    /// [`DesktopError::OffScreen`].
    fn move_to(&mut self, to: Point, stop: &Stop<'_>) -> Result<(), DesktopError>;

    /// Looks whether the pointer may go to a place: whether a monitor shows it. Sends no event and needs no lock.
    ///
    /// # Errors
    /// [`DesktopError::OffScreen`].
    fn on_screen(&mut self, at: Point) -> Result<(), DesktopError>;

    /// Waits until a press of `button` at `at` can no longer be taken for a part of a double click with the last press of this run.
    ///
    /// # Errors
    /// `stop` came first.
    fn keep_clicks_apart(&mut self, at: Point, button: MouseButton, stop: &Stop<'_>) -> Result<(), DesktopError>;

    /// Presses or releases a button.
    ///
    /// # Errors
    /// The connection is lost.
    fn button(&mut self, button: MouseButton, press: Press, stop: &Stop<'_>) -> Result<(), DesktopError>;

    /// Turns the wheel by notches to the right and up; negative is left and down.
    ///
    /// # Errors
    /// The connection is lost.
    fn scroll(&mut self, dx: i32, dy: i32, stop: &Stop<'_>) -> Result<(), DesktopError>;

    /// Sends what is queued.
    ///
    /// # Errors
    /// The connection is lost.
    fn flush(&mut self) -> Result<(), DesktopError>;

    /// Sends what is queued and waits until the display has done it.
    ///
    /// # Errors
    /// The display does not answer in time.
    fn sync(&mut self) -> Result<(), DesktopError>;

    /// The same, and waits until whoever has the keyboard has read what may only be read now.
    ///
    /// # Errors
    /// The display does not answer in time.
    fn finish(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        stop.check()?;
        self.sync()
    }

    /// Releases every key and button this run holds and restores the keymap; goes as far as it can: a display that does not answer has one second.
    fn release_all(&mut self);
}
