//! RandR: the monitors.

use x11rb::connection::RequestConnection;
use x11rb::protocol::randr::{self, ConnectionExt as _, MonitorInfo};
use x11rb::protocol::xproto::ConnectionExt;

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Rect;
use crate::desktop::screen::{Monitor, Screen};
use crate::desktop::x11::X11;

impl X11 {
    /// The monitors; the whole screen is one where the display knows none.
    pub(super) fn all_monitors(&mut self) -> Result<Vec<Monitor>, DesktopError> {
        let screen = self.desktop_area()?;
        let mut monitors = self.randr_monitors()?;
        monitors.retain(|monitor| monitor.area.intersection(screen).is_some());
        if monitors.is_empty() {
            monitors.push(Monitor { name: "screen".to_owned(), area: screen, primary: true });
        }
        Ok(monitors)
    }

    /// What RandR 1.5 tells; nothing where the display is older.
    fn randr_monitors(&self) -> Result<Vec<Monitor>, DesktopError> {
        if self.conn.extension_information(randr::X11_EXTENSION_NAME)?.is_none() {
            return Ok(Vec::new());
        }
        let version = self.conn.randr_query_version(1, 5)?.reply()?;
        if (version.major_version, version.minor_version) < (1, 5) {
            return Ok(Vec::new());
        }
        let found = self.conn.randr_get_monitors(self.root, true)?.reply()?.monitors;
        let mut names = Vec::new();
        for monitor in &found {
            names.push(self.conn.get_atom_name(monitor.name)?);
        }
        let mut monitors = Vec::new();
        for (monitor, name) in found.iter().zip(names) {
            monitors.push(told(monitor, &name.reply()?.name));
        }
        Ok(monitors)
    }
}

fn told(monitor: &MonitorInfo, name: &[u8]) -> Monitor {
    let area =
        Rect { x: monitor.x.into(), y: monitor.y.into(), width: monitor.width.into(), height: monitor.height.into() };
    Monitor { name: String::from_utf8_lossy(name).into_owned(), area, primary: monitor.primary }
}
