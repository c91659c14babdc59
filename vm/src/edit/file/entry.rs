//! Files and folders created and removed.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::edit::file::error::{FileError, FileErrorKind};
use crate::edit::file::target::{Target, folder, target};
use crate::edit::file::{atomic, platform, read};

/// Writes `text` to `path`, or adds it at the end with `append`; returns whether anything was written.
///
/// A new file's folder must exist. An append goes straight to the file, and is taken back when it does not succeed.
///
/// # Errors
/// As [`crate::edit::file::write`].
pub fn write_file(path: &Path, text: &[u8], append: bool) -> Result<bool, FileError> {
    if !append {
        return atomic::write(path, text);
    }
    match target(path)? {
        Target::Null => Ok(false),
        Target::New(_) => atomic::write(path, text),
        Target::Existing { .. } if text.is_empty() => Ok(false),
        Target::Existing { path: real, .. } => {
            let failed = |error: std::io::Error| FileError::io(path, &error);
            let mut file = platform::open_options().append(true).open(&real).map_err(failed)?;
            let metadata = file.metadata().map_err(failed)?;
            read::regular(path, &metadata)?;
            file.write_all(text).map_err(|error| {
                let _ = file.set_len(metadata.len());
                failed(error)
            })?;
            Ok(true)
        }
    }
}

/// Creates the folder `path`, with `parents` also those it lies in; returns whether it was created. A failure leaves none behind.
///
/// # Errors
/// Something else is there; the folder is there and not `exist_ok`; its own folder does not exist and not `parents`.
pub fn make_dir(path: &Path, parents: bool, exist_ok: bool) -> Result<bool, FileError> {
    if path.as_os_str().is_empty() {
        return Err(FileError::new(path, FileErrorKind::EmptyPath));
    }
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() && exist_ok => return Ok(false),
        Ok(_) => return Err(FileError::new(path, FileErrorKind::Exists)),
        // Before anything is created, or a list made of that many folders.
        Err(error) if error.kind() == ErrorKind::InvalidFilename => return Err(FileError::io(path, &error)),
        Err(_) => {}
    }
    if parents {
        let mut missing: Vec<PathBuf> = Vec::new();
        let mut outer = folder(path).to_owned();
        while !outer.exists() && !outer.is_symlink() {
            missing.push(outer.clone());
            outer = folder(&outer).to_owned();
        }
        missing.reverse();
        missing.push(path.to_owned());
        return create_all(path, &missing);
    }
    create(path, path)
}

/// Removes the file at `path`, of a symbolic link the link itself; returns whether anything was removed.
///
/// # Errors
/// A directory; nothing is there and not `missing_ok`; access is denied.
pub fn delete_file(path: &Path, missing_ok: bool) -> Result<bool, FileError> {
    if path.as_os_str().is_empty() {
        return Err(FileError::new(path, FileErrorKind::EmptyPath));
    }
    let removed = std::fs::symlink_metadata(path).and_then(|metadata| {
        if metadata.is_dir() { Err(ErrorKind::IsADirectory.into()) } else { std::fs::remove_file(path) }
    });
    match removed {
        Ok(()) => Ok(true),
        Err(error) if missing_ok && error.kind() == ErrorKind::NotFound => Ok(false),
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
