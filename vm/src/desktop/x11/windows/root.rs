//! What the window manager tells on the root window, and messages to it.

use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt, EventMask, Window};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::windows::answer::{answer, ask, number, numbers};

/// Most windows that are looked at.
pub const MAX_WINDOWS: usize = 4096;

/// Most bytes of a list of windows or atoms.
const MAX_LIST: u32 = 4 * 4096;

/// EWMH's source indication of a tool that acts for the user.
pub const TOOL: u32 = 2;

/// What the window manager tells.
#[derive(Clone, Debug, Default)]
pub struct Root {
    /// Whether a window manager of EWMH runs; what others left behind does not count.
    pub managed: bool,
    /// The windows it manages, topmost first.
    pub clients: Option<Vec<Window>>,
    /// The one that has the keyboard.
    pub active: Option<Window>,
    /// The desktop that is shown.
    pub desktop: Option<u32>,
    supported: Vec<u32>,
}

impl Root {
    /// Whether the window manager knows this message.
    pub fn supports(&self, atom: u32) -> bool {
        self.managed && self.supported.contains(&atom)
    }
}

impl X11 {
    /// What the window manager tells now.
    pub(super) fn manager(&mut self) -> Result<Root, DesktopError> {
        let atoms = self.atoms()?;
        let (conn, root) = (&self.conn, self.root);
        let check = ask(conn, root, atoms._NET_SUPPORTING_WM_CHECK, 4)?;
        let stacking = ask(conn, root, atoms._NET_CLIENT_LIST_STACKING, MAX_LIST)?;
        let clients = ask(conn, root, atoms._NET_CLIENT_LIST, MAX_LIST)?;
        let active = ask(conn, root, atoms._NET_ACTIVE_WINDOW, 4)?;
        let desktop = ask(conn, root, atoms._NET_CURRENT_DESKTOP, 4)?;
        let supported = ask(conn, root, atoms._NET_SUPPORTED, MAX_LIST)?;
        let (check, stacking, clients) = (check.reply()?, stacking.reply()?, clients.reply()?);
        let (active, desktop, supported) = (active.reply()?, desktop.reply()?, supported.reply()?);
        // A window manager that ended may have left its properties; the window it had for them is gone.
        let managed = match number(&check) {
            Some(window) => {
                let own = answer(ask(conn, window, atoms._NET_SUPPORTING_WM_CHECK, 4)?.reply())?;
                own.as_ref().and_then(number) == Some(window)
            }
            None => false,
        };
        if !managed {
            return Ok(Root::default());
        }
        let list = [stacking, clients].iter().find(|list| list.format == 32).map(numbers);
        Ok(Root {
            managed,
            clients: list.map(|list| list.into_iter().rev().take(MAX_WINDOWS).collect()),
            active: number(&active).filter(|window| *window != 0),
            desktop: number(&desktop),
            supported: numbers(&supported),
        })
    }

    /// Sends the window manager a message about a window.
    pub(super) fn tell_manager(&self, window: Window, kind: u32, data: [u32; 5]) -> Result<(), DesktopError> {
        let event = ClientMessageEvent::new(32, window, kind, data);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.conn.send_event(false, self.root, mask, event)?.ignore_error();
        Ok(())
    }
}
