//! Files and folders created and removed.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::edit::file::error::{FileError, FileErrorKind};
use crate::edit::file::target::folder;

/// Creates the folder `path` and those it lies in; returns whether it was not there yet. A failure leaves none behind.
///
/// # Errors
/// Something else is there, or in the way.
pub fn make_dir(path: &Path) -> Result<bool, FileError> {
    if path.as_os_str().is_empty() {
        return Err(FileError::new(path, FileErrorKind::EmptyPath));
    }
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Ok(false),
        Ok(_) => return Err(FileError::new(path, FileErrorKind::Exists)),
        // Before anything is created, or a list made of that many folders.
        Err(error) if error.kind() == ErrorKind::InvalidFilename => return Err(FileError::io(path, &error)),
        Err(_) => {}
    }
    let mut missing: Vec<PathBuf> = Vec::new();
    let mut outer = folder(path).to_owned();
    while !outer.exists() && !outer.is_symlink() {
        missing.push(outer.clone());
        outer = folder(&outer).to_owned();
    }
    missing.reverse();
    missing.push(path.to_owned());
    create_all(path, &missing)
}

/// Removes the file at `path`, of a symbolic link the link itself; returns whether anything was removed.
///
/// # Errors
/// A directory; access is denied.
pub fn delete_file(path: &Path) -> Result<bool, FileError> {
    if path.as_os_str().is_empty() {
        return Err(FileError::new(path, FileErrorKind::EmptyPath));
    }
    let removed = std::fs::symlink_metadata(path).and_then(|metadata| {
        if metadata.is_dir() { Err(ErrorKind::IsADirectory.into()) } else { std::fs::remove_file(path) }
    });
    match removed {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(FileError::io(path, &error)),
    }
}

/// Creates each of `folders` in the one before it; on failure those created are removed again.
fn create_all(path: &Path, folders: &[PathBuf]) -> Result<bool, FileError> {
    let mut created: Vec<&Path> = Vec::new();
    let mut last = false;
    for folder in folders {
        match create(path, folder) {
            Ok(new) => last = new,
            Err(error) => {
                // Only empty ones go: what another process has put there stays.
                created.iter().rev().for_each(|folder| drop(std::fs::remove_dir(folder)));
                return Err(error);
            }
        }
        if last {
            created.push(folder);
        }
    }
    Ok(last)
}

fn create(path: &Path, one: &Path) -> Result<bool, FileError> {
    match std::fs::create_dir(one) {
        Ok(()) => Ok(true),
        // Another process was faster, or the path goes through `..`.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && one != path && one.is_dir() => Ok(false),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(FileError::new(path, FileErrorKind::MissingFolder(folder(one).to_owned())))
        }
        Err(error) => Err(FileError::io(path, &error)),
    }
}
