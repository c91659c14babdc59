//! Chords, and single keys that go down and come up on their own.

use std::time::{Duration, Instant};

use spec::grammar::keys::{Chord, Key, Modifiers};
use x11rb::protocol::xproto::Keycode;

use crate::desktop::error::DesktopError;
use crate::desktop::input::Press;
use crate::desktop::x11::X11;
use crate::desktop::x11::input::GRACE;
use crate::desktop::x11::input::borrow::no_spare_key;
use crate::desktop::x11::input::keymap::{Role, SHIFT, bits};
use crate::desktop::x11::input::plan::{Aim, Situation, aim, is_reached};
use crate::desktop::x11::input::settle::Patience;
use crate::desktop::x11::input::setup::Ready;
use crate::stop::Stop;

/// The other key of a modifier, when the keyboard lacks the usual one.
const OTHER_SIDE: [(u32, u32); 4] = [(0xffe1, 0xffe2), (0xffe3, 0xffe4), (0xffe9, 0xffea), (0xffeb, 0xffec)];
/// How long a window manager is given to take a chord up before its modifiers are released.
const GRASP: Duration = Duration::from_millis(120);

/// A key that was pressed on its own.
#[derive(Clone, Debug)]
pub struct Pressed {
    key: Key,
    keycodes: Vec<Keycode>,
}

impl X11 {
    pub(super) fn press_chord(&mut self, chord: Chord, stop: &Stop<'_>) -> Result<(), DesktopError> {
        let ready = self.lock(stop)?;
        let modifiers = self.modifier_keys(chord.modifiers)?;
        let (keymap, now) = self.situation()?;
        let found = aim(keymap, chord.key, now);
        let locks = found.is_none_or(|aim| keymap.role(aim.keycode) != Role::Lock);
        if found.is_none() && self.spare_keys()?.is_empty() {
            return Err(no_spare_key());
        }
        let held = self.input.held.keys.len();
        let result = self.play_chord(&ready, &modifiers, found, chord, locks, stop);
        self.conn.stream().grace(GRACE);
        let released = self.release_keys_beyond(held);
        // It was not awaited to the end, and may still have to read what was pressed.
        let read = if result.is_err() { self.await_reader_at_last() } else { Ok(()) };
        let cleaned = [released, read, self.return_loans(), self.unhush(), self.forget_down(), self.synchronise()];
        self.conn.stream().limit(stop);
        result?;
        cleaned.into_iter().collect()
    }

    fn play_chord(
        &mut self,
        ready: &Ready,
        modifiers: &[Keycode],
        found: Option<Aim>,
        chord: Chord,
        locks: bool,
        stop: &Stop<'_>,
    ) -> Result<(), DesktopError> {
        let aim = match found {
            Some(aim) => aim,
            None => self.borrow_one(chord.key, stop)?,
        };
        self.hush(ready, locks)?;
        stop.check()?;
        if locks {
            self.lock_for(&aim)?;
        }
        let held = self.input.held.keys.len();
        for keycode in modifiers {
            self.press_key(*keycode)?;
        }
        self.hold_modifiers(aim.modifiers & !modifiers_of(chord.modifiers))?;
        // The key itself comes up at once, so that nothing repeats it; modifiers are not repeated.
        self.press_key(aim.keycode)?;
        self.release_key(aim.keycode)?;
        if !Modifiers::SHIFT.union(Modifiers::ALTGR).contains(chord.modifiers) {
            self.let_manager_see(ready, stop)?;
        }
        self.release_keys_beyond(held)?;
        self.synchronise()?;
        self.await_reader(stop)
    }

