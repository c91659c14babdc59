//! Running a program on Unix: groups, signals and pipes.

use std::os::fd::{AsFd, OwnedFd};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::process::command::{Command, CommandError, Invocation};
use crate::process::deadline::Deadline;
use crate::process::group::{Group, is_ready};
use crate::process::interrupt::Interrupt;
use crate::process::pump::Pump;
use crate::process::run::{Finished, Partial, ProcessError};

/// How long a group has between SIGTERM and SIGKILL.
const TERM_GRACE: Duration = Duration::from_millis(500);

/// How long a killed program is waited for. Only one in an uninterruptible call takes longer.
const KILL_GRACE: Duration = Duration::from_millis(500);

/// How long other holders of the output pipes may go on writing after the end of the program.
const DRAIN_GRACE: Duration = Duration::from_millis(100);

/// Runs a program until it ends, the deadline comes or the interrupt is raised.
///
/// The program leads a process group of its own, has the default signal mask, and inherits no descriptor but its
/// input and outputs. All it writes is read; the first [`Command::limit`] bytes of each output are kept.
///
/// What it wrote before its end is complete. When it left others behind that hold its outputs, they are heard for
/// another 100 ms, then the outputs are closed; they themselves are left alone.
///
/// On the deadline or the interrupt, SIGTERM goes to the whole group. Whatever of it remains after 500 ms, or once the
/// program has ended and its outputs are closed, gets SIGKILL. A process that left the group may live on.
///
/// # Errors
/// See [`ProcessError`]. A deadline that has passed and an interrupt that was raised before count at once, and nothing
/// is started.
pub fn run(command: &Command, deadline: Deadline, interrupt: &Interrupt) -> Result<Finished, ProcessError> {
    let began = Instant::now();
    let invocation = Invocation { argv: &command.argv, cwd: command.cwd.as_deref(), env: &command.env };
    let (mut spawner, program) = invocation.prepare()?;
    if let Some(stop) = stop_asked(deadline, interrupt) {
        return Err(stop.into_error(deadline, Partial::default()));
    }
    spawner.stdin(if command.stdin.is_some() { Stdio::piped() } else { Stdio::null() });
    spawner.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut group = Group::spawn(&mut spawner).map_err(|source| CommandError::Spawn { program, source })?;
    let exit = group.watch()?;
    let Some(child) = group.child_mut() else { return Err(std::io::Error::other("the child is gone").into()) };
    let pump = Pump::new(child, command.stdin.as_deref(), command.limit)?;
    Running { group, exit, pump, began }.attend(deadline, interrupt)
}

struct Running<'a> {
    group: Group,
    exit: OwnedFd,
    pump: Pump<'a>,
    began: Instant,
}

#[derive(Clone, Copy)]
enum Stop {
    Deadline,
    Interrupt(i32),
}

impl Running<'_> {
    fn attend(mut self, deadline: Deadline, interrupt: &Interrupt) -> Result<Finished, ProcessError> {
        loop {
            let ready = self.pump.turn(Some(self.exit.as_fd()), Some(interrupt.as_fd()), deadline.remaining())?;
            if ready.exited {
                return self.finish(deadline, interrupt);
            }
            if ready.interrupted {
                interrupt.confirm();
            }
            if let Some(stop) = stop_asked(deadline, interrupt) {
                let partial = self.stop()?;
                return Err(stop.into_error(deadline, partial));
            }
        }
    }

    /// Reads the rest after the end of the program.
    fn finish(mut self, deadline: Deadline, interrupt: &Interrupt) -> Result<Finished, ProcessError> {
        self.pump.close_input();
        self.pump.drain()?;
        let grace = Deadline::after(DRAIN_GRACE).min(deadline);
        while !self.pump.is_dry() && stop_asked(grace, interrupt).is_none() {
            if self.pump.turn(None, Some(interrupt.as_fd()), grace.remaining())?.interrupted {
                interrupt.confirm();
            }
        }
        let (stdout, stderr) = self.pump.finish();
        let status = self.group.reap()?;
        Ok(Finished { status, stdout, stderr, elapsed: self.began.elapsed() })
    }

    /// Ends the group, and tells what came until then.
    fn stop(mut self) -> Result<Partial, ProcessError> {
        self.group.terminate();
        self.pump.close_input();
        let mut exited = self.settle(TERM_GRACE, true)?;
        self.group.kill();
        if !exited {
            exited = self.settle(KILL_GRACE, false)?;
        }
        self.pump.drain()?;
        let (stdout, stderr) = self.pump.finish();
        if exited {
            self.group.reap()?;
        }
        Ok(Partial { stdout, stderr, elapsed: self.began.elapsed() })
    }

    /// Goes on reading until the program has ended and, if asked, its outputs are closed, or the time is over; tells
    /// whether it has ended.
    fn settle(&mut self, grace: Duration, until_dry: bool) -> Result<bool, ProcessError> {
        let grace = Deadline::after(grace);
        let mut exited = false;
        while !grace.is_past() && !(exited && (!until_dry || self.pump.is_dry())) {
            let exit = (!exited).then(|| self.exit.as_fd());
            exited |= self.pump.turn(exit, None, grace.remaining())?.exited;
        }
        Ok(exited || is_ready(self.exit.as_fd()))
    }
}

impl Stop {
    fn into_error(self, deadline: Deadline, partial: Partial) -> ProcessError {
        let partial = Box::new(partial);
        match self {
            Self::Interrupt(signal) => ProcessError::Interrupted { signal, partial },
            Self::Deadline => ProcessError::TimedOut { after: deadline.limit().unwrap_or(partial.elapsed), partial },
        }
    }
}

fn stop_asked(deadline: Deadline, interrupt: &Interrupt) -> Option<Stop> {
    let signal = interrupt.raised().map(Stop::Interrupt);
    signal.or_else(|| deadline.is_past().then_some(Stop::Deadline))
}
