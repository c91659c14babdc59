//! Finding macro files in a folder.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files::{Kind, is_manifest, read};

/// The deepest folder looked into.
const MAX_DEPTH: usize = 32;
/// The most entries looked at, those that are no macros included.
const MAX_ENTRIES: usize = 500_000;

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// The folder alone.
    Flat,
    /// Its subfolders too.
    Deep,
}

/// A macro file, or a place where one could not be looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The file, as the folder was given.
    pub path: PathBuf,
    /// What it holds; `None` for a folder that could not be listed.
    pub kind: Option<Kind>,
    /// Why it cannot be read, in words that follow a path.
    pub problem: Option<String>,
}

/// The macro files of a folder, sorted by path. Hidden files and folders and manifests are left out; a folder is never entered twice, so
/// that links cannot lead in circles.
pub fn walk(folder: &Path, far: Walk) -> Vec<Found> {
    let mut walker = Walker { far, seen: HashSet::new(), entries: 0, found: Vec::new() };
    walker.folder(folder, 0);
    // Nearly sorted already.
    walker.found.sort_by(|a, b| a.path.cmp(&b.path));
    walker.found
}

struct Walker {
    far: Walk,
    /// The folders entered, without links.
    seen: HashSet<PathBuf>,
    entries: usize,
    found: Vec<Found>,
}

impl Walker {
    fn folder(&mut self, folder: &Path, depth: usize) {
        let listing = folder.canonicalize().and_then(|real| fs::read_dir(folder).map(|entries| (real, entries)));
        let (real, entries) = match listing {
            Ok(listing) => listing,
            Err(error) => return self.problem(folder, None, read::reason(folder, &error)),
        };
        if !self.seen.insert(real) {
            return;
        }
        let mut listed = Vec::new();
        for entry in entries {
            self.entries += 1;
            if self.entries > MAX_ENTRIES {
                self.problem(folder, None, format!("more than {MAX_ENTRIES} files to look at"));
                break;
            }
            match entry {
                Ok(entry) => listed.push((entry.file_name(), entry)),
                Err(error) => self.problem(folder, None, read::reason(folder, &error)),
            }
        }
        // Names are compared many times quicker than paths.
        listed.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        for (name, entry) in listed {
            self.entry(folder, &name, &entry, depth);
        }
    }

    fn entry(&mut self, folder: &Path, name: &OsStr, entry: &fs::DirEntry, depth: usize) {
        if name.as_encoded_bytes().starts_with(b".") {
            return;
        }
        // Files of the working folder are shown as they are called.
        let path = if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) };
        let kind = Kind::of(&path);
        let plain = entry.file_type().ok().filter(|found| !found.is_symlink());
        if plain.map_or_else(|| path.is_dir(), |found| found.is_dir()) {
            match self.far {
                Walk::Flat => {}
                Walk::Deep if depth + 1 >= MAX_DEPTH => {
                    self.problem(&path, None, format!("more than {MAX_DEPTH} folders deep"));
                }
                Walk::Deep => self.folder(&path, depth + 1),
            }
            return;
        }
        let Some(kind) = kind.filter(|_| !is_manifest(&path)) else { return };
        let problem = match plain.map(|found| found.is_file()) {
            Some(true) => None,
            Some(false) => Some("a pipe or device, which is not read".to_owned()),
            None => match fs::metadata(&path) {
                Ok(found) if found.is_file() => None,
                Ok(_) => Some("a pipe or device, which is not read".to_owned()),
                Err(error) => Some(read::reason(&path, &error)),
            },
        };
        self.found.push(Found { path, kind: Some(kind), problem });
    }

    fn problem(&mut self, path: &Path, kind: Option<Kind>, problem: String) {
        self.found.push(Found { path: path.to_owned(), kind, problem: Some(problem) });
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::files::{Walk, walk};

    #[cfg(unix)]
    #[test]
    fn finds_macros_and_survives_odd_entries() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("sub/g.yaml")).unwrap();
        fs::create_dir(at(".hidden")).unwrap();
        for name in
            ["b.yml", "a.YAML", "sub/g.yaml/c.mcb", "manifest.yaml", "sub/manifest.yml", "x.txt", ".hidden/h.yaml"]
        {
            fs::write(at(name), "").unwrap();
        }
        std::os::unix::fs::symlink("nothing", at("f.yaml")).unwrap();
        std::os::unix::fs::symlink("..", at("sub/up")).unwrap();
        std::os::unix::fs::symlink("self.yaml", at("self.yaml")).unwrap();
        let names = |far| -> Vec<String> {
            let show = |found: &crate::files::walk::Found| {
                let path = found.path.strip_prefix(folder.path()).unwrap().display().to_string();
                if found.problem.is_some() { format!("{path}!") } else { path }
            };
            walk(folder.path(), far).iter().map(show).collect()
        };
        assert_eq!(names(Walk::Deep), ["a.YAML", "b.yml", "f.yaml!", "self.yaml!", "sub/g.yaml/c.mcb"]);
        assert_eq!(names(Walk::Flat), ["a.YAML", "b.yml", "f.yaml!", "self.yaml!"]);
    }
}
