//! Questions to the store, and what is taken out of it.

use rusqlite::{OptionalExtension, Row as Found, params};

use crate::history::error::StoreError;
use crate::history::row::Row;
use crate::history::store::Store;

const COLUMNS: &str = "run_id, session, began_us, duration_us, macro_name, artifact_hash, success, error_code, exit_code, dry_run, parameters";

/// What is counted of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// All runs.
    pub runs: i64,
    /// Those that did what they should.
    pub success: i64,
    /// Those that only pretended.
    pub dry_runs: i64,
    /// The mean of their times, in milliseconds.
    pub mean_ms: f64,
}

/// A session in the list of all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionLine {
    /// Its id.
    pub session: String,
    /// When its last run began, in microseconds since 1970 in UTC.
    pub last_us: i64,
    /// How many runs it has.
    pub runs: i64,
}

/// Which runs are taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// All but the last so many.
    Keep(u32),
    /// Those that began before this moment, in microseconds since 1970 in UTC.
    Before(i64),
}

impl Store {
    /// The sums over a session.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn totals(&self, session: &str) -> Result<Totals, StoreError> {
        let question =
            "SELECT count(*), total(success), total(dry_run), total(duration_us) FROM runs WHERE session = ?1";
        let totals = |found: &Found<'_>| {
            let runs: i64 = found.get(0)?;
            let sum = |column: usize| found.get::<_, f64>(column);
            let mean_ms = if runs == 0 { 0.0 } else { sum(3)? / runs as f64 / 1000.0 };
            Ok(Totals { runs, success: sum(1)? as i64, dry_runs: sum(2)? as i64, mean_ms })
        };
        Ok(self.connection.query_row(question, [session], totals)?)
    }

    /// The last runs of a session, the newest first, without their documents.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub fn history(&self, session: &str, limit: u32) -> Result<Vec<Row>, StoreError> {
        let question = format!("SELECT {COLUMNS}, '' FROM runs WHERE session = ?1 ORDER BY id DESC LIMIT ?2");
        let mut statement = self.connection.prepare(&question)?;
        let rows = statement.query_map(params![session, limit], row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// A run by its id or the beginning of it, of whatever session; the newest where several begin so.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn run(&self, id: &str) -> Result<Option<Row>, StoreError> {
        let question = format!(
            "SELECT {COLUMNS}, document FROM runs WHERE substr(run_id, 1, length(?1)) = ?1 ORDER BY id DESC LIMIT 1"
        );
        Ok(self.connection.query_row(&question, [id], row).optional()?)
    }

    /// The last run of a session.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn last(&self, session: &str) -> Result<Option<Row>, StoreError> {
        let question = format!("SELECT {COLUMNS}, document FROM runs WHERE session = ?1 ORDER BY id DESC LIMIT 1");
        Ok(self.connection.query_row(&question, [session], row).optional()?)
    }

    /// Hands over every run of a session with its document, the oldest first, and ends at the first that is not taken.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub fn each<E>(
        &self,
        session: &str,
        mut take: impl FnMut(Row) -> Result<(), E>,
    ) -> Result<Result<(), E>, StoreError> {
        let question = format!("SELECT {COLUMNS}, document FROM runs WHERE session = ?1 ORDER BY id");
        let mut statement = self.connection.prepare(&question)?;
        let mut found = statement.query([session])?;
        while let Some(next) = found.next()? {
            if let Err(refused) = take(row(next)?) {
                return Ok(Err(refused));
            }
        }
        Ok(Ok(()))
    }

    /// Every session, the one used last first.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub fn sessions(&self) -> Result<Vec<SessionLine>, StoreError> {
        let question = "SELECT session, max(began_us), count(*) FROM runs GROUP BY session ORDER BY max(id) DESC";
        let mut statement = self.connection.prepare(question)?;
        let line =
            |found: &Found<'_>| Ok(SessionLine { session: found.get(0)?, last_us: found.get(1)?, runs: found.get(2)? });
        let lines = statement.query_map([], line)?;
        Ok(lines.collect::<Result<_, _>>()?)
    }

    /// Takes runs out, of one session or of all, and gives back the space; how many were taken and how many are left.
    ///
    /// # Errors
    /// Why not; then all are still there.
    pub fn prune(&mut self, session: Option<&str>, filter: Filter) -> Result<(usize, i64), StoreError> {
        let removed = match filter {
            Filter::Keep(count) => self.connection.execute(
                "DELETE FROM runs WHERE (?1 IS NULL OR session = ?1) AND id NOT IN
                    (SELECT id FROM runs WHERE ?1 IS NULL OR session = ?1 ORDER BY id DESC LIMIT ?2)",
                params![session, count],
            )?,
            Filter::Before(moment) => self.connection.execute(
                "DELETE FROM runs WHERE (?1 IS NULL OR session = ?1) AND began_us < ?2",
                params![session, moment],
            )?,
        };
        let left = self.connection.query_row(
            "SELECT count(*) FROM runs WHERE ?1 IS NULL OR session = ?1",
            [session],
            |found| found.get(0),
        )?;
        if removed > 0 {
            self.connection.execute_batch("VACUUM")?;
        }
        Ok((removed, left))
    }
}

fn row(found: &Found<'_>) -> rusqlite::Result<Row> {
    Ok(Row {
        run_id: found.get(0)?,
        session: found.get(1)?,
        began_us: found.get(2)?,
        duration_us: found.get(3)?,
        macro_name: found.get(4)?,
        artifact_hash: found.get(5)?,
        success: found.get(6)?,
        error_code: found.get(7)?,
        exit_code: found.get(8)?,
        dry_run: found.get(9)?,
        parameters: found.get(10)?,
        document: found.get(11)?,
    })
}
