//! A run in a process of its own: macrocli itself, with its document on standard output and its events on standard error.
//!
//! It is the leader of a process group, so that a terminal's signals reach the server alone, which passes on one and no second. Its standard
//! input stays open while it runs: when the server dies, however that happens, the run is stopped by its end.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::mpsc::Sender;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long a run may take to end after it was asked to; then it is killed.
pub const GRACE: Duration = Duration::from_secs(10);
/// How long its output may take to arrive when it has ended: a program it left behind may hold the pipe.
const REST: Duration = Duration::from_secs(2);
/// The most bytes of its document.
const OUTPUT_LIMIT: usize = 32 << 20;
/// The most bytes of a line of its standard error; the rest of a longer one is dropped.
const LINE_LIMIT: usize = 64 << 10;

/// What came of it.
#[derive(Debug, Default)]
pub struct Ended {
    /// Its standard output; `None` when it was too long.
    pub output: Option<Vec<u8>>,
    /// Its exit code; `None` when a signal ended it.
    pub code: Option<i32>,
}

/// Runs macrocli with these words, among them `--attached`, until it ends, or until `stop` comes and it has been stopped. `input` is one
/// line.
///
/// # Errors
/// It cannot be started.
pub async fn run(
    words: Vec<OsString>,
    mut input: Vec<u8>,
    lines: Sender<String>,
    stop: impl Future<Output = ()>,
) -> io::Result<Ended> {
    let mut child = spawn(words)?;
    input.push(b'\n');
    let feed = child.stdin.take().map(|mut stdin| {
        tokio::spawn(async move {
            // A run that does not read its parameters says why by itself.
            let _ = stdin.write_all(&input).await;
            stdin
        })
    });
    let output = child.stdout.take().map(|stdout| tokio::spawn(gather(stdout)));
    let events = child.stderr.take().map(|stderr| tokio::spawn(listen(stderr, lines)));
    let status = tokio::select! {
        status = child.wait() => status,
        () = stop => end(&mut child).await,
    };
    let output = rest(output).await.flatten();
    let _ = rest(events).await;
    if let Some(feed) = feed {
        feed.abort();
    }
    Ok(Ended { output, code: status.ok().and_then(|status| status.code()) })
}

fn spawn(words: Vec<OsString>) -> io::Result<Child> {
    let mut command = Command::new(program()?);
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    #[cfg(unix)]
    command.arg0("macrocli").process_group(0);
    command.spawn()
}

/// macrocli itself; on Linux even when its file has been replaced since.
fn program() -> io::Result<PathBuf> {
    let own = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && own.exists() { Ok(own) } else { std::env::current_exe() }
}

/// Asks it to end, and makes it when it does not.
async fn end(child: &mut Child) -> io::Result<std::process::ExitStatus> {
    ask(child);
    if let Ok(status) = timeout(GRACE, child.wait()).await {
        return status;
    }
    kill(child);
    child.wait().await
}

#[cfg(unix)]
fn ask(child: &mut Child) {
    if let Some(pid) = process(child) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
    }
}

#[cfg(unix)]
fn kill(child: &mut Child) {
    if let Some(pid) = process(child) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

/// Its number, which is its own until it has been waited for.
#[cfg(unix)]
fn process(child: &Child) -> Option<rustix::process::Pid> {
    child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw)
}

#[cfg(not(unix))]
fn ask(child: &mut Child) {
    let _ = child.start_kill();
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    let _ = child.start_kill();
}

/// What a reader has gathered, when that does not take long.
async fn rest<T>(reader: Option<JoinHandle<T>>) -> Option<T> {
    let mut reader = reader?;
    match timeout(REST, &mut reader).await {
        Ok(read) => read.ok(),
        Err(_) => {
            reader.abort();
            None
        }
    }
}

/// All there is to read; `None` when that is too much. Everything is read in any case, so that the writer is not held up.
async fn gather(mut from: impl AsyncRead + Unpin) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    let mut whole = true;
    let mut part = vec![0; 64 << 10];
    while let Ok(length @ 1..) = from.read(&mut part).await {
        whole &= all.len() + length <= OUTPUT_LIMIT;
        if whole {
            all.extend_from_slice(part.get(..length).unwrap_or_default());
        } else {
            all = Vec::new();
        }
    }
    whole.then_some(all)
}

/// Passes lines on.
async fn listen(mut from: impl AsyncRead + Unpin, lines: Sender<String>) {
    let mut line = Vec::new();
    let mut part = vec![0; 8 << 10];
    while let Ok(length @ 1..) = from.read(&mut part).await {
        let mut pieces = part.get(..length).unwrap_or_default().split(|byte| *byte == b'\n').peekable();
        while let Some(piece) = pieces.next() {
            let room = LINE_LIMIT.saturating_sub(line.len());
            line.extend_from_slice(piece.get(..room.min(piece.len())).unwrap_or_default());
            if pieces.peek().is_some() {
                // Nobody listens any more when the call is over.
                let _ = lines.send(String::from_utf8_lossy(&line).into_owned()).await;
                line.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::channel;

    use crate::mcp::child::{LINE_LIMIT, OUTPUT_LIMIT, gather, listen};

    fn block<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    #[test]
    fn output_is_bounded() {
        assert_eq!(block(gather(&b"abc"[..])), Some(b"abc".to_vec()));
        assert_eq!(block(gather(vec![0; OUTPUT_LIMIT + 1].as_slice())), None);
    }

    #[test]
    fn lines_are_bounded_and_whole() {
        let text = format!("a\n\n{}\nlast", "x".repeat(LINE_LIMIT + 5));
        let (sender, mut receiver) = channel(10);
        block(listen(text.as_bytes(), sender));
        let mut lines = Vec::new();
        while let Ok(line) = receiver.try_recv() {
            lines.push(line.len());
        }
        assert_eq!(lines, [1, 0, LINE_LIMIT]);
    }
}
