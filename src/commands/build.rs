//! `build`: macros to artifacts, in parallel, and only what is not up to date.

use serde_json::{Value, json};

use crate::args::Build;
use crate::batch;
use crate::building::{Builder, Built, Freshness, Outcome};
use crate::commands::Context;
use crate::compile;
use crate::exit::Exit;
use crate::findings::count;
use crate::incremental;
use crate::print::{document, escape, human};
use crate::progress::Progress;
use crate::trouble::Trouble;

/// Builds macros.
pub fn build(context: &Context<'_>, args: &Build) -> Result<Exit, Trouble> {
    if context.globals.dry_run {
        return Err(Trouble::usage("`--dry-run` cannot be said of `build`, which writes artifacts")
            .hint("`check` finds the same mistakes and writes nothing"));
    }
    let registry = context.registry()?;
    let gathered = batch::gather(&args.paths)?;
    let progress = Progress::new(context.screen, gathered.sources.len());
    let deny_warnings = args.compile.deny.is_some();
    let target = compile::target(args.compile.target);
    let builder = Builder { registry: &registry, target, output: &args.output, force: args.force, deny_warnings };
    let built = builder.build(gathered, &progress)?;
    let seconds = progress.finish().as_secs_f64();
    let bad = built.findings.errors() > 0 || deny_warnings && built.findings.warnings() > 0;
    let exit = if bad { Exit::DIAGNOSTICS } else { Exit::OK };
    let screen = context.screen;
    if screen.json {
        screen.document(&result(&built, args, exit));
    } else {
        human::show(screen, &built.findings, args.format.message_format);
    }
    if !built.findings.list.is_empty() {
        screen.remark(&escape::line(&built.findings.summary()));
    }
    let number = |wanted| built.macros.iter().filter(|outcome| freshness(outcome) == wanted).count();
    let (new, fresh) = (number(Some(Freshness::New)), number(Some(Freshness::UpToDate)));
    let failed = number(None);
    screen.remark(&format!("{} built, {fresh} up to date, {failed} failed in {seconds:.2} s", count(new, "macro")));
    Ok(exit)
}

fn freshness(outcome: &Outcome) -> Option<Freshness> {
    outcome.artifact.as_ref().map(|(_, freshness)| *freshness)
}

fn result(built: &Built, args: &Build, exit: Exit) -> Value {
    let list = |wanted| -> Vec<Value> {
        let those = built.macros.iter().filter(|outcome| freshness(outcome) == wanted);
        those.map(|outcome| described(outcome, args)).collect()
    };
    json!({
        "schema": "macrocli.build/1",
        "success": exit == Exit::OK,
        "exit_code": exit.0,
        "built": list(Some(Freshness::New)),
        "up_to_date": list(Some(Freshness::UpToDate)),
        "failed": list(None),
        "diagnostics": document::list(&built.findings),
    })
}

fn described(outcome: &Outcome, args: &Build) -> Value {
    match &outcome.artifact {
        Some((entry, _)) => json!({
            "name": entry.name,
            "path": outcome.shown,
            "output": incremental::output(&args.output, &entry.name).display().to_string(),
            "bytes": entry.bytes,
            "hash": entry.content,
        }),
        None => json!({"path": outcome.shown}),
    }
}
