//! Where a compilation gets files from: the compiler itself opens none.

/// Macros and files around the one that is compiled.
pub trait Sources {
    /// The macro that `from` calls by `name`: a registered name, or a path relative to the folder of `from`.
    ///
    /// # Errors
    /// Why there is none.
    fn find_macro(&self, name: &str, from: &str) -> Result<Found, NotFound>;

    /// The bytes of a file named in the macro file `from`, relative to its folder.
    ///
    /// # Errors
    /// Why it cannot be read, in words: "no such file", "a folder".
    fn read(&self, path: &str, from: &str) -> Result<Vec<u8>, String>;
}

/// A macro file.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its path; two calls that mean the same file get the same path.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Why a called macro was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFound {
    /// No macro of that name; these are known.
    Unknown(Vec<String>),
    /// Several files define it.
    Ambiguous(Vec<String>),
    /// There is one, but it cannot be read.
    Unreadable(String),
}

/// No files at all: a macro must stand alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSources;

impl Sources for NoSources {
    fn find_macro(&self, _name: &str, _from: &str) -> Result<Found, NotFound> {
        Err(NotFound::Unknown(Vec::new()))
    }

    fn read(&self, _path: &str, _from: &str) -> Result<Vec<u8>, String> {
        Err("there are no files here".to_owned())
    }
}
