//! Who has the keyboard, and whether that changes while we type.

use x11rb::protocol::Event;
use x11rb::protocol::xinput::{ConnectionExt as _, EventMask, NotifyDetail, NotifyMode, XIEventMask};
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, InputFocus, Window};

use crate::desktop::error::DesktopError;
use crate::desktop::title::shown;
use crate::desktop::x11::X11;
use crate::desktop::x11::input::InputState;
use crate::desktop::x11::input::setup::{ALL_DEVICES, ALL_MASTERS, Ready};

/// Windows inside each other; more are not looked at.
const DEPTH: usize = 64;
/// Longest title that is read, in units of 4 bytes.
const TITLE: u32 = 256;

/// The window that keys go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The window of the application, which may have the focused one inside.
    pub window: Window,
    /// The focus as the display says it.
    pub focus: Window,
    /// Whether it answers pings.
    pub pings: bool,
    /// Its process.
    pub process: Option<u32>,
}

impl InputState {
    /// Takes note of an event.
    pub(super) fn note_focus(&mut self, event: &Event) {
        if let Event::XinputFocusOut(out) = event {
            let moved = matches!(out.mode, NotifyMode::NORMAL | NotifyMode::WHILE_GRABBED);
            let away = !matches!(
                out.detail,
                NotifyDetail::INFERIOR | NotifyDetail::POINTER | NotifyDetail::POINTER_ROOT | NotifyDetail::NONE
            );
            if moved && away && self.focus_lost.is_none() {
                self.focus_lost = Some(out.sequence);
            }
        }
    }
}

impl X11 {
    /// The window that keys go to; `None` when they go nowhere.
    pub(super) fn target(&mut self, ready: &Ready) -> Result<Option<Target>, DesktopError> {
        let focus = self.conn.get_input_focus()?.reply()?.focus;
        let inner = match focus {
            x11rb::NONE => return Ok(None),
            root if root == u32::from(InputFocus::POINTER_ROOT) => match self.under_pointer()? {
                Some(window) => window,
                None => return Ok(None),
            },
            window => window,
        };
        // Window managers keep the focus on a window of their own while no other has it.
        if inner == self.root || self.manager_window(ready)? == Some(inner) {
            return Ok(None);
        }
        let mut window = inner;
        let mut pings = false;
        for _ in 0..DEPTH {
            let protocols = self.conn.get_property(false, window, ready.atoms.WM_PROTOCOLS, AtomEnum::ATOM, 0, 64)?;
            let tree = self.conn.query_tree(window)?;
            // A window that has just gone has no properties.
            let (Ok(protocols), Ok(tree)) = (protocols.reply(), tree.reply()) else { break };
            if protocols.type_ != x11rb::NONE {
                pings = protocols.value32().is_some_and(|mut all| all.any(|atom| atom == ready.atoms._NET_WM_PING));
                break;
            }
            if tree.parent == self.root || tree.parent == x11rb::NONE {
                // Nobody says which one is the application's: the focused one is part of it in any case.
                window = inner;
                break;
            }
            window = tree.parent;
        }
        Ok(Some(Target { window, focus, pings, process: self.process_of(ready, inner)? }))
    }

    /// From now on it is noted when keys no longer go to `target`.
    pub(super) fn watch_focus(&mut self, ready: &Ready, target: &Target) -> Result<(), DesktopError> {
        self.input.focus_lost = None;
        if ready.xinput && target.focus > u32::from(InputFocus::POINTER_ROOT) {
            self.select_focus(target.window, XIEventMask::FOCUS_OUT)?;
        }
        Ok(())
    }

    /// The end of [`X11::watch_focus`].
    pub(super) fn unwatch_focus(&mut self, ready: &Ready, target: &Target) -> Result<(), DesktopError> {
        if ready.xinput { self.select_focus(target.window, XIEventMask::from(0u32)) } else { Ok(()) }
    }

    /// From now on, or no longer, an event comes when the keyboard is given to one of these windows or taken from it.
    pub(super) fn watch_moves(&mut self, ready: &Ready, windows: &[Window], on: bool) -> Result<(), DesktopError> {
        if !ready.xinput {
            return Ok(());
        }
        let mask = if on { XIEventMask::FOCUS_IN | XIEventMask::FOCUS_OUT } else { XIEventMask::from(0u32) };
        for window in windows {
            // Besides what is chosen for the master devices alone.
            let masks = [EventMask { deviceid: ALL_DEVICES, mask: vec![mask] }];
            self.conn.xinput_xi_select_events(*window, &masks)?.ignore_error();
        }
        Ok(())
    }

    /// The window manager's own window; none without a window manager of EWMH.
    pub(super) fn manager_window(&self, ready: &Ready) -> Result<Option<Window>, DesktopError> {
        let window = self
            .conn
            .get_property(false, self.root, ready.atoms._NET_SUPPORTING_WM_CHECK, AtomEnum::WINDOW, 0, 1)?
            .reply()?;
        Ok(window.value32().and_then(|mut all| all.next()))
    }

    /// A window in words, for messages.
    pub(super) fn window_name(&self, ready: &Ready, window: Window) -> String {
        let title = self.text_property(window, ready.atoms._NET_WM_NAME);
        let title = title.or_else(|| self.text_property(window, AtomEnum::WM_NAME.into()));
        title.map_or_else(|| format!("the window {window:#x}"), |title| format!("the window {}", shown(&title)))
    }

    fn text_property(&self, window: Window, property: u32) -> Option<String> {
        let text = self.conn.get_property(false, window, property, AtomEnum::ANY, 0, TITLE).ok()?.reply().ok()?;
        Some(String::from_utf8_lossy(&text.value).into_owned()).filter(|text| !text.is_empty())
    }

    fn select_focus(&self, window: Window, mask: XIEventMask) -> Result<(), DesktopError> {
        let masks = [EventMask { deviceid: ALL_MASTERS, mask: vec![mask] }];
        self.conn.xinput_xi_select_events(window, &masks)?;
        Ok(())
    }

    /// The innermost window under the pointer.
    fn under_pointer(&self) -> Result<Option<Window>, DesktopError> {
        let mut window = self.root;
        for _ in 0..DEPTH {
            match self.conn.query_pointer(window)?.reply() {
                Ok(found) if found.child != x11rb::NONE => window = found.child,
                Ok(_) | Err(_) => break,
            }
        }
        Ok(Some(window).filter(|window| *window != self.root))
    }
}