    /// Presses or releases one key with the modifiers it needs.
    pub(super) fn press_alone(&mut self, key: Key, press: Press, stop: &Stop<'_>) -> Result<(), DesktopError> {
        let ready = self.lock(stop)?;
        if let Press::Up = press {
            let place = self.input.pressed.iter().position(|pressed| pressed.key == key);
            let Some(place) = place else {
                return Err(DesktopError::other(format!("the key `{key}` is not down")));
            };
            let pressed = self.input.pressed.remove(place);
            return pressed.keycodes.into_iter().rev().try_for_each(|keycode| self.release_key(keycode));
        }
        if self.input.pressed.iter().any(|pressed| pressed.key == key) {
            return Err(DesktopError::other(format!("the key `{key}` is down already")));
        }
        self.take_events()?;
        let now = self.known_situation()?;
        let keymap = self.keymap()?;
        let found = aim(keymap, key, now);
        let locks = found.is_none_or(|aim| keymap.role(aim.keycode) != Role::Lock);
        let aim = match found {
            Some(aim) => aim,
            None => self.borrow_one(key, stop)?,
        };
        if locks {
            self.reach(&ready, &aim)?;
        }
        let before = self.input.held.keys.len();
        self.hold_modifiers(aim.modifiers)?;
        self.press_key(aim.keycode)?;
        let keycodes = self.input.held.keys.get(before..).unwrap_or_default().to_vec();
        self.input.pressed.push(Pressed { key, keycodes });
        Ok(())
    }

    /// Holds modifiers that are not held yet.
    pub(super) fn hold_modifiers(&mut self, modifiers: u8) -> Result<(), DesktopError> {
        for modifier in bits(modifiers) {
            let keycode = self.keymap()?.modifier_key(modifier);
            let keycode = keycode.ok_or_else(|| DesktopError::other("the keyboard lost a modifier key"))?;
            if !self.input.held.keys.contains(&keycode) {
                self.press_key(keycode)?;
            }
        }
        Ok(())
    }

    fn modifier_keys(&mut self, modifiers: Modifiers) -> Result<Vec<Keycode>, DesktopError> {
        let keymap = self.keymap()?;
        let now = Situation { group: 0, num_lock: false };
        let find = |keysym: u32| aim(keymap, Key::Keysym(keysym), now).map(|aim| aim.keycode);
        let find = |keysym: u32| {
            let other = OTHER_SIDE.iter().find(|(usual, _)| *usual == keysym).map(|(_, other)| *other);
            find(keysym).or_else(|| find(other?))
        };
        let missing = |keysym: u32| DesktopError::other(format!("the keyboard has no key `{}`", Key::Keysym(keysym)));
        modifiers.keysyms().map(|keysym| find(keysym).ok_or_else(|| missing(keysym))).collect()
    }

    /// Chooses the group and the state of Num Lock that a key needs, on a keyboard at rest. They stay until the next key needs others, or the rest
    /// ends.
    fn reach(&mut self, ready: &Ready, aim: &Aim) -> Result<(), DesktopError> {
        let now = self.known_situation()?;
        if is_reached(aim, now) {
            return Ok(());
        }
        if self.input.quiet.is_none() {
            self.hush(ready, true)?;
        }
        self.lock_for(aim)?;
        let group = aim.group.unwrap_or(now.group);
        self.input.situation = Some(Situation { group, num_lock: aim.num_lock.unwrap_or(now.num_lock) });
        Ok(())
    }

    /// Lends a spare key, and waits until whoever has the keyboard knows of it.
    fn borrow_one(&mut self, key: Key, stop: &Stop<'_>) -> Result<Aim, DesktopError> {
        // What was pressed before must have been read as it was.
        self.await_reader(stop)?;
        let lent = self.lend(&[key.keysym()])?;
        self.await_reader(stop)?;
        lent.first().map(|(_, aim)| *aim).ok_or_else(no_spare_key)
    }

    /// A window manager that takes a chord for itself first grabs the keyboard, and must find the modifiers still down when it has.
    fn let_manager_see(&mut self, ready: &Ready, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.synchronise()?;
        let Some(manager) = self.manager_window(ready)? else { return Ok(()) };
        let Some(process) = self.process_of(ready, manager)? else { return Ok(()) };
        self.wait_until_asleep(process, Instant::now() + GRASP, Patience::Step(stop))
    }
}

fn modifiers_of(modifiers: Modifiers) -> u8 {
    if modifiers.contains(Modifiers::SHIFT) { SHIFT } else { 0 }
}
