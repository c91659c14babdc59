//! Which keyboard layout the display has, by name.

use x11rb::protocol::xproto::{AtomEnum, ConnectionExt};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;

/// Most 32-bit units of the names.
const LIMIT: u32 = 1024;

impl X11 {
    /// Rules, model, layout, variant and options as XKB tools leave them on the root window, joined by commas; empty when they are not there.
    pub(super) fn layout_names(&self) -> Result<String, DesktopError> {
        let name = self.conn.intern_atom(true, b"_XKB_RULES_NAMES")?.reply()?;
        if name.atom == x11rb::NONE {
            return Ok(String::new());
        }
        let reply = self.conn.get_property(false, self.root, name.atom, AtomEnum::STRING, 0, LIMIT)?.reply()?;
        let names = reply.value.strip_suffix(b"\0").unwrap_or(&reply.value);
        Ok(String::from_utf8_lossy(names).replace('\0', ","))
    }
}
