//! macrocli: compiles GUI macros and runs them. Arguments, a call, a print; the work is done in `compiler` and `vm`.

mod args;
mod batch;
mod bug;
mod commands;
mod compile;
mod diff;
mod engine;
mod events;
mod exit;
mod files;
mod findings;
mod identity;
mod incremental;
mod mcp;
mod parameters;
mod policy;
mod print;
mod progress;
mod registry;
mod trouble;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::Parser;
use mimalloc::MiMalloc;

use crate::args::Cli;
use crate::exit::Exit;
use crate::print::screen::Screen;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() {
    let words: Vec<OsString> = std::env::args_os().collect();
    let guessed = Screen::guess(&words);
    bug::watch();
    let outcome = catch_unwind(AssertUnwindSafe(|| start(&words, &guessed)));
    let exit = outcome.unwrap_or_else(|_| bug::report(&guessed));
    std::process::exit(i32::from(exit.0));
}

fn start(words: &[OsString], guessed: &Screen) -> Exit {
    match Cli::try_parse_from(commands::usage::words(words)) {
        Ok(cli) => commands::dispatch(&cli, &Screen::new(&cli.globals)),
        Err(error) => commands::usage::answer(&error, words, guessed),
    }
}
