//! Sessions on the command line: their ids, and the verbs of `session`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

/// The verbs of `session`.
#[derive(Debug, Subcommand)]
pub enum SessionVerb {
    /// Count the session's runs
    Status,
    /// List the session's last runs, the newest first
    History(SessionHistory),
    /// Show a run with its result
    Show(SessionShow),
    /// List the sessions
    List,
    /// Write the session to a file in macrocli's own folder
    Save,
    /// Write the session to a file
    Export(SessionExport),
    /// Forget runs: of the session that `--session-id` names, else of all
    Prune(SessionPrune),
}

/// `session history`.
#[derive(Debug, Args)]
pub struct SessionHistory {
    /// The most runs to list
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: u32,
}

/// `session show`.
#[derive(Debug, Args)]
pub struct SessionShow {
    /// The run's id, the beginning of it, or `last` for the session's last run
    #[arg(value_name = "RUN_ID")]
    pub run: String,
}

/// `session export`.
#[derive(Debug, Args)]
pub struct SessionExport {
    /// The file to write
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write over a file that is there
    #[arg(long)]
    pub force: bool,
}

/// `session prune`.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct SessionPrune {
    /// Keep the last N runs
    #[arg(long, value_name = "N")]
    pub keep: Option<u32>,
    /// Forget what began longer ago, as `30d` or `12h`
    #[arg(long, value_name = "TIME", value_parser = age)]
    pub older_than: Option<Duration>,
}

/// A session's id.
///
/// # Errors
/// What it must be made of.
pub fn session_id(text: &str) -> Result<String, String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let begins = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    if begins && text.len() <= 64 && text.bytes().all(allowed) && !text.contains("..") {
        return Ok(text.to_owned());
    }
    Err("a session's id is made of letters, digits, `.`, `_` and `-`, begins with a letter or digit, has no `..` and at most 64 characters"
        .to_owned())
}

fn age(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|error| format!("{error}; write for instance 30d, 12h or 90min"))
}

#[cfg(test)]
mod tests {
    use crate::args::session::session_id;

    #[test]
    fn session_ids_are_plain_names() {
        for good in ["a", "0", "a.b-c_d", &"x".repeat(64)] {
            assert!(session_id(good).is_ok(), "{good}");
        }
        for bad in ["", ".a", "-a", "a/b", "a..b", "a b", "é", &"x".repeat(65)] {
            assert!(session_id(bad).is_err(), "{bad}");
        }
    }
}
