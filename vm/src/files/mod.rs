//! The file system as the file actions and the file conditions see it: the real one, or one whose changes stay in memory.

mod overlay;
mod real;
#[cfg(test)]
mod tests;
mod walk;

use std::path::Path;

#[cfg(test)]
pub use crate::files::overlay::ChangeKind;
pub use crate::files::overlay::{Change, OverlayFiles};
pub use crate::files::real::RealFiles;

use crate::edit::Cancelled;
use crate::edit::file::{Copied, FileError, Observation};

/// What can be done with files. Paths are as [`crate::edit::file::expand`] leaves them.
pub trait Files {
    /// The bytes of the file at `path`, at most `limit`; `/dev/null` is empty.
    ///
    /// # Errors
    /// Nothing is there, it is no regular file, it may not be read, or it is larger than `limit`.
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, FileError>;

    /// What is at `path`, links followed.
    fn observe(&self, path: &Path) -> Observation;

    /// Whether the file at `path` holds `needle`.
    ///
    /// # Errors
    /// Nothing is there, it is no regular file, it may not be read; `cancelled`.
    fn contains(&self, path: &Path, needle: &[u8], cancelled: Cancelled<'_>) -> Result<bool, FileError>;

    /// Makes `bytes` the content of the file at `path`; returns whether anything was written. A file that has these
    /// bytes already is not touched.
    ///
    /// # Errors
    /// The folder does not exist, the path is no regular file, access is denied, or no space is left.
    fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<bool, FileError>;

    /// Copies the file `src` to `dst`, or into it when it is a directory.
    ///
    /// # Errors
    /// `src` cannot be read, `dst` cannot be written, both are the same file; `cancelled`.
    fn copy(&mut self, src: &Path, dst: &Path, cancelled: Cancelled<'_>) -> Result<Copied, FileError>;

    /// Creates the folder `path` and those it lies in; returns whether it was not there before.
    ///
    /// # Errors
    /// Something else is there or on the way; access is denied.
    fn make_dir(&mut self, path: &Path) -> Result<bool, FileError>;

    /// Removes the file at `path`, of a link the link itself; returns whether it was there.
    ///
    /// # Errors
    /// A directory; access is denied.
    fn delete_file(&mut self, path: &Path) -> Result<bool, FileError>;
}
