//! `assist` on the command line.

use std::path::PathBuf;

use clap::Args;

use crate::args::PolicyArgs;

/// `assist`.
#[derive(Debug, Args)]
pub struct Assist {
    /// The new macro's name
    pub name: String,
    /// What the macro is to do
    #[arg(long, value_name = "TEXT")]
    pub goal: String,
    /// The screen it is for: `current`, or a PNG file
    #[arg(long, value_name = "current|FILE", default_value = "current")]
    pub screenshot: String,
    /// The file to write; NAME.yaml when not given
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write over files that are there
    #[arg(long)]
    pub force: bool,
    /// The model's name; else that of MACROCLI_MODEL
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// The model's server; else that of MACROCLI_BASE_URL
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// Where the key is kept: env:VAR, file:PATH or stdin; else MACROCLI_API_KEY, which is for the server of MACROCLI_BASE_URL alone
    #[arg(long, value_name = "SOURCE")]
    pub api_key: Option<String>,
    /// How long it may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub timeout: u32,
    #[command(flatten)]
    pub policy: PolicyArgs,
}
