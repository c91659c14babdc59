//! Single keys in quick succession, as a replay sends them: nothing is asked of the display while they go out.

use spec::grammar::keys::{Chord, Key, Modifiers};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::input::keymap::Role;
use crate::desktop::x11::input::plan::{aim, is_reached};
use crate::stop::Stop;

impl X11 {
    /// Puts the keyboard to rest and learns what taps need to know.
    pub(super) fn rest_keyboard(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        let ready = self.lock(stop)?;
        self.hush(&ready, true)?;
        let (_, now) = self.situation()?;
        self.input.situation = Some(now);
        Ok(())
    }

    /// Presses and releases a key that the keyboard has as it is now; any other is a chord of its own.
    pub(super) fn tap_key(&mut self, key: Key, stop: &Stop<'_>) -> Result<(), DesktopError> {
        let ready = self.lock(stop)?;
        self.take_events()?;
        if self.input.quiet.is_none() {
            // A chord has ended the rest.
            self.hush(&ready, true)?;
        }
        let now = self.known_situation()?;
        let keymap = self.keymap()?;
        let found = aim(keymap, key, now).filter(|aim| is_reached(aim, now) && keymap.role(aim.keycode) != Role::Lock);
        let Some(aim) = found else { return self.press_chord(Chord { modifiers: Modifiers::NONE, key }, stop) };
        let held = self.input.held.keys.len();
        self.hold_modifiers(aim.modifiers)?;
        self.press_key(aim.keycode)?;
        self.release_keys_beyond(held)
    }
}
