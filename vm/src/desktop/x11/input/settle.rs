//! Waiting until a program has read what was sent to it. A program that takes part in `_NET_WM_PING` (EWMH) answers in turn, after all that came before;
//! of another one is awaited that its process sleeps, which it does not before it has read what is there.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use x11rb::protocol::Event;
use x11rb::protocol::res::{ClientIdMask, ClientIdSpec, ConnectionExt as _};
use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt as _, EventMask, Window};

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::input::focus::Target;
use crate::desktop::x11::input::setup::Ready;
use crate::desktop::x11::input::{GRACE, InputState};
use crate::failure::FailureKind;
use crate::stop::Stop;

/// Between two looks whether the window is still there, while an answer is awaited.
const LOOK: Duration = Duration::from_millis(100);
/// Between two looks at a process.
const SAMPLE: Duration = Duration::from_millis(6);
/// So often in a row a process must be found asleep.
const ASLEEP: u32 = 4;
/// A process that is busy with something else is not awaited longer than this.
const BUSY: Duration = Duration::from_secs(1);
/// How long a program is given of which nothing can be known, because it runs on another machine.
const UNKNOWN: Duration = Duration::from_millis(150);

/// How long may be waited.
#[derive(Clone, Copy, Debug)]
pub enum Patience<'a> {
    /// As long as the step may take.
    Step(&'a Stop<'a>),
    /// Whatever comes, because something must be put back; the display has so long for each answer.
    Grace(Duration),
}

/// Whether a program has read what was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// It has, or it is gone.
    Yes,
    /// It does not answer.
    No,
}

impl InputState {
    /// Takes note of an event.
    pub(super) fn note_pong(&mut self, event: &Event) {
        if let (Event::ClientMessage(message), Some(ready)) = (event, &self.ready)
            && message.type_ == ready.atoms.WM_PROTOCOLS
        {
            let [protocol, token, ..] = message.data.as_data32();
            if protocol == ready.atoms._NET_WM_PING {
                self.pong = Some(token);
            }
        }
    }
}

/// How long a program may take to read what was sent to it.
pub const ANSWER: Duration = Duration::from_secs(10);
/// The same when the run must end.
pub const LAST_ANSWER: Duration = Duration::from_millis(1500);

impl X11 {
    /// Waits until whoever has the keyboard has read the keys that were lent for it: they may be given back, or give something else, only then.
    pub(super) fn await_reader(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.await_loans(ANSWER, Patience::Step(stop))
    }

    /// The same when the run must end, as far as the time for that goes.
    pub(super) fn await_reader_at_last(&mut self) -> Result<(), DesktopError> {
        self.await_loans(LAST_ANSWER, Patience::Grace(GRACE))
    }

    fn await_loans(&mut self, most: Duration, patience: Patience<'_>) -> Result<(), DesktopError> {
        let (Some(ready), false) = (self.input.ready.clone(), self.input.loans.is_empty()) else { return Ok(()) };
        if let Some(target) = self.target(&ready)? {
            self.settle(&ready, &target, most, patience)?;
        }
        Ok(())
    }

    /// Waits until the display has done all that was asked of it.
    pub(super) fn synchronise(&mut self) -> Result<(), DesktopError> {
        self.conn.get_input_focus()?.reply()?;
        self.input.pointer.note_done();
        self.take_events()
    }

    /// Waits until a program has read all that was sent to it; at most `most`.
    pub(super) fn settle(
        &mut self,
        ready: &Ready,
        target: &Target,
        most: Duration,
        patience: Patience<'_>,
    ) -> Result<Read, DesktopError> {
        self.synchronise()?;
        if target.pings {
            return self.ping(ready, target.window, most, patience);
        }
        let most = Instant::now() + most.min(BUSY);
        match target.process {
            Some(process) => self.wait_until_asleep(process, most, patience)?,
            None => self.pause(most.min(Instant::now() + UNKNOWN), patience)?,
        }
        Ok(Read::Yes)
    }

