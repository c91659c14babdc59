//! What is at a path, so that it can be told whether something else is there later.

use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use crate::edit::file::expand;

/// Longest time between two ticks of the clock that stamps files: a hundred a second are the fewest.
const TICK: Duration = Duration::from_millis(10);

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Nothing.
    Absent,
    /// A folder.
    Directory,
    /// No regular file.
    Special,
    /// It cannot be told: why.
    Unknown(String),
    /// A file.
    File {
        /// Bytes.
        size: u64,
        /// The later one of the times its bytes and its entry changed; a rename into place changes the latter.
        changed: SystemTime,
        /// Its number in the file system; 0 where files have none.
        number: u64,
    },
}

/// What is at a path now.
pub fn look(path: &Path) -> Seen {
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Seen::Directory,
        Ok(found) if found.is_file() => {
            Seen::File { size: found.len(), changed: changed(&found), number: number(&found) }
        }
        Ok(_) => Seen::Special,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Seen::Absent,
        Err(error) => Seen::Unknown(error.to_string()),
    }
}

/// What is at paths before something begins whose files are to be told from those that were there. Clocks are not compared, as that of a
/// file system may be another; but a file that has just been written is given another tick of its clock, so that its next change has
/// another time.
pub fn look_before<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<(&'p str, Seen)> {
    // A path that is none is told when it is waited for.
    let seen: Vec<(&str, Seen)> =
        paths.map(|path| (path, expand(path).map_or(Seen::Absent, |path| look(&path)))).collect();
    let fresh = |(_, seen): &(&str, Seen)| match seen {
        Seen::File { changed, .. } => SystemTime::now().duration_since(*changed).is_ok_and(|age| age < TICK),
        Seen::Absent | Seen::Directory | Seen::Special | Seen::Unknown(_) => false,
    };
    let end = Instant::now() + TICK;
    if seen.iter().any(fresh) {
        std::thread::sleep(end.saturating_duration_since(Instant::now()));
    }
    seen
}

fn changed(found: &Metadata) -> SystemTime {
    let written = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let seconds = Duration::from_secs(u64::try_from(found.ctime()).unwrap_or(0));
        let nanos = Duration::from_nanos(u64::try_from(found.ctime_nsec()).unwrap_or(0));
        let entry = SystemTime::UNIX_EPOCH.checked_add(seconds.saturating_add(nanos));
        entry.map_or(written, |entry| entry.max(written))
    }
    #[cfg(not(unix))]
    written
}

fn number(found: &Metadata) -> u64 {
    #[cfg(unix)]
    {
        std::os::unix::fs::MetadataExt::ino(found)
    }
    #[cfg(not(unix))]
    {
        let _ = found;
        0
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::backends::gui_macro::seen::{Seen, look, look_before};

    #[test]
    fn a_file_that_is_written_again_at_once_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        for _ in 0..20 {
            fs::write(&path, "x").unwrap();
            let before = look_before([path.to_str().unwrap()].into_iter());
            assert_eq!(before[0].1, look(&path));
            fs::write(&path, "y").unwrap();
            assert_ne!(before[0].1, look(&path));
        }
        assert_eq!(look_before(["/nowhere/x"].into_iter()), [("/nowhere/x", Seen::Absent)]);
    }
}
