//! Finding macros: by name through a list of places, by path, and from within other macros.
//!
//! An earlier place shadows a later one. Two files of one place with the same name are an error that names both, and a broken file hides
//! only itself.

pub mod bounds;
pub mod bundled;
pub mod index;
pub mod library;
pub mod manifest;
pub mod name;
pub mod source;
pub mod target;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::args::Globals;
use crate::files::{self, Walk};
use crate::findings::Findings;
use crate::registry::index::{Candidate, Index};
use crate::registry::source::Source;
use crate::trouble::Trouble;

/// The places where macros are looked for.
#[derive(Debug)]
pub struct Registry {
    roots: Vec<Root>,
    /// Folders that macros call their neighbours from.
    folders: Mutex<HashMap<PathBuf, Arc<Index>>>,
}

/// A place; it is looked into when it is first needed.
#[derive(Debug)]
struct Root {
    /// The folder; `None` is the bundled set.
    folder: Option<PathBuf>,
    index: OnceLock<Index>,
}

/// What became of looking for a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The macro's file.
    Found(Source),
    /// Several files of one place have the name.
    Ambiguous(Vec<String>),
    /// A file that should have the name cannot be read.
    Unreadable(String, String),
    /// There is none; these are known.
    Unknown(Vec<String>),
}

impl Registry {
    /// The places the command line and the environment name.
    ///
    /// # Errors
    /// When a folder given by a flag is none.
    pub fn new(globals: &Globals) -> Result<Registry, Trouble> {
        if let Some(missing) = globals.macros.iter().find(|folder| !folder.is_dir()) {
            return Err(Trouble::usage(format!("no folder `{}`, which `--macros` names", missing.display())));
        }
        let listed = std::env::var_os("MACROCLI_PATH").unwrap_or_default();
        let listed = std::env::split_paths(&listed).filter(|folder| !folder.as_os_str().is_empty());
        let mut folders: Vec<PathBuf> = globals.macros.clone();
        folders.extend(listed.chain([PathBuf::from("macro_definitions")]).chain(user_folder()));
        let mut seen = BTreeSet::new();
        let is_new = |folder: &PathBuf| folder.is_dir() && folder.canonicalize().is_ok_and(|real| seen.insert(real));
        let folders: Vec<PathBuf> = folders.into_iter().filter(is_new).collect();
        let roots = folders.into_iter().map(Some).chain([None]);
        let roots = roots.map(|folder| Root { folder, index: OnceLock::new() }).collect();
        Ok(Registry { roots, folders: Mutex::new(HashMap::new()) })
    }

    /// The macro of that name.
    pub fn find(&self, name: &str) -> Lookup {
        for root in &self.roots {
            match root.index().named(name).as_slice() {
                [] => {}
                [one] => return Lookup::Found(one.source.clone()),
                several => return Lookup::Ambiguous(several.iter().map(|one| one.source.shown.clone()).collect()),
            }
        }
        for root in &self.roots {
            if let Some(broken) = root.index().broken(name) {
                return match &broken.problem {
                    Some(problem) => Lookup::Unreadable(broken.source.shown.clone(), problem.clone()),
                    None => Lookup::Found(broken.source.clone()),
                };
            }
        }
        let names: BTreeSet<&str> = self.roots.iter().flat_map(|root| root.index().names()).collect();
        Lookup::Unknown(names.into_iter().map(str::to_owned).collect())
    }

    /// Every file of every place that no earlier place shadows, and those that have no name.
    pub fn candidates(&self) -> Vec<&Candidate> {
        let mut shadowed: BTreeSet<&str> = BTreeSet::new();
        let mut visible = Vec::new();
        for root in &self.roots {
            let index = root.index();
            let unshadowed =
                |candidate: &&Candidate| candidate.name.as_deref().is_none_or(|name| !shadowed.contains(name));
            visible.extend(index.candidates.iter().filter(unshadowed));
            shadowed.extend(index.names());
        }
        visible
    }

    /// The folders among the places.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().filter_map(|root| root.folder.as_deref())
    }

    /// Whether a file lies below one of these folders, links followed.
    pub fn holds(&self, path: &Path) -> bool {
        let folders: Vec<PathBuf> = self.folders().filter_map(|folder| folder.canonicalize().ok()).collect();
        bounds::is_below(path, &folders)
    }

    /// What is wrong with the places' manifests.
    pub fn manifests(&self) -> Findings {
        self.roots.iter().fold(Findings::default(), |mut all, root| {
            all.extend(root.index().manifest.clone());
            all
        })
    }

    /// The index of a folder without its subfolders, made once.
    fn neighbours(&self, folder: &Path) -> Arc<Index> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let index = folders.entry(folder.to_owned()).or_insert_with(|| Arc::new(Index::folder(folder, Walk::Flat)));
        Arc::clone(index)
    }
}

impl Root {
    fn index(&self) -> &Index {
        self.index.get_or_init(|| match &self.folder {
            Some(folder) => Index::folder(folder, Walk::Deep),
            None => Index::bundled(),
        })
    }
}

/// The user's own macros: `macrocli/macros` in `$XDG_DATA_HOME`, which is `~/.local/share` when not set.
fn user_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = set("XDG_DATA_HOME").or_else(|| Some(set("HOME")?.join(".local/share")))?;
    Some(files::join(&data, "macrocli/macros"))
}
