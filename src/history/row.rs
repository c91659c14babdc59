//! One run as it is kept.

use std::time::{Duration, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// One run as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The run's id.
    pub run_id: String,
    /// The session it belongs to.
    pub session: String,
    /// When it began, in microseconds since 1970 in UTC.
    pub began_us: i64,
    /// How long it took, in microseconds.
    pub duration_us: i64,
    /// The macro's name.
    pub macro_name: String,
    /// The artifact's content hash in hexadecimal; none when no artifact came about.
    pub artifact_hash: Option<String>,
    /// Whether it did what it should.
    pub success: bool,
    /// The word for why it failed.
    pub error_code: Option<String>,
    /// The exit code.
    pub exit_code: i64,
    /// Whether it only pretended.
    pub dry_run: bool,
    /// The given parameters, a JSON object.
    pub parameters: String,
    /// The result document, JSON.
    pub document: String,
}

impl Row {
    /// All but the result document, as it is shown in lists.
    pub fn summary(&self) -> Value {
        json!({
            "run_id": self.run_id,
            "session_id": self.session,
            "timestamp": timestamp(self.began_us),
            "macro_name": self.macro_name,
            "artifact_hash": self.artifact_hash,
            "parameters": read(&self.parameters),
            "success": self.success,
            "error_code": self.error_code,
            "exit_code": self.exit_code,
            "dry_run": self.dry_run,
            "duration_ms": self.duration_us as f64 / 1000.0,
        })
    }

    /// The result document.
    pub fn result(&self) -> Value {
        read(&self.document)
    }
}

/// A moment as RFC 3339 has it, in UTC.
pub fn timestamp(us: i64) -> String {
    // The last moment of the year 9999: the crate takes no later one.
    let us = u64::try_from(us).unwrap_or_default().min(253_402_300_799_999_999);
    humantime::format_rfc3339_micros(UNIX_EPOCH + Duration::from_micros(us)).to_string()
}

/// What was written by us is JSON; what somebody else put there becomes a text.
fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}
