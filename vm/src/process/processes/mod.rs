//! Which processes of a name are running.

use std::io;

use thiserror::Error;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

#[cfg(target_os = "linux")]
use crate::process::processes::linux::scan;
#[cfg(not(target_os = "linux"))]
use crate::process::processes::other::scan;

/// Why nobody can tell which processes are running.
#[derive(Debug, Error)]
pub enum ProcessListError {
    /// No process has this name.
    #[error("`{}` cannot be the name of a process: it is empty or holds `/` or NUL", .name.escape_debug())]
    BadName {
        /// The name.
        name: String,
    },
    /// The list cannot be read.
    #[error("cannot read the list of processes: {source}")]
    Unreadable {
        /// The reason.
        #[from]
        source: io::Error,
    },
}

/// The numbers of the processes whose name is exactly this, in no order.
///
/// The name is the one the system knows a process by: the base name of its program or script, or what it calls itself. Where
/// the system cuts long names (Linux after 15 bytes), the base names of the program and of the first words of its command
/// line decide. Processes that have ended and were not collected (zombies) do not count, nor does this process.
///
/// # Errors
/// The name is impossible or the list cannot be read. On Linux `/proc` must be mounted; processes that it hides from this
/// user are not found.
pub fn is_running(name: &str) -> Result<Vec<u32>, ProcessListError> {
    let mut found = Vec::new();
    look(name, |pid| {
        found.push(pid);
        true
    })?;
    Ok(found)
}

/// The first such process that turns up: the quick way to know whether there is one.
///
/// # Errors
/// As for [`is_running`].
pub fn first_running(name: &str) -> Result<Option<u32>, ProcessListError> {
    let mut found = None;
    look(name, |pid| {
        found = Some(pid);
        false
    })?;
    Ok(found)
}

fn look(name: &str, found: impl FnMut(u32) -> bool) -> Result<(), ProcessListError> {
    if name.is_empty() || name.contains(['/', '\0']) {
        return Err(ProcessListError::BadName { name: name.to_owned() });
    }
    Ok(scan(name, found)?)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
