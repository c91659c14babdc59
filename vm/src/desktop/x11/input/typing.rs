//! Typing a text.

use std::cell::Cell;
use std::collections::HashMap;
use std::time::{Duration, Instant};

use spec::grammar::keys::Key;
use x11rb::protocol::xkb::ConnectionExt as _;
use x11rb::protocol::xproto::ConnectionExt as _;

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::input::GRACE;
use crate::desktop::x11::input::borrow::{capacity, no_spare_key};
use crate::desktop::x11::input::focus::Target;
use crate::desktop::x11::input::keymap::real_modifiers;
use crate::desktop::x11::input::plan::{Aim, aim};
use crate::desktop::x11::input::settle::{ANSWER, LAST_ANSWER, Patience, Read};
use crate::desktop::x11::input::setup::{CORE_KEYBOARD, Ready};
use crate::desktop::x11::input::text::keys;
use crate::failure::{Failure, FailureKind};
use crate::stop::Stop;

/// Characters that are sent without a look at the focus in between.
const CHUNK: usize = 32;
/// Characters after which the program is awaited, so that it is never far behind.
const PACE: usize = 256;
/// The same with borrowed keys, which can only be given back when it has read them.
const BORROWED_PACE: usize = 96;
/// A window manager that moves the keyboard from window to window leaves it nowhere for a moment.
const NO_FOCUS: Duration = Duration::from_secs(1);
/// A look for that which no event asked for: window managers need not tell.
const SAFETY: Duration = Duration::from_millis(250);
/// Events that come together are one reason to look.
const TOGETHER: Duration = Duration::from_millis(2);

/// A text on its way.
struct Typing<'a> {
    ready: &'a Ready,
    target: Target,
    interval: Duration,
    stop: &'a Stop<'a>,
    total: usize,
    typed: usize,
    since_answer: usize,
    sent: bool,
}

impl X11 {
    pub(super) fn type_keys(&mut self, text: &str, interval: Duration, stop: &Stop<'_>) -> Result<usize, DesktopError> {
        let keys = keys(text)?;
        let ready = self.lock(stop)?;
        if keys.is_empty() {
            return Ok(0);
        }
        let aims = self.aims(&keys)?;
        let foreign = keys.iter().any(|key| !aims.contains_key(key));
        let room = capacity(self.spare_keys()?.len());
        if foreign && room == 0 {
            return Err(no_spare_key());
        }
        let target = self.await_focus(&ready, stop)?;
        let total = keys.len();
        let mut typing =
            Typing { ready: &ready, target, interval, stop, total, typed: 0, since_answer: 0, sent: false };
        let held = self.input.held.keys.len();
        let result = self.type_all(&mut typing, &keys, &aims, room);
        let cleaned = self.clean_up(&typing, held, result.is_ok());
        self.conn.stream().limit(stop);
        result.map_err(|error| typing.explain(error))?;
        cleaned?;
        // `\r\n` is one key, and two characters of the text.
        Ok(text.chars().count())
    }

    /// The window that has the keyboard; one that is just being given it is waited for.
    fn await_focus(&mut self, ready: &Ready, stop: &Stop<'_>) -> Result<Target, DesktopError> {
        if let Some(target) = self.target(ready)? {
            return Ok(target);
        }
        // Where the keyboard is while no window has it.
        let mut places = vec![self.root];
        places.extend(self.manager_window(ready)?.filter(|window| *window != self.root));
        self.watch_moves(ready, &places, true)?;
        let found = self.given_focus(ready, stop);
        let unwatched = self.watch_moves(ready, &places, false);
        let target = found?;
        unwatched?;
        Ok(target)
    }

    fn given_focus(&mut self, ready: &Ready, stop: &Stop<'_>) -> Result<Target, DesktopError> {
        let end = Instant::now() + NO_FOCUS;
        loop {
            if let Some(target) = self.target(ready)? {
                return Ok(target);
            }
            if Instant::now() >= end {
                return Err(no_focus());
            }
            self.rest_until(Instant::now() + TOGETHER, stop)?;
            let left = end.saturating_duration_since(Instant::now());
            let looked = Cell::new(false);
            self.wait_for(left.min(SAFETY), Patience::Step(stop), |_| looked.replace(true))?;
        }
    }

