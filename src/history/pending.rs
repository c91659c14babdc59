//! Runs that found the store busy: each waits in a file of its own beside it, until somebody looks at the history.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::Builder;

use crate::files;
use crate::history::error::StoreError;
use crate::history::folder::{private, words};
use crate::history::row::Row;
use crate::history::store::Store;

/// Their folder's name.
const FOLDER: &str = "history.pending";
/// The most bytes of one of them; ours are bounded below it.
const LIMIT: u64 = 4 << 20;
/// How many are taken in at once.
const AT_ONCE: usize = 500;

/// Whether any wait.
pub fn exists(home: &Path) -> bool {
    home.join(FOLDER).is_dir()
}

/// Leaves a run beside the store.
///
/// # Errors
/// Why not, in words.
pub fn leave(home: &Path, row: &Row) -> Result<(), String> {
    let folder = private(&home.join(FOLDER))?;
    let text = serde_json::to_vec(row).map_err(|error| error.to_string())?;
    // Temporary files are their owner's alone.
    let file = Builder::new().prefix(".").tempfile_in(&folder).map_err(|error| words(&error))?;
    file.as_file().write_all(&text).map_err(|error| words(&error))?;
    file.persist(folder.join(format!("{}.json", row.run_id))).map_err(|error| words(&error.error))?;
    Ok(())
}

/// Moves those that wait into the store. What is no run of ours stays where it is.
///
/// # Errors
/// Why not; then they still wait.
pub fn take_in(home: &Path, store: &mut Store) -> Result<(), StoreError> {
    let Ok(entries) = fs::read_dir(home.join(FOLDER)) else { return Ok(()) };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "json"));
    // By the run's id, and so by time.
    paths.sort();
    for some in paths.chunks(AT_ONCE) {
        let found = some.iter().filter_map(|path| Some((path, read(path)?)));
        let (paths, rows): (Vec<&PathBuf>, Vec<Row>) = found.unzip();
        store.add_new(&rows)?;
        for path in paths {
            // One that stays is known the next time.
            let _ = fs::remove_file(path);
        }
    }
    // Fails while something is in it.
    let _ = fs::remove_dir(home.join(FOLDER));
    Ok(())
}

fn read(path: &Path) -> Option<Row> {
    let plain = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    let bytes = plain.then(|| files::read(path, LIMIT).ok())??;
    serde_json::from_slice(&bytes).ok()
}
