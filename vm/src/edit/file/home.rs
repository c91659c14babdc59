//! `~` for the home folder.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::edit::file::error::{FileError, FileErrorKind};

/// `path` with a leading `~/`, or a lone `~`, replaced by `HOME`. `~name` is a file's name like any other.
///
/// # Errors
/// `HOME` is needed, and is not set or not absolute.
pub fn expand(path: &str) -> Result<PathBuf, FileError> {
    expand_with(path, std::env::var_os("HOME").as_deref())
}

/// [`expand`] with the value of `HOME`.
///
/// # Errors
/// As [`expand`].
pub fn expand_with(path: &str, home: Option<&OsStr>) -> Result<PathBuf, FileError> {
    let rest = if path == "~" { Some("") } else { path.strip_prefix("~/") };
    let Some(rest) = rest else { return Ok(PathBuf::from(path)) };
    let home = home.filter(|home| Path::new(home).is_absolute());
    let home = home.ok_or_else(|| FileError::new(Path::new(path), FileErrorKind::NoHome))?;
    if rest.is_empty() {
        return Ok(PathBuf::from(home));
    }
    // Joined as text: further slashes in `rest` must not make it absolute.
    let mut joined = OsString::from(home);
    joined.push("/");
    joined.push(rest);
    Ok(PathBuf::from(joined))
}
