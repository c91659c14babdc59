//! What can go wrong with a file, by kind.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A failure and the path it is about. The file system is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The path as it was given.
    pub path: PathBuf,
    /// What is wrong.
    pub kind: FileErrorKind,
}

/// What is wrong with a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileErrorKind {
    /// The path is empty.
    EmptyPath,
    /// Nothing is there.
    NotFound,
    /// A symbolic link whose target does not exist.
    Dangling,
    /// Symbolic links that lead back to themselves.
    LinkLoop,
    /// The folder to create something in does not exist.
    MissingFolder(PathBuf),
    /// The path, or a name in it, is longer than the system takes.
    TooLong,
    /// A part of the path is a file where a folder has to be.
    NotAFolder,
    /// The system refuses access to the path or to a folder on the way.
    PermissionDenied,
    /// The file system is mounted read-only.
    ReadOnly,
    /// No space, or no quota, is left.
    NoSpace,
    /// A directory where a file has to be.
    Directory,
    /// A device, pipe or socket; the name says which.
    Special(&'static str),
    /// Larger than the limit, both in bytes.
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// Both names of a copy mean one file; this is the other one.
    SameFile(PathBuf),
    /// Something is there already.
    Exists,
    /// `~` without a home folder.
    NoHome,
    /// The operation was cancelled.
    Cancelled,
    /// Anything else, in the system's words.
    Other(String),
}

impl FileError {
    /// A failure of `kind` at `path`.
    pub fn new(path: &Path, kind: FileErrorKind) -> Self {
        Self { path: path.to_owned(), kind }
    }

    /// The system's error at `path`.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        Self::new(path, FileErrorKind::of(error))
    }
}

impl FileErrorKind {
    /// The kind of a system error.
    pub(crate) fn of(error: &io::Error) -> Self {
        const KINDS: &[(io::ErrorKind, FileErrorKind)] = &[
            (io::ErrorKind::NotFound, FileErrorKind::NotFound),
            (io::ErrorKind::PermissionDenied, FileErrorKind::PermissionDenied),
            (io::ErrorKind::InvalidFilename, FileErrorKind::TooLong),
            (io::ErrorKind::NotADirectory, FileErrorKind::NotAFolder),
            (io::ErrorKind::IsADirectory, FileErrorKind::Directory),
            (io::ErrorKind::AlreadyExists, FileErrorKind::Exists),
            (io::ErrorKind::ReadOnlyFilesystem, FileErrorKind::ReadOnly),
            (io::ErrorKind::StorageFull, FileErrorKind::NoSpace),
            (io::ErrorKind::QuotaExceeded, FileErrorKind::NoSpace),
        ];
        if crate::edit::file::platform::is_link_loop(error) {
            return FileErrorKind::LinkLoop;
        }
        let known = KINDS.iter().find(|(kind, _)| *kind == error.kind());
        known.map_or_else(|| FileErrorKind::Other(error.to_string()), |(_, kind)| kind.clone())
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.kind {
            FileErrorKind::EmptyPath => write!(f, "the path is empty; name a file"),
            FileErrorKind::NotFound => write!(f, "`{path}` does not exist"),
            FileErrorKind::Dangling => write!(f, "`{path}` is a symbolic link to something that does not exist"),
            FileErrorKind::LinkLoop => write!(f, "`{path}` is a symbolic link that leads back to itself"),
            FileErrorKind::MissingFolder(folder) => {
                let folder = folder.display();
                write!(f, "`{path}` cannot be created: the folder `{folder}` does not exist; create it with `make_dir`")
            }
            FileErrorKind::TooLong => write!(f, "`{path}`: the path, or a name in it, is too long"),
            FileErrorKind::NotAFolder => write!(f, "`{path}`: a part of the path is a file, not a folder"),
            FileErrorKind::PermissionDenied => {
                write!(f, "`{path}`: permission denied; check the modes of the file and its folder")
            }
            FileErrorKind::ReadOnly => write!(f, "`{path}` is on a read-only file system"),
            FileErrorKind::NoSpace => write!(f, "`{path}` cannot be written: no space is left"),
            FileErrorKind::Directory => write!(f, "`{path}` is a directory; name a file"),
            FileErrorKind::Special(kind) => write!(f, "`{path}` is a {kind}; name a regular file"),
            FileErrorKind::TooLarge { limit } => write!(f, "`{path}` is larger than the limit of {limit} bytes"),
            FileErrorKind::SameFile(other) => {
                write!(f, "`{path}` and `{}` are the same file; name another destination", other.display())
            }
            FileErrorKind::Exists => write!(f, "`{path}` exists already"),
            FileErrorKind::NoHome => write!(f, "`{path}` needs a home folder: set `HOME` to an absolute path"),
            FileErrorKind::Cancelled => write!(f, "`{path}`: cancelled before the end"),
            FileErrorKind::Other(message) => write!(f, "`{path}`: {message}"),
        }
    }
}

impl std::error::Error for FileError {}
