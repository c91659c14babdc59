//! Which files a macro from somebody else may name: what is compiled for a model or a client of `mcp` is not to read the user's files.

use std::path::{Path, PathBuf};

use crate::registry::Registry;
use crate::registry::source::{Location, Source};

/// What is said of every file outside, whether there is one or not.
pub const NOT_HERE: &str = "not found here";

/// The folders in which the text of one compilation, and what it calls, finds its files.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The text, as the compiler knows it.
    text: String,
    /// The folders for the text.
    own: Vec<PathBuf>,
    /// The folders for the macros that it calls.
    called: Vec<PathBuf>,
}

impl Bounds {
    /// The text itself finds files in `own` alone; the macros it calls by name, which are the user's, find theirs in the registry's folders too.
    pub fn new(registry: &Registry, text: &Source, own: &[&Path]) -> Self {
        let real = |folder: &Path| folder.canonicalize().ok();
        let own: Vec<PathBuf> = own.iter().filter_map(|folder| real(folder)).collect();
        let called = registry.folders().filter_map(real).chain(own.iter().cloned()).collect();
        Self { text: text.identity(), own, called }
    }

    /// Whether a macro file may name another file.
    pub fn allow(&self, from: &str, source: &Source) -> bool {
        match &source.location {
            Location::File(path) => self.allow_path(from, path),
            Location::Bundled(_) => true,
            Location::Stdin => false,
        }
    }

    /// Whether a macro file may name what is at a path, links followed.
    pub fn allow_path(&self, from: &str, path: &Path) -> bool {
        let folders = if from == self.text { &self.own } else { &self.called };
        is_below(path, folders)
    }
}

/// Whether a file that there is lies below one of some real folders, links followed.
pub fn is_below(path: &Path, folders: &[PathBuf]) -> bool {
    path.canonicalize().is_ok_and(|real| folders.iter().any(|folder| real.starts_with(folder)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::registry::bounds::is_below;

    #[test]
    fn links_and_dots_lead_nowhere() {
        let place = tempfile::tempdir().unwrap();
        let real = place.path().canonicalize().unwrap();
        let inside = real.join("inside");
        fs::create_dir(&inside).unwrap();
        fs::write(inside.join("a"), "").unwrap();
        fs::write(real.join("secret"), "").unwrap();
        std::os::unix::fs::symlink(real.join("secret"), inside.join("link")).unwrap();
        let folders = [inside.clone()];
        assert!(is_below(&inside.join("a"), &folders) && is_below(&inside.join("../inside/./a"), &folders));
        for outside in [inside.join("link"), inside.join("../secret"), real.join("secret"), inside.join("none")] {
            assert!(!is_below(&outside, &folders), "{}", outside.display());
        }
    }
}
