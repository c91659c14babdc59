//! Folders and files that nobody else may read.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::files::words;

/// A folder for its owner alone, made with those above it when it is not there, by its path without links.
///
/// # Errors
/// Why not, in words that begin with the path.
pub fn private(folder: &Path) -> Result<PathBuf, String> {
    let made = if folder.is_dir() { Ok(()) } else { make(folder) };
    let real = made.and_then(|()| folder.canonicalize());
    real.map_err(|error| format!("`{}`: {}", folder.display(), words(&error)))
}

/// A file for its owner alone: made when it is not there, and refused when it is no file, a link too.
///
/// # Errors
/// Why not, in words that begin with the path.
pub fn own_file(path: &Path) -> Result<(), String> {
    let fail = |reason: &str| Err(format!("`{}` {reason}", path.display()));
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(found) if found.is_symlink() => fail("is a link, which is not followed"),
        Ok(_) => fail("is no file"),
        Err(error) if error.kind() == ErrorKind::NotFound => match new_file(path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => fail(&words(&error)),
            Ok(_) | Err(_) => Ok(()),
        },
        Err(error) => fail(&words(&error)),
    }
}

/// A file for its owner alone that is not there yet.
///
/// # Errors
/// The system's; one that is there, and a link, are refused.
pub fn new_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn make(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
