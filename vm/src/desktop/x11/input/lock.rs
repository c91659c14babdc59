//! The input lock of a display: at most one run presses keys and moves the pointer. It is the ownership of a selection (ICCCM, section 2.8,
//! "manager selections"), so it ends with the connection, however the run ends.

use std::fs;
use std::time::Duration;

use x11rb::connection::Connection;
use x11rb::protocol::xfixes::{ConnectionExt as _, SelectionEventMask};
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, CreateWindowAux, PropMode, Window, WindowClass};
use x11rb::wrapper::ConnectionExt as _;

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::input::setup::Ready;
use crate::desktop::x11::input::{down, last_press, leftover};
use crate::failure::{Failure, FailureKind};
use crate::stop::Stop;

/// More generations of processes than there can be between a run and one that it started.
const GENERATIONS: usize = 64;

/// How long a wait is that nothing would wake, when the display does not tell of selections.
const BLIND_WAIT: Duration = Duration::from_millis(50);

impl X11 {
    /// Takes the lock; waits for the run that has it.
    pub(super) fn lock(&mut self, stop: &Stop<'_>) -> Result<Ready, DesktopError> {
        if self.input.locked {
            return self.ready();
        }
        let ready = self.ready()?;
        if !self.input.window_made {
            self.make_window(&ready)?;
            self.input.window_made = true;
        }
        loop {
            self.input.lock_moved = false;
            let Some(holder) = self.try_lock(&ready)? else { break };
            let pid = self.holder_pid(&ready, holder);
            refuse_ancestor(pid)?;
            let waited = self.wait_for_lock(&ready, stop);
            waited.map_err(|error| held_by(pid, error))?;
        }
        self.input.locked = true;
        self.take_over(&ready)?;
        Ok(ready)
    }

    /// Takes the lock when nobody has it; otherwise returns the window of who has.
    fn try_lock(&self, ready: &Ready) -> Result<Option<Window>, DesktopError> {
        // Asking and taking must be one: nobody comes between while the server serves only us.
        self.conn.grab_server()?;
        let owner = self.conn.get_selection_owner(ready.atoms._MACROCLI_INPUT)?.reply();
        let taken = match &owner {
            Ok(owner) if owner.owner == x11rb::NONE => self
                .conn
                .set_selection_owner(ready.window, ready.atoms._MACROCLI_INPUT, x11rb::CURRENT_TIME)
                .map(|_| ()),
            Ok(_) | Err(_) => Ok(()),
        };
        self.conn.ungrab_server()?;
        self.conn.flush()?;
        taken?;
        Ok(Some(owner?.owner).filter(|owner| *owner != x11rb::NONE))
    }

    /// Reads what earlier runs have written on the root window, in one go, and does what it asks for.
    fn take_over(&mut self, ready: &Ready) -> Result<(), DesktopError> {
        let ask = |name, most| self.conn.get_property(false, self.root, name, AtomEnum::CARDINAL, 0, most);
        let down = ask(ready.atoms._MACROCLI_DOWN, down::LONGEST)?;
        let leftover = ask(ready.atoms._MACROCLI_LEFTOVER, leftover::LONGEST)?;
        let last_press = ask(ready.atoms._MACROCLI_LAST_PRESS, last_press::LENGTH)?;
        let (down, leftover, last_press) = (down.reply()?, leftover.reply()?, last_press.reply()?);
        self.release_left_down(&down)?;
        self.put_back_leftover(&leftover)?;
        self.find_last_press(&last_press);
        Ok(())
    }

    fn wait_for_lock(&mut self, ready: &Ready, stop: &Stop<'_>) -> Result<(), DesktopError> {
        if !ready.fixes {
            stop.interrupt().wait_until(stop.at_most(BLIND_WAIT).deadline());
            return Ok(stop.check()?);
        }
        while !self.input.lock_moved {
            self.wait_events(stop)?;
        }
        Ok(())
    }

    fn make_window(&self, ready: &Ready) -> Result<(), DesktopError> {
        let aux = CreateWindowAux::new().override_redirect(1);
        let (window, atoms) = (ready.window, ready.atoms);
        self.conn.create_window(0, window, self.root, -1, -1, 1, 1, 0, WindowClass::INPUT_ONLY, 0, &aux)?;
        self.conn.change_property32(
            PropMode::REPLACE,
            window,
            atoms._NET_WM_PID,
            AtomEnum::CARDINAL,
            &[std::process::id()],
        )?;
        if ready.fixes {
            let events = SelectionEventMask::SET_SELECTION_OWNER
                | SelectionEventMask::SELECTION_WINDOW_DESTROY
                | SelectionEventMask::SELECTION_CLIENT_CLOSE;
            self.conn.xfixes_select_selection_input(window, atoms._MACROCLI_INPUT, events)?;
        }
        Ok(())
    }

    fn holder_pid(&self, ready: &Ready, holder: Window) -> Option<u32> {
        let pid = self.conn.get_property(false, holder, ready.atoms._NET_WM_PID, AtomEnum::CARDINAL, 0, 1).ok()?;
        pid.reply().ok()?.value32()?.next()
    }
}

/// A run that waits for the run that started it would wait for ever.
fn refuse_ancestor(holder: Option<u32>) -> Result<(), DesktopError> {
    let mut process = Some(std::process::id());
    for _ in 0..GENERATIONS {
        process = process.and_then(parent);
        if process.is_some() && process == holder {
            return Err(DesktopError::Other {
                message: format!("{}, which started this run and would wait for it", who(holder)),
                hint: Some("call the macro as a step (`macro:`) instead of by its command".to_owned()),
            });
        }
    }
    Ok(())
}

/// The machine says after how long a step timed out.
fn held_by(pid: Option<u32>, error: DesktopError) -> DesktopError {
    if let DesktopError::Stopped(failure) = &error
        && failure.kind == FailureKind::Timeout
    {
        return Failure::new(FailureKind::Timeout, who(pid)).hint("wait until it ends, or end it").into();
    }
    error
}

fn who(pid: Option<u32>) -> String {
    match pid {
        Some(pid) => match name(pid) {
            Some(name) => format!("keys and pointer of this display are held by process {pid} (`{name}`)"),
            None => format!("keys and pointer of this display are held by process {pid}"),
        },
        None => "keys and pointer of this display are held by another run".to_owned(),
    }
}

fn name(pid: u32) -> Option<String> {
    Some(fs::read_to_string(format!("/proc/{pid}/comm")).ok()?.trim_end().to_owned())
}

fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may have blanks and parentheses of its own.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok().filter(|parent| *parent > 0)
}
