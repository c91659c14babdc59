//! Programs of the system: running, starting, finding and observing them.
//!
//! This is the layer under the `native_api` backend and under the process conditions. It is a plain
//! Rust interface and knows no action, no macro and no machine. Every wait in here wakes at once for
//! the exit of the program, for an [`Interrupt`] and for a [`Deadline`]; nothing polls in intervals.
// Where programs cannot be run, the parts that only a run needs rest.
#![cfg_attr(not(unix), allow(dead_code))]

mod capture;
mod command;
mod deadline;
mod exit;
mod find;
mod interrupt;
mod lookup;
mod processes;

mod run;
mod start;

#[cfg(unix)]
mod detach;
#[cfg(unix)]
mod group;
#[cfg(unix)]
mod inherit;
#[cfg(unix)]
mod pump;
#[cfg(unix)]
mod reaper;
#[cfg(unix)]
mod watch;

#[cfg(not(unix))]
mod unsupported;

pub use crate::process::capture::{Captured, DEFAULT_LIMIT};
pub use crate::process::command::{Command, CommandError};
pub use crate::process::deadline::Deadline;
pub use crate::process::exit::Exit;
pub(crate) use crate::process::exit::SignalName;
pub use crate::process::find::{FindError, Tried, find_executable};
pub use crate::process::interrupt::Interrupt;
pub use crate::process::lookup::{LookupError, resolve};
pub use crate::process::processes::{ProcessListError, first_running, is_running};
pub use crate::process::run::{Finished, Partial, ProcessError};
pub use crate::process::start::{Start, StartError, Started};

#[cfg(not(unix))]
pub use crate::process::unsupported::{Reaper, run, start};
#[cfg(unix)]
pub use crate::process::{reaper::Reaper, run::run, start::start};

#[cfg(test)]
#[cfg(unix)]
pub(crate) mod testing;
