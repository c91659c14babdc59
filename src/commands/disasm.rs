//! `disasm`: the instructions of a compiled macro.

use serde_json::json;

use crate::args::Target;
use crate::commands::Context;
use crate::commands::compiled::compiled;
use crate::engine;
use crate::exit::Exit;
use crate::print::escape;
use crate::trouble::Trouble;

/// Prints the instructions.
pub fn disasm(context: &Context<'_>, args: &Target) -> Result<Exit, Trouble> {
    let text = engine::disassemble(&compiled(context, &args.target)?.artifact);
    if context.screen.json {
        context.screen.document(&json!({"schema": "macrocli.disasm/1", "text": text}));
    } else {
        context.screen.out(&escape::lines(&text));
    }
    Ok(Exit::OK)
}
