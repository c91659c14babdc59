//! Decisions kept in a folder, so that the same step on the same screen need not ask again.
//!
//! The name of a file is a hash of everything the answer could depend on: the macro and its step, the instruction, the model and its server, what
//! was done before, and the pixels of the window (or of the screen, when the step names no window). Only decisions that led to the end
//! are kept; those that did not lead there again are forgotten.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};

use crate::edit::file;
use crate::failure::Failure;

/// Changes whenever the questions do.
const VERSION: &str = "macrocli.gui_agent/1";
/// The most bytes of a decision.
const MOST: u64 = 64 << 10;

/// The folder, and what came from it or goes there.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    /// Decisions of this run that are not in the folder.
    new: Vec<(PathBuf, Map<String, Json>)>,
    /// Decisions of this run that are.
    used: Vec<PathBuf>,
}

impl Cache {
    /// The cache in a folder, which is made when there is something to keep.
    ///
    /// # Errors
    /// The path begins with `~` and there is no home folder; or others could put decisions there.
    pub fn in_folder(path: &str) -> Result<Self, Failure> {
        let folder = file::expand(path).map_err(|error| Failure::step(error.to_string()))?;
        own(&folder)?;
        Ok(Self { folder, new: Vec::new(), used: Vec::new() })
    }

    /// The decision for these circumstances, if it is known.
    pub fn get(&mut self, key: &str) -> Option<Map<String, Json>> {
        let path = self.folder.join(format!("{key}.json"));
        let bytes = file::read(&path, MOST).ok()?;
        let Json::Object(object) = serde_json::from_slice(&bytes).ok()? else { return None };
        self.used.push(path);
        Some(object)
    }

    /// Takes a decision, to be kept if it leads to the end.
    pub fn put(&mut self, key: &str, decision: &Map<String, Json>) {
        let path = self.folder.join(format!("{key}.json"));
        // One that is known and could not be read is replaced.
        self.used.retain(|used| *used != path);
        self.new.push((path, decision.clone()));
    }

    /// Keeps what led to the end.
    ///
    /// # Errors
    /// The folder or a file of it cannot be written, or others could write there.
    pub fn keep(&self) -> Result<(), Failure> {
        if self.new.is_empty() {
            return Ok(());
        }
        make_private(&self.folder).map_err(|error| {
            Failure::step(format!("the decisions cannot be kept: `{}`: {error}", self.folder.display()))
        })?;
        own(&self.folder)?;
        for (path, decision) in &self.new {
            let text = Json::Object(decision.clone()).to_string();
            write_private(&self.folder, path, text.as_bytes()).map_err(|error| {
                Failure::step(format!("the decisions cannot be kept: `{}`: {error}", path.display()))
            })?;
        }
        Ok(())
    }

    /// Forgets what did not lead to the end.
    pub fn forget(&self) {
        for path in &self.used {
            // What cannot be removed is asked for no sooner than it would be otherwise.
            let _ = fs::remove_file(path);
        }
    }
}

/// Whether a folder is this user's alone to write in: what is read there is done. One that is not there is made so.
///
/// # Errors
/// It is another user's, or others may write in it.
fn own(folder: &Path) -> Result<(), Failure> {
    #[cfg(unix)]
    if let Ok(found) = fs::metadata(folder) {
        use std::os::unix::fs::MetadataExt;
        let refused = |why: &str, hint: &str| {
            let message = format!("no decisions are read or kept in `{}`: {why}", folder.display());
            Err(Failure::step(format!("{message}; {hint}")))
        };
        if found.uid() != rustix::process::geteuid().as_raw() {
            return refused("it belongs to another user", "name a folder of your own");
        }
        if found.mode() & 0o022 != 0 {
            return refused("others may write in it", "take that from them with `chmod go-w`");
        }
    }
    Ok(())
}

/// Makes a folder that only this user can look into, and those it is missing in.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Writes a file that only this user can read, in one step; what has its name is replaced and not followed.
fn write_private(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Temporary files have the mode 0600.
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.persist(path)?;
    Ok(())
}

/// The key of some circumstances.
pub fn key<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash = Sha256::new();
    for part in std::iter::once(VERSION.as_bytes()).chain(parts) {
        // With their lengths, so that no two lists of parts are one text.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::backends::gui_agent::cache::{Cache, key};

    #[test]
    fn only_what_led_to_the_end_is_known_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/cache");
        let name = path.to_str().unwrap();
        let decision = json!({"action": "done"}).as_object().unwrap().clone();
        let mut cache = Cache::in_folder(name).unwrap();
        assert_eq!(cache.get("a"), None);
        cache.put("a", &decision);
        assert!(!path.exists());
        cache.keep().unwrap();
        let mut later = Cache::in_folder(name).unwrap();
        assert_eq!(later.get("a"), Some(decision));
        later.forget();
        assert_eq!(Cache::in_folder(name).unwrap().get("a"), None);
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_writes_and_reads_decisions() {
        use std::fs::{self, Permissions};
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("a/cache");
        let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let mut cache = Cache::in_folder(folder.to_str().unwrap()).unwrap();
        cache.put("a", &json!({"action": "done"}).as_object().unwrap().clone());
        cache.keep().unwrap();
        assert_eq!((mode(&folder), mode(&folder.join("a.json"))), (0o700, 0o600));
        for open in [0o777, 0o770, 0o702] {
            fs::set_permissions(&folder, Permissions::from_mode(open)).unwrap();
            let refused = Cache::in_folder(folder.to_str().unwrap()).unwrap_err();
            assert!(refused.message.contains("others may write"), "{refused:?}");
            assert!(cache.keep().is_err());
        }
        fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
        assert!(Cache::in_folder(folder.to_str().unwrap()).is_ok());
        // The root folder is the user's only for root.
        let root = Cache::in_folder("/");
        assert_eq!(root.is_ok(), rustix::process::geteuid().is_root());
    }

    #[test]
    fn keys_differ_with_every_part() {
        let of = |parts: &[&str]| key(parts.iter().map(|part| part.as_bytes()));
        let all = [of(&[]), of(&["ab"]), of(&["a", "b"]), of(&["", "ab"]), of(&["ab", ""])];
        assert!(all.iter().enumerate().all(|(place, one)| !all[..place].contains(one)));
        assert_eq!(of(&["a"]), of(&["a"]));
        assert_eq!(of(&["a"]).len(), 64);
    }
}
