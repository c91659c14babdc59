//! The names of properties and messages, as numbers of this display.

use x11rb::atom_manager;

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;

atom_manager! {
    /// The atoms that windows need.
    pub Atoms:
    /// Those that were asked for.
    AtomsCookie {
        COMPOUND_TEXT,
        UTF8_STRING,
        WM_DELETE_WINDOW,
        WM_PROTOCOLS,
        WM_STATE,
        WM_TAKE_FOCUS,
        _NET_ACTIVE_WINDOW,
        _NET_CLIENT_LIST,
        _NET_CLIENT_LIST_STACKING,
        _NET_CLOSE_WINDOW,
        _NET_CURRENT_DESKTOP,
        _NET_MOVERESIZE_WINDOW,
        _NET_SUPPORTED,
        _NET_SUPPORTING_WM_CHECK,
        _NET_WM_DESKTOP,
        _NET_WM_NAME,
        _NET_WM_PID,
        _NET_WM_STATE,
        _NET_WM_STATE_FULLSCREEN,
        _NET_WM_STATE_HIDDEN,
        _NET_WM_STATE_MAXIMIZED_HORZ,
        _NET_WM_STATE_MAXIMIZED_VERT,
        _NET_WM_STATE_MODAL,
        _NET_WM_STATE_SHADED,
        _NET_WM_WINDOW_TYPE,
        _NET_WM_WINDOW_TYPE_COMBO,
        _NET_WM_WINDOW_TYPE_DIALOG,
        _NET_WM_WINDOW_TYPE_DND,
        _NET_WM_WINDOW_TYPE_DROPDOWN_MENU,
        _NET_WM_WINDOW_TYPE_NOTIFICATION,
        _NET_WM_WINDOW_TYPE_POPUP_MENU,
        _NET_WM_WINDOW_TYPE_TOOLTIP,
    }
}

impl X11 {
    /// The atoms; asked for once.
    pub(super) fn window_atoms(&mut self) -> Result<Atoms, DesktopError> {
        match self.windows.atoms {
            Some(atoms) => Ok(atoms),
            None => {
                let atoms = Atoms::new(&self.conn)?.reply()?;
                self.windows.atoms = Some(atoms);
                Ok(atoms)
            }
        }
    }
}
