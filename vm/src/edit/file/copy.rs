//! Copies of whole files.

use std::path::{Path, PathBuf};

use crate::edit::Cancelled;
use crate::edit::file::error::{FileError, FileErrorKind};
use crate::edit::file::target::{Target, target};
use crate::edit::file::transfer::transfer;
use crate::edit::file::{atomic, platform, read};

/// A finished copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Where the copy is: the destination, or the file inside it when it is a directory.
    pub dst: PathBuf,
    /// Its size in bytes.
    pub size: u64,
}

/// Copies the file `src` to `dst`, with its mode and its holes; what was at `dst` is replaced at the end, in one step.
///
/// A directory `dst` gets a file of the source's name. A link `dst` stays, its target is replaced. A file with several
/// names is replaced under this name only. Copying `/dev/null` makes an empty file.
///
/// # Errors
/// `src` is no regular file or may not be read; `dst` is the same file, by any name; its folder does not exist; no
/// space is left; `cancelled`.
pub fn copy(src: &Path, dst: &Path, cancelled: Cancelled<'_>) -> Result<Copied, FileError> {
    let source = read::open(src)?;
    let dst = match (std::fs::metadata(dst), src.file_name()) {
        (Ok(metadata), Some(name)) if metadata.is_dir() => dst.join(name),
        _ => dst.to_owned(),
    };
    let real = match target(&dst)? {
        Target::Null => {
            let size = source.map_or(0, |(_, metadata)| metadata.len());
            return Ok(Copied { dst, size });
        }
        Target::New(real) => real,
        Target::Existing { path, metadata, .. } => {
            if let Some((_, source)) = &source
                && is_same(src, source, &path, &metadata)
            {
                return Err(FileError::new(src, FileErrorKind::SameFile(dst)));
            }
            path
        }
    };
    let failed = |error: std::io::Error| FileError::io(&dst, &error);
    let mode = if source.is_some() { None } else { platform::new_file() };
    let temporary = atomic::beside(&real, mode).map_err(failed)?;
    let mut size = 0;
    if let Some((file, metadata)) = &source {
        let copied = transfer(file, temporary.as_file(), metadata.len(), cancelled).map_err(failed)?;
        size = copied.ok_or_else(|| FileError::new(src, FileErrorKind::Cancelled))?;
        temporary.as_file().set_permissions(platform::copied(metadata)).map_err(failed)?;
    }
    temporary.persist(&real).map_err(|error| FileError::io(&dst, &error.error))?;
    Ok(Copied { dst, size })
}

fn is_same(src: &Path, source: &std::fs::Metadata, dst: &Path, target: &std::fs::Metadata) -> bool {
    match (platform::identity(source), platform::identity(target)) {
        (Some(source), Some(target)) => source == target,
        _ => matches!((src.canonicalize(), dst.canonicalize()), (Ok(src), Ok(dst)) if src == dst),
    }
}
