//! Sessions and their runs.

use serde_json::{Value, json};

use crate::history::{Row, SessionLine, Totals, timestamp};
use crate::print::escape;
use crate::print::table::table;

/// The document of `session status`.
pub fn status(id: &str, totals: &Totals) -> Value {
    let rate = if totals.runs == 0 { 0.0 } else { totals.success as f64 / totals.runs as f64 };
    json!({
        "session_id": id,
        "runs": totals.runs,
        "total": totals.runs,
        "success": totals.success,
        "failure": totals.runs - totals.success,
        "success_rate": rate,
        "avg_duration_ms": totals.mean_ms,
        "dry_runs": totals.dry_runs,
    })
}

/// The same for people.
pub fn status_text(id: &str, totals: &Totals) -> String {
    let failed = totals.runs - totals.success;
    let mean = if totals.runs == 0 { String::new() } else { format!("mean time {:.1} ms\n", totals.mean_ms) };
    format!(
        "session {id}: {} runs, {} ok, {failed} failed, {} dry\n{mean}",
        totals.runs, totals.success, totals.dry_runs
    )
}

/// `session history` for people.
pub fn history_text(rows: &[Row]) -> String {
    let cells = |row: &Row| {
        let outcome = row.error_code.as_deref().unwrap_or("ok");
        let dry = if row.dry_run { " (dry)" } else { "" };
        vec![
            row.run_id.clone(),
            timestamp(row.began_us).chars().take(19).collect(),
            row.macro_name.clone(),
            format!("{:.1} ms", row.duration_us as f64 / 1000.0),
            format!("{outcome}{dry}"),
        ]
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    table(&["run", "began (UTC)", "macro", "time", "outcome"], &rows)
}

/// The document of `session show`.
pub fn run(row: &Row) -> Value {
    let mut document = json!({"schema": "macrocli.session.run/1"});
    if let (Value::Object(document), Value::Object(entry)) = (&mut document, entry(row)) {
        document.extend(entry);
    }
    document
}

/// A run with its result document.
pub fn entry(row: &Row) -> Value {
    let mut entry = row.summary();
    entry["result"] = row.result();
    entry
}

/// `session show` for people.
pub fn run_text(row: &Row) -> String {
    let mut text = history_text(std::slice::from_ref(row));
    // A value always has a text.
    text.push_str(&serde_json::to_string_pretty(&row.result()).unwrap_or_default());
    text.push('\n');
    escape::lines(&text)
}

/// The document of `session list`.
pub fn list(lines: &[SessionLine]) -> Value {
    let entry = |line: &SessionLine| json!({"session_id": line.session, "timestamp": timestamp(line.last_us), "runs": line.runs});
    lines.iter().map(entry).collect()
}

/// The same for people.
pub fn list_text(lines: &[SessionLine]) -> String {
    let cells = |line: &SessionLine| {
        vec![line.session.clone(), timestamp(line.last_us).chars().take(19).collect(), line.runs.to_string()]
    };
    let rows: Vec<Vec<String>> = lines.iter().map(cells).collect();
    table(&["session", "last run (UTC)", "runs"], &rows)
}
