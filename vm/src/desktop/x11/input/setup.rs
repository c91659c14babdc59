//! What must be asked of the display once, before the first event.

use x11rb::atom_manager;
use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::res;
use x11rb::protocol::xfixes::{self, ConnectionExt as _};
use x11rb::protocol::xinput::{self, ConnectionExt as _};
use x11rb::protocol::xkb::{self, ConnectionExt as _, EventType, MapPart, SelectEventsAux};
use x11rb::protocol::xproto::Window;

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;

/// XKB's name for the keyboard that all others are behind.
pub const CORE_KEYBOARD: u16 = 0x0100;
/// XInput's name for all master devices.
pub const ALL_MASTERS: u16 = 1;
/// All devices, masters or not, of which a window may be told besides.
pub const ALL_DEVICES: u16 = 0;

/// Names and abilities of the display.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The atoms in use.
    pub atoms: Atoms,
    /// Whether there is XInput 2, which tells of the focus and of keys of other programs.
    pub xinput: bool,
    /// Whether processes of windows can be asked for.
    pub resources: bool,
    /// Whether changes of selections are told.
    pub fixes: bool,
    /// A window of our own that is never shown; it owns the lock.
    pub window: Window,
}

atom_manager! {
    /// The atoms that input needs.
    pub Atoms:
    /// Those that were asked for.
    AtomsCookie {
        _MACROCLI_INPUT,
        _MACROCLI_LEFTOVER,
        _MACROCLI_DOWN,
        _MACROCLI_LAST_PRESS,
        WM_PROTOCOLS,
        _NET_WM_PING,
        _NET_WM_PID,
        _NET_WM_NAME,
        _NET_SUPPORTING_WM_CHECK,
    }
}

impl X11 {
    /// What was asked once, which the first call does.
    pub(super) fn ready(&mut self) -> Result<Ready, DesktopError> {
        if let Some(ready) = &self.input.ready {
            return Ok(ready.clone());
        }
        let ready = self.set_up()?;
        self.input.ready = Some(ready.clone());
        Ok(ready)
    }

    fn set_up(&self) -> Result<Ready, DesktopError> {
        let names =
            [xkb::X11_EXTENSION_NAME, xinput::X11_EXTENSION_NAME, res::X11_EXTENSION_NAME, xfixes::X11_EXTENSION_NAME];
        for name in names {
            self.conn.prefetch_extension_information(name)?;
        }
        let has = |name| self.conn.extension_information(name).map(|found| found.is_some());
        if !has(xkb::X11_EXTENSION_NAME)? || !self.conn.xkb_use_extension(1, 0)?.reply()?.supported {
            return Err(DesktopError::Unsupported(
                "the display has no XKB extension, so nothing can be typed".to_owned(),
            ));
        }
        let events = EventType::NEW_KEYBOARD_NOTIFY | EventType::MAP_NOTIFY;
        let parts = MapPart::KEY_TYPES
            | MapPart::KEY_SYMS
            | MapPart::MODIFIER_MAP
            | MapPart::KEY_ACTIONS
            | MapPart::VIRTUAL_MODS
            | MapPart::VIRTUAL_MOD_MAP;
        let aux = SelectEventsAux::new();
        self.conn.xkb_select_events(CORE_KEYBOARD, EventType::from(0u16), events, parts, parts, &aux)?;
        let xinput = has(xinput::X11_EXTENSION_NAME)?
            && self.conn.xinput_xi_query_version(2, 2)?.reply().is_ok_and(|version| version.major_version >= 2);
        let fixes = has(xfixes::X11_EXTENSION_NAME)? && self.conn.xfixes_query_version(5, 0)?.reply().is_ok();
        Ok(Ready {
            atoms: Atoms::new(&self.conn)?.reply()?,
            xinput,
            resources: has(res::X11_EXTENSION_NAME)?,
            fixes,
            window: self.conn.generate_id()?,
        })
    }
}
