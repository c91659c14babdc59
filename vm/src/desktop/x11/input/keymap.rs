//! The keyboard's map as XKB gives it (XKB protocol, `GetMap`): which keys there are, and what each gives under which modifiers.

use x11rb::protocol::xkb::{Action, GetMapReply, KeySymMap, KeyType, SAType};
use x11rb::protocol::xproto::{Keycode, ModMask};

/// X11's Shift modifier.
pub const SHIFT: u8 = 0x01;

const NUM_LOCK: u32 = 0xff7f;
/// The keys that are pressed for a modifier when there are several: those on the left, and those that do nothing else.
const USUAL: [u32; 6] = [0xffe1, 0xffe3, 0xffe9, 0xffeb, 0xfe03, 0xfe11];
/// `ISO_Level3_Shift` and `ISO_Level5_Shift`.
const LEVEL_SHIFTS: [u32; 2] = [0xfe03, 0xfe11];

/// The map.
#[derive(Clone, Debug)]
pub struct Keymap {
    first: Keycode,
    keys: Vec<KeyEntry>,
    types: Vec<KeyType>,
    pressed: [Option<Keycode>; 8],
    levels: u8,
    num_lock: u8,
}

/// What a key does besides giving keysyms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    Plain,
    /// It sets these modifiers while it is down.
    Modifier(u8),
    /// It leaves a modifier or a group on after it came up.
    Lock,
}

#[derive(Clone, Debug)]
struct KeyEntry {
    symbols: KeySymMap,
    role: Role,
    locks: u8,
    mapped: u8,
}

/// One way to get a keysym: a key, and the modifiers that must be on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The key.
    pub keycode: Keycode,
    /// From 0.
    pub level: u8,
    /// Modifiers to hold; Num Lock is not among them.
    pub modifiers: u8,
    /// Whether Num Lock must be on or off, when it matters.
    pub num_lock: Option<bool>,
}

impl Keymap {
    /// The map of a reply that has types, symbols, actions and the modifier map of all keys.
    pub fn read(reply: GetMapReply) -> Self {
        let map = reply.map;
        let mut keys: Vec<KeyEntry> = map.syms_rtrn.unwrap_or_default().into_iter().map(KeyEntry::plain).collect();
        if let Some(actions) = map.key_actions {
            let mut rest = actions.acts_rtrn_acts.as_slice();
            for (index, count) in actions.acts_rtrn_count.iter().enumerate() {
                let (own, behind) = rest.split_at(usize::from(*count).min(rest.len()));
                rest = behind;
                let place = usize::from(reply.first_key_action.saturating_sub(reply.first_key_sym)) + index;
                if let Some(key) = keys.get_mut(place) {
                    (key.role, key.locks) = role(own);
                }
            }
        }
        for entry in map.modmap_rtrn.unwrap_or_default() {
            let place = usize::from(entry.keycode).checked_sub(usize::from(reply.first_key_sym));
            if let Some(key) = place.and_then(|place| keys.get_mut(place)) {
                key.mapped = real_modifiers(entry.mods);
            }
        }
        let types = map.types_rtrn.unwrap_or_default();
        let mut made = Self { first: reply.first_key_sym, keys, types, pressed: [None; 8], levels: SHIFT, num_lock: 0 };
        made.find_modifiers();
        made
    }

    /// The best way to a keysym for which `wanted` is true, when `group` is in effect: the one that changes least. `any` allows
    /// every modifier that has a key; otherwise only those that choose a level are used.
    pub fn way(&self, wanted: impl Fn(u32) -> bool, group: u8, num_lock: bool, any: bool) -> Option<Way> {
        let ways = self.keys().flat_map(|(keycode, key)| {
            let found = key.levels(group).filter(|(_, keysym)| *keysym != 0 && wanted(*keysym));
            found.flat_map(move |(level, _)| self.ways(keycode, key, group, level, any))
        });
        ways.min_by_key(|way| {
            let turned = way.num_lock.is_some_and(|on| on != num_lock);
            let odd = way.modifiers & !self.levels;
            (turned, odd.count_ones(), way.modifiers.count_ones(), way.level, way.keycode)
        })
    }

    /// How many groups the keys have at most.
    pub fn groups(&self) -> u8 {
        self.keys.iter().map(|key| key.symbols.group_info & 0x0f).max().unwrap_or(0)
    }

    /// The key that is held for a modifier, given as a mask with one bit.
    pub fn modifier_key(&self, modifier: u8) -> Option<Keycode> {
        *self.pressed.get(usize::try_from(modifier.trailing_zeros()).ok()?)?
    }

    /// The modifier of Num Lock; none when there is no such key.
    pub fn num_lock(&self) -> u8 {
        self.num_lock
    }

    /// What a key does besides giving keysyms.
    pub fn role(&self, keycode: Keycode) -> Role {
        self.entry(keycode).map_or(Role::Plain, |key| key.role)
    }

    /// The keys that give nothing and do nothing, in order.
    pub fn spare(&self) -> Vec<Keycode> {
        let spare = |key: &KeyEntry| {
            let nothing = key.symbols.syms.iter().all(|keysym| *keysym == 0);
            nothing && key.role == Role::Plain && key.mapped == 0
        };
        self.keys().filter(|(_, key)| spare(key)).map(|(keycode, _)| keycode).collect()
    }

