//! Overwriting a file without a new one in its place, for files that a rename would split or disown.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::edit::file::error::{FileError, FileErrorKind};
use crate::edit::file::{TEXT_LIMIT, platform, read};

/// Makes `bytes` the content of the file at `real`; on failure the old bytes are put back.
///
/// # Errors
/// The file may not be read and written, is larger than [`TEXT_LIMIT`], or no space is left.
pub(crate) fn overwrite(path: &Path, real: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let failed = |error: io::Error| FileError::io(path, &error);
    let mut file = platform::open_options().read(true).write(true).open(real).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    read::regular(path, &metadata)?;
    if metadata.len() > TEXT_LIMIT {
        return Err(FileError::new(path, FileErrorKind::TooLarge { limit: TEXT_LIMIT }));
    }
    let mut old = Vec::new();
    (&file).take(TEXT_LIMIT).read_to_end(&mut old).map_err(failed)?;
    fill(&mut file, bytes, old.len()).map_err(|error| {
        // The old bytes need no space that was not theirs.
        let _ = fill(&mut file, &old, usize::MAX);
        failed(error)
    })
}

fn fill(file: &mut File, bytes: &[u8], held: usize) -> io::Result<()> {
    if bytes.len() > held {
        // The part that needs new space first: a full disk shows before an old byte is gone.
        file.seek(SeekFrom::Start(held as u64))?;
        file.write_all(&bytes[held..])?;
    }
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&bytes[..held.min(bytes.len())])?;
    file.set_len(bytes.len() as u64)
}
