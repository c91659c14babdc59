//! Single keys in quick succession, as a replay sends them: nothing is asked of the display while they go out.

use spec::grammar::keys::{Chord, Key, Modifiers};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::input::keymap::Role;
use crate::desktop::x11::input::plan::{Aim, Situation, aim};
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
        self.lock(stop)?;
        self.take_events()?;
        let now = match self.input.situation {
            Some(now) if self.input.keymap.is_some() => now,
            _ => self.situation()?.1,
        };
        self.input.situation = Some(now);
        let keymap = self.keymap()?;
        let found = aim(keymap, key, now).filter(|aim| is_reached(aim, now) && keymap.role(aim.keycode) != Role::Lock);
        let Some(aim) = found else { return self.press_chord(Chord { modifiers: Modifiers::NONE, key }, stop) };
        let held = self.input.held.keys.len();
        self.hold_modifiers(aim.modifiers)?;
        self.press_key(aim.keycode)?;
        self.release_keys_beyond(held)
    }
}

/// Whether neither the group nor Num Lock has to change for a key.
fn is_reached(aim: &Aim, now: Situation) -> bool {
    aim.group.is_none_or(|group| group == now.group) && aim.num_lock.is_none_or(|on| on == now.num_lock)
}
