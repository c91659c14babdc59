//! Runs on their way into the store: each leaves its row as one file beside it, until somebody takes the files in. To open the store for
//! one row was measured to take several times as long as to write a file.

use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::files::{self, words};
use crate::history::error::StoreError;
use crate::history::folder::{new_file, private};
use crate::history::row::Row;
use crate::history::store::Store;

/// With so many files a run takes them in.
pub const MANY: usize = 64;
/// No more files than this are left to wait.
pub const MOST: usize = 4096;

/// Their folder's name. It stays when it is empty, so that nobody has to make it again.
const FOLDER: &str = "history.pending";
/// The most bytes of a file; ours are bounded below it.
const LIMIT: u64 = 4 << 20;
/// How many are taken in at once.
const AT_ONCE: usize = 128;
/// A file that was not whole so long ago never will be: its run was killed.
const STALE: Duration = Duration::from_secs(3600);

/// Whether there is a place for them.
pub fn exists(home: &Path) -> bool {
    fs::symlink_metadata(home.join(FOLDER)).is_ok_and(|found| found.is_dir())
}

/// Leaves a run beside the store.
///
/// # Errors
/// Why not, in words.
pub fn leave(home: &Path, row: &Row) -> Result<(), String> {
    let folder = home.join(FOLDER);
    let fail = |reason: &str| format!("`{}` {reason}", folder.display());
    match fs::symlink_metadata(&folder) {
        Ok(found) if found.is_dir() => {}
        Ok(found) if found.is_symlink() => return Err(fail("is a link, which is not followed")),
        Ok(_) => return Err(fail("is no folder")),
        Err(_) => {
            private(&folder)?;
        }
    }
    let text = serde_json::to_vec(row).map_err(|error| error.to_string())?;
    // The id is the run's own, and so is the name.
    let begun = folder.join(format!(".{}.tmp", row.run_id));
    let written = write(&begun, &text).and_then(|()| fs::rename(&begun, folder.join(format!("{}.json", row.run_id))));
    written.map_err(|error| {
        let _ = fs::remove_file(&begun);
        fail(&format!("takes no file: {}", words(&error)))
    })
}

/// The files of those that wait, in any order.
pub fn waiting(home: &Path) -> Vec<PathBuf> {
    let ours = entries(home).filter(|entry| is_ours(&entry.file_name()));
    // There may only be more when somebody else puts them there.
    ours.take(2 * MOST).map(|entry| entry.path()).collect()
}

/// Gives up the oldest of too many; how many that were.
pub fn give_up(mut waiting: Vec<PathBuf>) -> usize {
    let excess = waiting.len().saturating_sub(MOST);
    waiting.sort();
    waiting.iter().take(excess).filter(|path| fs::remove_file(path).is_ok()).count()
}

/// Moves those that wait into the store. What is no run of ours stays where it is.
///
/// # Errors
/// Why not; then they still wait.
pub fn take_in(home: &Path, store: &mut Store) -> Result<(), StoreError> {
    let mut waiting = waiting(home);
    // By the run's id, and so by time.
    waiting.sort();
    for some in waiting.chunks(AT_ONCE) {
        let mut found: Vec<(&PathBuf, Row)> = some.iter().filter_map(|path| Some((path, read(path)?))).collect();
        // In the order in which they ended, as if each had been written then.
        found.sort_by_key(|(_, row)| row.began_us.saturating_add(row.duration_us));
        let (paths, rows): (Vec<&PathBuf>, Vec<Row>) = found.into_iter().unzip();
        store.add_new(&rows)?;
        for path in paths {
            // Another one may have taken it in too. One that stays is known the next time.
            let _ = fs::remove_file(path);
        }
    }
    entries(home).filter(is_stale).for_each(|entry| {
        let _ = fs::remove_file(entry.path());
    });
    Ok(())
}

/// A link in the folder's place is not followed.
fn entries(home: &Path) -> impl Iterator<Item = DirEntry> {
    let found = exists(home).then(|| fs::read_dir(home.join(FOLDER)).ok()).flatten();
    found.into_iter().flatten().flatten()
}

/// Whether a name is a run's id with the ending of our files.
fn is_ours(name: &OsStr) -> bool {
    let id = name.to_str().and_then(|name| name.strip_suffix(".json"));
    id.is_some_and(|id| id.contains('-') && id.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit()))
}

fn is_stale(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let begun = name.to_str().is_some_and(|name| name.starts_with('.') && name.ends_with(".tmp"));
    let modified = || entry.metadata().and_then(|found| found.modified()).ok();
    begun && modified().and_then(|modified| modified.elapsed().ok()).is_some_and(|age| age > STALE)
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    new_file(path)?.write_all(bytes)
}

/// A file that waits; `None` when it holds no run, or another one has just taken it in.
fn read(path: &Path) -> Option<Row> {
    let plain = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    let bytes = plain.then(|| files::read(path, LIMIT).ok())??;
    let row = serde_json::from_slice(&bytes);
    // Cut off when the whole machine went down: it would be counted, and looked at, for ever.
    if row.as_ref().is_err_and(|error| !error.is_data()) {
        let _ = fs::remove_file(path);
    }
    row.ok()
}
