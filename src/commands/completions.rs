//! `completions`: a script for a shell.

use clap::CommandFactory;
use serde_json::json;

use crate::args::{Cli, Completions};
use crate::commands::Context;
use crate::exit::Exit;
use crate::trouble::Trouble;

/// Prints the script.
pub fn completions(context: &Context<'_>, args: &Completions) -> Result<Exit, Trouble> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), called(), &mut script);
    let script = String::from_utf8_lossy(&script);
    if context.screen.json {
        context
            .screen
            .document(&json!({"schema": "macrocli.completions/1", "shell": args.shell.to_string(), "script": script}));
    } else {
        context.screen.out(&script);
    }
    Ok(Exit::OK)
}

/// The name macrocli was called by: completions are for that name.
fn called() -> String {
    let first = std::env::args_os().next();
    let name = first.as_deref().and_then(|path| std::path::Path::new(path).file_stem()?.to_str());
    name.filter(|name| !name.is_empty()).unwrap_or("macrocli").to_owned()
}
