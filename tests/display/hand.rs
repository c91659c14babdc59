//! Another program at the display: it presses and holds keys by XTEST as a user's keyboard would, and tells what is down.

use x11rb::connection::Connection;
use x11rb::protocol::xkb::{ConnectionExt as _, ID};
use x11rb::protocol::xproto::{ConnectionExt as _, GetKeyboardMappingReply};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use crate::display::Display;
use crate::witness::eventually;

/// Left Control.
pub const CONTROL: u32 = 0xffe3;
/// Left Alt.
pub const ALT: u32 = 0xffe9;
/// Caps Lock.
pub const CAPS_LOCK: u32 = 0xffe5;
/// Num Lock.
pub const NUM_LOCK: u32 = 0xff7f;

const PRESS: u8 = 2;
const RELEASE: u8 = 3;

/// A connection that acts and looks.
pub struct Hand {
    conn: RustConnection,
    root: u32,
}

/// The keyboard's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locks {
    /// Locked modifiers.
    pub modifiers: u16,
    /// The locked group, from 0.
    pub group: u8,
}

impl Hand {
    /// A hand at this display.
    pub fn new(display: &Display) -> Self {
        let (conn, screen) = RustConnection::connect(Some(&display.name)).unwrap();
        let root = conn.setup().roots[screen].root;
        conn.xkb_use_extension(1, 0).unwrap().reply().unwrap();
        Self { conn, root }
    }

    /// Presses a key and keeps it down.
    pub fn press(&self, keysym: u32) {
        self.fake(PRESS, self.keycode(keysym));
    }

    /// Lets a key come up.
    pub fn release(&self, keysym: u32) {
        self.fake(RELEASE, self.keycode(keysym));
    }

    /// Presses and releases a key.
    pub fn tap(&self, keysym: u32) {
        self.press(keysym);
        self.release(keysym);
    }

    /// The keycodes that are down.
    pub fn down(&self) -> Vec<u8> {
        let keys = self.conn.query_keymap().unwrap().reply().unwrap().keys;
        (0..=255u8).filter(|code| keys[usize::from(code / 8)] & (1 << (code % 8)) != 0).collect()
    }

    /// The buttons and modifiers that are on, as X11's mask.
    pub fn mask(&self) -> u16 {
        self.conn.query_pointer(self.root).unwrap().reply().unwrap().mask.into()
    }

    /// Where the pointer is.
    pub fn pointer(&self) -> (i16, i16) {
        let at = self.conn.query_pointer(self.root).unwrap().reply().unwrap();
        (at.root_x, at.root_y)
    }

    /// The locks.
    pub fn locks(&self) -> Locks {
        let state = self.conn.xkb_get_state(ID::USE_CORE_KBD.into()).unwrap().reply().unwrap();
        Locks { modifiers: state.locked_mods.into(), group: state.locked_group.into() }
    }

    /// Chooses one of the layout's groups, from 0.
    pub fn choose_group(&self, group: u8) {
        let none = 0u16.into();
        let core = ID::USE_CORE_KBD.into();
        self.conn.xkb_latch_lock_state(core, none, none, true, group.into(), none, false, 0).unwrap().check().unwrap();
    }

    /// Waits until no key and no button is down and no modifier is on.
    pub fn nothing_is_down(&self) {
        eventually("keys that are up", || (self.down().is_empty() && self.mask() == 0).then_some(()));
    }

    /// Waits until no key and no button is down, and no modifier is on but these.
    pub fn nothing_is_down_but(&self, locked: u16) {
        eventually("keys that are up", || (self.down().is_empty() && self.mask() == locked).then_some(()));
    }

    fn fake(&self, kind: u8, keycode: u8) {
        self.conn.xtest_fake_input(kind, keycode, 0, 0, 0, 0, 0).unwrap().check().unwrap();
    }

    fn keycode(&self, keysym: u32) -> u8 {
        let first = self.conn.setup().min_keycode;
        let count = self.conn.setup().max_keycode - first + 1;
        let map: GetKeyboardMappingReply = self.conn.get_keyboard_mapping(first, count).unwrap().reply().unwrap();
        let width = usize::from(map.keysyms_per_keycode);
        let place = map.keysyms.chunks(width).position(|key| key.first() == Some(&keysym)).unwrap();
        first + u8::try_from(place).unwrap()
    }
}
