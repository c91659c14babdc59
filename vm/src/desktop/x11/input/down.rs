//! What a run that is killed leaves down: the display releases nothing by itself, and a key that is down repeats for ever. Each key and button is
//! written on the root window before it goes down for the first time, and the next run that has the input lock releases them.
//!
//! The list only grows until all is up again, so that a text costs one note for each of its keys, however often they are pressed.

use x11rb::protocol::xproto::{
    AtomEnum, BUTTON_RELEASE_EVENT, ConnectionExt as _, GetPropertyReply, KEY_RELEASE_EVENT, PropMode,
};
use x11rb::wrapper::ConnectionExt as _;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Point;
use crate::desktop::x11::X11;

/// Marks a button; keys are their keycodes.
const BUTTON: u32 = 1 << 8;
/// More than there are keys and buttons.
pub const LONGEST: u32 = 512;

/// The keys and buttons that are noted.
#[derive(Clone, Debug, Default)]
pub struct Noted(Vec<u32>);

impl Noted {
    /// Whether nothing is noted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl X11 {
    /// Notes a key that is about to go down.
    pub(super) fn note_key(&mut self, keycode: u8) -> Result<(), DesktopError> {
        self.note_down(u32::from(keycode))
    }

    /// Notes a button that is about to go down.
    pub(super) fn note_button(&mut self, button: u8) -> Result<(), DesktopError> {
        self.note_down(BUTTON | u32::from(button))
    }

    /// Rubs the notes out when nothing is down any more.
    pub(super) fn forget_down(&mut self) -> Result<(), DesktopError> {
        if !self.input.held.is_empty() || self.input.noted.is_empty() {
            return Ok(());
        }
        if let Some(ready) = &self.input.ready {
            self.conn.delete_property(self.root, ready.atoms._MACROCLI_DOWN)?;
        }
        self.input.noted.0.clear();
        Ok(())
    }

    /// Releases what an earlier run left down, by its note. Only a run that has the lock may: nobody else is at work then.
    pub(super) fn release_left_down(&mut self, note: &GetPropertyReply) -> Result<(), DesktopError> {
        if note.type_ == x11rb::NONE {
            return Ok(());
        }
        let noted: Vec<u32> = note.value32().into_iter().flatten().collect();
        let down = self.conn.query_keymap()?.reply()?.keys;
        for code in noted.iter().rev() {
            let [number, kind, ..] = code.to_le_bytes();
            let is_down = down[usize::from(number / 8)] & (1 << (number % 8)) != 0;
            match kind {
                0 if is_down => self.fake(KEY_RELEASE_EVENT, number, Point::default())?,
                // The release of a button that is up does nothing.
                1 => self.fake(BUTTON_RELEASE_EVENT, number, Point::default())?,
                _ => continue,
            };
        }
        self.input.noted = Noted(noted);
        self.forget_down()?;
        // What this run does next must not be taken for a part of it.
        self.synchronise()
    }

    fn note_down(&mut self, code: u32) -> Result<(), DesktopError> {
        let (Some(ready), false) = (&self.input.ready, self.input.noted.0.contains(&code)) else { return Ok(()) };
        let property = ready.atoms._MACROCLI_DOWN;
        self.conn.change_property32(PropMode::APPEND, self.root, property, AtomEnum::CARDINAL, &[code])?;
        self.input.noted.0.push(code);
        Ok(())
    }
}
