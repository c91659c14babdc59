//! How a key is reached on the keyboard as it is: by a key of the current group, by one of another group, or not at all.

use spec::grammar::keys::Key;
use x11rb::protocol::xproto::Keycode;
use xkeysym::Keysym;

use crate::desktop::x11::input::keymap::{Keymap, SHIFT};

/// A key to press with what must be so meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The key.
    pub keycode: Keycode,
    /// The group that must be in effect; any when `None`.
    pub group: Option<u8>,
    /// The modifiers to hold.
    pub modifiers: u8,
    /// Whether Num Lock must be on or off.
    pub num_lock: Option<bool>,
}

/// The part of the keyboard's state that choosing depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// The group in effect.
    pub group: u8,
    /// Whether Num Lock is on.
    pub num_lock: bool,
}

/// The way to a key: in the current group when it has it, otherwise in the first group that has; `None` when the keyboard does not.
///
/// A dead key is never the way to its character.
pub fn aim(keymap: &Keymap, key: Key, now: Situation) -> Option<Aim> {
    let others = (0..keymap.groups()).filter(|group| *group != now.group);
    std::iter::once(now.group).chain(others).find_map(|group| {
        let way = match key {
            Key::Char(character) => {
                keymap.way(|keysym| character_of(keysym) == Some(character), group, now.num_lock, false)
            }
            Key::Keysym(wanted) => keymap.way(|keysym| keysym == wanted, group, now.num_lock, true),
        };
        way.map(|way| Aim {
            keycode: way.keycode,
            group: Some(group),
            modifiers: way.modifiers,
            num_lock: way.num_lock,
        })
    })
}

impl Aim {
    /// A key that gives what is wanted in every group, on its first level or with Shift on its second.
    pub fn borrowed(keycode: Keycode, level: u8) -> Self {
        Self { keycode, group: None, modifiers: if level == 0 { 0 } else { SHIFT }, num_lock: None }
    }
}

/// The `count` spare keys that lie closest together, so that one request about few keys covers them.
pub fn closest(spare: &[Keycode], count: usize) -> &[Keycode] {
    let span = |keys: &[Keycode]| match keys {
        [first, .., last] => last - first,
        _ => 0,
    };
    match spare.windows(count.max(1)).min_by_key(|keys| span(keys)) {
        Some(keys) if count > 0 => keys,
        _ => spare.get(..count).unwrap_or(spare),
    }
}

/// The character a keysym types by itself. Keys of the keypad and of the other functions (`0xfd00` to `0xffff`: dead keys, Return…) type none.
fn character_of(keysym: u32) -> Option<char> {
    match keysym {
        0x20..0xfd00 | 0x0100_0020.. => Keysym::new(keysym).key_char(),
        _ => None,
    }
}
