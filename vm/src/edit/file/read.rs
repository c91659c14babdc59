//! Reading within bounds and without waiting.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

use crate::edit::file::error::{FileError, FileErrorKind};
use crate::edit::file::platform;

/// The bytes of the file at `path`, at most `limit`; `/dev/null` is empty.
///
/// # Errors
/// Nothing is there, it is no regular file, it may not be read, or it is larger than `limit`.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let Some((file, metadata)) = open(path)? else { return Ok(Vec::new()) };
    let too_large = || FileError::new(path, FileErrorKind::TooLarge { limit });
    if metadata.len() > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).map_err(|_| too_large())?);
    // One byte more than allowed shows a file that grows, or one whose length the system does not know.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| FileError::io(path, &error))?;
    if bytes.len() as u64 > limit {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Opens a regular file for reading; `None` for `/dev/null`.
pub(crate) fn open(path: &Path) -> Result<Option<(File, Metadata)>, FileError> {
    // Looked at before it is opened, for opening a device can act on it; and after, for it may have been exchanged.
    let metadata = std::fs::metadata(path).map_err(|error| missing(path, &error))?;
    if regular(path, &metadata)?.is_none() {
        return Ok(None);
    }
    let file = platform::open_options().read(true).open(path).map_err(|error| missing(path, &error))?;
    let metadata = file.metadata().map_err(|error| FileError::io(path, &error))?;
    Ok(regular(path, &metadata)?.map(|()| (file, metadata)))
}

/// `Some` for a regular file, `None` for `/dev/null`.
pub(crate) fn regular(path: &Path, metadata: &Metadata) -> Result<Option<()>, FileError> {
    if metadata.is_file() {
        return Ok(Some(()));
    }
    if metadata.is_dir() {
        return Err(FileError::new(path, FileErrorKind::Directory));
    }
    if platform::is_null(metadata) {
        return Ok(None);
    }
    Err(FileError::new(path, FileErrorKind::Special(platform::special(metadata))))
}

/// A system error, told more exactly when nothing is there.
fn missing(path: &Path, error: &std::io::Error) -> FileError {
    if path.as_os_str().is_empty() {
        return FileError::new(path, FileErrorKind::EmptyPath);
    }
    if error.kind() == std::io::ErrorKind::NotFound && path.is_symlink() {
        return FileError::new(path, FileErrorKind::Dangling);
    }
    FileError::io(path, error)
}
