//! Running a program to its end.

use std::io;
use std::time::Duration;

use thiserror::Error;

use crate::process::capture::Captured;
use crate::process::command::CommandError;
use crate::process::exit::{Exit, SignalName};

#[cfg(unix)]
pub use crate::process::run::unix::run;

/// A program that ran to its end.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub status: Exit,
    /// What it wrote to its standard output.
    pub stdout: Captured,
    /// What it wrote to its standard error.
    pub stderr: Captured,
    /// How long it took, with the start and with all that was waited for after its end.
    pub elapsed: Duration,
}

/// What is known of a program that was stopped.
#[derive(Clone, Debug, Default)]
pub struct Partial {
    /// What it wrote to its standard output so far.
    pub stdout: Captured,
    /// What it wrote to its standard error so far.
    pub stderr: Captured,
    /// How long it ran, with the time it was given to end.
    pub elapsed: Duration,
}

/// Why a program did not run to its end.
#[derive(Debug, Error)]
pub enum ProcessError {
    /// It was not started.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The deadline came first; the program and its group were ended.
    #[error("timed out after {} ms", .after.as_millis())]
    TimedOut {
        /// The span the deadline was made from, or the time since the start when that is not known.
        after: Duration,
        /// What it did until then.
        partial: Box<Partial>,
    },
    /// The interrupt came first; the program and its group were ended.
    #[error("interrupted by {}", SignalName(*.signal))]
    Interrupted {
        /// The signal.
        signal: i32,
        /// What it did until then.
        partial: Box<Partial>,
    },
    /// The system failed while it ran; the program and its group were killed.
    #[error("cannot follow the program: {source}")]
    System {
        /// The reason.
        #[from]
        source: io::Error,
    },
}

#[cfg(unix)]
mod unix;

#[cfg(test)]
#[cfg(unix)]
mod tests;
