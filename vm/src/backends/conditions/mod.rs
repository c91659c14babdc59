//! Looks at what conditions ask for. What cannot be told is a failure, never a "no".

use std::env;
use std::ffi::OsStr;
use std::time::Duration;

use spec::condition::Test;

use crate::desktop::{DesktopError, SharedDesktop, Wanted, shown};
use crate::edit::file::{self as edit, FileErrorKind, expand};
use crate::failure::{Failure, FailureKind};
use crate::files::Files;
use crate::process::{ProcessListError, first_running};
use crate::stop::Stop;
use crate::world::{Call, Observation, SET_EMPTY};

/// How long a display may take to show its windows; it needs a few milliseconds.
const PATIENCE: Duration = Duration::from_secs(3);

/// Whether `test` holds, with files as `files` has them and windows as they are on `desktop`.
///
/// A link counts as what it leads to; a dangling one does not exist for `file_exists`, but something is at its path for
/// `file_absent`. A leading `~/` of a path is the home folder. The value of a variable is never told.
///
/// # Errors
/// It cannot be told: without permission to look, without a display, in time.
pub fn observe(
    files: &dyn Files,
    desktop: &SharedDesktop,
    test: &Test,
    call: &Call<'_>,
) -> Result<Observation, Failure> {
    match test {
        Test::FileExists { path } => {
            let (found, exists) = look(files, path)?;
            Ok(seen(exists, found))
        }
        Test::FileSizeGt { path, bytes } => {
            let (found, _) = look(files, path)?;
            let larger = found.size().is_some_and(|size| i64::try_from(size).is_ok_and(|size| size > *bytes));
            Ok(seen(larger, found))
        }
        Test::FileAbsent { path } => {
            let (found, exists) = look(files, path)?;
            let dangling = found == edit::Observation::Dangling;
            Ok(if dangling { seen(false, "a symbolic link to nothing") } else { seen(!exists, found) })
        }
        Test::FileContains { path, text } => contains(files, path, text, call),
        Test::ProcessRunning { name } => running(name),
        Test::EnvVar { name } => Ok(variable(env::var_os(name).as_deref())),
        Test::Always { value } => Ok(seen(*value, value)),
        Test::WindowExists { title } => window(desktop, title, call),
    }
}

fn seen(holds: bool, seen: impl ToString) -> Observation {
    Observation { holds, seen: seen.to_string() }
}

/// What is at a path, and whether that is anything.
fn look(files: &dyn Files, path: &str) -> Result<(edit::Observation, bool), Failure> {
    let path = expand(path).map_err(|error| Failure::step(error.to_string()))?;
    let found = files.observe(&path);
    match found.exists() {
        Some(exists) => Ok((found, exists)),
        None => Err(Failure::step(format!("`{}`: {found}", path.display()))),
    }
}

fn contains(files: &dyn Files, path: &str, text: &str, call: &Call<'_>) -> Result<Observation, Failure> {
    let stop = Stop::new(call);
    let (found, _) = look(files, path)?;
    if found.size().is_none() {
        return Ok(seen(false, found));
    }
    let path = expand(path).map_err(|error| Failure::step(error.to_string()))?;
    match files.contains(&path, text.as_bytes(), &|| stop.asked()) {
        Ok(true) => Ok(seen(true, format!("{found} with the text"))),
        Ok(false) => Ok(seen(false, format!("{found} without the text"))),
        Err(error) if error.kind == FileErrorKind::Cancelled => Err(stop.failure()),
        // Deleted since it was looked at.
        Err(error) if error.kind == FileErrorKind::NotFound => Ok(seen(false, "not found")),
        Err(error) => Err(Failure::step(error.to_string())),
    }
}

fn running(name: &str) -> Result<Observation, Failure> {
    match first_running(name) {
        Ok(Some(pid)) => Ok(seen(true, format!("process {pid}"))),
        Ok(None) => Ok(seen(false, "no such process")),
        Err(error @ ProcessListError::BadName { .. }) => Err(Failure::new(FailureKind::BadArgument, error.to_string())),
        Err(error @ ProcessListError::Unreadable { .. }) => Err(Failure::step(error.to_string())),
    }
}

/// A window that is iconified or on another desktop exists.
fn window(desktop: &SharedDesktop, title: &str, call: &Call<'_>) -> Result<Observation, Failure> {
    let stop = Stop::new(call);
    let near = stop.at_most(PATIENCE);
    let look = || desktop.get(&near)?.windows();
    let windows = match look().map_err(|error| if near.is_nearer_than(&stop) { error.or_silent() } else { error }) {
        Ok(windows) => windows,
        Err(error @ DesktopError::Stopped(_)) => return Err(error.into()),
        Err(error) => {
            let failure = Failure::from(error);
            return Err(Failure { message: format!("windows cannot be seen: {failure}"), ..failure });
        }
    };
    let wanted = Wanted::new(title);
    Ok(match wanted.choose(&windows, None) {
        Some(window) => seen(true, format!("the window {}", shown(&window.title))),
        None => seen(false, wanted.absent(&windows)),
    })
}

fn variable(value: Option<&OsStr>) -> Observation {
    match value {
        None => seen(false, "not set"),
        Some(value) if value.is_empty() => seen(true, SET_EMPTY),
        Some(_) => seen(true, "set"),
    }
}

#[cfg(test)]
mod tests;
