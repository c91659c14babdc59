//! Replacing a file as a whole: written beside it, then renamed over it.

use std::fs::{File, Permissions};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::edit::file::error::FileError;
use crate::edit::file::target::{Target, folder, target};
use crate::edit::file::{in_place, platform};

/// Makes `bytes` the content of the file at `path`; returns whether anything was written.
///
/// A file that has these bytes already is not touched. A new file gets the mode the umask leaves of 0666. See
/// [`crate::edit::file`] for links, owners and special files.
///
/// # Errors
/// The folder does not exist, the path is no regular file, access is denied, or no space is left.
pub fn write(path: &Path, bytes: &[u8]) -> Result<bool, FileError> {
    match target(path)? {
        Target::Null => Ok(false),
        Target::New(real) => {
            let mut temporary = beside(&real, platform::new_file()).map_err(|error| FileError::io(path, &error))?;
            temporary.write_all(bytes).map_err(|error| FileError::io(path, &error))?;
            temporary.persist(&real).map_err(|failed| FileError::io(path, &failed.error))?;
            Ok(true)
        }
        Target::Existing { path: real, metadata, sole } => {
            if metadata.len() == bytes.len() as u64 && holds(&real, bytes) {
                return Ok(false);
            }
            let replaced = sole && replace(path, &real, &metadata, bytes)?;
            if !replaced {
                in_place::overwrite(path, &real, bytes)?;
            }
            Ok(true)
        }
    }
}

/// A temporary file in the folder of `real`; it vanishes unless it is persisted.
pub(crate) fn beside(real: &Path, mode: Option<Permissions>) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".macrocli-").suffix(".tmp");
    if let Some(mode) = mode {
        builder.permissions(mode);
    }
    builder.tempfile_in(folder(real))
}

/// `false` when only a write in place can keep what has to be kept.
fn replace(path: &Path, real: &Path, old: &std::fs::Metadata, bytes: &[u8]) -> Result<bool, FileError> {
    let mut temporary = match beside(real, None) {
        Ok(temporary) => temporary,
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(false),
        Err(error) => return Err(FileError::io(path, &error)),
    };
    if !platform::keep_owner(temporary.as_file(), old) || !platform::keep_attributes(temporary.as_file(), real) {
        return Ok(false);
    }
    temporary.write_all(bytes).map_err(|error| FileError::io(path, &error))?;
    // After the owner: a change of owner clears bits of the mode.
    temporary.as_file().set_permissions(old.permissions()).map_err(|error| FileError::io(path, &error))?;
    flush(temporary.as_file()).map_err(|error| FileError::io(path, &error))?;
    match temporary.persist(real) {
        Ok(_) => Ok(true),
        // A mount point, or a folder whose files only their owners may replace.
        Err(failed) if platform::is_busy(&failed.error) || failed.error.kind() == ErrorKind::PermissionDenied => {
            Ok(false)
        }
        Err(failed) => Err(FileError::io(path, &failed.error)),
    }
}

/// Brings the bytes to the disk: a file system may carry out the rename first, and a power cut then leaves an empty file.
fn flush(file: &File) -> std::io::Result<()> {
    match file.sync_data() {
        // Some network file systems do not know it.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        other => other,
    }
}

/// Whether the file's bytes are `wanted`; a file that cannot be read counts as different.
fn holds(real: &Path, wanted: &[u8]) -> bool {
    let Ok(file) = File::open(real) else { return false };
    let mut file = file.take(wanted.len() as u64 + 1);
    let mut buffer = vec![0; wanted.len().clamp(1, 1 << 16)];
    let mut rest = wanted;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return rest.is_empty(),
            Ok(count) => match rest.strip_prefix(&buffer[..count]) {
                Some(left) => rest = left,
                None => return false,
            },
            Err(_) => return false,
        }
    }
}
