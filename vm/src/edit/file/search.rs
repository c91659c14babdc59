//! Whether a file holds some bytes, in memory that does not grow with the file.

use std::io::Read;
use std::path::Path;

use memchr::memmem::Finder;

use crate::edit::Cancelled;
use crate::edit::file::error::{FileError, FileErrorKind};
use crate::edit::file::read;

/// Whether the file at `path` holds `needle`; every readable file holds the empty one.
///
/// # Errors
/// Nothing is there, it is no regular file, it may not be read; `cancelled`.
pub fn contains(path: &Path, needle: &[u8], cancelled: Cancelled<'_>) -> Result<bool, FileError> {
    const CHUNK: usize = 1 << 20;
    let Some((mut file, _)) = read::open(path)? else { return Ok(needle.is_empty()) };
    let finder = Finder::new(needle);
    let overlap = needle.len().saturating_sub(1);
    let mut buffer = vec![0; overlap.saturating_add(overlap.max(CHUNK))];
    let mut kept = 0;
    loop {
        if cancelled() {
            return Err(FileError::new(path, FileErrorKind::Cancelled));
        }
        let count = match file.read(&mut buffer[kept..]) {
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(FileError::io(path, &error)),
        };
        let filled = kept + count;
        if finder.find(&buffer[..filled]).is_some() {
            return Ok(true);
        }
        if count == 0 {
            return Ok(false);
        }
        // A match may begin in the last bytes.
        let start = filled - overlap.min(filled);
        buffer.copy_within(start..filled, 0);
        kept = filled - start;
    }
}
