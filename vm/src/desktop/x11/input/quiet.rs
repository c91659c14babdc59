//! A keyboard at rest, for as long as we type: no key of others is down, no lock changes what keys give. All of it is put back after.
//!
//! Locks are taken off by XKB's `LatchLockState`, which presses no key, so that programs see characters as they are with the locks off and no lock
//! key is left half pressed. Keys that others hold (the user, or another program) are released; when they still hold them after, they
//! are pressed again. Whether they do is known from raw events, which tell of releases that have no other effect.

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xinput::{ConnectionExt as _, EventMask, XIEventMask};
use x11rb::protocol::xkb::{ConnectionExt as _, Group};
use x11rb::protocol::xproto::{ConnectionExt as _, Keycode, ModMask};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::input::InputState;
use crate::desktop::x11::input::keymap::{Role, real_modifiers};
use crate::desktop::x11::input::plan::Aim;
use crate::desktop::x11::input::setup::{ALL_MASTERS, CORE_KEYBOARD, Ready};

/// What is put back when we are done.
#[derive(Clone, Debug)]
pub struct Quiet {
    /// The locks as they were.
    pub before: Locks,
    /// The locks as we left them.
    pub now: Locks,
    foreign: Vec<Foreign>,
}

/// What stays on without a key that is down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Locks {
    /// Modifiers.
    pub modifiers: u8,
    /// The group.
    pub group: u8,
}

/// A key that somebody else held.
#[derive(Clone, Copy, Debug)]
struct Foreign {
    keycode: Keycode,
    /// Presses without a release, as the raw events tell, without our own.
    down: i32,
}

impl Quiet {
    /// A rest that changed these locks, and nothing else.
    pub fn between(before: Locks, now: Locks) -> Self {
        Self { before, now, foreign: Vec::new() }
    }
}

impl InputState {
    /// Takes note of an event.
    pub(super) fn note_raw(&mut self, event: &Event) {
        let (raw, change) = if let Event::XinputRawKeyPress(raw) = event {
            (raw, 1)
        } else if let Event::XinputRawKeyRelease(raw) = event {
            (raw, -1)
        } else {
            return;
        };
        self.count_raw(|keycode| u32::from(keycode) == raw.detail, change);
    }

    /// The raw event of a key event of our own will come, and means nothing.
    pub(super) fn expect_raw(&mut self, keycode: Keycode, change: i32) {
        self.count_raw(|foreign| foreign == keycode, -change);
    }

    fn count_raw(&mut self, is: impl Fn(Keycode) -> bool, change: i32) {
        let foreign = self.quiet.iter_mut().flat_map(|quiet| &mut quiet.foreign);
        foreign.filter(|foreign| is(foreign.keycode)).for_each(|foreign| foreign.down += change);
    }
}

impl X11 {
    /// Puts the keyboard to rest; `locks` says whether those too. When it is at rest already, what others did meanwhile is undone.
    pub(super) fn hush(&mut self, ready: &Ready, locks: bool) -> Result<(), DesktopError> {
        let state = self.conn.xkb_get_state(CORE_KEYBOARD)?;
        let down = self.conn.query_keymap()?;
        let (state, down) = (state.reply()?, down.reply()?.keys);
        let current = Locks { modifiers: real_modifiers(state.locked_mods), group: u8::from(state.locked_group) };
        let quiet = self.input.quiet.get_or_insert(Quiet::between(current, current));
        if quiet.now != current {
            // The user pressed a lock key: that is how it will be put back.
            let changed = quiet.now.modifiers ^ current.modifiers;
            quiet.before.modifiers ^= changed & (quiet.before.modifiers ^ current.modifiers);
            if quiet.now.group != current.group {
                quiet.before.group = current.group;
            }
            quiet.now = current;
        }
        self.release_foreign(ready, &down)?;
        let num_lock = self.keymap()?.num_lock();
        let latched = real_modifiers(state.latched_mods) != 0 || state.latched_group != 0;
        let wanted = Locks { modifiers: current.modifiers & num_lock, group: current.group };
        if locks && (wanted != current || latched) { self.set_locks(wanted) } else { Ok(()) }
    }

    /// Makes group and Num Lock what a key needs.
    pub(super) fn lock_for(&mut self, aim: &Aim) -> Result<(), DesktopError> {
        let num_lock = self.keymap()?.num_lock();
        let Some(now) = self.input.quiet.as_ref().map(|quiet| quiet.now) else { return Ok(()) };
        let modifiers = match aim.num_lock {
            Some(true) => now.modifiers | num_lock,
            Some(false) => now.modifiers & !num_lock,
            None => now.modifiers,
        };
        let wanted = Locks { modifiers, group: aim.group.unwrap_or(now.group) };
        if wanted == now { Ok(()) } else { self.set_locks(wanted) }
    }

