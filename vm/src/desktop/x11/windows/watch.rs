//! Changes among the windows, as events tell them.

use std::time::{Duration, Instant};

use x11rb::protocol::Event;
use x11rb::protocol::xproto::{AtomEnum, PropertyNotifyEvent, Window};

use crate::desktop::Desktop;
use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::windows::WindowState;
use crate::failure::FailureKind;
use crate::process::Deadline;
use crate::stop::Stop;

/// The shortest time between two ends of a wait: windows come in bursts of events, and looking at each would cost a core where they come and go
/// all the time.
const BURST: Duration = Duration::from_millis(8);

impl WindowState {
    /// Takes note of an event.
    pub fn note(&mut self, event: &Event, root: Window) {
        let changed = match event {
            Event::MapNotify(_) | Event::UnmapNotify(_) | Event::ReparentNotify(_) | Event::DestroyNotify(_) => true,
            Event::PropertyNotify(event) if Some(event.window) == self.own => {
                self.told_at = Some(event.time);
                false
            }
            Event::PropertyNotify(event) => self.matters(event, root),
            // The other events are no concern of the list's; the enum is x11rb's.
            _other => false,
        };
        self.changed |= changed;
    }

    /// Whether the list shows a property.
    fn matters(&self, event: &PropertyNotifyEvent, root: Window) -> bool {
        let Some(atoms) = &self.atoms else { return true };
        let atom = event.atom;
        if event.window == root {
            let all = [
                atoms._NET_ACTIVE_WINDOW,
                atoms._NET_CLIENT_LIST,
                atoms._NET_CLIENT_LIST_STACKING,
                atoms._NET_CURRENT_DESKTOP,
                atoms._NET_SUPPORTING_WM_CHECK,
            ];
            return all.contains(&atom);
        }
        let all = [
            AtomEnum::WM_NAME.into(),
            AtomEnum::WM_CLASS.into(),
            AtomEnum::WM_TRANSIENT_FOR.into(),
            atoms.WM_STATE,
            atoms._NET_WM_DESKTOP,
            atoms._NET_WM_NAME,
            atoms._NET_WM_PID,
            atoms._NET_WM_STATE,
        ];
        all.contains(&atom)
    }
}

impl X11 {
    /// Waits until the list may be another than when this last returned.
    pub(super) fn await_change(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.limit(stop);
        self.atoms()?;
        self.take_events()?;
        while !self.windows.changed {
            self.wait_events(stop)?;
        }
        if let Some(next) = self.windows.woken.and_then(|woken| woken.checked_add(BURST)) {
            stop.interrupt().wait_until(Deadline::at(next));
            stop.check()?;
            self.take_events()?;
        }
        self.windows.woken = Some(Instant::now());
        self.windows.changed = false;
        Ok(())
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
