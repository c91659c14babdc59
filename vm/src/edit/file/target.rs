//! The place a write goes to: links followed, its folder checked.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::edit::file::error::{FileError, FileErrorKind};
use crate::edit::file::{platform, read};

/// Where bytes will go.
pub(crate) enum Target {
    /// `/dev/null`: nowhere.
    Null,
    /// A new name; the folder exists.
    New(PathBuf),
    /// A regular file, by the name behind all links.
    Existing {
        path: PathBuf,
        metadata: Metadata,
        /// Whether a rename over the name replaces the whole file: it has no other name.
        sole: bool,
    },
}

/// Resolves `path` for writing.
///
/// # Errors
/// It is no regular file, or its folder does not exist.
pub(crate) fn target(path: &Path) -> Result<Target, FileError> {
    if path.as_os_str().is_empty() {
        return Err(FileError::new(path, FileErrorKind::EmptyPath));
    }
    match std::fs::metadata(path) {
        Ok(metadata) => {
            if read::regular(path, &metadata)?.is_none() {
                return Ok(Target::Null);
            }
            let real = follow(path)?;
            // Links of `/proc` lead to files their text does not name.
            let named = std::fs::symlink_metadata(&real)
                .is_ok_and(|found| platform::identity(&found) == platform::identity(&metadata));
            let sole = named && platform::names(&metadata) == 1;
            Ok(Target::Existing { path: if named { real } else { path.to_owned() }, metadata, sole })
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let real = follow(path)?;
            let folder = folder(&real);
            let ends_in_name = !path.as_os_str().as_encoded_bytes().ends_with(b"/") && real.file_name().is_some();
            if !ends_in_name {
                return Err(FileError::new(path, FileErrorKind::MissingFolder(path.to_owned())));
            }
            match std::fs::metadata(folder) {
                Ok(metadata) if metadata.is_dir() => Ok(Target::New(real)),
                Ok(_) => Err(FileError::new(path, FileErrorKind::NotAFolder)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    Err(FileError::new(path, FileErrorKind::MissingFolder(folder.to_owned())))
                }
                Err(error) => Err(FileError::io(path, &error)),
            }
        }
        Err(error) => Err(FileError::io(path, &error)),
    }
}

/// The folder a name lies in.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    }
}

/// The name behind a chain of links; its folders are left to the system.
fn follow(path: &Path) -> Result<PathBuf, FileError> {
    // The limit of Linux.
    const LINKS: usize = 40;
    let mut real = path.to_owned();
    for _ in 0..LINKS {
        if !real.is_symlink() {
            return Ok(real);
        }
        let next = std::fs::read_link(&real).map_err(|error| FileError::io(path, &error))?;
        real = folder(&real).join(next);
    }
    Err(FileError::new(path, FileErrorKind::LinkLoop))
}
