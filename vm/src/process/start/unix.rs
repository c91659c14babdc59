//! Starting a program on Unix: a session of its own.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::Pid;

use crate::process::capture::Captured;
use crate::process::command::{CommandError, Invocation};
use crate::process::deadline::Deadline;
use crate::process::detach;
use crate::process::exit::Exit;
use crate::process::inherit;
use crate::process::interrupt::Interrupt;
use crate::process::reaper::Reaper;
use crate::process::start::{Start, StartError, Started};
use crate::process::watch::watch;

/// How long a program is watched for a bad end.
const START_GRACE: Duration = Duration::from_millis(150);

/// How much of the log an error shows, in bytes.
const TAIL: u64 = 2048;

/// Starts a program in a session of its own and leaves it to itself.
///
/// It has no terminal, reads `/dev/null`, writes to its log, and inherits no other descriptor. It lives on when we end,
/// and a signal to our group does not reach it. It is watched for 150 ms: when it ends within them with another code
/// than 0 or by a signal, the start has failed. After that the reaper waits for it.
///
/// A deadline that comes, or an interrupt that is raised, while it is watched ends the watching and not the program.
///
/// # Errors
/// See [`StartError`].
pub fn start(what: &Start, deadline: Deadline, interrupt: &Interrupt, reaper: &Reaper) -> Result<Started, StartError> {
    let invocation = Invocation { argv: &what.argv, cwd: what.cwd.as_deref(), env: &what.env };
    let (mut command, program) = invocation.prepare()?;
    if let Some(signal) = interrupt.raised() {
        return Err(StartError::Interrupted { signal });
    }
    if deadline.is_past() {
        return Err(StartError::TimedOut { after: deadline.limit().unwrap_or_default() });
    }
    let path = what.log_file.as_deref().unwrap_or(Path::new("/dev/null"));
    let mut log = Log::open(path).map_err(|source| StartError::Log { path: path.to_path_buf(), source })?;
    command.stdin(Stdio::null()).stdout(log.file.try_clone()?).stderr(log.file.try_clone()?);
    detach::in_own_session(&mut command);
    let mut child = inherit::spawn(&mut command).map_err(|source| CommandError::Spawn { program, source })?;
    let exit = watch(Pid::from_child(&child))?;
    let pid = child.id();
    match early_exit(&mut child, &exit, deadline.min(Deadline::after(START_GRACE)), interrupt)? {
        None => reaper.adopt(child, exit).map(|()| Started { pid, exit: None }).map_err(StartError::from),
        Some(status) if status.is_success() => Ok(Started { pid, exit: Some(status) }),
        Some(status) => {
            let program = what.argv.first().cloned().unwrap_or_default();
            Err(StartError::EndedAtOnce { program, status, log_tail: log.tail() })
        }
    }
}

fn early_exit(child: &mut Child, exit: &OwnedFd, grace: Deadline, interrupt: &Interrupt) -> io::Result<Option<Exit>> {
    loop {
        let flags = PollFlags::IN;
        let mut fds = [PollFd::new(exit, flags), PollFd::from_borrowed_fd(interrupt.as_fd(), flags)];
        let timeout = grace.remaining().and_then(|span| Timespec::try_from(span).ok());
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.into()));
        }
        if interrupt.confirm().is_some() || grace.is_past() {
            return Ok(None);
        }
    }
}

/// An open log and where it ended before.
struct Log {
    file: File,
    before: u64,
}

impl Log {
    fn open(path: &Path) -> io::Result<Self> {
        // Without O_NONBLOCK a pipe that nobody reads would hold us up; with it that is an error.
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        let mut options = OpenOptions::new();
        options.append(true).create(true).custom_flags(flags.bits().cast_signed());
        let readable = options.clone().read(true).open(path);
        // A log that may only be written serves as well; its end cannot be shown then.
        let file = readable.or_else(|_| options.open(path))?;
        fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
        let meta = file.metadata()?;
        Ok(Self { file, before: if meta.is_file() { meta.len() } else { u64::MAX } })
    }

    /// The end of what was written since, without a character cut in two.
    fn tail(&mut self) -> String {
        let mut tail = Captured::default();
        let length = self.file.metadata().map_or(0, |meta| meta.len());
        let from = self.before.max(length.saturating_sub(TAIL));
        if from < length && self.file.seek(SeekFrom::Start(from)).is_ok() {
            // What cannot be read is not shown: the exit status is what matters.
            let _ = Read::by_ref(&mut self.file).take(TAIL).read_to_end(&mut tail.bytes);
        }
        if from > self.before {
            let start = tail.bytes.iter().take(4).position(|byte| byte & 0xC0 != 0x80).unwrap_or(0);
            tail.bytes.drain(..start);
            return format!("…{}", tail.into_text());
        }
        tail.into_text()
    }
}
