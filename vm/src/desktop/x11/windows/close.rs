//! Asking a window to close.

use std::time::{Duration, Instant};

use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt, EventMask, Window};

use crate::desktop::error::DesktopError;
use crate::desktop::windows::Method;
use crate::desktop::x11::X11;
use crate::desktop::x11::windows::answer::{answer, ask, numbers};
use crate::desktop::x11::windows::client::Client;
use crate::desktop::x11::windows::focus::closed;
use crate::desktop::x11::windows::modal::{is_dialog_of, named};
use crate::desktop::x11::windows::root::TOOL;
use crate::stop::Stop;

/// How long a dialog may stand before it counts as a question: one that tells of progress goes by itself.
const QUESTION: Duration = Duration::from_secs(1);

/// Longest sleep between two looks when nothing is told.
const AGAIN: Duration = Duration::from_millis(250);

impl X11 {
    /// Asks a window to close, and waits until it has.
    pub(super) fn ask_to_close(
        &mut self,
        window: Window,
        limit: Duration,
        stop: &Stop<'_>,
    ) -> Result<Method, DesktopError> {
        let nearer = stop.at_most(limit);
        let atoms = self.window_atoms()?;
        let (manager, before) = self.clients()?;
        let Some(target) = before.iter().find(|client| client.id == window) else { return Err(closed(None)) };
        let protocols = answer(ask(&self.conn, window, atoms.WM_PROTOCOLS, 256)?.reply())?;
        if !protocols.is_some_and(|protocols| numbers(&protocols).contains(&atoms.WM_DELETE_WINDOW)) {
            // A window manager would kill its application.
            let message = format!("the window {} cannot be asked to close: it does not take part in it", named(target));
            let hint = "end its program, for instance with a shortcut or a command";
            return Err(DesktopError::Other { message, hint: Some(hint.to_owned()) });
        }
        let time = self.server_time(stop)?;
        let method = if manager.supports(atoms._NET_CLOSE_WINDOW) && !target.override_redirect {
            self.tell_manager(window, atoms._NET_CLOSE_WINDOW, [time, TOOL, 0, 0, 0])?;
            Method::Ewmh
        } else {
            let data = [atoms.WM_DELETE_WINDOW, time, 0, 0, 0];
            let event = ClientMessageEvent::new(32, window, atoms.WM_PROTOCOLS, data);
            self.conn.send_event(false, window, EventMask::NO_EVENT, event)?.ignore_error();
            Method::X11
        };
        self.await_gone(target, &before, &nearer, stop)?;
        Ok(method)
    }

    fn await_gone(
        &mut self,
        target: &Client,
        before: &[Client],
        nearer: &Stop<'_>,
        stop: &Stop<'_>,
    ) -> Result<(), DesktopError> {
        let mut question: Option<(Window, Instant)> = None;
        loop {
            let (_, now) = self.clients()?;
            if !now.iter().any(|client| client.id == target.id) {
                return Ok(());
            }
            let dialog = now.iter().find(|client| asks(client, target, before, &now));
            // The same dialog, since it was first seen.
            question = dialog.map(|dialog| match question {
                Some((id, since)) if id == dialog.id => (id, since),
                Some(_) | None => (dialog.id, Instant::now()),
            });
            let open = match dialog {
                Some(dialog) => {
                    format!("the window {} is still open: the dialog {} came up", named(target), named(dialog))
                }
                None => format!("the window {} is still open", named(target)),
            };
            if question.is_some_and(|(_, since)| since.elapsed() >= QUESTION) {
                return Err(DesktopError::Other { message: open, hint: Some("answer the dialog".to_owned()) });
            }
            let at_limit = |error: DesktopError| error.at_limit(nearer, stop, &open);
            nearer.check().map_err(|failure| at_limit(failure.into()))?;
            let left = nearer.deadline().remaining().map_or(AGAIN, |left| left.min(AGAIN));
            self.await_event(left, stop).map_err(at_limit)?;
        }
    }
}

/// Whether a window came up instead of the target's end: it is a dialog of it, or a dialog of the same process that was not there before.
fn asks(client: &Client, target: &Client, before: &[Client], now: &[Client]) -> bool {
    if client.id == target.id || !client.viewable {
        return false;
    }
    let new = !before.iter().any(|known| known.id == client.id);
    let same_process = client.pid.is_some() && client.pid == target.pid;
    let dialog = client.dialog || client.modal || client.parent.is_some();
    (is_dialog_of(client, target.id, now) && (new || client.modal)) || (new && same_process && dialog)
}
