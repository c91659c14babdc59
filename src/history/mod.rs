//! What was run, with what, and what came of it: a store in the folder that is macrocli's own.
//!
//! Every run is a process of its own, and many may end at once, so a run opens the store when its result is known, writes one row in one
//! transaction and closes it. Nothing that is wrong with the store ever changes a run: see [`record`].

mod bounded;
mod damage;
mod error;
mod folder;
mod hidden;
mod pending;
mod query;
mod row;
mod store;

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;

pub use error::StoreError;
pub use folder::{own_file, private};
pub use hidden::{is_sensitive, parameters};
pub use query::{Filter, SessionLine, Totals};
pub use row::{Row, timestamp};
pub use store::Store;

use crate::home;
use crate::identity::Identity;

/// The session of runs that name none.
pub const DEFAULT_SESSION: &str = "default";

/// How long a run waits for others that write; after that its row is left beside the store.
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
    match write(&home, &row) {
        Ok(kept) => {
            kept.map(|kept| format!("the history was damaged: it is kept as `{kept}`, and a new one was begun"))
        }
        // Others write; the next look at the history takes it in.
        Err(StoreError::Busy) => pending::leave(&home, &row).err().and_then(lost),
        Err(error) => lost(error.to_string()),
    }
}

/// The store for whoever wants to read it, with all that was left beside it; `None` when nothing was ever recorded.
///
/// # Errors
/// Why it cannot be read.
pub fn open(patience: Duration) -> Result<Option<Store>, StoreError> {
    let Some(home) = home::folder() else { return Ok(None) };
    if !Store::exists(&home) && !pending::exists(&home) {
        return Ok(None);
    }
    let mut store = Store::open(&home, patience)?;
    pending::take_in(&home, &mut store)?;
    Ok(Some(store))
}

/// Where a damaged store was kept aside, when there was one.
fn write(home: &Path, row: &Row) -> Result<Option<String>, StoreError> {
    match Store::open(home, PATIENCE).and_then(|mut store| store.add(row)) {
        Err(StoreError::Damaged(_)) => {
            let kept = damage::set_aside(home, PATIENCE)?;
            Store::open(home, PATIENCE)?.add(row)?;
            Ok(kept)
        }
        other => other.map(|()| None),
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
