//! Starting a program that goes on by itself.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::process::command::CommandError;
use crate::process::exit::{Exit, SignalName};

#[cfg(unix)]
pub use crate::process::start::unix::start;

/// A program to start and leave alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The program and its arguments, as in [`crate::process::Command`].
    pub argv: Vec<String>,
    /// The folder it runs in; ours when `None`.
    pub cwd: Option<PathBuf>,
    /// Changes to our environment, as in [`crate::process::Command`].
    pub env: Vec<(String, Option<String>)>,
    /// The file to which both outputs are appended, relative to our folder; `/dev/null` when `None`.
    pub log_file: Option<PathBuf>,
}

impl Start {
    /// A program with our folder and environment, and without a log.
    pub fn new<S: Into<String>>(argv: impl IntoIterator<Item = S>) -> Self {
        Self { argv: argv.into_iter().map(Into::into).collect(), cwd: None, env: Vec::new(), log_file: None }
    }
}

/// A program that was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Started {
    /// The number of the process. It leads a session and a process group of the same number.
    pub pid: u32,
    /// Set when it ended with success while it was watched, as programs do that put themselves into the background.
    pub exit: Option<Exit>,
}

/// Why a program was not started.
#[derive(Debug, Error)]
pub enum StartError {
    /// It cannot be started.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The log cannot be written.
    #[error("cannot write the log file `{}`: {source}", .path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// It ended at once, and not with success.
    #[error("`{program}` ended at once with {status}{}", tail_text(.log_tail))]
    EndedAtOnce {
        /// The program as given.
        program: String,
        /// How it ended.
        status: Exit,
        /// The end of what it wrote to its log, at most 2 KiB, behind `…` when there was more; empty without a log.
        log_tail: String,
    },
    /// The deadline had passed before the start.
    #[error("timed out after {} ms", .after.as_millis())]
    TimedOut {
        /// The span the deadline was made from.
        after: Duration,
    },
    /// The interrupt was raised before the start.
    #[error("interrupted by {}", SignalName(*.signal))]
    Interrupted {
        /// The signal.
        signal: i32,
    },
    /// The system failed; the program may be running.
    #[error("cannot follow the program: {source}")]
    System {
        /// The reason.
        #[from]
        source: io::Error,
    },
}

fn tail_text(tail: &str) -> String {
    let tail = tail.trim_end();
    if tail.is_empty() { String::new() } else { format!("; its log ends with:\n{tail}") }
}

#[cfg(unix)]
mod unix;

#[cfg(test)]
#[cfg(unix)]
mod tests;
