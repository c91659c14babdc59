//! The macros of one place, by name.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::files::{self, Kind, Walk};
use crate::findings::Findings;
use crate::registry::bundled;
use crate::registry::manifest;
use crate::registry::name;
use crate::registry::source::Source;

/// Below this many files, threads cost more than they save.
const FEW: usize = 64;

/// The macro files of a place.
#[derive(Debug, Default)]
pub struct Index {
    /// Every file, sorted by path.
    pub candidates: Vec<Candidate>,
    /// What is wrong with the place's manifest.
    pub manifest: Findings,
    by_name: HashMap<String, Vec<usize>>,
}

/// A file that may hold a macro.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The file.
    pub source: Source,
    /// The name it gives itself, when that can be told.
    pub name: Option<String>,
    /// Why it cannot be read, in words that follow its path.
    pub problem: Option<String>,
}

impl Index {
    /// The index of a folder.
    pub fn folder(folder: &Path, far: Walk) -> Index {
        let mut found: Vec<(Source, Option<String>)> =
            files::walk(folder, far).into_iter().map(|found| (Source::file(&found.path), found.problem)).collect();
        let manifest = match far {
            Walk::Flat => Findings::default(),
            Walk::Deep => {
                let manifest = manifest::read(folder);
                if !manifest.files.is_empty() {
                    let known: HashSet<String> = found.iter().map(|(source, _)| source.identity()).collect();
                    let new = manifest.files.into_iter().filter(|source| !known.contains(&source.identity()));
                    found.extend(new.map(|source| (source, None)));
                }
                manifest.findings
            }
        };
        let candidates = if found.len() < FEW {
            found.into_iter().map(candidate).collect()
        } else {
            found.into_par_iter().map(candidate).collect()
        };
        Index::new(candidates, manifest)
    }

    /// The index of the bundled set.
    pub fn bundled() -> Index {
        let macros = bundled::files().into_iter().filter(|(path, _)| {
            let path = Path::new(path);
            Kind::of(path) == Some(Kind::Yaml) && !files::is_manifest(path)
        });
        let candidate = |(path, bytes): (&'static str, &'static [u8])| Candidate {
            source: Source::bundled(path),
            name: name::name(Kind::Yaml, bytes),
            problem: None,
        };
        Index::new(macros.map(candidate).collect(), Findings::default())
    }

    /// The files that give themselves this name.
    pub fn named(&self, name: &str) -> Vec<&Candidate> {
        let places = self.by_name.get(name).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|place| self.candidates.get(*place)).collect()
    }

    /// The file that is called so but whose own name cannot be told: what somebody who asks for it must hear about.
    pub fn broken(&self, stem: &str) -> Option<&Candidate> {
        self.candidates.iter().find(|candidate| candidate.name.is_none() && candidate.source.stem() == stem)
    }

    /// Every name.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    fn new(candidates: Vec<Candidate>, manifest: Findings) -> Index {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, candidate) in candidates.iter().enumerate() {
            if let Some(name) = &candidate.name {
                by_name.entry(name.clone()).or_default().push(place);
            }
        }
        Index { candidates, manifest, by_name }
    }
}

fn candidate((source, problem): (Source, Option<String>)) -> Candidate {
    if problem.is_some() {
        return Candidate { source, name: None, problem };
    }
    match source.read() {
        Ok(bytes) => Candidate { name: name::name(source.kind, &bytes), source, problem: None },
        Err(problem) => Candidate { source, name: None, problem: Some(problem) },
    }
}
