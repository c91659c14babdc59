//! `mcp`: macros as tools of the Model Context Protocol.

use crate::args::Mcp;
use crate::commands::Context;
use crate::exit::Exit;
use crate::mcp::{self, Settings};
use crate::trouble::Trouble;

/// Serves until the client goes away.
pub fn mcp(context: &Context<'_>, args: &Mcp) -> Result<Exit, Trouble> {
    // A folder that is not there is a mistake of the command line, and said before anything is served.
    context.registry()?;
    mcp::serve(Settings { globals: context.globals.clone(), screen: *context.screen, yes: args.yes, jobs: args.jobs })
}
