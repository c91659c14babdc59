//! What was built before, so that it is not built again: everything is compared by content, never by time.

pub mod warning;

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::files;
use crate::incremental::warning::Warning;
use crate::registry::library::Query;

/// The file in the output folder that keeps the state.
const FILE: &str = ".macrocli-build";
/// The version of its form.
const FORMAT: u32 = 1;
/// The most bytes of it that are read.
const LIMIT: u64 = 256 << 20;

/// What is known of the artifacts in an output folder.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct State {
    format: u32,
    /// The program that built them.
    producer: String,
    /// What they were built for.
    target: String,
    /// By the identity of the source.
    entries: BTreeMap<String, Entry>,
}

/// An artifact, and what it was made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The macro's name.
    pub name: String,
    /// The hash of the source.
    pub source: String,
    /// What else was read for it.
    pub queries: Vec<Query>,
    /// What is told of it each time.
    pub warnings: Vec<Warning>,
    /// The hash of the artifact.
    pub output: String,
    /// The content hash in the artifact.
    pub content: String,
    /// Its length in bytes.
    pub bytes: u64,
}

impl State {
    /// The state of an output folder. One that is missing, damaged, of another version, another program or another target is empty.
    pub fn load(folder: &Path, target: &str) -> State {
        let producer = producer();
        let read = files::read(&folder.join(FILE), LIMIT).ok();
        let state = read.and_then(|bytes| serde_json::from_slice::<State>(&bytes).ok());
        let same = |state: &State| state.format == FORMAT && state.producer == producer && state.target == target;
        match state.filter(same) {
            Some(state) => state,
            None => State { format: FORMAT, producer, target: target.to_owned(), entries: BTreeMap::new() },
        }
    }

    /// What is known of a source.
    pub fn entry(&self, identity: &str) -> Option<&Entry> {
        self.entries.get(identity)
    }

    /// Remembers, or forgets, what sources were built to.
    pub fn update(&mut self, news: Vec<(String, Option<Entry>)>) {
        // An artifact is that of the source it was built from last.
        let names: HashSet<&str> = news.iter().filter_map(|(_, entry)| Some(entry.as_ref()?.name.as_str())).collect();
        self.entries.retain(|_, entry| !names.contains(entry.name.as_str()));
        for (identity, entry) in news {
            match entry {
                Some(entry) => drop(self.entries.insert(identity, entry)),
                None => drop(self.entries.remove(&identity)),
            }
        }
    }

    /// Keeps the state for the next time.
    ///
    /// # Errors
    /// Why it cannot be written, in words.
    pub fn save(&self, folder: &Path) -> Result<(), String> {
        let bytes = serde_json::to_vec(self).map_err(|error| error.to_string())?;
        let path = folder.join(FILE);
        if files::read(&path, LIMIT).is_ok_and(|old| old == bytes) {
            return Ok(());
        }
        files::write(&path, &bytes)
    }
}

/// The hash by which contents are compared.
pub fn hash(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

/// The artifact of a macro in an output folder.
pub fn output(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.mcb"))
}

/// The version of macrocli, with a fingerprint of the program itself: a changed compiler of the same version must not be taken for the old
/// one. Length, begin and end of an executable tell builds apart without reading all of it.
fn producer() -> String {
    format!("{} {}", env!("CARGO_PKG_VERSION"), fingerprint().unwrap_or_default())
}

fn fingerprint() -> Option<String> {
    const PART: u64 = 64 << 10;
    let mut file = File::open(std::env::current_exe().ok()?).ok()?;
    let length = file.metadata().ok()?.len();
    let mut hasher = Xxh3::new();
    hasher.update(&length.to_le_bytes());
    for start in [0, length.saturating_sub(PART)] {
        let mut part = Vec::new();
        file.seek(SeekFrom::Start(start)).ok()?;
        (&mut file).take(PART).read_to_end(&mut part).ok()?;
        hasher.update(&part);
    }
    Some(format!("{:032x}", hasher.digest128()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::incremental::{Entry, State};

    #[test]
    fn a_damaged_state_is_an_empty_one() {
        let folder = tempfile::tempdir().unwrap();
        let entry = Entry {
            name: "a".to_owned(),
            source: "1".to_owned(),
            queries: Vec::new(),
            warnings: Vec::new(),
            output: "2".to_owned(),
            content: "3".to_owned(),
            bytes: 4,
        };
        let mut state = State::load(folder.path(), "any");
        state.update(vec![("x".to_owned(), Some(entry.clone()))]);
        state.save(folder.path()).unwrap();
        assert_eq!(State::load(folder.path(), "any").entry("x"), Some(&entry));
        assert_eq!(State::load(folder.path(), "windows").entry("x"), None);
        let file = folder.path().join(".macrocli-build");
        let text = fs::read_to_string(&file).unwrap();
        for damaged in
            [&text[1..], &text[..text.len() / 2], "", "[]", "{}", &text.replace("\"format\":1", "\"format\":2")]
        {
            fs::write(&file, damaged).unwrap();
            assert_eq!(State::load(folder.path(), "any").entry("x"), None);
        }
        state.update(vec![("y".to_owned(), Some(entry))]);
        assert!(state.entry("x").is_none(), "an artifact has one source");
    }
}
