//! What must be asked of the display once, before the first event.

use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::xfixes::{self, ConnectionExt as _};
use x11rb::protocol::xinput::{self, ConnectionExt as _};
use x11rb::protocol::xkb::{self, ConnectionExt as _, EventType, MapPart, SelectEventsAux};
use x11rb::protocol::xproto::{Atom, ConnectionExt as _, Window};
use x11rb::protocol::{randr, res};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;

/// XKB's name for the keyboard that all others are behind.
pub const CORE_KEYBOARD: u16 = 0x0100;

/// Names and abilities of the display.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The atoms in use.
    pub atoms: Atoms,
    /// Whether there is XInput 2, which tells of the focus and of keys of other programs.
    pub xinput: bool,
    /// Whether processes of windows can be asked for.
    pub resources: bool,
    /// Whether monitors can be asked for.
    pub monitors: bool,
    /// Whether changes of selections are told.
    pub fixes: bool,
    /// A window of our own that is never shown; it owns the lock.
    pub window: Window,
}

macro_rules! atoms {
    ($($name:ident $text:literal,)*) => {
        /// Atoms.
        #[derive(Clone, Copy, Debug)]
        pub struct Atoms { $(pub $name: Atom,)* }

        impl X11 {
            fn input_atoms(&self) -> Result<Atoms, DesktopError> {
                // All are asked before the first answer is awaited.
                $(let $name = self.conn.intern_atom(false, $text)?;)*
                Ok(Atoms { $($name: $name.reply()?.atom,)* })
            }
        }
    };
}

atoms! {
    lock b"_MACROCLI_INPUT",
    leftover b"_MACROCLI_LEFTOVER",
    protocols b"WM_PROTOCOLS",
    ping b"_NET_WM_PING",
    pid b"_NET_WM_PID",
    name b"_NET_WM_NAME",
    manager b"_NET_SUPPORTING_WM_CHECK",
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
        for name in [xkb::X11_EXTENSION_NAME, xinput::X11_EXTENSION_NAME, res::X11_EXTENSION_NAME] {
            self.conn.prefetch_extension_information(name)?;
        }
        for name in [randr::X11_EXTENSION_NAME, xfixes::X11_EXTENSION_NAME] {
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
            atoms: self.input_atoms()?,
            xinput,
            resources: has(res::X11_EXTENSION_NAME)?,
            monitors: has(randr::X11_EXTENSION_NAME)?,
            fixes,
            window: self.conn.generate_id()?,
        })
    }
}
