//! Which windows there are.

use x11rb::protocol::xproto::{ConnectionExt, MapState, Window, WindowClass};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::stream::Conn;
use crate::desktop::x11::windows::answer::answer;
use crate::desktop::x11::windows::atoms::Atoms;
use crate::desktop::x11::windows::client::{Client, read};
use crate::desktop::x11::windows::root::{MAX_WINDOWS, Root};

/// How deep below the root the window of an application may lie: under the frames of a window manager without EWMH.
const MAX_DEPTH: usize = 4;

impl X11 {
    /// The windows, topmost first, with what the window manager tells.
    ///
    /// Windows that the window manager does not manage (override-redirect) are among them, before all others, while they are shown and have a
    /// title, unless they are menus, tooltips or the like.
    pub(super) fn clients(&mut self) -> Result<(Root, Vec<Client>), DesktopError> {
        let atoms = self.window_atoms()?;
        let manager = self.manager()?;
        let (conn, root) = (&self.conn, self.root);
        let mut tops = children(conn, root)?;
        tops.retain(|top| manager.own != Some(*top));
        let clients = match &manager.clients {
            Some(listed) => {
                let mut ids = popups(conn, &tops, listed)?;
                ids.extend(listed);
                read(conn, &atoms, root, &ids)?
                    .into_iter()
                    .flatten()
                    .filter(|client| !client.override_redirect || shown(client))
                    .collect()
            }
            None => walk(conn, &atoms, root, tops)?,
        };
        Ok((manager, clients))
    }
}

/// The children of a window, topmost first; none when it is gone.
pub fn children(conn: &Conn, window: Window) -> Result<Vec<Window>, DesktopError> {
    let tree = answer(conn.query_tree(window)?.reply())?;
    Ok(tree.map(|tree| tree.children.into_iter().rev().take(MAX_WINDOWS).collect()).unwrap_or_default())
}

/// Whether a window that nobody manages is one for the user.
fn shown(client: &Client) -> bool {
    client.viewable && client.drawn && !client.title.is_empty() && !client.fleeting
}

/// The windows on the screen that the window manager leaves alone.
fn popups(conn: &Conn, tops: &[Window], listed: &[Window]) -> Result<Vec<Window>, DesktopError> {
    let asked: Vec<_> = tops.iter().map(|top| conn.get_window_attributes(*top)).collect::<Result<_, _>>()?;
    let mut popups = Vec::new();
    for (top, asked) in tops.iter().zip(asked) {
        let Some(attributes) = answer(asked.reply())? else { continue };
        let drawn = attributes.class == WindowClass::INPUT_OUTPUT && attributes.map_state == MapState::VIEWABLE;
        if attributes.override_redirect && drawn && !listed.contains(top) {
            popups.push(*top);
        }
    }
    Ok(popups)
}

/// The windows where no list is kept: without a window manager those on the screen that have a title or a class, and under the frames of an older
/// one those it has marked.
fn walk(conn: &Conn, atoms: &Atoms, root: Window, tops: Vec<Window>) -> Result<Vec<Client>, DesktopError> {
    let mut clients = Vec::new();
    let mut level = tops;
    let mut left = MAX_WINDOWS;
    for depth in 0..MAX_DEPTH {
        level.truncate(left);
        left -= level.len();
        let mut below = Vec::new();
        for client in read(conn, atoms, root, &level)?.into_iter().flatten() {
            let named = !client.title.is_empty() || !client.class.is_empty();
            let marked = client.state.is_some() && (client.viewable || client.iconic());
            let bare = depth == 0 && client.viewable && client.drawn && named && !client.override_redirect;
            let pop_up = depth == 0 && client.override_redirect && shown(&client);
            if marked || bare || pop_up {
                clients.push(client);
            } else if client.drawn {
                below.push(client.id);
            }
        }
        let asked: Vec<_> = below.iter().map(|parent| conn.query_tree(*parent)).collect::<Result<_, _>>()?;
        level = Vec::new();
        for asked in asked {
            level.extend(answer(asked.reply())?.into_iter().flat_map(|tree| tree.children.into_iter().rev()));
        }
        if level.is_empty() {
            break;
        }
    }
    Ok(clients)
}
