//! What macros may touch, on the command line.

use std::path::PathBuf;

use clap::Args;

/// What macros may touch, for every command that runs some.
#[derive(Clone, Debug, Default, Args)]
pub struct PolicyArgs {
    /// Refuse whatever this file (TOML or YAML) does not allow
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Refuse whatever is not allowed: run=PROGRAM, read=PATH, write=PATH, env=NAME, window=TITLE, host=NAME, type, click, capture, model;
    /// joined by commas, may be given several times, adds to --policy
    #[arg(long, value_name = "LIST")]
    pub allow: Vec<String>,
    /// Run macros that call themselves dangerous
    #[arg(long, short)]
    pub yes: bool,
}
