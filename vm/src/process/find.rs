//! The first of several candidates that is a program.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::process::lookup::{self, Kind, LookupError};

/// No candidate is a program.
#[derive(Debug)]
pub struct FindError {
    /// What was looked for.
    pub name: String,
    /// Every candidate in order, and why it is none.
    pub tried: Vec<Tried>,
}

/// A candidate that is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The candidate as given.
    pub candidate: String,
    /// Why it is none, for example "`/tmp/tool` is a folder, not a program".
    pub reason: String,
}

/// The absolute path of the first candidate that is an executable regular file. Without candidates the name is the only one.
///
/// A candidate with a slash means that file, relative to the current folder, and is not looked up in `path`; a leading `~/`
/// is the user's home. Any other candidate is searched in the folders of `path` (the caller's PATH), of which empty ones
/// and `~` are taken as [`lookup::resolve`] does. Folders, files that cannot be executed and empty names are passed over.
///
/// # Errors
/// No candidate is a program; the error lists each with the reason.
pub fn find_executable(name: &str, candidates: &[String], path: Option<&OsStr>) -> Result<PathBuf, FindError> {
    let only = [name.to_owned()];
    let candidates = if candidates.is_empty() { &only } else { candidates };
    let home = env::var_os("HOME");
    let mut tried = Vec::new();
    for candidate in candidates {
        match try_one(candidate, path, home.as_deref()) {
            Ok(found) => return Ok(found),
            Err(reason) => tried.push(Tried { candidate: candidate.clone(), reason }),
        }
    }
    Err(FindError { name: name.to_owned(), tried })
}

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no executable found for `{}`", self.name)?;
        for (index, tried) in self.tried.iter().enumerate() {
            let lead = if index == 0 { ", tried" } else { ";" };
            write!(f, "{lead} `{}`: {}", tried.candidate, tried.reason)?;
        }
        Ok(())
    }
}

impl std::error::Error for FindError {}

fn try_one(candidate: &str, path: Option<&OsStr>, home: Option<&OsStr>) -> Result<PathBuf, String> {
    let expanded = match (candidate.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => Path::new(home).join(rest),
        (Some(_), None) => return Err("HOME is not set".to_owned()),
        (None, _) => PathBuf::from(candidate),
    };
    if candidate.contains('/') {
        let file = lookup::within(None, &expanded);
        return match lookup::kind(&file) {
            Kind::Program => Ok(file),
            Kind::Missing => Err(format!("no file `{}`", file.display())),
            Kind::Folder => Err(LookupError::IsDirectory { path: file }.to_string()),
            Kind::NotExecutable => Err(LookupError::NotExecutable { path: file }.to_string()),
            Kind::Unreadable(source) => Err(LookupError::Unreadable { path: file, source }.to_string()),
        };
    }
    lookup::resolve(candidate, None, path).map_err(|error| error.to_string())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use crate::process::find::{find_executable, try_one};
    use crate::process::testing::Folder;

    fn names(candidates: &[&str]) -> Vec<String> {
        candidates.iter().map(|&candidate| candidate.to_owned()).collect()
    }

    #[test]
    fn the_first_real_program_wins() {
        let dir = Folder::new();
        dir.folder("a/tool");
        dir.file("b/tool", "text");
        dir.folder("dir");
        let real = dir.script("real", "exit 0");
        let path = format!("{0}/a::~/bin:{0}/b", dir.path().display());
        let list = names(&["", "tool", "./tool", dir.path().join("dir").to_str().unwrap(), real.to_str().unwrap()]);
        assert_eq!(find_executable("tool", &list, Some(path.as_ref())).unwrap(), real);
    }

    #[test]
    fn failure_lists_what_was_tried() {
        let dir = Folder::new();
        dir.folder("tool");
        let list = names(&["", "tool", "sub/tool", "/nowhere/tool"]);
        let error = find_executable("tool", &list, Some(dir.path().as_ref())).unwrap_err();
        let tried: Vec<&str> = error.tried.iter().map(|tried| tried.candidate.as_str()).collect();
        assert_eq!(tried, ["", "tool", "sub/tool", "/nowhere/tool"]);
        assert!(error.to_string().starts_with("no executable found for `tool`, tried ``: the name"), "{error}");
        assert!(error.to_string().ends_with("`/nowhere/tool`: no file `/nowhere/tool`"), "{error}");
    }

    #[test]
    fn the_name_is_the_candidate_when_there_is_none() {
        let dir = Folder::new();
        let tool = dir.script("tool", "exit 0");
        assert_eq!(find_executable("tool", &[], Some(dir.path().as_ref())).unwrap(), tool);
        assert!(find_executable("none", &[], Some(dir.path().as_ref())).is_err());
    }

    #[test]
    fn a_slash_keeps_a_name_out_of_the_path() {
        let dir = Folder::new();
        dir.script("sub/tool", "exit 0");
        assert!(find_executable("x", &names(&["sub/tool"]), Some(dir.path().as_ref())).is_err());
    }

    #[test]
    fn the_home_folder_is_expanded_in_candidates() {
        let dir = Folder::new();
        let tool = dir.script("bin/tool", "exit 0");
        assert_eq!(try_one("~/bin/tool", None, Some(dir.path().as_ref())).unwrap(), tool);
        assert_eq!(try_one("~/bin/tool", None, None).unwrap_err(), "HOME is not set");
    }
}
