//! Lines on their way out, written by a thread of their own: a reader who is slow, or reads nothing, holds up neither the run nor its end for
//! long, and one who has gone away ends nothing.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use crate::args::EventsTarget;
use crate::files;

/// How many lines may wait for a reader; more are left out, and counted.
const QUEUE: usize = 4096;
/// How long the end of a run waits for a reader who takes nothing.
const PATIENCE: Duration = Duration::from_secs(3);
/// How often a reader who is not there is looked for.
const LOOK: Duration = Duration::from_millis(10);
/// What a pipe that can take something takes at once without blocking, in bytes.
const PIECE: usize = 4096;

/// Where lines go.
pub struct Sink {
    queue: Option<SyncSender<Message>>,
    shared: Arc<Shared>,
    /// Lines that found no place.
    lost: u64,
}

enum Message {
    Line(String),
    /// Answers when all before it is done.
    Settle(Sender<()>),
}

#[derive(Default)]
struct Shared {
    /// Bytes written: a reader who takes some is waited for.
    progress: AtomicU64,
    /// Nobody waits any more.
    over: AtomicBool,
    /// The first failure; nothing is written after it.
    failure: Mutex<Option<String>>,
}

impl Sink {
    /// Begins to open the target, which may take as long as its reader.
    pub fn new(target: &EventsTarget) -> Self {
        let shared = Arc::new(Shared::default());
        let (queue, messages) = sync_channel(QUEUE);
        let (writer, to) = (Arc::clone(&shared), target.clone());
        let thread = Builder::new().name("events".to_owned()).spawn(move || writer.serve(&to, &messages));
        if let Err(error) = &thread {
            shared.fail(error.to_string());
        }
        Self { queue: Some(queue), shared, lost: 0 }
    }

    /// Adds a line, which ends with a line end.
    pub fn add(&mut self, line: String) {
        let Some(queue) = &self.queue else { return };
        match queue.try_send(Message::Line(line)) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => self.lost += 1,
            // The thread never began; the failure is known.
            Err(TrySendError::Disconnected(_)) => self.queue = None,
        }
    }

    /// Waits until all lines are written or cannot be; the reason for those that are not, told once.
    pub fn settle(&mut self) -> Option<String> {
        let (done, answer) = channel();
        let mut wait = Wait { before: self.shared.progress.load(Ordering::Relaxed), since: Instant::now() };
        let mut message = Some(Message::Settle(done));
        while let (Some(queue), Some(next)) = (&self.queue, message.take()) {
            // The queue may be full.
            if let Err(TrySendError::Full(back)) = queue.try_send(next) {
                if wait.is_in_vain(&self.shared) {
                    self.give_up();
                    break;
                }
                message = Some(back);
                thread::sleep(LOOK);
            }
        }
        // It has no sender when nothing can be asked any more.
        drop(message);
        while let Err(RecvTimeoutError::Timeout) = answer.recv_timeout(LOOK) {
            if wait.is_in_vain(&self.shared) {
                self.give_up();
                break;
            }
        }
        let lost = std::mem::take(&mut self.lost);
        let failure = self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        if failure.is_some() {
            self.queue = None;
        }
        failure.or_else(|| (lost > 0).then(|| format!("{lost} of them found no place, since they are read too slowly")))
    }

    fn give_up(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        self.shared.fail("nobody reads them".to_owned());
        self.queue = None;
    }
}

/// A wait for the thread.
struct Wait {
    /// What it had done when something was done last.
    before: u64,
    /// When that was.
    since: Instant,
}

impl Wait {
    fn is_in_vain(&mut self, shared: &Shared) -> bool {
        let now = shared.progress.load(Ordering::Relaxed);
        if now != self.before {
            (self.before, self.since) = (now, Instant::now());
        }
        self.since.elapsed() > PATIENCE
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        // The thread ends with the queue, or with the next look at what it waits for.
        self.shared.over.store(true, Ordering::Relaxed);
    }
}

