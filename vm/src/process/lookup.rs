//! Which file a program's name means.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};

use thiserror::Error;

/// The folders searched when there is no PATH at all, as `execvp` of common systems does.
const FALLBACK_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Why a name means no program.
#[derive(Debug, Error)]
pub enum LookupError {
    /// The name is empty.
    #[error("the name of the program is empty")]
    Empty,
    /// The first word of the command sets a variable, as a shell would understand it.
    #[error("`{word}` is not a program: it sets a variable; give variables under `env`, or run `[sh, -c, \"…\"]`")]
    Assignment {
        /// The word.
        word: String,
    },
    /// No such file, or none in the folders of PATH.
    #[error("program `{name}` not found, {}", searched_text(.searched))]
    NotFound {
        /// The name as given.
        name: String,
        /// For a name with a slash the one file meant; otherwise the folders searched.
        searched: Vec<PathBuf>,
    },
    /// There is a file, but it cannot be executed.
    #[error("`{}` is not executable; `chmod +x` makes it so if it is a program", .path.display())]
    NotExecutable {
        /// The file.
        path: PathBuf,
    },
    /// The name is that of a folder.
    #[error("`{}` is a folder, not a program", .path.display())]
    IsDirectory {
        /// The folder.
        path: PathBuf,
    },
    /// The file cannot be looked at.
    #[error("cannot look at `{}`: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// What a path is, as far as running it is concerned.
#[derive(Debug)]
pub(crate) enum Kind {
    Program,
    Missing,
    Folder,
    NotExecutable,
    Unreadable(io::Error),
}

/// The absolute path of a program.
///
/// A name with a slash means that file, relative to `cwd` (ours when `None`). Any other name is searched in the folders of
/// `path`: the first executable regular file wins, and folders and files of that name that cannot be executed are passed
/// over. Relative folders of `path` are relative to `cwd`, as they are for the program itself. Two habits of shells are
/// left out: an empty element of `path` does not mean the current folder but nothing, and `~` in it is not expanded.
///
/// # Errors
/// See [`LookupError`].
pub fn resolve(name: &str, cwd: Option<&Path>, path: Option<&OsStr>) -> Result<PathBuf, LookupError> {
    if name.is_empty() {
        return Err(LookupError::Empty);
    }
    let found = if name.contains('/') { at(name, within(cwd, Path::new(name))) } else { search(name, cwd, path) };
    found.map_err(|error| match error {
        LookupError::NotFound { name, .. } if is_assignment(&name) => LookupError::Assignment { word: name },
        LookupError::Empty
        | LookupError::Assignment { .. }
        | LookupError::NotFound { .. }
        | LookupError::NotExecutable { .. }
        | LookupError::IsDirectory { .. }
        | LookupError::Unreadable { .. } => error,
    })
}

/// The folders of a PATH in order, absolute.
pub(crate) fn folders(cwd: Option<&Path>, path: Option<&OsStr>) -> Vec<PathBuf> {
    env::split_paths(path.unwrap_or(OsStr::new(FALLBACK_PATH)))
        .filter(|folder| !folder.as_os_str().is_empty())
        .map(|folder| within(cwd, &folder))
        .collect()
}

/// What is at a path; links are followed.
pub(crate) fn kind(path: &Path) -> Kind {
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => Kind::Folder,
        Ok(meta) if meta.is_file() && may_execute(path) => Kind::Program,
        Ok(_) => Kind::NotExecutable,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Kind::Missing,
        Err(error) => Kind::Unreadable(error),
    }
}

/// An absolute path, seen from a folder.
pub(crate) fn within(cwd: Option<&Path>, path: &Path) -> PathBuf {
    let joined = cwd.map_or_else(|| path.to_path_buf(), |cwd| cwd.join(path));
    // It fails only for an empty path or when our own folder is gone; then the path as given is the best there is.
    path::absolute(&joined).unwrap_or(joined)
}

fn at(name: &str, file: PathBuf) -> Result<PathBuf, LookupError> {
    match kind(&file) {
        Kind::Program => Ok(file),
        Kind::Missing => Err(LookupError::NotFound { name: name.to_owned(), searched: vec![file] }),
        Kind::Folder => Err(LookupError::IsDirectory { path: file }),
        Kind::NotExecutable => Err(LookupError::NotExecutable { path: file }),
        Kind::Unreadable(source) => Err(LookupError::Unreadable { path: file, source }),
    }
}

