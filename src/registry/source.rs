//! A macro file, wherever it is.

use std::path::{Path, PathBuf};

use crate::engine;
use crate::files::{self, Kind};
use crate::registry::bundled;
use crate::trouble::Trouble;

/// How much of a file is read to see what it is, in bytes.
const HEAD: u64 = 4096;

/// A macro file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where it is.
    pub location: Location,
    /// Its path as the user knows it.
    pub shown: String,
    /// What it holds.
    pub kind: Kind,
}

/// Where a macro file is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// A file.
    File(PathBuf),
    /// A file of the bundled set.
    Bundled(String),
    /// Standard input.
    Stdin,
}

impl Source {
    /// The macro in a file; what its name does not tell is taken for YAML.
    pub fn file(path: &Path) -> Source {
        let kind = Kind::of(path).unwrap_or(Kind::Yaml);
        Source { location: Location::File(path.to_owned()), shown: path.display().to_string(), kind }
    }

    /// The YAML on standard input.
    pub fn stdin() -> Source {
        Source { location: Location::Stdin, shown: "<stdin>".to_owned(), kind: Kind::Yaml }
    }

    /// A file of the bundled set.
    pub fn bundled(path: &str) -> Source {
        let shown = format!("{}{path}", bundled::PREFIX);
        Source { location: Location::Bundled(path.to_owned()), shown, kind: Kind::Yaml }
    }

    /// Its bytes; of an artifact only when it is whole by its header.
    ///
    /// # Errors
    /// Why it cannot be read, in words that follow its path.
    pub fn read(&self) -> Result<Vec<u8>, String> {
        if self.kind == Kind::Artifact {
            self.check_head()?;
        }
        self.contents()
    }

    /// Its bytes, whatever its header says.
    fn contents(&self) -> Result<Vec<u8>, String> {
        match &self.location {
            Location::File(path) => files::read(path, self.kind.limit()),
            Location::Bundled(path) => bundled::get(path).map(<[u8]>::to_vec).ok_or_else(|| "no such file".to_owned()),
            Location::Stdin => files::read_stdin(self.kind.limit()),
        }
    }

    /// Its bytes, for a command that is about this macro.
    ///
    /// # Errors
    /// It cannot be read; or it is an artifact that is damaged by its header, which is told apart.
    pub fn open(&self) -> Result<Vec<u8>, Trouble> {
        self.check_head().map_err(|reason| Trouble::bad_artifact(format!("`{}`: {reason}", self.shown)))?;
        self.contents().map_err(|reason| Trouble::usage(format!("`{}`: {reason}", self.shown)))
    }

    /// Looks at the beginning of a file that is an artifact by its name or its first bytes, so that one that is damaged is refused
    /// without being read.
    ///
    /// # Errors
    /// Why it is no artifact, in words. A file that cannot be read is left to [`Source::read`].
    pub fn check_head(&self) -> Result<(), String> {
        let Location::File(path) = &self.location else { return Ok(()) };
        match files::head(path, HEAD) {
            Ok((head, length)) if self.kind == Kind::Artifact || engine::is_artifact(&head) => {
                engine::check_head(&head, length)
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// The path the compiler knows it by: the same for every way of naming it.
    pub fn identity(&self) -> String {
        match &self.location {
            Location::File(path) => files::identity(path).to_string_lossy().into_owned(),
            Location::Bundled(path) => format!("{}{path}", bundled::PREFIX),
            Location::Stdin => files::identity(Path::new(&self.shown)).to_string_lossy().into_owned(),
        }
    }

    /// The file's name without its end.
    pub fn stem(&self) -> String {
        let path = match &self.location {
            Location::File(path) => path.as_path(),
            Location::Bundled(path) => Path::new(path),
            Location::Stdin => Path::new(&self.shown),
        };
        path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}
