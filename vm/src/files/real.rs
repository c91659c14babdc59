//! The real file system.

use std::path::Path;

use crate::edit::Cancelled;
use crate::edit::file::{self, Copied, FileError, Observation};
use crate::files::Files;

/// The real file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealFiles;

impl Files for RealFiles {
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
        file::read(path, limit)
    }

    fn observe(&self, path: &Path) -> Observation {
        file::observe(path)
    }

    fn contains(&self, path: &Path, needle: &[u8], cancelled: Cancelled<'_>) -> Result<bool, FileError> {
        file::contains(path, needle, cancelled)
    }

    fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<bool, FileError> {
        file::write(path, bytes)
    }

    fn copy(&mut self, src: &Path, dst: &Path, cancelled: Cancelled<'_>) -> Result<Copied, FileError> {
        file::copy(src, dst, cancelled)
    }

    fn make_dir(&mut self, path: &Path) -> Result<bool, FileError> {
        file::make_dir(path)
    }

    fn delete_file(&mut self, path: &Path) -> Result<bool, FileError> {
        file::delete_file(path)
    }
}
