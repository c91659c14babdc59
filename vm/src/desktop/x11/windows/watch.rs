//! Changes among the windows, as events tell them.

use std::time::{Duration, Instant};

use x11rb::protocol::Event;
use x11rb::protocol::xproto::{AtomEnum, PropertyNotifyEvent, Window};

use crate::desktop::Desktop;
use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::windows::WindowState;
use crate::desktop::x11::windows::answer::{answer, ask, numbers};
use crate::desktop::x11::windows::root::MAX_LIST;
use crate::failure::FailureKind;
use crate::process::Deadline;
use crate::stop::Stop;

/// The shortest time between two ends of a wait: windows come in bursts of events, and looking at each would cost a core where they come and go
/// all the time.
const BURST: Duration = Duration::from_millis(8);

/// Most shown windows that are noted one by one.
const MAX_MAPPED: usize = 64;

impl WindowState {
    /// Takes note of an event.
    pub fn note(&mut self, event: &Event, root: Window) {
        match event {
            // Without a window manager this is all that tells of a new window; with one, pop-ups and frames come so.
            Event::MapNotify(event) if self.manager.is_some() && self.mapped.len() < MAX_MAPPED => {
                if event.override_redirect {
                    self.mapped.push(event.window);
                }
            }
            Event::MapNotify(_) => self.changed = true,
            Event::DestroyNotify(event) => {
                if self.manager.as_ref().is_some_and(|manager| manager.window == event.window) {
                    self.manager = None;
                    self.changed = true;
                }
            }
            Event::PropertyNotify(event) if Some(event.window) == self.own => self.told_at = Some(event.time),
            Event::PropertyNotify(event) => self.property(event, root),
            // The other events bring no window; the enum is x11rb's.
            _other => {}
        }
    }

    /// A property may bring a window, or tell its name.
    fn property(&mut self, event: &PropertyNotifyEvent, root: Window) {
        let Some(atoms) = &self.atoms else {
            self.changed = true;
            return;
        };
        let names = [
            AtomEnum::WM_NAME.into(),
            AtomEnum::WM_CLASS.into(),
            atoms.WM_STATE,
            atoms._NET_WM_NAME,
            atoms._NET_WM_PID,
        ];
        if event.window != root {
            self.changed |= names.contains(&event.atom);
        } else if event.atom == atoms._NET_CLIENT_LIST {
            self.relisted = true;
        } else if event.atom == atoms._NET_SUPPORTING_WM_CHECK || event.atom == atoms._NET_SUPPORTED {
            self.manager = None;
            self.changed = true;
        }
    }
}

impl X11 {
    /// Waits until windows may have come or changed their names since this last returned.
    pub(super) fn await_change(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.limit(stop);
        self.window_atoms()?;
        self.take_events()?;
        while !self.windows.changed && !self.has_come()? {
            self.wait_events(stop)?;
        }
        if let Some(next) = self.windows.woken.and_then(|woken| woken.checked_add(BURST)) {
            stop.interrupt().wait_until(Deadline::at(next));
            stop.check()?;
            self.take_events()?;
        }
        self.windows.woken = Some(Instant::now());
        // Who waited looks at all windows now.
        self.windows.changed = false;
        self.windows.relisted = false;
        self.windows.mapped.clear();
        Ok(())
    }

    /// Whether a window has come: the window manager has listed one that it had not, or a pop-up with a title is shown. Frames are none, and that
    /// windows go is nothing to wait for.
    fn has_come(&mut self) -> Result<bool, DesktopError> {
        let mapped = std::mem::take(&mut self.windows.mapped);
        let relisted = std::mem::take(&mut self.windows.relisted);
        if mapped.is_empty() && !relisted {
            return Ok(false);
        }
        let atoms = self.window_atoms()?;
        let list = ask(&self.conn, self.root, atoms._NET_CLIENT_LIST, MAX_LIST)?;
        let titles = [atoms._NET_WM_NAME, AtomEnum::WM_NAME.into()];
        let asked = mapped.iter().flat_map(|window| titles.map(|title| ask(&self.conn, *window, title, 4)));
        let asked: Vec<_> = asked.collect::<Result<_, _>>()?;
        let list = numbers(&list.reply()?);
        let mut come = list.iter().any(|window| !self.windows.listed.contains(window));
        for title in asked {
            come |= answer(title.reply())?.is_some_and(|title| !title.value.is_empty());
        }
        self.windows.listed = list;
        Ok(come)
    }

    /// Waits for any event, but no longer than `patience`; whether one came.
    pub(super) fn await_event(&mut self, patience: Duration, stop: &Stop<'_>) -> Result<bool, DesktopError> {
        let nearer = stop.at_most(patience);
        self.limit(&nearer);
        let waited = self.wait_events(&nearer);
        self.limit(stop);
        match waited {
            Ok(()) => Ok(true),
            Err(DesktopError::Stopped(failure)) if failure.kind == FailureKind::Timeout => {
                stop.check()?;
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }
}
