//! Characters that the keyboard does not have: for a while they are given to spare keys.
//!
//! One request (XKB `SetMap`) changes a whole range of keys, with those between the spare ones as they are, because every change is announced
//! to every program, and some need many milliseconds for each announcement.

use x11rb::connection::Connection;
use x11rb::protocol::xkb::{ConnectionExt as _, GetMapReply, KeySymMap, MapPart, SetMapAux, SetMapFlags, VMod};
use x11rb::protocol::xproto::{ConnectionExt as _, Keycode};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::input::plan::{Aim, closest};
use crate::desktop::x11::input::setup::CORE_KEYBOARD;

/// A spare key that gives other keysyms for a while.
#[derive(Clone, Debug)]
pub struct Loan {
    /// The key.
    pub keycode: Keycode,
    /// What it gave before.
    pub before: KeySymMap,
    /// What it gives now, level by level.
    pub now: Vec<u32>,
}

/// Places in XKB's list of key types that the protocol fixes: `ONE_LEVEL` and `TWO_LEVEL` (Shift chooses the second).
const TYPES: [u8; 2] = [0, 1];
/// Levels of a borrowed key.
const LEVELS: usize = TYPES.len();

/// How many keysyms `spare` keys can give.
pub fn capacity(spare: usize) -> usize {
    spare * LEVELS
}

/// How many keysyms are given to each key, when `count` are wanted: one if that is enough, so that Shift is not needed.
fn levels(count: usize, spare: usize) -> usize {
    if count <= spare { 1 } else { LEVELS }
}

impl X11 {
    /// The keys that can be borrowed: those that give nothing, and those that we have already.
    pub(super) fn spare_keys(&mut self) -> Result<Vec<Keycode>, DesktopError> {
        let ours: Vec<Keycode> = self.input.loans.iter().map(|loan| loan.keycode).collect();
        let mut keys = self.keymap()?.spare();
        keys.extend(ours);
        // What a key gives that is down must not change.
        keys.retain(|keycode| !self.input.held.keys.contains(keycode));
        keys.sort_unstable();
        keys.dedup();
        Ok(keys)
    }

    /// Gives keysyms to spare keys, instead of those that they give now, and returns how each is pressed. There must be room for them.
    pub(super) fn lend(&mut self, keysyms: &[u32]) -> Result<Vec<(u32, Aim)>, DesktopError> {
        let spare = self.spare_keys()?;
        let levels = levels(keysyms.len(), spare.len());
        let chosen = closest(&spare, keysyms.len().div_ceil(levels)).to_vec();
        if chosen.len() * levels < keysyms.len() {
            return Err(no_spare_key());
        }
        let wanted: Vec<(Keycode, &[u32])> = chosen.iter().copied().zip(keysyms.chunks(levels)).collect();
        self.change_keys(|x11, range| x11.give(&wanted, range))?;
        let aims = wanted.iter().flat_map(|(keycode, keysyms)| {
            (0..).zip(*keysyms).map(|(level, keysym)| (*keysym, Aim::borrowed(*keycode, level)))
        });
        Ok(aims.collect())
    }

    /// Gives the spare keys back, but for those that are down.
    pub(super) fn return_loans(&mut self) -> Result<(), DesktopError> {
        let held = self.input.held.keys.clone();
        let is_held = |loan: &Loan| held.contains(&loan.keycode);
        if self.input.loans.iter().all(is_held) {
            return Ok(());
        }
        self.change_keys(|x11, range| {
            let (kept, loans): (Vec<Loan>, _) = std::mem::take(&mut x11.input.loans).into_iter().partition(is_held);
            x11.input.loans = kept;
            for loan in &loans {
                if let Some(entry) = range.get_mut(loan.keycode).filter(|entry| is_ours(entry, &loan.now)) {
                    *entry = loan.before.clone();
                }
            }
            x11.note_leftover()
        })
    }

