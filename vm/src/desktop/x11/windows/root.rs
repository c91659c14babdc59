//! What the window manager tells on the root window, and messages to it.

use std::rc::Rc;

use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt, EventMask, Window};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::stream::Conn;
use crate::desktop::x11::windows::answer::{answer, ask, number, numbers};
use crate::desktop::x11::windows::atoms::Atoms;

/// Most windows that are looked at.
pub const MAX_WINDOWS: usize = 4096;

/// Most bytes of a list of windows or atoms.
pub const MAX_LIST: u32 = 4 * 4096;

/// EWMH's source indication of a tool that acts for the user.
pub const TOOL: u32 = 2;

/// What the window manager tells.
#[derive(Clone, Debug, Default)]
pub struct Root {
    /// Whether a window manager of EWMH runs.
    pub managed: bool,
    /// The window manager's own window, which is none for the user.
    pub own: Option<Window>,
    /// The windows it manages, topmost first.
    pub clients: Option<Vec<Window>>,
    /// The one that has the keyboard.
    pub active: Option<Window>,
    /// The desktop that is shown.
    pub desktop: Option<u32>,
    supported: Rc<[u32]>,
}

impl Root {
    /// Whether the window manager knows this message.
    pub fn supports(&self, atom: u32) -> bool {
        self.managed && self.supported.contains(&atom)
    }
}

/// A window manager that was seen: its own window, and the messages it knows. What it left behind when it ended does not count.
#[derive(Clone, Debug)]
pub struct Manager {
    /// Its own window.
    pub window: Window,
    supported: Rc<[u32]>,
}

impl X11 {
    /// What the window manager tells now.
    pub(super) fn manager(&mut self) -> Result<Root, DesktopError> {
        let atoms = self.window_atoms()?;
        // An end of the window manager counts before its properties do.
        self.take_events()?;
        let (conn, root) = (&self.conn, self.root);
        let check = ask(conn, root, atoms._NET_SUPPORTING_WM_CHECK, 4)?;
        let stacking = ask(conn, root, atoms._NET_CLIENT_LIST_STACKING, MAX_LIST)?;
        let clients = ask(conn, root, atoms._NET_CLIENT_LIST, MAX_LIST)?;
        let active = ask(conn, root, atoms._NET_ACTIVE_WINDOW, 4)?;
        let desktop = ask(conn, root, atoms._NET_CURRENT_DESKTOP, 4)?;
        let (check, stacking, clients) = (check.reply()?, stacking.reply()?, clients.reply()?);
        let (active, desktop) = (active.reply()?, desktop.reply()?);
        let manager = match (number(&check), &self.windows.manager) {
            (None, _) => None,
            (Some(window), Some(known)) if known.window == window => Some(known.clone()),
            (Some(window), _) => meet(conn, &atoms, root, window)?,
        };
        self.windows.manager = manager.clone();
        let Some(manager) = manager else { return Ok(Root::default()) };
        self.windows.listed = numbers(&clients);
        let list = [stacking, clients].iter().find(|list| list.format == 32).map(numbers);
        Ok(Root {
            managed: true,
            own: Some(manager.window),
            clients: list.map(|list| list.into_iter().rev().take(MAX_WINDOWS).collect()),
            active: number(&active).filter(|window| *window != 0),
            desktop: number(&desktop),
            supported: manager.supported,
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

/// The window manager whose own window this is; `None` when it has ended.
fn meet(conn: &Conn, atoms: &Atoms, root: Window, window: Window) -> Result<Option<Manager>, DesktopError> {
    let supported = ask(conn, root, atoms._NET_SUPPORTED, MAX_LIST)?;
    let own = answer(ask(conn, window, atoms._NET_SUPPORTING_WM_CHECK, 4)?.reply())?;
    let supported = numbers(&supported.reply()?).into();
    Ok((own.as_ref().and_then(number) == Some(window)).then_some(Manager { window, supported }))
}
