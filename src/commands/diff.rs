//! `diff`: what differs between two macros, and what the second may do that the first may not.

use crate::args::Diff;
use crate::commands::Context;
use crate::commands::compiled::{Compiled, compiled};
use crate::diff::compare;
use crate::engine;
use crate::exit::Exit;
use crate::print::diff::{Side, document, text};
use crate::trouble::Trouble;

/// Prints the differences. Exits with 1 when there are some, or, with `--widened`, when something is wider.
pub fn diff(context: &Context<'_>, args: &Diff) -> Result<Exit, Trouble> {
    let (before, after) = (compiled(context, &args.before)?, compiled(context, &args.after)?);
    let changes = compare(&before.artifact, &after.artifact);
    let differs = changes.iter().any(|change| change.widened || !args.widened);
    let exit = if differs { Exit::FAILED } else { Exit::OK };
    if context.screen.json {
        context.screen.document(&document(side(&args.before, &before), side(&args.after, &after), &changes, exit));
    } else {
        context.screen.out(&text(&changes));
    }
    Ok(exit)
}

fn side<'a>(shown: &'a str, found: &'a Compiled) -> Side<'a> {
    Side { shown, meta: &found.artifact.meta, hash: engine::content_hash(&found.bytes) }
}
