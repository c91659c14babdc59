//! Whether the folders of macros have changed, for clients that want to be told.

use std::time::{Duration, Instant, UNIX_EPOCH};

use tokio::sync::watch::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use xxhash_rust::xxh3::Xxh3;

use crate::args::Globals;
use crate::files::{Walk, walk};
use crate::registry::Registry;

/// How often is looked at least.
const PAUSE: Duration = Duration::from_secs(2);
/// A pause is at least so many times as long as a look: large folders on slow disks cost no more than small ones.
const REST: u32 = 100;

/// Looks until the server ends, and says when a file has come, gone or changed.
pub fn begin(globals: Globals, closing: CancellationToken) -> Receiver<()> {
    let (sender, receiver) = channel(());
    tokio::spawn(async move { closing.run_until_cancelled(look(globals, sender)).await });
    receiver
}

async fn look(globals: Globals, sender: Sender<()>) {
    let mut before = None;
    loop {
        let began = Instant::now();
        let places = globals.clone();
        let now = spawn_blocking(move || fingerprint(&places)).await.ok().flatten();
        if now.is_some() {
            if before.is_some() && before != now {
                sender.send_replace(());
            }
            before = now;
        }
        sleep(PAUSE.max(began.elapsed().saturating_mul(REST))).await;
    }
}

/// Names, sizes and times of all files of the places; `None` when a folder is not there now.
fn fingerprint(globals: &Globals) -> Option<u64> {
    let registry = Registry::new(globals).ok()?;
    let mut hasher = Xxh3::new();
    for file in registry.folders().flat_map(|folder| walk(folder, Walk::Deep)) {
        hasher.update(file.path.as_os_str().as_encoded_bytes());
        let Ok(about) = file.path.metadata() else { continue };
        let changed = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        hasher.update(&about.len().to_le_bytes());
        hasher.update(&changed.as_nanos().to_le_bytes());
    }
    Some(hasher.digest())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use crate::args::Cli;
    use crate::mcp::watch::fingerprint;

    #[test]
    fn files_that_come_change_and_go_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let words = ["macrocli", "list", "--macros", folder.path().to_str().unwrap()];
        let globals = Cli::try_parse_from(words).unwrap().globals;
        let empty = fingerprint(&globals);
        assert!(empty.is_some());
        assert_eq!(fingerprint(&globals), empty);
        let file = folder.path().join("m.yaml");
        fs::write(&file, "a").unwrap();
        let came = fingerprint(&globals);
        fs::write(&file, "ab").unwrap();
        let changed = fingerprint(&globals);
        assert!(came != empty && changed != came && changed != empty);
        fs::remove_file(&file).unwrap();
        assert_eq!(fingerprint(&globals), empty);
        drop(folder);
        assert_eq!(fingerprint(&globals), None);
    }
}
