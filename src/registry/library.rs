//! Files and macros for one compilation, with a record of everything that was asked for.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use compiler::sources::{Found, NotFound, Sources};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::files::{self, Kind};
use crate::registry::bounds::{Bounds, NOT_HERE};
use crate::registry::bundled;
use crate::registry::index::Index;
use crate::registry::source::{Location, Source};
use crate::registry::{Lookup, Registry};

/// What a compilation asked for, and a hash of the answer: when every answer is the same again, so is the outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// What was asked for.
    pub wanted: Wanted,
    /// The macro or the file.
    pub name: String,
    /// The macro file that asked, as the compiler knows it.
    pub from: String,
    /// The answer's hash, in hexadecimal.
    pub answer: String,
}

/// What can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wanted {
    /// A macro to call.
    Macro,
    /// A recording or an image.
    File,
}

/// Gives one compilation what it asks for.
pub struct Library<'a> {
    registry: &'a Registry,
    /// Where files are found; `None` for everywhere.
    bounds: Option<Bounds>,
    record: Mutex<Record>,
}

/// What was asked for, and which files were given.
#[derive(Debug, Default)]
pub struct Record {
    /// The questions, in order.
    pub queries: Vec<Query>,
    /// The paths of the files given, as the compiler knows them.
    pub paths: Vec<String>,
}

impl<'a> Library<'a> {
    /// A library with an empty record.
    pub fn new(registry: &'a Registry) -> Self {
        Self { registry, bounds: None, record: Mutex::default() }
    }

    /// The same, for a text whose author is not to see files elsewhere.
    pub fn within(registry: &'a Registry, bounds: Bounds) -> Self {
        Self { bounds: Some(bounds), ..Self::new(registry) }
    }

    /// What was asked for.
    pub fn into_record(self) -> Record {
        self.record.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a question of an earlier compilation has the same answer now.
    pub fn still(&self, query: &Query) -> bool {
        let answer = match query.wanted {
            Wanted::Macro => hash_macro(&self.macro_of(&query.name, &query.from)),
            Wanted::File => hash_file(&self.file_of(&query.name, &query.from).1),
        };
        answer == query.answer
    }

    fn macro_of(&self, name: &str, from: &str) -> Result<Found, NotFound> {
        let place = Place::of(from);
        let source = if name.contains('/') || Kind::of(Path::new(name)).is_some() {
            let source = place.file(name);
            if !self.bounds.as_ref().is_none_or(|bounds| bounds.allow(from, &source)) {
                return Err(NotFound::Unreadable(NOT_HERE.to_owned()));
            }
            source
        } else {
            let beside = match (&self.bounds, &place) {
                (Some(bounds), Place::Folder(folder)) if !bounds.allow_path(from, folder) => None,
                (Some(_) | None, Place::Folder(_) | Place::Bundled(_)) => place.neighbour(self.registry, name)?,
            };
            match beside {
                Some(source) => source,
                None => match self.registry.find(name) {
                    Lookup::Found(source) => source,
                    Lookup::Ambiguous(paths) => return Err(NotFound::Ambiguous(paths)),
                    Lookup::Unreadable(path, reason) => {
                        return Err(NotFound::Unreadable(format!("`{path}`: {reason}")));
                    }
                    Lookup::Unknown(known) => return Err(NotFound::Unknown(known)),
                },
            }
        };
        if source.kind == Kind::Artifact {
            let reason = format!("`{}` is compiled already; only YAML can be called", source.shown);
            return Err(NotFound::Unreadable(reason));
        }
        match source.read() {
            Ok(bytes) => Ok(Found { path: source.identity(), bytes }),
            Err(reason) => Err(NotFound::Unreadable(reason)),
        }
    }

    fn file_of(&self, path: &str, from: &str) -> (String, Result<Vec<u8>, String>) {
        let source = Place::of(from).file(path);
        if !self.bounds.as_ref().is_none_or(|bounds| bounds.allow(from, &source)) {
            return (source.identity(), Err(NOT_HERE.to_owned()));
        }
        let bytes = match &source.location {
            Location::File(path) => files::read(path, files::ASSET_LIMIT),
            Location::Bundled(_) | Location::Stdin => source.read(),
        };
        (source.identity(), bytes)
    }

    fn record(&self, wanted: Wanted, name: &str, from: &str, answer: String, path: Option<String>) {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        record.queries.push(Query { wanted, name: name.to_owned(), from: from.to_owned(), answer });
        record.paths.extend(path);
    }
}

impl Sources for Library<'_> {
    fn find_macro(&self, name: &str, from: &str) -> Result<Found, NotFound> {
        let answer = self.macro_of(name, from);
        let path = answer.as_ref().ok().map(|found| found.path.clone());
        self.record(Wanted::Macro, name, from, hash_macro(&answer), path);
        answer
    }

    fn read(&self, path: &str, from: &str) -> Result<Vec<u8>, String> {
        let (identity, answer) = self.file_of(path, from);
        self.record(Wanted::File, path, from, hash_file(&answer), Some(identity));
        answer
    }
}

/// The folder of the macro file that asks.
enum Place {
    Bundled(String),
    Folder(PathBuf),
}

impl Place {
    fn of(from: &str) -> Place {
        let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
        match from.strip_prefix(bundled::PREFIX) {
            Some(path) => Place::Bundled(folder(path)),
            None => Place::Folder(Path::new(from).parent().map(Path::to_owned).unwrap_or_default()),
        }
    }

    /// A file by its path relative to here.
    fn file(&self, path: &str) -> Source {
        match self {
            Place::Folder(folder) => Source::file(&files::join(folder, path)),
            Place::Bundled(folder) => Source::bundled(&inside(folder, path)),
        }
    }

    /// The macro of that name in this very folder.
    fn neighbour(&self, registry: &Registry, name: &str) -> Result<Option<Source>, NotFound> {
        let index: std::sync::Arc<Index> = match self {
            Place::Folder(folder) => registry.neighbours(folder),
            // Bundled names are unique: the registry finds them.
            Place::Bundled(_) => return Ok(None),
        };
        let named = index.named(name);
        let texts: Vec<_> = named.iter().filter(|candidate| candidate.source.kind == Kind::Yaml).collect();
        match texts.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one.source.clone())),
            several => Err(NotFound::Ambiguous(several.iter().map(|one| one.source.shown.clone()).collect())),
        }
    }
}

/// `path` below `folder` in the bundled set, `.` and `..` worked out.
fn inside(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    parts.join("/")
}

fn hash_macro(answer: &Result<Found, NotFound>) -> String {
    let mut hasher = Xxh3::new();
    match answer {
        Ok(found) => {
            hasher.update(found.path.as_bytes());
            hasher.update(&[0]);
            hasher.update(&found.bytes);
        }
        // A missing macro is an error, and what has errors is never up to date; only the difference matters.
        Err(reason) => hasher.update(format!("{reason:?}").as_bytes()),
    }
    format!("{:032x}", hasher.digest128())
}

fn hash_file(answer: &Result<Vec<u8>, String>) -> String {
    match answer {
        Ok(bytes) => format!("{:032x}", xxh3_128(bytes)),
        Err(reason) => format!("error {:032x}", xxh3_128(reason.as_bytes())),
    }
}

#[cfg(test)]
mod tests {
    use crate::registry::library::inside;

    #[test]
    fn bundled_paths_stay_inside() {
        assert_eq!(inside("a/b", "../c.yaml"), "a/c.yaml");
        assert_eq!(inside("", "../../c.yaml"), "c.yaml");
        assert_eq!(inside("a", "./c"), "a/c");
    }
}
