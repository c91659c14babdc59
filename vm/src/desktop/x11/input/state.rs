//! The keyboard's map and state, read when they are needed.

use x11rb::protocol::xkb::{ConnectionExt as _, MapPart, VMod};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::input::keymap::{Keymap, real_modifiers};
use crate::desktop::x11::input::plan::Situation;
use crate::desktop::x11::input::setup::CORE_KEYBOARD;

/// The parts of the map that are read.
const PARTS: [MapPart; 4] = [MapPart::KEY_TYPES, MapPart::KEY_SYMS, MapPart::KEY_ACTIONS, MapPart::MODIFIER_MAP];

impl X11 {
    /// The keyboard's map and what of its state matters now. Asks the display, so that a map that has just changed is not missed.
    pub(super) fn situation(&mut self) -> Result<(&Keymap, Situation), DesktopError> {
        let state = self.conn.xkb_get_state(CORE_KEYBOARD)?.reply()?;
        self.take_events()?;
        let keymap = self.keymap()?;
        let num_lock = real_modifiers(state.locked_mods) & keymap.num_lock() != 0;
        Ok((keymap, Situation { group: u8::from(state.locked_group), num_lock }))
    }

    /// What of the keyboard's state matters now, as far as it was asked for since the step began and the map changed.
    pub(super) fn known_situation(&mut self) -> Result<Situation, DesktopError> {
        let now = match self.input.situation {
            Some(now) if self.input.keymap.is_some() => now,
            _ => self.situation()?.1,
        };
        self.input.situation = Some(now);
        Ok(now)
    }

    /// The keyboard's map, as of the events so far.
    pub(super) fn keymap(&mut self) -> Result<&Keymap, DesktopError> {
        if self.input.keymap.is_none() {
            self.input.keymap = Some(self.read_keymap()?);
        }
        self.input.keymap.as_ref().ok_or_else(|| DesktopError::other("the keyboard has no map"))
    }

    fn read_keymap(&self) -> Result<Keymap, DesktopError> {
        let all = PARTS.into_iter().fold(MapPart::from(0u16), |all, part| all | part);
        let none = MapPart::from(0u16);
        let map = self.conn.xkb_get_map(
            CORE_KEYBOARD,
            all,
            none,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            VMod::from(0u16),
            0,
            0,
            0,
            0,
            0,
            0,
        )?;
        Ok(Keymap::read(map.reply()?))
    }
}
