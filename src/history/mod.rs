//! What was run, with what, and what came of it: a store in the folder that is macrocli's own.
//!
//! Every run is a process of its own, many may end at once, and none should wait for its record. So a run only leaves its row as a small file
//! beside the store (`spool`); whoever wants to read the history takes the files in first, and so does a run that finds many of them. The
//! store itself is an SQLite file (`store`). Nothing that is wrong with it ever changes a run: see [`record`].

mod bounded;
mod damage;
mod error;
mod folder;
mod head;
mod hidden;
mod query;
mod row;
mod spool;
mod store;

use std::path::{Path, PathBuf};
use std::slice;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;

pub use error::StoreError;
pub use folder::{own_file, private};
pub use hidden::parameters;
pub use query::{Filter, SessionLine, Totals};
pub use row::{Row, timestamp};
pub use store::Store;

use crate::home;
use crate::identity::Identity;

/// The session of runs that name none.
pub const DEFAULT_SESSION: &str = "default";

/// How long a run that must open the store waits for others that write; after that its row is left beside it.
const PATIENCE: Duration = Duration::from_millis(200);

/// What is known of a run beside its document.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The artifact's content hash in hexadecimal, when there was an artifact.
    pub artifact_hash: Option<String>,
    /// The given parameters by name, secrets already as `***`.
    pub parameters: Value,
    /// Texts that must not be kept, whatever they are in.
    pub hidden: Vec<String>,
}

/// Whether runs are recorded at all: not with `MACROCLI_HISTORY=off`.
pub fn is_on() -> bool {
    std::env::var_os("MACROCLI_HISTORY").is_none_or(|value| value != "off")
}

/// Records a run. A sentence when something is wrong with the store; the run itself is not.
pub fn record(identity: &Identity, facts: &Facts, document: &Value) -> Option<String> {
    let home = home::folder().filter(|_| is_on())?;
    let row = row_of(identity, facts, document);
    let lost =
        |reason: String| Some(format!("the run was not recorded: {reason}; `MACROCLI_HISTORY=off` records none"));
    // In a place that may be somebody else's, or damaged, nothing is left to wait: it is looked at, and told, at once.
    if !head::promises(&home) {
        let add = |store: &mut Store| {
            spool::take_in(&home, store)?;
            store.add_new(slice::from_ref(&row))
        };
        match with_store(&home, PATIENCE, add) {
            Ok((_, anew)) => return anew,
            Err(StoreError::Busy) => {}
            Err(error) => return lost(error.to_string()),
        }
    }
    spool::leave(&home, &row).map_or_else(lost, |()| take_in_many(&home))
}

/// The store for whoever wants to read it, sound and with all that waited beside it; `None` when nothing was ever recorded. The sentence
/// says that the store was damaged and a new one begun.
///
/// # Errors
/// Why it cannot be read.
pub fn open(patience: Duration) -> Result<(Option<Store>, Option<String>), StoreError> {
    let home = home::folder().filter(|home| Store::exists(home) || spool::exists(home));
    let Some(home) = home else { return Ok((None, None)) };
    let (store, anew) = with_store(&home, patience, |store| {
        store.check()?;
        spool::take_in(&home, store)
    })?;
    Ok((Some(store), anew))
}

/// Takes in what waits when that is much, unless others have the store. A sentence when something is wrong.
fn take_in_many(home: &Path) -> Option<String> {
    let waiting = spool::waiting(home);
    if waiting.len() < spool::MANY {
        return None;
    }
    match with_store(home, Duration::ZERO, |store| spool::take_in(home, store)) {
        Ok((_, anew)) => anew,
        Err(StoreError::Busy) => give_up(waiting, "it has been busy for long"),
        Err(error) => {
            let many = waiting.len();
            let waits = || format!("{many} runs wait for the history, which takes none: {error}");
            Some(give_up(waiting, &error.to_string()).unwrap_or_else(waits))
        }
    }
}

fn give_up(waiting: Vec<PathBuf>, reason: &str) -> Option<String> {
    let count = spool::give_up(waiting);
    let most = spool::MOST;
    (count > 0).then(|| {
        format!("more than {most} runs wait for the history, and the oldest were given up ({count}): {reason}")
    })
}

/// The open store after a task that may be done twice; one that is found to be damaged is kept aside and a new one begun, which the
/// sentence says.
fn with_store(
    home: &Path,
    patience: Duration,
    task: impl Fn(&mut Store) -> Result<(), StoreError>,
) -> Result<(Store, Option<String>), StoreError> {
    let attempt = |patience: Duration| {
        let mut store = Store::open(home, patience)?;
        task(&mut store)?;
        Ok(store)
    };
    match attempt(patience) {
        Err(StoreError::Damaged(_)) => {
            // What was begun is ended, so that it can be said.
            let patience = patience.max(PATIENCE);
            let kept = damage::set_aside(home, patience)?;
            let anew =
                kept.map(|kept| format!("the history was damaged: it is kept as `{kept}`, and a new one was begun"));
            Ok((attempt(patience)?, anew))
        }
        other => other.map(|store| (store, None)),
    }
}

fn row_of(identity: &Identity, facts: &Facts, document: &Value) -> Row {
    let mut document = document.clone();
    hidden::hide(&mut document, &facts.hidden);
    let millis = document["telemetry"]["duration_ms"].as_f64().unwrap_or_default();
    let began = identity.began.duration_since(UNIX_EPOCH).unwrap_or_default();
    Row {
        run_id: identity.run_id.clone(),
        session: identity.session.clone().unwrap_or_else(|| DEFAULT_SESSION.to_owned()),
        began_us: i64::try_from(began.as_micros()).unwrap_or(i64::MAX),
        duration_us: (millis * 1000.0) as i64,
        macro_name: document["macro_name"].as_str().unwrap_or_default().to_owned(),
        artifact_hash: facts.artifact_hash.clone(),
        success: document["success"] == true,
        error_code: document["error_code"].as_str().map(str::to_owned),
        exit_code: document["exit_code"].as_i64().unwrap_or_default(),
        dry_run: document["telemetry"]["dry_run"] == true,
        parameters: bounded::text(&facts.parameters),
        document: bounded::text(&document),
    }
}
