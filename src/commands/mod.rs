//! The commands, one file each: arguments, a call, a print.

mod assist;
mod backends;
mod build;
mod check;
mod compiled;
mod completions;
mod define;
mod diff;
mod disasm;
mod explain;
mod info;
mod inspect;
mod list;
mod mcp;
mod repl;
mod run;
mod session;
mod skill;
mod usage;
mod validate;

use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::io::{IsTerminal, stdin, stdout};
use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::Parser;
use serde_json::Value;

use crate::args::{Cli, Command, Globals, MacroVerb, MessageFormat};
use crate::bug;
use crate::exit::Exit;
use crate::print;
use crate::print::screen::Screen;
use crate::registry::Registry;
use crate::trouble::Trouble;

/// What outlives a command where several follow each other.
#[derive(Debug, Default)]
pub struct Kept {
    /// Whether another command line may follow; signals then end no more than what runs.
    pub interactive: bool,
    /// The document of the last run.
    pub last: RefCell<Option<Value>>,
    /// Whether there may be a secret in the command line; a run takes it back once it knows that there is none.
    pub secretive: Cell<bool>,
}

/// What every command may use.
struct Context<'a> {
    globals: &'a Globals,
    screen: &'a Screen,
    kept: &'a Kept,
}

impl Context<'_> {
    fn registry(&self) -> Result<Registry, Trouble> {
        Registry::new(self.globals)
    }
}

/// Does what a command line asks for, the program's name first, and prints the outcome. Flags in `outer` hold as if they were written there.
pub fn call(words: &[OsString], outer: Option<&Globals>, kept: &Kept) -> Exit {
    let mut guessed = Screen::guess(words);
    guessed.json |= outer.is_some_and(|outer| outer.json);
    let outcome = catch_unwind(AssertUnwindSafe(|| start(words, outer, kept, &guessed)));
    outcome.unwrap_or_else(|_| bug::report(&guessed))
}

fn start(words: &[OsString], outer: Option<&Globals>, kept: &Kept, guessed: &Screen) -> Exit {
    let mut words = usage::words(words);
    if !kept.interactive && usage::is_bare(&words) && stdin().is_terminal() && stdout().is_terminal() {
        words.push("repl".into());
    }
    match Cli::try_parse_from(&words) {
        Ok(mut cli) => {
            outer.into_iter().for_each(|outer| cli.globals.within(outer));
            dispatch(&cli, &Screen::new(&cli.globals), kept)
        }
        Err(error) => usage::answer(&error, &words, guessed),
    }
}

fn dispatch(cli: &Cli, screen: &Screen, kept: &Kept) -> Exit {
    let context = Context { globals: &cli.globals, screen, kept };
    let outcome = match &cli.command {
        Command::Run(args) | Command::Macro(MacroVerb::Run(args)) => {
            return run::run(&context, args, cli.globals.dry_run);
        }
        Command::Macro(MacroVerb::DryRun(args)) => return run::run(&context, args, true),
        Command::Build(args) => build::build(&context, args),
        Command::Check(args) => check::check(&context, args),
        Command::List | Command::Macro(MacroVerb::List) => list::list(&context),
        Command::Info(args) | Command::Macro(MacroVerb::Info(args)) => info::info(&context, args),
        Command::Define(args) | Command::Macro(MacroVerb::Define(args)) => define::define(&context, args),
        Command::Assist(args) | Command::Macro(MacroVerb::Assist(args)) => assist::assist(&context, args),
        Command::Validate(args) | Command::Macro(MacroVerb::Validate(args)) => validate::validate(&context, args),
        Command::Disasm(args) => disasm::disasm(&context, args),
        Command::Inspect(args) => inspect::inspect(&context, args),
        Command::Diff(args) => diff::diff(&context, args),
        Command::Explain(args) => explain::explain(&context, args),
        Command::Backends => backends::backends(&context),
        Command::Session(verb) => session::session(&context, verb),
        Command::Mcp(args) => mcp::mcp(&context, args),
        Command::Repl => repl::repl(&context),
        Command::Skill => skill::skill(&context),
        Command::Completions(args) => completions::completions(&context, args),
    };
    outcome.unwrap_or_else(|trouble| {
        if screen.json {
            screen.document(&print::trouble::document(&trouble));
        }
        print::trouble::tell(screen, &trouble, MessageFormat::Human);
        trouble.exit
    })
}
