//! macrocli: compiles GUI macros and runs them. Arguments, a call, a print; the work is done in `compiler` and `vm`.

mod args;
mod assist;
mod batch;
mod bug;
mod building;
mod commands;
mod compile;
mod danger;
mod diff;
mod engine;
mod events;
mod exit;
mod files;
mod findings;
mod history;
mod home;
mod identity;
mod incremental;
mod mcp;
mod parameters;
mod policy;
mod print;
mod progress;
mod registry;
mod session;
mod trouble;

use std::ffi::OsString;

use mimalloc::MiMalloc;

use crate::commands::Kept;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() {
    let words: Vec<OsString> = std::env::args_os().collect();
    bug::watch();
    let exit = commands::call(&words, None, &Kept::default());
    std::process::exit(i32::from(exit.0));
}
