//! Files as wholes: read within bounds, replaced atomically, copied, created, removed and observed.
//!
//! - A file is written beside its target and renamed over it: a reader sees the old bytes or the new ones, a failure
//!   leaves the old ones and nothing else. Of several writers at once the last one wins, whole.
//! - A new version of a file is on the disk before it takes the old one's name, so that a power cut leaves one of the two.
//!   New files, copies, deletions and folders are not waited for: what they are made of is still there, or there was
//!   nothing to lose. A file written in place has no such guard.
//! - Symbolic links are followed and stay; a dangling one gets its target created.
//! - Mode, owner and (on Linux) extended attributes stay. Where a rename would lose something (a file with several names, an owner or attribute that
//!   may not be set, a folder that may not be written, a mount point) the bytes are written in place, and put back on failure.
//! - `/dev/null` reads as empty and swallows what is written. Other devices, pipes and sockets are refused at once.

mod atomic;
mod copy;
mod entry;
mod error;
mod home;
mod in_place;
mod observe;
mod platform;
mod read;
mod search;
mod target;
#[cfg(test)]
mod tests;
mod transfer;

pub use crate::edit::file::atomic::write;
pub use crate::edit::file::copy::{Copied, copy};
pub use crate::edit::file::entry::{delete_file, make_dir};
pub use crate::edit::file::error::{FileError, FileErrorKind};
pub use crate::edit::file::home::expand;
pub use crate::edit::file::observe::{Observation, observe};
pub(crate) use crate::edit::file::platform::identity;
pub use crate::edit::file::read::read;
pub use crate::edit::file::search::contains;
pub(crate) use crate::edit::file::target::{Target, folder, target};

/// The largest file read as text, in bytes: 1 GiB.
pub const TEXT_LIMIT: u64 = 1 << 30;

/// The largest JSON or XML document, in bytes: 64 MiB.
pub const DOCUMENT_LIMIT: u64 = 64 << 20;
