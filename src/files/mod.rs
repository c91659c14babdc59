//! Reading, finding and writing files, each within bounds.

mod read;
mod walk;
mod write;

use std::cell::RefCell;
use std::path::{Component, Path, PathBuf};

use spec::artifact::FILE_LIMIT;

pub use read::{head, read, read_stdin, read_stdin_line, words};
pub use walk::{Walk, walk};
pub use write::{replaceable, write, write_new};

/// The most bytes of a macro's text; the compiler refuses less with a diagnostic of its own.
pub const TEXT_LIMIT: u64 = 16 << 20;
/// The most bytes of a recording or image.
pub const ASSET_LIMIT: u64 = 64 << 20;

/// What a file holds, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A macro's text.
    Yaml,
    /// A compiled macro.
    Artifact,
}

impl Kind {
    /// The kind of a file that is called so; `None` for all others.
    pub fn of(path: &Path) -> Option<Kind> {
        let end = path.extension()?.to_str()?.to_ascii_lowercase();
        match end.as_str() {
            "yaml" | "yml" => Some(Kind::Yaml),
            "mcb" => Some(Kind::Artifact),
            _ => None,
        }
    }

    /// The most bytes of such a file.
    pub const fn limit(self) -> u64 {
        match self {
            Kind::Yaml => TEXT_LIMIT,
            Kind::Artifact => FILE_LIMIT,
        }
    }
}

/// Whether a file is a folder's list of macros, not a macro.
pub fn is_manifest(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem == "manifest") && Kind::of(path) == Some(Kind::Yaml)
}

/// A path that is the same for every way of naming the file: absolute, its folder without links, `.` and `..`. The file itself may be a
/// link: it belongs to the folder it is found in. Where the folder cannot be asked, the path is only made absolute.
pub fn identity(path: &Path) -> PathBuf {
    let parts = path.parent().zip(path.file_name());
    let real = parts.and_then(|(folder, name)| Some(real_folder(folder)?.join(name)));
    real.unwrap_or_else(|| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}

thread_local! {
    /// The folder asked last, and what it really is: files come folder by folder, and each question is a call of the system for every
    /// part of the path.
    static LAST_FOLDER: RefCell<Option<(PathBuf, PathBuf)>> = const { RefCell::new(None) };
}

/// A folder without links, `.` and `..`; nothing when it cannot be asked.
fn real_folder(folder: &Path) -> Option<PathBuf> {
    LAST_FOLDER.with_borrow_mut(|last| {
        if let Some((asked, real)) = last
            && asked == folder
        {
            return Some(real.clone());
        }
        let here = folder.as_os_str().is_empty();
        let real = if here { Path::new(".") } else { folder }.canonicalize().ok()?;
        *last = Some((folder.to_owned(), real.clone()));
        Some(real)
    })
}

/// `path` below `folder`, without `.` parts in between.
pub fn join(folder: &Path, path: &str) -> PathBuf {
    let parts = Path::new(path).components().filter(|part| *part != Component::CurDir);
    folder.join(parts.collect::<PathBuf>())
}
