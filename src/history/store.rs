//! The store: one SQLite file.
//!
//! It has a rollback journal that stays (`PERSIST`) and no write-ahead log. Whoever opens it is a process of its own and nearly always the
//! only one that has it open; the index of a write-ahead log would be built anew from the log by each of them, which was measured to take
//! four times as long as a row. Nothing is synced (`synchronous = OFF`): what a killed process wrote is in the system's memory and whole,
//! and rolled back by the next one where it is not. Only when the whole machine goes down may the store be damaged, and then a new one begins.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Statement, TransactionBehavior, params};

use crate::history::error::StoreError;
use crate::history::folder::{own_file, private};
use crate::history::row::Row;

/// The file's name in the folder that is macrocli's own.
pub const FILE: &str = "history.db";
/// What tells our files from those of others: "mcli".
pub(in crate::history) const APPLICATION: i64 = 0x6d63_6c69;
/// The version of the tables.
pub(in crate::history) const VERSION: i64 = 1;
/// How many runs are kept; the oldest go first.
const KEPT: i64 = 10_000;
/// After so many runs the oldest are looked for.
const PRUNE_EVERY: i64 = 64;

const TABLES: &str = "
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY, run_id TEXT NOT NULL, session TEXT NOT NULL, began_us INTEGER NOT NULL, duration_us INTEGER NOT NULL,
        macro_name TEXT NOT NULL, artifact_hash TEXT, success INTEGER NOT NULL, error_code TEXT, exit_code INTEGER NOT NULL,
        dry_run INTEGER NOT NULL, parameters TEXT NOT NULL, document TEXT NOT NULL
    );";

const INDEX: &str = "CREATE INDEX IF NOT EXISTS runs_by_run_id ON runs (run_id)";

const KNOWN: &str = "SELECT EXISTS (SELECT 1 FROM runs WHERE run_id = ?1)";

const INSERT: &str = "
    INSERT INTO runs (run_id, session, began_us, duration_us, macro_name, artifact_hash, success, error_code, exit_code, dry_run,
        parameters, document)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";

/// An open store.
pub struct Store {
    /// For the questions in `query`.
    pub(in crate::history) connection: Connection,
    path: PathBuf,
}

impl Store {
    /// Whether there is a store, or something in its place.
    pub fn exists(home: &Path) -> bool {
        fs::symlink_metadata(home.join(FILE)).is_ok()
    }

    /// Opens the store of a folder and makes it when there is none. Every wait for other processes is at most as long as `patience`.
    ///
    /// # Errors
    /// Why it cannot be used. Nothing is changed then.
    pub fn open(home: &Path, patience: Duration) -> Result<Store, StoreError> {
        let path = private(home).map_err(StoreError::Unusable)?.join(FILE);
        // SQLite would make it for everyone to read.
        own_file(&path).map_err(StoreError::Unusable)?;
        let flags =
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let connection = Connection::open_with_flags(&path, flags)?;
        connection.busy_timeout(patience)?;
        let mut store = Store { connection, path };
        // Not before it is known to be ours: a journal of another kind would be ended.
        let is_new = store.is_new()?;
        store.connection.execute_batch(
            "PRAGMA journal_mode = PERSIST; PRAGMA synchronous = OFF; PRAGMA journal_size_limit = 1048576;",
        )?;
        if is_new {
            store.begin()?;
        }
        Ok(store)
    }

    /// Adds the runs that are not there yet, all or none.
    ///
    /// # Errors
    /// Why not; then none is there.
    pub fn add_new(&mut self, rows: &[Row]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Without it each look for an id would read all of the store. It is not in stores that were made before there was one.
        transaction.execute_batch(INDEX)?;
        let mut known = transaction.prepare(KNOWN)?;
        let mut insert = transaction.prepare(INSERT)?;
        for row in rows {
            if !known.query_row([&row.run_id], |found| found.get(0))? {
                add(&mut insert, row)?;
                forget_the_oldest(&transaction)?;
            }
        }
        drop((known, insert));
        transaction.commit()?;
        Ok(())
    }

    /// Whether all of it is as it should be.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), StoreError> {
        let found: String = self.connection.query_row("PRAGMA quick_check(1)", [], |found| found.get(0))?;
        if found != "ok" {
            return Err(StoreError::Damaged(found));
        }
        self.connection.prepare(INSERT)?;
        Ok(())
    }

    /// Whose file it is: one of ours, with its tables or still empty. All marks are of one moment, as another process may be writing them.
    fn is_new(&self) -> Result<bool, StoreError> {
        let moment = self.connection.unchecked_transaction()?;
        let number = |question: &str| moment.query_row(question, [], |found| found.get::<_, i64>(0));
        let marks = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
        let tables = number("SELECT count(*) FROM sqlite_schema")?;
        moment.commit()?;
        match (marks, tables) {
            ((APPLICATION, VERSION), _) => Ok(false),
            ((APPLICATION, found), _) if found > VERSION => Err(StoreError::Newer { found, known: VERSION }),
            ((APPLICATION, found), _) => Err(StoreError::Damaged(format!("it says that it has version {found}"))),
            ((0, 0), 0) => Ok(true),
            _ => Err(StoreError::Foreign(self.path.display().to_string())),
        }
    }

    fn begin(&mut self) -> Result<(), StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |found| found.get(0))?;
        if tables == 0 {
            transaction.execute_batch(TABLES)?;
            transaction
                .execute_batch(&format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"))?;
        }
        transaction.commit()?;
        Ok(())
    }
}

fn forget_the_oldest(connection: &Connection) -> Result<(), StoreError> {
    let last = connection.last_insert_rowid();
    if last % PRUNE_EVERY == 0 {
        connection.execute("DELETE FROM runs WHERE id <= ?1", [last - KEPT])?;
    }
    Ok(())
}

fn add(insert: &mut Statement<'_>, row: &Row) -> Result<(), StoreError> {
    let values = params![
        row.run_id,
        row.session,
        row.began_us,
        row.duration_us,
        row.macro_name,
        row.artifact_hash,
        row.success,
        row.error_code,
        row.exit_code,
        row.dry_run,
        row.parameters,
        row.document,
    ];
    insert.execute(values)?;
    Ok(())
}