    fn give(&mut self, wanted: &[(Keycode, &[u32])], range: &mut Range) -> Result<(), DesktopError> {
        let mut loans = std::mem::take(&mut self.input.loans);
        // Keys that are not needed any more keep what they give until all are given back: programs have one change less to take in.
        for (keycode, keysyms) in wanted {
            let Some(entry) = range.get_mut(*keycode) else { continue };
            let old = loans.iter().position(|loan| loan.keycode == *keycode).map(|place| loans.swap_remove(place));
            let before = old.map_or_else(|| entry.clone(), |loan| loan.before);
            *entry = one_group(keysyms);
            loans.push(Loan { keycode: *keycode, before, now: keysyms.to_vec() });
        }
        self.input.loans = loans;
        self.note_leftover()
    }

    /// Changes keys. No other program changes the map between the reading and the writing.
    fn change_keys(
        &mut self,
        change: impl FnOnce(&mut Self, &mut Range) -> Result<(), DesktopError>,
    ) -> Result<(), DesktopError> {
        self.conn.grab_server()?;
        let changed = self.rewrite(change);
        self.conn.ungrab_server()?;
        self.conn.flush()?;
        self.input.keymap = None;
        changed
    }

    fn rewrite(
        &mut self,
        change: impl FnOnce(&mut Self, &mut Range) -> Result<(), DesktopError>,
    ) -> Result<(), DesktopError> {
        let none = MapPart::from(0u16);
        let map = self.conn.xkb_get_map(
            CORE_KEYBOARD,
            MapPart::KEY_SYMS,
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
        let map = map.reply()?;
        let limits = (map.min_key_code, map.max_key_code);
        let mut range = Range::read(map);
        change(self, &mut range)?;
        let Some((first, keys)) = range.changed() else { return Ok(()) };
        let total = keys.iter().map(|key| key.syms.len()).sum::<usize>();
        let (count, total) = (u8::try_from(keys.len()).unwrap_or(0), u16::try_from(total).unwrap_or(0));
        let aux = SetMapAux::new().syms(keys);
        // Without `RECOMPUTE_ACTIONS`: what the keys between do stays as it is.
        let flags = SetMapFlags::from(0u16);
        let (min, max) = limits;
        let request = self.conn.xkb_set_map(
            CORE_KEYBOARD,
            flags,
            min,
            max,
            0,
            0,
            first,
            count,
            total,
            min,
            0,
            0,
            min,
            0,
            0,
            min,
            0,
            0,
            min,
            0,
            0,
            min,
            0,
            0,
            VMod::from(0u16),
            &aux,
        )?;
        Ok(request.check()?)
    }
}

/// Why nothing foreign can be typed.
pub fn no_spare_key() -> DesktopError {
    DesktopError::Other {
        message: "the keyboard map has no spare key to type characters with that are not on the keyboard".to_owned(),
        hint: Some("type only what the keyboard layout has, or choose another layout with `setxkbmap`".to_owned()),
    }
}

/// The symbols of all keys, and which of them were touched.
struct Range {
    first: Keycode,
    keys: Vec<KeySymMap>,
    touched: Option<(usize, usize)>,
}

impl Range {
    fn read(map: GetMapReply) -> Self {
        Self { first: map.first_key_sym, keys: map.map.syms_rtrn.unwrap_or_default(), touched: None }
    }

    fn get_mut(&mut self, keycode: Keycode) -> Option<&mut KeySymMap> {
        let place = usize::from(keycode.checked_sub(self.first)?);
        let entry = self.keys.get_mut(place)?;
        let (low, high) = self.touched.unwrap_or((place, place));
        self.touched = Some((low.min(place), high.max(place)));
        Some(entry)
    }

    fn changed(self) -> Option<(Keycode, Vec<KeySymMap>)> {
        let (low, high) = self.touched?;
        let first = self.first.checked_add(u8::try_from(low).ok()?)?;
        Some((first, self.keys.into_iter().skip(low).take(high - low + 1).collect()))
    }
}

fn one_group(keysyms: &[u32]) -> KeySymMap {
    let kind = TYPES.get(keysyms.len().saturating_sub(1)).copied().unwrap_or(0);
    let width = u8::try_from(keysyms.len()).unwrap_or(1);
    KeySymMap { kt_index: [kind, 0, 0, 0], group_info: 1, width, syms: keysyms.to_vec() }
}

/// Whether a key still gives what we made it give.
fn is_ours(entry: &KeySymMap, now: &[u32]) -> bool {
    entry.group_info & 0x0f == 1 && entry.syms == now
}
