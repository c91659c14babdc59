//! The commands, one file each: arguments, a call, a print.

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
mod run;
pub mod usage;
mod validate;

use crate::args::{Cli, Command, Globals, MacroVerb, MessageFormat};
use crate::exit::Exit;
use crate::print;
use crate::print::screen::Screen;
use crate::registry::Registry;
use crate::trouble::Trouble;

/// What every command may use.
struct Context<'a> {
    globals: &'a Globals,
    screen: &'a Screen,
}

impl Context<'_> {
    fn registry(&self) -> Result<Registry, Trouble> {
        Registry::new(self.globals)
    }
}

/// Does what the command line asks for and prints the outcome.
pub fn dispatch(cli: &Cli, screen: &Screen) -> Exit {
    let context = Context { globals: &cli.globals, screen };
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
        Command::Validate(args) | Command::Macro(MacroVerb::Validate(args)) => validate::validate(&context, args),
        Command::Disasm(args) => disasm::disasm(&context, args),
        Command::Inspect(args) => inspect::inspect(&context, args),
        Command::Diff(args) => diff::diff(&context, args),
        Command::Explain(args) => explain::explain(&context, args),
        Command::Backends => backends::backends(&context),
        Command::Mcp(args) => mcp::mcp(&context, args),
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
