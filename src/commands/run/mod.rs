//! `run`: a macro by name, from YAML or from an artifact, in the real or the simulated world.

mod facts;
mod narrator;
mod prepare;
mod publish;

use serde_json::Value;
use spec::artifact::Artifact;
use vm::report::Report;

use crate::args::{MessageFormat, Run};
use crate::commands::Context;
use crate::commands::run::narrator::{Narrator, Tellers};
use crate::commands::run::prepare::{Prepared, prepare};
use crate::commands::run::publish::Outlet;
use crate::engine::{self, Observer, Options, Pretend};
use crate::exit::Exit;
use crate::history::{self, Facts};
use crate::policy;
use crate::print;
use crate::print::document::list;
use crate::print::escape;
use crate::print::human;
use crate::print::remarks::Remarks;
use crate::print::screen::Screen;
use crate::registry::target;
use crate::session;
use crate::trouble::Trouble;

/// Runs a macro and prints its result.
pub fn run(context: &Context<'_>, args: &Run, dry_run: bool) -> Exit {
    let options = || Options { save_failures: args.save_failures.clone(), ..Options::default() };
    let pretend = if dry_run { Pretend::Yes } else { Pretend::No(options()) };
    let session = session::named(context.globals);
    let named = session.as_ref().ok().and_then(Option::as_deref);
    let mut outlet = Outlet::new(context.screen, named, args.events.as_ref());
    let prepared = session.and_then(|_| prepare(context, args));
    match prepared.and_then(|prepared| perform(context, &mut outlet, args, prepared, pretend)) {
        Ok(Done { exit, document, facts }) => {
            outlet.publish(document, facts, context.kept);
            exit
        }
        Err(trouble) => {
            // A command line that names no macro is no run.
            let known = trouble.macro_name.is_some() && trouble.exit != Exit::USAGE;
            let facts = known.then(|| facts::of_refused(args));
            let document = refuse(&outlet, args, &trouble, dry_run);
            outlet.publish(document, facts, context.kept);
            trouble.exit
        }
    }
}

/// A run that has ended.
struct Done {
    exit: Exit,
    document: Value,
    facts: Option<Facts>,
}

fn perform(
    context: &Context<'_>,
    outlet: &mut Outlet,
    args: &Run,
    prepared: Prepared,
    pretend: Pretend,
) -> Result<Done, Trouble> {
    let Prepared { source, program, hash, findings, parameters, policy } = prepared;
    let screen = outlet.screen;
    if !findings.list.is_empty() && !screen.json {
        human::show(&screen, &findings, quiet_json(args.format.message_format));
    }
    let artifact: &Artifact = engine::contents(&program);
    context.kept.secretive.set(parameters.may_show_secrets(artifact.macros.last()));
    if let Pretend::No(_) = pretend {
        policy::consent(artifact, policy.as_ref(), args.policy.yes, &screen)?;
    }
    let facts = history::is_on().then(|| facts::of_program(artifact, hash, &parameters));
    let warnings = artifact.macros.last().map(|unit| parameters.exposed(unit)).unwrap_or_default();
    let mut tellers = Tellers { narrator: Narrator { remarks: Remarks::new(&screen) }, events: outlet.events.as_mut() };
    warnings.iter().for_each(|warning| tellers.narrator.warned(warning));
    if args.attached {
        engine::stop_when_input_ends().map_err(Trouble::io)?;
    }
    let report = engine::run(&program, parameters.into_inputs(), pretend, policy, &mut tellers);
    if !context.kept.interactive {
        // Who waits for a reader of the output could not be stopped otherwise.
        engine::stop_listening();
    }
    let report = report.map_err(|reason| Trouble::io(reason).about(artifact.meta.name.as_str()))?;
    drop(tellers);
    let about = print::run::Context { file: &source.shown, identity: &outlet.identity, warnings: &warnings };
    let mut document = print::run::document(&report, &about);
    if !findings.list.is_empty() {
        document["diagnostics"] = list(&findings);
    }
    if !screen.json {
        tell(&screen, &report);
    }
    Ok(Done { exit: print::run::exit(&report), document, facts })
}

fn refuse(outlet: &Outlet, args: &Run, trouble: &Trouble, dry_run: bool) -> Value {
    let screen = &outlet.screen;
    let format = args.format.message_format;
    print::trouble::tell(screen, trouble, if screen.json { quiet_json(format) } else { format });
    let mut result = print::run::refused(trouble, dry_run, &outlet.identity);
    let is_name = |name: &&String| trouble.macro_name.is_none() && !target::is_path(name) && *name != "-";
    if let Some(name) = args.target.as_ref().filter(is_name) {
        result["macro_name"] = name.as_str().into();
    }
    result
}

/// A document of diagnostics would be a second document on standard output.
fn quiet_json(format: MessageFormat) -> MessageFormat {
    match format {
        MessageFormat::Json | MessageFormat::Human => MessageFormat::Human,
        MessageFormat::Short => MessageFormat::Short,
    }
}

/// Results on standard output, the rest on standard error.
fn tell(screen: &Screen, report: &Report) {
    for (name, value) in &report.results {
        let value = print::artifact::plain(&vm::json_text::to_json(value));
        screen.out(&format!("{}: {value}\n", escape::line(name)));
    }
    for text in &report.not_evaluated {
        screen.remark(&format!("not evaluated: {}", escape::line(text)));
    }
    let name = escape::line(&report.macro_name);
    let time = format!("{:.1} ms", print::run::millis(report.duration_us));
    match print::run::error(report) {
        None => screen.remark(&format!("{name}: {} in {time}", screen.paint("1;32", "ok"))),
        Some(error) => {
            screen.err(&format!("{name}: {}: {}\n", screen.paint("1;31", "failed"), escape::lines(&error)));
            let hint = report.failure.as_ref().and_then(|failed| failed.failure.hint.as_deref());
            hint.iter()
                .for_each(|hint| screen.err(&format!("{}: {}\n", screen.paint("1;36", "hint"), escape::lines(hint))));
        }
    }
}