fn search(name: &str, cwd: Option<&Path>, path: Option<&OsStr>) -> Result<PathBuf, LookupError> {
    let searched = folders(cwd, path);
    let mut refused = None;
    for folder in &searched {
        let file = folder.join(name);
        match kind(&file) {
            Kind::Program => return Ok(file),
            Kind::Missing | Kind::Folder => {}
            Kind::NotExecutable => refused = refused.or(Some(LookupError::NotExecutable { path: file })),
            Kind::Unreadable(source) => refused = refused.or(Some(LookupError::Unreadable { path: file, source })),
        }
    }
    Err(refused.unwrap_or(LookupError::NotFound { name: name.to_owned(), searched }))
}

#[cfg(unix)]
fn may_execute(path: &Path) -> bool {
    use rustix::fs::{Access, AtFlags, CWD, accessat};
    // Programs run with the effective identity, so that is the one to ask for. Where a system cannot, the real one.
    match accessat(CWD, path, Access::EXEC_OK, AtFlags::EACCESS) {
        Err(rustix::io::Errno::NOSYS | rustix::io::Errno::INVAL | rustix::io::Errno::NOTSUP) => {
            rustix::fs::access(path, Access::EXEC_OK).is_ok()
        }
        Ok(()) => true,
        Err(_) => false,
    }
}

#[cfg(not(unix))]
fn may_execute(_: &Path) -> bool {
    true
}

fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let starts = name.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic());
    starts && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
}

fn searched_text(searched: &[PathBuf]) -> String {
    match searched {
        [] => "no folder to search: PATH is empty".to_owned(),
        folders => {
            let shown: Vec<String> = folders.iter().map(|folder| format!("`{}`", folder.display())).collect();
            format!("looked in {}", shown.join(", "))
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use crate::process::lookup::{LookupError, resolve};
    use crate::process::testing::Folder;

    #[test]
    fn path_is_searched_in_order_past_what_is_no_program() {
        let dir = Folder::new();
        dir.folder("a/tool");
        dir.file("b/tool", "text");
        let program = dir.script("c/tool", "exit 0");
        dir.script("d/tool", "exit 1");
        let path = format!("::{0}/a:{0}/b:~/bin:{0}/none:{0}/c:{0}/d:", dir.path().display());
        assert_eq!(resolve("tool", None, Some(path.as_ref())).unwrap(), program);
        let path = format!("{0}/a:{0}/b", dir.path().display());
        assert!(matches!(resolve("tool", None, Some(path.as_ref())), Err(LookupError::NotExecutable { .. })));
        let path = dir.path().join("a");
        let error = resolve("tool", None, Some(path.as_ref())).unwrap_err();
        assert_eq!(error.to_string(), format!("program `tool` not found, looked in `{}`", path.display()));
    }

    #[test]
    fn an_empty_element_is_not_the_current_folder() {
        let dir = Folder::new();
        dir.script("tool", "exit 0");
        for path in ["", ":", "::/nowhere"] {
            let found = resolve("tool", Some(dir.path()), Some(path.as_ref()));
            assert!(matches!(found, Err(LookupError::NotFound { .. })), "{path}");
        }
        assert_eq!(resolve("tool", Some(dir.path()), Some(".".as_ref())).unwrap(), dir.path().join("tool"));
    }

    #[test]
    fn a_name_with_a_slash_is_relative_to_the_folder() {
        let dir = Folder::new();
        let program = dir.script("bin/tool", "exit 0");
        dir.file("bin/text", "text");
        let cwd = dir.path().join("bin");
        assert_eq!(resolve("./tool", Some(&cwd), None).unwrap(), program);
        assert_eq!(resolve("bin/tool", Some(dir.path()), Some("/nowhere".as_ref())).unwrap(), program);
        assert!(matches!(resolve("./text", Some(&cwd), None), Err(LookupError::NotExecutable { .. })));
        assert!(matches!(resolve("../bin", Some(&cwd), None), Err(LookupError::IsDirectory { .. })));
        assert!(matches!(resolve("./none", Some(&cwd), None), Err(LookupError::NotFound { .. })));
        assert!(matches!(resolve("./tool/x", Some(&cwd), None), Err(LookupError::NotFound { .. })));
    }

    #[test]
    fn an_assignment_is_named_as_such() {
        let error = resolve("FOO=1", None, Some("/usr/bin".as_ref())).unwrap_err();
        assert!(error.to_string().starts_with("`FOO=1` is not a program: it sets a variable"), "{error}");
        assert!(matches!(resolve("1=2", None, Some("/usr/bin".as_ref())), Err(LookupError::NotFound { .. })));
        let dir = Folder::new();
        let odd = dir.script("A=1", "exit 0");
        assert_eq!(resolve("A=1", None, Some(dir.path().as_ref())).unwrap(), odd);
        assert!(matches!(resolve("", None, None), Err(LookupError::Empty)));
    }

    #[test]
    fn without_a_path_the_usual_folders_are_searched() {
        assert!(resolve("sh", None, None).unwrap().is_absolute());
    }
}