impl Shared {
    /// Writes what comes, until nothing can come.
    fn serve(&self, target: &EventsTarget, messages: &Receiver<Message>) {
        let mut file = self.open(target).map_err(|reason| self.fail(reason)).ok();
        for message in messages {
            match message {
                Message::Settle(done) => {
                    // Whoever asked may have lost patience.
                    let _ = done.send(());
                }
                Message::Line(line) => {
                    let Some(to) = &mut file else { continue };
                    if let Err(error) = self.write(to, line.as_bytes()) {
                        self.fail(words(&error));
                        file = None;
                    }
                }
            }
        }
    }

    fn fail(&self, reason: String) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
    }

    fn open(&self, target: &EventsTarget) -> Result<File, String> {
        match target {
            EventsTarget::Stderr => standard_error().map_err(|error| words(&error)),
            EventsTarget::Descriptor(number) => {
                inherited(*number).map_err(|error| format!("descriptor {number}: {}", words(&error)))
            }
            EventsTarget::Path(path) => loop {
                if let Some(other) = holds_something_else(path) {
                    return Err(format!("`{}` {other}", path.display()));
                }
                match open(path) {
                    // A named pipe that nobody reads yet.
                    Err(error) if no_reader(&error) && !self.over.load(Ordering::Relaxed) => thread::sleep(LOOK),
                    other => return other.map_err(|error| format!("`{}`: {}", path.display(), words(&error))),
                }
            },
        }
    }

    fn write(&self, to: &mut File, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if self.over.load(Ordering::Relaxed) {
                return Err(io::Error::other("nobody reads them"));
            }
            if !ready(to)? {
                continue;
            }
            match to.write(bytes.get(..PIECE).unwrap_or(bytes)) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => {
                    self.progress.fetch_add(count as u64, Ordering::Relaxed);
                    bytes = bytes.get(count..).unwrap_or_default();
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Why events cannot be written, in words.
fn words(error: &io::Error) -> String {
    if error.kind() == ErrorKind::BrokenPipe {
        return "their reader has gone away".to_owned();
    }
    files::words(error)
}

/// A file is begun anew only when it is empty or has events: a slip of the tongue would empty a macro.
fn holds_something_else(path: &Path) -> Option<&'static str> {
    const BEGIN: &[u8] = b"{\"event\":";
    let is_file = std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0);
    let mut begin = [0; BEGIN.len()];
    let read = is_file.then(|| File::open(path).and_then(|mut file| file.read_exact(&mut begin)));
    let ours = read.is_none_or(|read| read.is_ok() && begin == BEGIN);
    (!ours).then_some("holds something else than events, and is left as it is")
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    let flags = i32::try_from(flags.bits()).unwrap_or_default();
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).custom_flags(flags).open(path)
}

#[cfg(unix)]
fn no_reader(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error())
}

/// Whether something can be written without blocking; asks for a while.
#[cfg(unix)]
fn ready(file: &File) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut found = [PollFd::new(file, PollFlags::OUT)];
    let span = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
    match poll(&mut found, Some(&span)) {
        Ok(count) => Ok(count > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(unix)]
fn standard_error() -> io::Result<File> {
    Ok(File::from(rustix::io::fcntl_dupfd_cloexec(io::stderr(), 3)?))
}

#[cfg(unix)]
fn inherited(number: i32) -> io::Result<File> {
    crate::events::inherited::duplicate(number)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).open(path)
}

#[cfg(not(unix))]
fn no_reader(_error: &io::Error) -> bool {
    false
}

#[cfg(not(unix))]
fn ready(_file: &File) -> io::Result<bool> {
    Ok(true)
}

#[cfg(windows)]
fn standard_error() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stderr().as_handle().try_clone_to_owned()?))
}

#[cfg(not(unix))]
fn inherited(_number: i32) -> io::Result<File> {
    Err(ErrorKind::Unsupported.into())
}
