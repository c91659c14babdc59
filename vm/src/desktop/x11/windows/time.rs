//! The time of the display server: window managers and applications ignore requests that seem older than what the user did last.

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt, CreateWindowAux, EventMask, PropMode, Timestamp, Window, WindowClass,
};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::stop::Stop;

impl X11 {
    /// The time of the server now: that of a change that changes nothing, as ICCCM advises.
    pub(super) fn server_time(&mut self, stop: &Stop<'_>) -> Result<Timestamp, DesktopError> {
        let own = self.own_window()?;
        self.windows.told_at = None;
        let name = AtomEnum::WM_NAME;
        self.conn.change_property(PropMode::APPEND, own, name, AtomEnum::STRING, 8, 0, &[])?;
        loop {
            if let Some(time) = self.windows.told_at {
                return Ok(time);
            }
            self.wait_events(stop)?;
        }
    }

    /// A window of this connection, which is never shown.
    fn own_window(&mut self) -> Result<Window, DesktopError> {
        if let Some(own) = self.windows.own {
            return Ok(own);
        }
        let own = self.conn.generate_id()?;
        let listen = CreateWindowAux::new().override_redirect(1).event_mask(EventMask::PROPERTY_CHANGE);
        self.conn.create_window(0, own, self.root, -1, -1, 1, 1, 0, WindowClass::INPUT_ONLY, 0, &listen)?;
        self.windows.own = Some(own);
        Ok(own)
    }
}
