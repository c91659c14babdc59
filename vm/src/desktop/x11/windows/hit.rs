//! Which window a place on the screen belongs to.

use x11rb::protocol::xproto::{ConnectionExt, Window};

use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Point;
use crate::desktop::x11::X11;
use crate::desktop::x11::windows::answer::answer;

/// How deep windows are nested at most; what lies deeper counts as its parent.
const MAX_DEPTH: usize = 64;

impl X11 {
    /// The application's window that a click at a place would reach, or the child of the root when that is another thing.
    pub(super) fn hit(&mut self, point: Point) -> Result<Option<Window>, DesktopError> {
        let chain = self.chain(point)?;
        let Some(top) = chain.first() else { return Ok(None) };
        let (_, clients) = self.clients()?;
        let client = chain.iter().find(|window| clients.iter().any(|client| client.id == **window));
        Ok(Some(*client.unwrap_or(top)))
    }

    /// The windows around a place, from the child of the root to the innermost. The shapes of windows count.
    fn chain(&self, point: Point) -> Result<Vec<Window>, DesktopError> {
        let outside = |_| DesktopError::other(format!("({}, {}) is no place on a display", point.x, point.y));
        let (x, y) = (i16::try_from(point.x).map_err(outside)?, i16::try_from(point.y).map_err(outside)?);
        let mut chain = Vec::new();
        let mut inner = self.root;
        for _ in 0..MAX_DEPTH {
            let asked = answer(self.conn.translate_coordinates(self.root, inner, x, y)?.reply())?;
            match asked.map(|reply| reply.child).filter(|child| *child != 0) {
                Some(child) => {
                    chain.push(child);
                    inner = child;
                }
                None => break,
            }
        }
        Ok(chain)
    }

    /// A window and those around it, up to the child of the root; empty when it is gone.
    pub(super) fn around(&self, window: Window) -> Result<Vec<Window>, DesktopError> {
        let mut chain = Vec::new();
        let mut inner = window;
        for _ in 0..MAX_DEPTH {
            if inner == 0 || inner == self.root {
                break;
            }
            let Some(tree) = answer(self.conn.query_tree(inner)?.reply())? else { break };
            chain.push(inner);
            inner = tree.parent;
        }
        Ok(chain)
    }
}
