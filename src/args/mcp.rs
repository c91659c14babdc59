//! `mcp` on the command line.

use clap::Args;

use crate::args::PolicyArgs;

/// `mcp`.
#[derive(Debug, Args)]
pub struct Mcp {
    /// What its runs may touch.
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// How many macros may run at once; further calls wait
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: u16,
}
