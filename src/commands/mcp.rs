//! `mcp`: macros as tools of the Model Context Protocol.

use crate::args::Mcp;
use crate::commands::Context;
use crate::exit::Exit;
use crate::mcp::{self, ServerSettings};
use crate::policy;
use crate::trouble::Trouble;

/// Serves until the client goes away.
pub fn mcp(context: &Context<'_>, args: &Mcp) -> Result<Exit, Trouble> {
    if context.kept.interactive {
        return Err(Trouble::usage("the REPL has standard input, which the server would take"));
    }
    // Mistakes of the command line are said before anything is served.
    context.registry()?;
    let policy = policy::read(&args.policy)?;
    let (globals, screen) = (context.globals.clone(), *context.screen);
    mcp::serve(ServerSettings { globals, screen, allowed: args.policy.clone(), policy, jobs: args.jobs })
}
