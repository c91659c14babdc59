//! Dialogs of a window.

use std::collections::HashSet;

use x11rb::protocol::xproto::Window;

use crate::desktop::title::shown;
use crate::desktop::x11::windows::client::Client;

/// The dialog that keeps a window from its keys: shown, modal, and of that window or of one of its dialogs.
pub fn modal_dialog<'c>(clients: &'c [Client], window: Window) -> Option<&'c Client> {
    clients.iter().find(|client| client.modal && client.viewable && is_dialog_of(client, window, clients))
}

/// Whether a window is a dialog of another one, or of one of its dialogs.
pub fn is_dialog_of(client: &Client, window: Window, clients: &[Client]) -> bool {
    // Windows may name each other in a circle.
    let mut seen = HashSet::new();
    let mut parent = client.parent;
    while let Some(next) = parent.filter(|next| seen.insert(*next)) {
        if next == window {
            return client.id != window;
        }
        parent = clients.iter().find(|client| client.id == next).and_then(|client| client.parent);
    }
    false
}

/// A window in a message; its class stands for a title it has not.
pub fn named(client: &Client) -> String {
    match (client.title.is_empty(), client.class.is_empty()) {
        (false, _) => shown(&client.title),
        (true, false) => format!("without a title, of {}", shown(&client.class)),
        (true, true) => "without a title".to_owned(),
    }
}
