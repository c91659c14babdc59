//! What is at a path, for conditions: a fact, never an error.

use std::fmt;
use std::path::Path;

use crate::edit::file::error::FileErrorKind;
use crate::edit::file::platform;

/// What is at a path, links followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// Nothing.
    Missing,
    /// A symbolic link to nothing, or to itself.
    Dangling,
    /// A directory.
    Directory,
    /// A device, pipe or socket; the name says which.
    Special(&'static str),
    /// Unknown: a folder on the way may not be searched.
    PermissionDenied,
    /// A regular file of so many bytes.
    Size(u64),
    /// Unknown, for the reason the system gives.
    Unknown(String),
}

/// Looks at `path`.
pub fn observe(path: &Path) -> Observation {
    let error = match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Observation::Directory,
        Ok(metadata) if metadata.is_file() => return Observation::Size(metadata.len()),
        Ok(metadata) => return Observation::Special(platform::special(&metadata)),
        Err(error) => error,
    };
    match FileErrorKind::of(&error) {
        FileErrorKind::NotFound if path.is_symlink() => Observation::Dangling,
        FileErrorKind::LinkLoop => Observation::Dangling,
        FileErrorKind::NotFound | FileErrorKind::NotAFolder => Observation::Missing,
        FileErrorKind::PermissionDenied => Observation::PermissionDenied,
        FileErrorKind::EmptyPath
        | FileErrorKind::Dangling
        | FileErrorKind::MissingFolder(_)
        | FileErrorKind::TooLong
        | FileErrorKind::ReadOnly
        | FileErrorKind::NoSpace
        | FileErrorKind::Directory
        | FileErrorKind::Special(_)
        | FileErrorKind::TooLarge { .. }
        | FileErrorKind::SameFile(_)
        | FileErrorKind::Exists
        | FileErrorKind::NoHome
        | FileErrorKind::Cancelled
        | FileErrorKind::Other(_) => Observation::Unknown(error.to_string()),
    }
}

impl Observation {
    /// Whether something is there, of whatever kind; `None` when that cannot be told.
    pub fn exists(&self) -> Option<bool> {
        match self {
            Observation::Missing | Observation::Dangling => Some(false),
            Observation::Directory | Observation::Special(_) | Observation::Size(_) => Some(true),
            Observation::PermissionDenied | Observation::Unknown(_) => None,
        }
    }

    /// The size in bytes of a regular file.
    pub fn size(&self) -> Option<u64> {
        match self {
            Observation::Size(size) => Some(*size),
            Observation::Missing
            | Observation::Dangling
            | Observation::Directory
            | Observation::Special(_)
            | Observation::PermissionDenied
            | Observation::Unknown(_) => None,
        }
    }
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Observation::Missing => f.write_str("not found"),
            Observation::Dangling => f.write_str("not found: a symbolic link to nothing"),
            Observation::Directory => f.write_str("a directory"),
            Observation::Special(kind) => write!(f, "a {kind}"),
            Observation::PermissionDenied => f.write_str("permission denied"),
            Observation::Size(1) => f.write_str("a file of 1 byte"),
            Observation::Size(size) => write!(f, "a file of {size} bytes"),
            Observation::Unknown(reason) => f.write_str(reason),
        }
    }
}