    /// How each key is reached that the keyboard has.
    fn aims(&mut self, keys: &[Key]) -> Result<HashMap<Key, Aim>, DesktopError> {
        let (keymap, now) = self.situation()?;
        let mut aims = HashMap::new();
        for key in keys {
            if !aims.contains_key(key) {
                aims.insert(*key, aim(keymap, *key, now));
            }
        }
        Ok(aims.into_iter().filter_map(|(key, aim)| Some((key, aim?))).collect())
    }

    fn type_all(
        &mut self,
        typing: &mut Typing<'_>,
        keys: &[Key],
        own: &HashMap<Key, Aim>,
        room: usize,
    ) -> Result<(), DesktopError> {
        self.watch_focus(typing.ready, &typing.target)?;
        for (batch, foreign) in batches(keys, own, room) {
            let mut aims = own.clone();
            if !foreign.is_empty() {
                // The keys before must have been read as they were.
                if typing.sent || !self.input.loans.is_empty() {
                    self.await_target(typing)?;
                }
                let lent = self.lend(&foreign.iter().map(|key| key.keysym()).collect::<Vec<u32>>())?;
                let lent: HashMap<u32, Aim> = lent.into_iter().collect();
                aims.extend(foreign.iter().filter_map(|key| Some((*key, *lent.get(&key.keysym())?))));
                // And the new map must be known before the keys after come.
                self.await_target(typing)?;
            }
            self.type_batch(typing, batch, &aims)?;
        }
        self.synchronise()?;
        self.check_lost(typing, &[])?;
        self.await_target(typing)
    }

    fn type_batch(
        &mut self,
        typing: &mut Typing<'_>,
        keys: &[Key],
        aims: &HashMap<Key, Aim>,
    ) -> Result<(), DesktopError> {
        let size = if typing.interval.is_zero() { CHUNK } else { 1 };
        for chunk in keys.chunks(size) {
            let pace = if self.input.loans.is_empty() { PACE } else { BORROWED_PACE };
            if typing.since_answer >= pace {
                self.await_target(typing)?;
            }
            typing.stop.check()?;
            self.check_focus(typing)?;
            let mut sent = Vec::with_capacity(chunk.len());
            for key in chunk {
                let aim = aims.get(key).ok_or_else(no_spare_key)?;
                sent.push(self.strike(aim)?);
            }
            typing.sent = true;
            self.synchronise()?;
            self.check_lost(typing, &sent)?;
            typing.typed += chunk.len();
            typing.since_answer += chunk.len();
            if !typing.interval.is_zero() && typing.typed < typing.total {
                self.rest_until(Instant::now() + typing.interval, typing.stop)?;
            }
        }
        Ok(())
    }

    /// Presses and releases one key with its modifiers, all in a row, so that nothing repeats it. Returns the number of the request that presses it.
    fn strike(&mut self, aim: &Aim) -> Result<u64, DesktopError> {
        self.lock_for(aim)?;
        let before = self.input.held.keys.len();
        self.hold_modifiers(aim.modifiers)?;
        let sent = self.press_key(aim.keycode)?;
        self.release_keys_beyond(before)?;
        Ok(sent)
    }

    /// Looks, before the next keys, that they will go where they should and nothing is held that changes them.
    fn check_focus(&mut self, typing: &Typing<'_>) -> Result<(), DesktopError> {
        let focus = self.conn.get_input_focus()?;
        let state = self.conn.xkb_get_state(CORE_KEYBOARD)?;
        let (focus, state) = (focus.reply()?.focus, state.reply()?);
        self.take_events()?;
        let now = self.input.quiet.as_ref().map(|quiet| quiet.now);
        let others = self.input.held.keys.is_empty() && real_modifiers(state.base_mods) != 0
            || real_modifiers(state.latched_mods) != 0;
        let locks = now.is_none_or(|now| {
            real_modifiers(state.locked_mods) != now.modifiers || u8::from(state.locked_group) != now.group
        });
        if others || locks {
            self.hush(typing.ready, true)?;
        }
        if focus == typing.target.focus && self.input.focus_lost.is_none() {
            return Ok(());
        }
        match self.target(typing.ready)? {
            Some(target) if target.window == typing.target.window => {
                // It went away and came back, and no key was sent in between.
                self.input.focus_lost = None;
                Ok(())
            }
            other => Err(self.lost(typing, typing.typed, other)),
        }
    }

