//! The same functions on systems where programs cannot be run yet: each says so.

use crate::process::command::{Command, CommandError};
use crate::process::deadline::Deadline;
use crate::process::interrupt::Interrupt;
use crate::process::run::{Finished, ProcessError};
use crate::process::start::{Start, StartError, Started};

/// Takes over started programs; there are none here.
#[derive(Clone, Debug, Default)]
pub struct Reaper;

impl Reaper {
    /// How many of the programs have not ended yet: none.
    pub fn alive(&self) -> usize {
        0
    }
}

/// Refuses to run a program.
///
/// # Errors
/// Always [`CommandError::Unsupported`].
pub fn run(_: &Command, _: Deadline, _: &Interrupt) -> Result<Finished, ProcessError> {
    Err(CommandError::Unsupported.into())
}

/// Refuses to start a program.
///
/// # Errors
/// Always [`CommandError::Unsupported`].
pub fn start(_: &Start, _: Deadline, _: &Interrupt, _: &Reaper) -> Result<Started, StartError> {
    Err(CommandError::Unsupported.into())
}
