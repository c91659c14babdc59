//! What this run holds down, and the events that change it.

use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, Keycode, MOTION_NOTIFY_EVENT,
};
use x11rb::protocol::xtest::ConnectionExt as _;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Point;
use crate::desktop::x11::X11;

/// What is down because of us.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// Keys, in the order in which they went down.
    pub keys: Vec<Keycode>,
    /// Buttons, in the order in which they went down.
    pub buttons: Vec<u8>,
}

impl Held {
    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.buttons.is_empty()
    }
}

impl X11 {
    /// Presses a key; returns the number of the request.
    pub(super) fn press_key(&mut self, keycode: Keycode) -> Result<u64, DesktopError> {
        self.note_key(keycode)?;
        let sent = self.fake(KEY_PRESS_EVENT, keycode, Point::default())?;
        self.input.held.keys.push(keycode);
        self.input.expect_raw(keycode, 1);
        Ok(sent)
    }

    /// Releases a key.
    pub(super) fn release_key(&mut self, keycode: Keycode) -> Result<(), DesktopError> {
        self.fake(KEY_RELEASE_EVENT, keycode, Point::default())?;
        self.input.held.keys.retain(|held| *held != keycode);
        self.input.expect_raw(keycode, -1);
        Ok(())
    }

    /// Presses a button, given by its number on the device.
    pub(super) fn press_button(&mut self, button: u8) -> Result<(), DesktopError> {
        self.note_button(button)?;
        self.fake(BUTTON_PRESS_EVENT, button, Point::default())?;
        self.input.held.buttons.push(button);
        Ok(())
    }

    /// Releases a button.
    pub(super) fn release_button(&mut self, button: u8) -> Result<(), DesktopError> {
        self.fake(BUTTON_RELEASE_EVENT, button, Point::default())?;
        self.input.held.buttons.retain(|held| *held != button);
        Ok(())
    }

    /// Moves the pointer, without looking whether the place is on a monitor.
    pub(super) fn move_pointer(&self, to: Point) -> Result<(), DesktopError> {
        self.fake(MOTION_NOTIFY_EVENT, 0, to)?;
        Ok(())
    }

    /// Releases the keys that went down since there were `before` of them.
    pub(super) fn release_keys_beyond(&mut self, before: usize) -> Result<(), DesktopError> {
        let later: Vec<Keycode> = self.input.held.keys.get(before..).unwrap_or_default().to_vec();
        later.into_iter().rev().try_for_each(|keycode| self.release_key(keycode))
    }

    /// Releases everything.
    pub(super) fn release_held(&mut self) -> Result<(), DesktopError> {
        self.release_keys_beyond(0)?;
        let buttons: Vec<u8> = self.input.held.buttons.iter().rev().copied().collect();
        buttons.into_iter().try_for_each(|button| self.release_button(button))
    }

    /// Sends an event of a device; returns the number of the request.
    pub(super) fn fake(&self, kind: u8, detail: u8, at: Point) -> Result<u64, DesktopError> {
        let short = |value: i32| i16::try_from(value).unwrap_or(i16::MAX);
        let sent = self.conn.xtest_fake_input(kind, detail, 0, x11rb::NONE, short(at.x), short(at.y), 0)?;
        Ok(sent.sequence_number())
    }
}
