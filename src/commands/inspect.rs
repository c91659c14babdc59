//! `inspect`: what a compiled macro says of itself, and what running it touches.

use crate::args::Target;
use crate::commands::Context;
use crate::commands::compiled::compiled;
use crate::engine;
use crate::exit::Exit;
use crate::print::artifact;
use crate::trouble::Trouble;

/// Prints metadata, parameters, outputs, routes and capabilities.
pub fn inspect(context: &Context<'_>, args: &Target) -> Result<Exit, Trouble> {
    let found = compiled(context, &args.target)?;
    let hash = engine::content_hash(&found.bytes);
    let document = artifact::inspect(&found.artifact, engine::FORMAT_VERSION, &hash, found.bytes.len());
    if context.screen.json {
        context.screen.document(&document);
    } else {
        context.screen.out(&artifact::text(&document));
    }
    Ok(Exit::OK)
}
