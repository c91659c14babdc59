//! A store that is damaged is kept aside, so that what is left of it can be looked at.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::files::words;
use crate::history::error::StoreError;
use crate::history::folder::{own_file, private};
use crate::history::store::{FILE, Store};

/// Held by the one process that keeps the store aside.
const LOCK: &str = "history.lock";

/// Renames a damaged store and gives its new path; `None` when it is sound again, because another process was quicker.
///
/// # Errors
/// Why it cannot be renamed.
pub fn set_aside(home: &Path, patience: Duration) -> Result<Option<String>, StoreError> {
    let home = private(home).map_err(StoreError::Unusable)?;
    let unusable = |error: io::Error| StoreError::Unusable(words(&error));
    let path = home.join(LOCK);
    own_file(&path).map_err(StoreError::Unusable)?;
    // It is given back with the file.
    let lock = File::open(&path).map_err(unusable)?;
    let began = Instant::now();
    while lock.try_lock().is_err() {
        if began.elapsed() > patience {
            return Err(StoreError::Busy);
        }
        thread::sleep(Duration::from_millis(5));
    }
    match Store::open(&home, patience).and_then(|store| store.check()) {
        Ok(()) => return Ok(None),
        Err(StoreError::Damaged(_)) => {}
        Err(error) => return Err(error),
    }
    let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string().replace([':', '-'], "");
    let mut name = format!("history.damaged-{time}");
    for number in 2.. {
        if fs::symlink_metadata(home.join(&name)).is_err() {
            break;
        }
        name = format!("history.damaged-{time}-{number}");
    }
    // Its journal goes first: it must never be applied to the new store.
    let journal = home.join(format!("{FILE}-journal"));
    if fs::symlink_metadata(&journal).as_ref().is_ok_and(Metadata::is_file) {
        fs::rename(&journal, home.join(format!("{name}-journal"))).map_err(unusable)?;
    }
    let kept = home.join(&name);
    fs::rename(home.join(FILE), &kept).map_err(unusable)?;
    Ok(Some(kept.display().to_string()))
}