    /// Looks, after keys were sent, whether the focus went away before the last of them.
    fn check_lost(&mut self, typing: &Typing<'_>, sent: &[u64]) -> Result<(), DesktopError> {
        let Some(moment) = self.input.focus_lost else { return Ok(()) };
        let before = sent.iter().filter(|number| !after(**number, moment)).count();
        if before == sent.len() {
            return Ok(());
        }
        let target = self.target(typing.ready)?;
        Err(self.lost(typing, typing.typed + before, target))
    }

    fn lost(&self, typing: &Typing<'_>, typed: usize, now: Option<Target>) -> DesktopError {
        let who = match now {
            Some(target) => self.window_name(typing.ready, target.window),
            None => "no window".to_owned(),
        };
        let from = self.window_name(typing.ready, typing.target.window);
        DesktopError::Other {
            message: format!(
                "{who} took the keyboard from {from} when {typed} of {} characters were typed",
                typing.total
            ),
            hint: Some("focus the window in a step before, and type when it stays so".to_owned()),
        }
    }

    fn await_target(&mut self, typing: &mut Typing<'_>) -> Result<(), DesktopError> {
        typing.since_answer = 0;
        let patience = Patience::Step(typing.stop);
        match self.settle(typing.ready, &typing.target, ANSWER, patience)? {
            Read::Yes => Ok(()),
            Read::No => {
                let who = self.window_name(typing.ready, typing.target.window);
                let kind = if typing.sent { FailureKind::Uncertain } else { FailureKind::Step };
                let message = format!(
                    "{who} does not answer since {} s, when {} of {} characters were sent to it",
                    ANSWER.as_secs(),
                    typing.typed,
                    typing.total
                );
                Err(Failure::new(kind, message).into())
            }
        }
    }

    /// Puts everything back, however it went.
    fn clean_up(&mut self, typing: &Typing<'_>, held: usize, answered: bool) -> Result<(), DesktopError> {
        self.conn.stream().grace(GRACE);
        let mut results = vec![self.release_keys_beyond(held), self.unwatch_focus(typing.ready, &typing.target)];
        if !answered && typing.sent && !self.input.loans.is_empty() {
            // Keys that are on their way must be read as they were meant.
            let patience = Patience::Grace(GRACE);
            results.push(self.settle(typing.ready, &typing.target, LAST_ANSWER, patience).map(|_| ()));
        }
        results.push(self.return_loans());
        results.push(self.unhush());
        results.push(self.forget_down());
        results.push(self.synchronise());
        results.into_iter().collect()
    }
}

impl Typing<'_> {
    /// Adds how far it came, when time or a signal ended it. The machine says after how long a step timed out.
    fn explain(&self, error: DesktopError) -> DesktopError {
        let far = format!("{} of {} characters were typed", self.typed, self.total);
        let DesktopError::Stopped(failure) = error else { return error };
        let message = if failure.kind == FailureKind::Timeout {
            far
        } else if matches!(failure.kind, FailureKind::Interrupted(_)) {
            format!("{}: {far}", failure.message)
        } else {
            return failure.into();
        };
        Failure { message, ..failure }.into()
    }
}

/// The keys in batches, each with those that must be borrowed for it: at most `room` different ones.
fn batches<'k>(keys: &'k [Key], own: &HashMap<Key, Aim>, room: usize) -> Vec<(&'k [Key], Vec<Key>)> {
    let mut batches = Vec::new();
    let (mut start, mut foreign) = (0, Vec::new());
    for (place, key) in keys.iter().enumerate() {
        if own.contains_key(key) || foreign.contains(key) {
            continue;
        }
        if foreign.len() == room {
            batches.push((keys.get(start..place).unwrap_or_default(), std::mem::take(&mut foreign)));
            start = place;
        }
        foreign.push(*key);
    }
    batches.push((keys.get(start..).unwrap_or_default(), foreign));
    batches
}

/// Whether a request came after the moment of an event, which only tells the last 16 bits of the number of the request before it.
fn after(request: u64, moment: u16) -> bool {
    let ahead = (request & 0xffff) as u16;
    (1..0x8000).contains(&ahead.wrapping_sub(moment))
}

fn no_focus() -> DesktopError {
    DesktopError::Other {
        message: "no window has the keyboard, so there is nothing to type into".to_owned(),
        hint: Some("focus a window in a step before".to_owned()),
    }
}
