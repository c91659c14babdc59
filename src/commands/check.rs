//! `check`: every mistake of files and folders, without writing anything.

use crate::args::{Check, MessageFormat};
use crate::batch;
use crate::commands::Context;
use crate::compile;
use crate::exit::Exit;
use crate::findings::count;
use crate::print::escape;
use crate::print::human;
use crate::progress::Progress;
use crate::trouble::Trouble;

/// Reports every mistake.
pub fn check(context: &Context<'_>, args: &Check) -> Result<Exit, Trouble> {
    let registry = context.registry()?;
    let gathered = batch::gather(&args.paths)?;
    let target = compile::target(args.compile.target);
    let files = gathered.sources.len() + gathered.broken.len();
    let mut findings = gathered.findings();
    let progress = Progress::new(context.screen, files);
    let compiled =
        batch::each(gathered.sources, &progress, |source| compile::file(&registry, &source, target).findings);
    progress.finish();
    compiled.into_iter().for_each(|found| findings.extend(found));
    findings.sort();
    let format = if context.screen.json { MessageFormat::Json } else { args.format.message_format };
    human::show(context.screen, &findings, format);
    if format != MessageFormat::Json {
        let files = count(files, "file");
        match findings.list.is_empty() {
            true => context.screen.remark(&format!("{files} checked: {}", findings.summary())),
            false => context.screen.remark(&escape::line(&findings.summary())),
        }
    }
    let denied = args.compile.deny.is_some() && findings.warnings() > 0;
    Ok(if findings.errors() > 0 || denied { Exit::DIAGNOSTICS } else { Exit::OK })
}
