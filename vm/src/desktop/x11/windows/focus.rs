//! Giving a window the keyboard, and seeing that it has it.

use std::time::{Duration, Instant};

use x11rb::protocol::xproto::{
    ClientMessageEvent, ConfigureWindowAux, ConnectionExt, EventMask, InputFocus, StackMode, Timestamp, Window,
};

use crate::desktop::error::DesktopError;
use crate::desktop::windows::Method;
use crate::desktop::x11::X11;
use crate::desktop::x11::windows::answer::{answer, ask, numbers};
use crate::desktop::x11::windows::client::Client;
use crate::desktop::x11::windows::modal::{modal_dialog, named};
use crate::desktop::x11::windows::root::{Root, TOOL};
use crate::stop::Stop;

/// How long a window may take to get the keyboard. A busy window manager takes seconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// After this long the request is made again: a window may not have been ready for it.
const AGAIN: Duration = Duration::from_secs(1);

/// `_NET_WM_STATE`: take a state away.
pub const REMOVE: u32 = 0;

impl X11 {
    /// Shows a window and gives it the keyboard.
    pub(super) fn give_focus(&mut self, window: Window, stop: &Stop<'_>) -> Result<Method, DesktopError> {
        let atoms = self.window_atoms()?;
        let began = Instant::now();
        let mut known: Option<Client> = None;
        let mut asked: Option<Instant> = None;
        loop {
            let (manager, clients) = self.clients()?;
            let Some(target) = clients.iter().find(|client| client.id == window) else {
                return Err(closed(known.as_ref()));
            };
            if let Some(dialog) = modal_dialog(&clients, window) {
                return Err(blocked(target, dialog));
            }
            let managed = manager.supports(atoms._NET_ACTIVE_WINDOW) && !target.override_redirect;
            let method = if managed { Method::Ewmh } else { Method::X11 };
            let focus = self.focus_chain()?;
            let active = !managed || manager.active == Some(window);
            // It is asked for in any case: a window may have the keyboard and be covered.
            if asked.is_some() && active && focus.contains(&window) && target.visible(manager.desktop) {
                return Ok(method);
            }
            let kept = kept(target, &manager, &focus, &clients);
            if began.elapsed() >= PATIENCE {
                return Err(DesktopError::other(kept));
            }
            known = Some(target.clone());
            if asked.is_none_or(|asked| asked.elapsed() >= AGAIN) {
                let time = self.server_time(stop)?;
                if managed {
                    self.ask_manager(target, &manager, time)?;
                } else {
                    self.take_focus(target, time)?;
                }
                asked = Some(Instant::now());
            } else {
                self.await_event(AGAIN, stop).map_err(|error| error.at_limit(stop, stop, &kept))?;
            }
        }
    }

    /// The window of an application that has the keyboard.
    pub(super) fn holder(&mut self) -> Result<Option<Window>, DesktopError> {
        let manager = self.manager()?;
        if manager.managed {
            return Ok(manager.active);
        }
        let chain = self.focus_chain()?;
        let (_, clients) = self.clients()?;
        Ok(chain.into_iter().find(|window| clients.iter().any(|client| client.id == *window)))
    }

    /// The window keys go to, and those around it.
    fn focus_chain(&self) -> Result<Vec<Window>, DesktopError> {
        let focus = self.conn.get_input_focus()?.reply()?.focus;
        self.around(focus)
    }

    fn ask_manager(&mut self, target: &Client, manager: &Root, time: Timestamp) -> Result<(), DesktopError> {
        let atoms = self.window_atoms()?;
        if let Some(desktop) = target.desktop.filter(|_| !target.is_on(manager.desktop)) {
            self.tell_manager(self.root, atoms._NET_CURRENT_DESKTOP, [desktop, time, 0, 0, 0])?;
        }
        if target.shaded {
            self.tell_manager(target.id, atoms._NET_WM_STATE, [REMOVE, atoms._NET_WM_STATE_SHADED, 0, TOOL, 0])?;
        }
        if target.iconic() && !target.viewable {
            // ICCCM's way back from an icon.
            self.conn.map_window(target.id)?.ignore_error();
        }
        let active = manager.active.unwrap_or(0);
        self.tell_manager(target.id, atoms._NET_ACTIVE_WINDOW, [TOOL, time, active, 0, 0])
    }

    fn take_focus(&mut self, target: &Client, time: Timestamp) -> Result<(), DesktopError> {
        let atoms = self.window_atoms()?;
        let protocols = answer(ask(&self.conn, target.id, atoms.WM_PROTOCOLS, 256)?.reply())?;
        let conn = &self.conn;
        if !target.viewable {
            conn.map_window(target.id)?.ignore_error();
        }
        conn.configure_window(target.id, &ConfigureWindowAux::new().stack_mode(StackMode::ABOVE))?.ignore_error();
        conn.set_input_focus(InputFocus::POINTER_ROOT, target.id, time)?.ignore_error();
        if protocols.is_some_and(|protocols| numbers(&protocols).contains(&atoms.WM_TAKE_FOCUS)) {
            let data = [atoms.WM_TAKE_FOCUS, time, 0, 0, 0];
            let event = ClientMessageEvent::new(32, target.id, atoms.WM_PROTOCOLS, data);
            conn.send_event(false, target.id, EventMask::NO_EVENT, event)?.ignore_error();
        }
        Ok(())
    }
}

/// Who keeps the keyboard from a window.
fn kept(target: &Client, manager: &Root, focus: &[Window], clients: &[Client]) -> String {
    let is_holder = |client: &&Client| manager.active == Some(client.id) || focus.contains(&client.id);
    match clients.iter().filter(|client| client.id != target.id).find(is_holder) {
        Some(holder) => {
            format!("the window {} did not get the keyboard: the window {} keeps it", named(target), named(holder))
        }
        None => format!("the window {} did not get the keyboard, and no other window has it", named(target)),
    }
}

/// A window that was there is no more.
pub fn closed(client: Option<&Client>) -> DesktopError {
    DesktopError::other(match client {
        Some(client) => format!("the window {} was closed", named(client)),
        None => "the window was closed".to_owned(),
    })
}

fn blocked(target: &Client, dialog: &Client) -> DesktopError {
    DesktopError::Other {
        message: format!(
            "the window {} has the modal dialog {} open, which takes its keys",
            named(target),
            named(dialog)
        ),
        hint: Some("answer the dialog first, or focus it by its own title".to_owned()),
    }
}
