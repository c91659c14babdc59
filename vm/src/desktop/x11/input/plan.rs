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

/// Whether neither the group nor Num Lock has to change for a key.
pub fn is_reached(aim: &Aim, now: Situation) -> bool {
    aim.group.is_none_or(|group| group == now.group) && aim.num_lock.is_none_or(|on| on == now.num_lock)
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

#[cfg(test)]
mod tests {
    use spec::grammar::keys::Key;
    use x11rb::protocol::xkb::GetMapReply;
    use x11rb::x11_utils::TryParse;

    use crate::desktop::x11::input::keymap::{Keymap, Role, SHIFT};
    use crate::desktop::x11::input::plan::{Aim, Situation, aim, closest};

    /// Answers to `GetMap` for all types, symbols, actions and modifiers, as a server gave them under these layouts.
    const US: &[u8] = include_bytes!("maps/us.bin");
    const DE: &[u8] = include_bytes!("maps/de.bin");
    const FR: &[u8] = include_bytes!("maps/fr.bin");
    const US_RU: &[u8] = include_bytes!("maps/us-ru.bin");

    const PLAIN: Situation = Situation { group: 0, num_lock: false };
    /// The modifier of the third level in these maps.
    const LEVEL3: u8 = 0x80;

    fn map(bytes: &[u8]) -> Keymap {
        Keymap::read(GetMapReply::try_parse(bytes).unwrap().0)
    }

    /// Key and modifiers of a character.
    fn keys(map: &Keymap, character: char) -> Option<(u8, u8)> {
        aim(map, Key::Char(character), PLAIN).map(|aim| (aim.keycode, aim.modifiers))
    }

    #[test]
    fn characters_have_their_keys_and_levels() {
        let us = map(US);
        assert_eq!(keys(&us, 'a'), Some((38, 0)));
        assert_eq!(keys(&us, 'A'), Some((38, SHIFT)));
        assert_eq!(keys(&us, '~'), Some((49, SHIFT)));
        assert_eq!(keys(&us, 'é'), None);
        let de = map(DE);
        assert_eq!(keys(&de, 'z'), Some((29, 0)));
        assert_eq!(keys(&de, '@'), Some((24, LEVEL3)));
        assert_eq!(keys(&de, '€'), Some((26, LEVEL3)));
        assert_eq!(keys(&de, 'ß'), Some((20, 0)));
        let fr = map(FR);
        assert_eq!(keys(&fr, '1'), Some((10, SHIFT)));
        assert_eq!(keys(&fr, 'é'), Some((11, 0)));
    }

    #[test]
    fn a_dead_key_is_not_its_character() {
        // On this layout circumflex and grave accent are dead keys only.
        let de = map(DE);
        assert_eq!((keys(&de, '^'), keys(&de, '`')), (None, None));
        assert_eq!(keys(&map(US), '^'), Some((15, SHIFT)));
    }

    #[test]
    fn another_group_is_used_when_the_current_one_lacks_a_character() {
        let map = map(US_RU);
        let russian = Situation { group: 1, num_lock: false };
        let z = aim(&map, Key::Char('z'), russian).unwrap();
        assert_eq!((z.keycode, z.group), (52, Some(0)));
        let ya = aim(&map, Key::Char('я'), russian).unwrap();
        assert_eq!((ya.keycode, ya.group), (52, Some(1)));
        assert_eq!(aim(&map, Key::Char('я'), PLAIN).unwrap().group, Some(1));
        assert_eq!(map.groups(), 2);
    }

    #[test]
    fn the_keypad_needs_num_lock_for_digits_only() {
        let us = map(US);
        let digit = Key::Keysym(0xffb1);
        for num_lock in [false, true] {
            let now = Situation { group: 0, num_lock };
            let aim = |keysym: u32| aim(&us, Key::Keysym(keysym), now).unwrap();
            let one = aim(digit.keysym());
            assert_eq!((one.keycode, one.modifiers, one.num_lock), (87, 0, Some(true)));
            // The first level of the same key is what it gives without.
            assert_eq!((aim(0xff9c).keycode, aim(0xff9c).num_lock), (87, Some(false)));
            assert_eq!(aim(0xffab).keycode, 86);
        }
    }

    #[test]
    fn keys_have_roles_and_modifiers_their_keys() {
        let us = map(US);
        assert_eq!(us.role(66), Role::Lock);
        assert_eq!(us.role(50), Role::Modifier(SHIFT));
        assert_eq!(us.role(38), Role::Plain);
        assert_eq!(us.modifier_key(SHIFT), Some(50));
        assert_eq!(us.modifier_key(LEVEL3), Some(92));
        assert_eq!(us.num_lock(), 0x10);
    }

    #[test]
    fn spare_keys_that_lie_together_are_taken() {
        let spare = map(US).spare();
        assert!(spare.contains(&93) && spare.contains(&97) && !spare.contains(&38), "{spare:?}");
        assert_eq!(closest(&[8, 93, 97, 103, 183, 184], 2), [183, 184]);
        assert_eq!(closest(&[8, 93], 1), [8]);
        assert_eq!(closest(&[8, 93], 5), [8, 93]);
        assert_eq!(closest(&[8, 93], 0), [0u8; 0]);
        assert_eq!(Aim::borrowed(8, 1).modifiers, SHIFT);
    }
}