    fn entry(&self, keycode: Keycode) -> Option<&KeyEntry> {
        self.keys.get(usize::from(keycode.checked_sub(self.first)?))
    }

    fn keys(&self) -> impl Iterator<Item = (Keycode, &KeyEntry)> {
        (self.first..=Keycode::MAX).zip(&self.keys)
    }

    fn ways(&self, keycode: Keycode, key: &KeyEntry, group: u8, level: u8, any: bool) -> impl Iterator<Item = Way> {
        let kind = key.group(group).and_then(|group| self.kind(key, group));
        let masks = kind.map(|kind| (masks(kind, level), real_modifiers(kind.mods_mask)));
        let (masks, all) = masks.unwrap_or_default();
        masks.into_iter().filter_map(move |mask| {
            let modifiers = mask & !self.num_lock;
            let allowed = any || modifiers & !self.levels == 0;
            let pressable = bits(modifiers).all(|bit| self.modifier_key(bit).is_some());
            let num_lock = (all & self.num_lock != 0).then_some(mask & self.num_lock != 0);
            (allowed && pressable).then_some(Way { keycode, level, modifiers, num_lock })
        })
    }

    fn kind(&self, key: &KeyEntry, group: u8) -> Option<&KeyType> {
        self.types.get(usize::from(*key.symbols.kt_index.get(usize::from(group))?))
    }

    fn find_modifiers(&mut self) {
        let mut rank = [usize::MAX; 8];
        let mut pressed = [None; 8];
        let (mut levels, mut num_lock) = (SHIFT, 0);
        for (keycode, key) in self.keys() {
            let keysym = key.symbols.syms.first().copied().unwrap_or(0);
            if keysym == NUM_LOCK {
                num_lock |= key.locks;
            }
            let Role::Modifier(mask) = key.role else { continue };
            if !mask.is_power_of_two() {
                continue;
            }
            if LEVEL_SHIFTS.contains(&keysym) {
                levels |= mask;
            }
            let own = USUAL.iter().position(|usual| *usual == keysym).unwrap_or(USUAL.len());
            let bit = usize::try_from(mask.trailing_zeros()).unwrap_or(0);
            if let (Some(best), Some(place)) = (rank.get_mut(bit), pressed.get_mut(bit))
                && own < *best
            {
                (*best, *place) = (own, Some(keycode));
            }
        }
        (self.pressed, self.levels, self.num_lock) = (pressed, levels, num_lock);
    }
}

impl KeyEntry {
    fn plain(symbols: KeySymMap) -> Self {
        Self { symbols, role: Role::Plain, locks: 0, mapped: 0 }
    }

    /// The key's group when `group` is in effect (XKB protocol, section 7.2.1, "group index out of range").
    fn group(&self, group: u8) -> Option<u8> {
        let info = self.symbols.group_info;
        let count = info & 0x0f;
        match (count, info & 0xc0) {
            (0, _) => None,
            _ if group < count => Some(group),
            (_, 0x40) => Some(count - 1),
            (_, 0x80) => Some(if (info >> 4) & 3 < count { (info >> 4) & 3 } else { 0 }),
            _ => Some(group % count),
        }
    }

    fn levels(&self, group: u8) -> impl Iterator<Item = (u8, u32)> + '_ {
        let width = usize::from(self.symbols.width);
        let start = self.group(group).map(|group| usize::from(group) * width);
        let own = start.and_then(|start| self.symbols.syms.get(start..start + width)).unwrap_or_default();
        (0..=u8::MAX).zip(own.iter().copied())
    }
}

/// The modifiers that a mask has, one by one.
pub fn bits(mask: u8) -> impl Iterator<Item = u8> {
    (0..8).map(|bit| 1 << bit).filter(move |bit| mask & bit != 0)
}

/// The eight real modifiers of a mask, as XKB calls them.
pub fn real_modifiers(mask: ModMask) -> u8 {
    // Bit 15 (`AnyModifier`) means nothing here.
    (u16::from(mask) & 0xff) as u8
}

/// The sets of modifiers that choose a level of a type.
fn masks(kind: &KeyType, level: u8) -> Vec<u8> {
    if level >= kind.num_levels {
        return Vec::new();
    }
    let active = kind.map.iter().filter(|entry| entry.active);
    let mut masks: Vec<u8> =
        active.clone().filter(|entry| entry.level == level).map(|entry| real_modifiers(entry.mods_mask)).collect();
    // What no entry names is the first level.
    if level == 0 && !active.clone().any(|entry| real_modifiers(entry.mods_mask) == 0) {
        masks.push(0);
    }
    masks
}

fn role(actions: &[Action]) -> (Role, u8) {
    let locks = [SAType::LATCH_MODS, SAType::LOCK_MODS, SAType::LATCH_GROUP, SAType::LOCK_GROUP, SAType::ISO_LOCK];
    let is = |action: &Action, kinds: &[SAType]| kinds.contains(&action.as_noaction().type_);
    if actions.iter().any(|action| is(action, &locks)) {
        let lock = actions.iter().find(|action| is(action, &[SAType::LOCK_MODS]));
        return (Role::Lock, lock.map_or(0, |action| real_modifiers(action.as_lockmods().mask)));
    }
    match actions.first() {
        Some(action) if is(action, &[SAType::SET_MODS]) => {
            (Role::Modifier(real_modifiers(action.as_setmods().mask)), 0)
        }
        _ => (Role::Plain, 0),
    }
}
