//! `run`: a macro by name, from YAML or from an artifact, in the real or the simulated world.

use spec::artifact::Artifact;
use vm::report::{Report, Status, StepReport};

use crate::args::{MessageFormat, Run};
use crate::commands::Context;
use crate::compile;
use crate::engine::{self, Observer, Options, Pretend, Program};
use crate::exit::Exit;
use crate::files::Kind;
use crate::findings::Findings;
use crate::parameters::Parameters;
use crate::print;
use crate::print::human;
use crate::print::remarks::Remarks;
use crate::print::screen::Screen;
use crate::print::{document, escape};
use crate::registry::source::Source;
use crate::registry::target;
use crate::trouble::Trouble;

/// Runs a macro and prints its result.
pub fn run(context: &Context<'_>, args: &Run, dry_run: bool) -> Exit {
    let options = || Options { save_failures: args.save_failures.clone(), ..Options::default() };
    let pretend = if dry_run { Pretend::Yes } else { Pretend::No(options()) };
    prepare(context, args).and_then(|prepared| perform(context, args, prepared, pretend)).unwrap_or_else(|trouble| {
        refuse(context, args, &trouble, dry_run);
        trouble.exit
    })
}

/// All that is needed before the first step.
struct Prepared {
    source: Source,
    program: Program,
    findings: Findings,
    parameters: Parameters,
}

fn prepare(context: &Context<'_>, args: &Run) -> Result<Prepared, Trouble> {
    let parameters = Parameters::read(args)?;
    let registry = context.registry()?;
    let source = match (&args.macro_file, &args.target) {
        (Some(file), _) => Source::file(file),
        (None, Some(name)) => target::resolve(&registry, name)?,
        // The declaration of the command line demands one of them.
        (None, None) => return Err(Trouble::usage("a macro's name or file is missing")),
    };
    let bytes = source.open()?;
    let artifact_file = source.kind == Kind::Artifact || engine::is_artifact(&bytes);
    if artifact_file {
        let program =
            engine::load(&bytes).map_err(|reason| Trouble::bad_artifact(format!("`{}`: {reason}", source.shown)))?;
        return Ok(Prepared { source, program, findings: Findings::default(), parameters });
    }
    let compiled = compile::text(&registry, &source, &bytes, compiler::Target::Any);
    let name = compiled.definition.as_ref().map(|definition| definition.name.node.clone());
    let Some(artifact) = compiled.artifact else {
        let trouble = Trouble::diagnostics(compiled.findings);
        return Err(name.into_iter().fold(trouble, Trouble::about));
    };
    let program =
        engine::verify(artifact).map_err(|reason| Trouble::bug(&format!("a compiled macro is refused: {reason}")))?;
    Ok(Prepared { source, program, findings: compiled.findings, parameters })
}

fn perform(context: &Context<'_>, args: &Run, prepared: Prepared, pretend: Pretend) -> Result<Exit, Trouble> {
    let Prepared { source, program, findings, parameters } = prepared;
    let screen = context.screen;
    if !findings.list.is_empty() && !screen.json {
        human::show(screen, &findings, quiet_json(args.format.message_format));
    }
    let artifact: &Artifact = engine::contents(&program);
    let warnings = artifact.macros.last().map(|unit| parameters.exposed(unit)).unwrap_or_default();
    let mut narrator = Narrator { remarks: Remarks::new(screen) };
    warnings.iter().for_each(|warning| narrator.warned(warning));
    let report = engine::run(&program, parameters.into_inputs(), pretend, &mut narrator)
        .map_err(|reason| Trouble::io(reason).about(artifact.meta.name.as_str()))?;
    drop(narrator);
    let exit = print::run::exit(&report);
    if screen.json {
        let session = context.globals.session_id.as_deref();
        let about = print::run::Context { file: &source.shown, session, warnings: &warnings };
        let mut result = print::run::document(&report, &about);
        if !findings.list.is_empty() {
            result["diagnostics"] = document::list(&findings);
        }
        screen.document(&result);
    } else {
        tell(screen, &report);
    }
    Ok(exit)
}

fn refuse(context: &Context<'_>, args: &Run, trouble: &Trouble, dry_run: bool) {
    let screen = context.screen;
    if screen.json {
        let session = context.globals.session_id.as_deref();
        let named =
            args.target.clone().filter(|name| trouble.macro_name.is_none() && !target::is_path(name) && name != "-");
        let mut result = print::run::refused(trouble, dry_run, session);
        if let Some(name) = named {
            result["macro_name"] = name.into();
        }
        screen.document(&result);
        print::trouble::tell(screen, trouble, quiet_json(args.format.message_format));
    } else {
        print::trouble::tell(screen, trouble, args.format.message_format);
    }
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

/// How many characters of an argument are shown to people.
const SHOWN: usize = 200;

/// Tells people of each step when it ends; in a simulated world also of the arguments it would have been done with.
struct Narrator<'a> {
    remarks: Remarks<'a>,
}

impl Observer for Narrator<'_> {
    fn step_finished(&mut self, step: &StepReport) {
        let screen = self.remarks.screen();
        if screen.json {
            return;
        }
        let color = match step.status {
            Status::Ok => "32",
            Status::Failed => "31",
            Status::Skipped | Status::NotRun => "33",
        };
        let turn = step.iteration.map(|turn| format!("[{turn}]")).unwrap_or_default();
        let status = screen.paint(color, &format!("{:8}", step.status.name()));
        let id = escape::line(&format!("{}{turn}", step.id));
        let time = print::run::millis(step.duration_us);
        let failure = step.failure.as_ref().map(|failure| format!("  {}", escape::line(&failure.message)));
        self.remarks.add(format!("{status} {id:24} {time:>9.1} ms{}", failure.unwrap_or_default()));
        for (name, value) in step.would.iter().flat_map(|would| would.iter()) {
            let value = vm::json_text::to_json(value).to_string();
            let (shown, more) = match value.char_indices().nth(SHOWN) {
                Some((end, _)) => (&value[..end], "…"),
                None => (value.as_str(), ""),
            };
            self.remarks.add(escape::line(&format!("           {name}: {shown}{more}")));
        }
    }

    fn warned(&mut self, warning: &str) {
        let screen = self.remarks.screen();
        if !screen.json {
            self.remarks.add(format!("{}: {}", screen.paint("1;33", "warning"), escape::lines(warning)));
        }
    }
}