    /// Waits until a process has been found asleep several times in a row, or until `most`.
    pub(super) fn wait_until_asleep(
        &mut self,
        process: u32,
        most: Instant,
        patience: Patience<'_>,
    ) -> Result<(), DesktopError> {
        let mut asleep = 0;
        while asleep < ASLEEP && Instant::now() < most {
            self.pause(Instant::now() + SAMPLE, patience)?;
            // What the process asked of the display is answered before this is.
            self.synchronise()?;
            asleep = if sleeps(process) { asleep + 1 } else { 0 };
        }
        Ok(())
    }

    /// The process that a window belongs to, when it is one of this machine.
    pub(super) fn process_of(&self, ready: &Ready, window: Window) -> Result<Option<u32>, DesktopError> {
        if !ready.resources {
            return Ok(None);
        }
        let spec = ClientIdSpec { client: window, mask: ClientIdMask::LOCAL_CLIENT_PID };
        let found = self.conn.res_query_client_ids(&[spec])?.reply();
        Ok(found.ok().and_then(|found| found.ids.first()?.value.first().copied()).filter(|process| *process > 0))
    }

    /// Sleeps.
    pub(super) fn pause(&mut self, until: Instant, patience: Patience<'_>) -> Result<(), DesktopError> {
        match patience {
            Patience::Step(stop) => self.rest_until(until, stop),
            Patience::Grace(grace) => {
                std::thread::sleep(until.saturating_duration_since(Instant::now()));
                self.conn.stream().grace(grace);
                Ok(())
            }
        }
    }

    /// Sleeps.
    pub(super) fn rest_until(&mut self, until: Instant, stop: &Stop<'_>) -> Result<(), DesktopError> {
        let left = until.saturating_duration_since(Instant::now());
        if !left.is_zero() {
            stop.interrupt().wait_until(stop.at_most(left).deadline());
        }
        Ok(stop.check()?)
    }

    fn ping(
        &mut self,
        ready: &Ready,
        window: Window,
        most: Duration,
        patience: Patience<'_>,
    ) -> Result<Read, DesktopError> {
        let end = Instant::now() + most;
        let token = self.input.next_token();
        let data = [ready.atoms._NET_WM_PING, token, window, 0, 0];
        let message = ClientMessageEvent::new(32, window, ready.atoms.WM_PROTOCOLS, data);
        self.input.pong = None;
        if self.conn.send_event(false, window, EventMask::NO_EVENT, message)?.check().is_err() {
            return Ok(Read::Yes);
        }
        while Instant::now() < end {
            if self.wait_for(LOOK, patience, |input| input.pong == Some(token))? {
                return Ok(Read::Yes);
            }
            if self.conn.get_geometry(window)?.reply().is_err() {
                return Ok(Read::Yes);
            }
        }
        Ok(Read::No)
    }

    /// Waits until something is so, at most `most`; returns whether it is. Looks whenever an event came.
    pub(super) fn wait_for(
        &mut self,
        most: Duration,
        patience: Patience<'_>,
        there: impl Fn(&InputState) -> bool,
    ) -> Result<bool, DesktopError> {
        match patience {
            Patience::Step(stop) => self.conn.stream().limit(&stop.at_most(most)),
            Patience::Grace(_) => self.conn.stream().grace(most),
        }
        let mut found = Ok(true);
        while found.is_ok() && !there(&self.input) {
            found = self.wait_any().map(|()| true);
        }
        let over = match patience {
            Patience::Step(stop) => {
                self.conn.stream().limit(stop);
                stop.asked()
            }
            Patience::Grace(grace) => {
                self.conn.stream().grace(grace);
                false
            }
        };
        match found {
            Err(DesktopError::Stopped(failure)) if failure.kind == FailureKind::Timeout && !over => Ok(false),
            other => other,
        }
    }
}

/// Whether a process sleeps (or has ended), with all its threads, so that it has nothing left to do: some toolkits have a thread that only waits
/// for events and wakes the others.
fn sleeps(process: u32) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return true };
    !threads.flatten().any(|thread| is_at_work(&thread.path().join("stat")))
}

fn is_at_work(stat: &Path) -> bool {
    let Ok(stat) = fs::read_to_string(stat) else { return false };
    // The name, in parentheses, may have blanks and parentheses of its own.
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().next());
    matches!(state, Some("R" | "D"))
}