    /// Puts back what was before the rest.
    pub(super) fn unhush(&mut self) -> Result<(), DesktopError> {
        let Some(quiet) = self.input.quiet.clone() else { return Ok(()) };
        if quiet.before != quiet.now {
            let state = self.conn.xkb_get_state(CORE_KEYBOARD)?.reply()?;
            let ours = quiet.before.modifiers ^ quiet.now.modifiers;
            let theirs = real_modifiers(state.locked_mods) ^ quiet.now.modifiers;
            let group = u8::from(state.locked_group);
            let group = if group == quiet.now.group { quiet.before.group } else { group };
            let affected = ours & !theirs;
            self.request_locks(affected, Locks { modifiers: quiet.before.modifiers, group })?;
        }
        let result = self.press_foreign_again();
        self.input.quiet = None;
        self.input.situation = None;
        self.note_leftover()?;
        result
    }

    fn release_foreign(&mut self, ready: &Ready, down: &[u8; 32]) -> Result<(), DesktopError> {
        let ours = self.input.held.keys.clone();
        let keymap = self.keymap()?;
        let is_down = |keycode: &Keycode| down[usize::from(keycode / 8)] & (1 << (keycode % 8)) != 0;
        // Releasing a lock key would be half of what the user is doing.
        let foreign = (1..=Keycode::MAX).filter(is_down).filter(|keycode| !ours.contains(keycode));
        let foreign: Vec<Keycode> = foreign.filter(|keycode| keymap.role(*keycode) != Role::Lock).collect();
        if foreign.is_empty() {
            return Ok(());
        }
        let first = self.input.quiet.as_ref().is_none_or(|quiet| quiet.foreign.is_empty());
        if first && ready.xinput {
            self.select_raw(XIEventMask::RAW_KEY_PRESS | XIEventMask::RAW_KEY_RELEASE)?;
        }
        for keycode in foreign {
            if let Some(quiet) = &mut self.input.quiet {
                quiet.foreign.retain(|foreign| foreign.keycode != keycode);
                quiet.foreign.push(Foreign { keycode, down: 1 });
            }
            self.release_key(keycode)?;
        }
        Ok(())
    }

    /// Presses the keys again that others still hold. While the server serves only us, no other program can release one in between.
    fn press_foreign_again(&mut self) -> Result<(), DesktopError> {
        let any = |input: &InputState| input.quiet.as_ref().is_some_and(|quiet| !quiet.foreign.is_empty());
        if !any(&self.input) {
            return Ok(());
        }
        self.conn.grab_server()?;
        let result = self.press_those_down();
        self.conn.ungrab_server()?;
        self.select_raw(XIEventMask::from(0u32))?;
        self.conn.flush()?;
        result
    }

    fn press_those_down(&mut self) -> Result<(), DesktopError> {
        self.synchronise()?;
        let held = self.input.held.keys.len();
        let keys: Vec<Keycode> = self.still_down().collect();
        for keycode in &keys {
            self.press_key(*keycode)?;
        }
        self.synchronise()?;
        // The user may have let go at this very moment.
        let still: Vec<Keycode> = self.still_down().collect();
        for keycode in keys.into_iter().filter(|keycode| !still.contains(keycode)) {
            self.release_key(keycode)?;
        }
        // They are not ours.
        self.input.held.keys.truncate(held);
        Ok(())
    }

    fn still_down(&self) -> impl Iterator<Item = Keycode> + '_ {
        let foreign = self.input.quiet.iter().flat_map(|quiet| &quiet.foreign);
        // Without raw events it is not known, and a key that stays down for ever is the greater harm.
        let known = self.input.ready.as_ref().is_some_and(|ready| ready.xinput);
        foreign.filter(move |foreign| known && foreign.down > 0).map(|foreign| foreign.keycode)
    }

    fn set_locks(&mut self, locks: Locks) -> Result<(), DesktopError> {
        self.request_locks(u8::MAX, locks)?;
        if let Some(quiet) = &mut self.input.quiet {
            quiet.now = locks;
        }
        self.note_leftover()
    }

    /// Sets the locks of the modifiers `affected`, and the group; takes every latch off.
    pub(super) fn request_locks(&self, affected: u8, locks: Locks) -> Result<(), DesktopError> {
        let mask = |bits: u8| ModMask::from(u16::from(bits));
        let group = Group::from(locks.group);
        let (affected, modifiers) = (mask(affected), mask(locks.modifiers & affected));
        self.conn.xkb_latch_lock_state(CORE_KEYBOARD, affected, modifiers, true, group, mask(u8::MAX), true, 0)?;
        Ok(())
    }

    fn select_raw(&self, mask: XIEventMask) -> Result<(), DesktopError> {
        let masks = [EventMask { deviceid: ALL_MASTERS, mask: vec![mask] }];
        self.conn.xinput_xi_select_events(self.root, &masks)?;
        Ok(())
    }
}
