//! `build`: macros to artifacts, in parallel, and only what is not up to date.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use compiler::Target;
use compiler::diagnostic::Code;
use serde_json::{Value, json};
use spec::artifact::FILE_LIMIT;

use crate::args::{Build, MessageFormat};
use crate::batch;
use crate::commands::Context;
use crate::compile;
use crate::engine;
use crate::exit::Exit;
use crate::files;
use crate::findings::{Finding, Findings, Spot, count};
use crate::incremental::{self, Entry, State, warning};
use crate::print::document;
use crate::print::escape;
use crate::print::human;
use crate::progress::Progress;
use crate::registry::Registry;
use crate::registry::library::Library;
use crate::registry::source::Source;
use crate::trouble::Trouble;

/// Builds macros.
pub fn build(context: &Context<'_>, args: &Build) -> Result<Exit, Trouble> {
    let registry = context.registry()?;
    let gathered = batch::gather(&args.paths)?;
    let mut outcome = Outcome { findings: gathered.findings(), ..Outcome::default() };
    outcome.failed = gathered.broken.iter().map(|(source, _)| json!({"path": source.shown})).collect();
    let target = compile::target(args.compile.target);
    let state = State::load(&args.output, target.name());
    let builder = Builder { registry: &registry, target, state: &state, args };
    let progress = Progress::new(context.screen, gathered.sources.len());
    let mut jobs = batch::each(gathered.sources, &progress, |source| builder.job(source));
    same_names(&mut jobs, &args.output);
    let denied = args.compile.deny.is_some();
    jobs.iter_mut().filter(|job| denied && job.findings.warnings() > 0).for_each(|job| job.artifact = None);
    if jobs.iter().any(|job| job.artifact.is_some()) {
        let folder = args.output.display();
        fs::create_dir_all(&args.output)
            .map_err(|error| Trouble::io(format!("folder `{folder}` cannot be made: {error}")))?;
    }
    let quiet = Progress::new(context.screen, 0);
    let written = batch::each(jobs.iter().collect(), &quiet, |job| write(job, &args.output));
    remember(state, &jobs, &args.output)?;
    if let Some(trouble) = written.into_iter().find_map(Result::err) {
        return Err(trouble);
    }
    jobs.into_iter().for_each(|job| outcome.add(job, &args.output));
    outcome.findings.sort();
    let bad = outcome.findings.errors() > 0 || denied && outcome.findings.warnings() > 0;
    let exit = if bad { Exit::DIAGNOSTICS } else { Exit::OK };
    let seconds = progress.finish().as_secs_f64();
    outcome.print(context, args.format.message_format, exit, seconds);
    Ok(exit)
}

/// What every job needs.
struct Builder<'a> {
    registry: &'a Registry,
    target: Target,
    state: &'a State,
    args: &'a Build,
}

/// A source and what became of it.
struct Job {
    source: Source,
    identity: String,
    findings: Findings,
    /// The artifact; `None` when there is none to be had.
    artifact: Option<Artifact>,
    /// Whether all there is to tell can be told again without compiling.
    keep: bool,
}

struct Artifact {
    /// What it was made of; kept for the next time.
    entry: Entry,
    /// Its bytes; `None` when the file in the output folder is as it should be.
    new: Option<Vec<u8>>,
}

impl Builder<'_> {
    fn job(&self, source: Source) -> Job {
        let identity = source.identity();
        let bytes = match source.read() {
            Ok(bytes) => bytes,
            Err(reason) => {
                return Job {
                    findings: compile::unreadable(&source, &reason),
                    source,
                    identity,
                    artifact: None,
                    keep: false,
                };
            }
        };
        let hash = incremental::hash(&bytes);
        if let Some(entry) = self.state.entry(&identity).filter(|_| !self.args.force)
            && entry.source == hash
            && self.is_there(entry)
            && self.same_answers(entry)
            && let Some(findings) = warning::tell(&entry.warnings, &source.shown, &bytes)
        {
            let artifact = Some(Artifact { entry: entry.clone(), new: None });
            return Job { source, identity, findings, artifact, keep: true };
        }
        let compiled = compile::text(self.registry, &source, &bytes, self.target);
        let warnings = warning::keep(&compiled.findings, &source.shown);
        let keep = warnings.is_some();
        let artifact = compiled.artifact.map(|artifact| {
            let bytes = engine::to_bytes(&artifact);
            let entry = Entry {
                name: artifact.meta.name,
                source: hash,
                queries: compiled.queries,
                warnings: warnings.unwrap_or_default(),
                output: incremental::hash(&bytes),
                content: engine::content_hash(&bytes),
                bytes: bytes.len() as u64,
            };
            let same = !self.args.force && self.is_there(&entry);
            Artifact { entry, new: (!same).then_some(bytes) }
        });
        Job { source, identity, findings: compiled.findings, artifact, keep }
    }

    /// Whether the file in the output folder is the artifact.
    fn is_there(&self, entry: &Entry) -> bool {
        let path = incremental::output(&self.args.output, &entry.name);
        files::read(&path, FILE_LIMIT).is_ok_and(|bytes| incremental::hash(&bytes) == entry.output)
    }

    fn same_answers(&self, entry: &Entry) -> bool {
        let library = Library::new(self.registry);
        entry.queries.iter().all(|query| library.still(query))
    }
}

/// Macros that would become the same file are errors, each naming another.
fn same_names(jobs: &mut [Job], folder: &Path) {
    let mut named: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, job) in jobs.iter().enumerate() {
        if let Some(artifact) = &job.artifact {
            named.entry(artifact.entry.name.clone()).or_default().push(place);
        }
    }
    for (name, places) in named.into_iter().filter(|(_, places)| places.len() > 1) {
        let spots: Vec<(Spot, Findings)> =
            places.iter().filter_map(|place| jobs.get(*place)).map(|job| name_spot(&job.source)).collect();
        let output = incremental::output(folder, &name);
        for (nth, place) in places.iter().enumerate() {
            let other = if nth == 0 { spots.get(1) } else { spots.first() };
            let (Some(job), Some((spot, texts)), Some((other, other_texts))) =
                (jobs.get_mut(*place), spots.get(nth), other)
            else {
                continue;
            };
            let finding = Finding {
                code: Code::DuplicateName,
                message: format!("macro `{name}` is also defined in `{}`", other.file),
                help: Some(format!("rename one of them: both would become `{}`", output.display())),
                spot: spot.clone(),
                labels: vec![(other.clone(), "also defined here".to_owned())],
            };
            job.artifact = None;
            job.findings.extend(Findings { list: vec![finding], texts: texts.texts.clone() });
            job.findings.texts.extend(other_texts.texts.clone());
        }
    }
}

/// Where a file says its macro's name, with its text.
fn name_spot(source: &Source) -> (Spot, Findings) {
    let mut texts = Findings::default();
    let bytes = source.read().unwrap_or_default();
    let (definition, _, map) = compile::read(source, &bytes);
    let found = definition.and_then(|definition| {
        let span = definition.name.span;
        let file = map.get(span.file)?;
        let (start, end) = (file.place(span.start), file.place(span.end));
        texts.texts.insert(source.shown.as_str().into(), file.text.as_str().into());
        Some(Spot {
            file: source.shown.as_str().into(),
            bytes: (span.start, span.end),
            start: (start.line, start.column),
            end: (end.line, end.column),
        })
    });
    (found.unwrap_or_else(|| Spot::top(&source.shown)), texts)
}

fn write(job: &Job, folder: &Path) -> Result<(), Trouble> {
    let Some(Artifact { entry, new: Some(bytes) }) = &job.artifact else { return Ok(()) };
    let path = incremental::output(folder, &entry.name);
    files::write(&path, bytes)
        .map_err(|reason| Trouble::io(format!("`{}` cannot be written: {reason}", path.display())))
}

/// Keeps what was built. What has warnings about other files is not kept: it is compiled each time, so that they are seen each time.
fn remember(mut state: State, jobs: &[Job], folder: &Path) -> Result<(), Trouble> {
    if !folder.is_dir() {
        return Ok(());
    }
    let entry = |job: &Job| job.artifact.as_ref().map(|artifact| artifact.entry.clone()).filter(|_| job.keep);
    state.update(jobs.iter().map(|job| (job.identity.clone(), entry(job))).collect());
    state
        .save(folder)
        .map_err(|reason| Trouble::io(format!("the state of `{}` cannot be written: {reason}", folder.display())))
}

/// What is told in the end.
#[derive(Default)]
struct Outcome {
    built: Vec<Value>,
    up_to_date: Vec<Value>,
    failed: Vec<Value>,
    findings: Findings,
}

impl Outcome {
    fn add(&mut self, job: Job, folder: &Path) {
        match &job.artifact {
            Some(Artifact { entry, new }) => {
                let described = json!({
                    "name": entry.name,
                    "path": job.source.shown,
                    "output": incremental::output(folder, &entry.name).display().to_string(),
                    "bytes": entry.bytes,
                    "hash": entry.content,
                });
                if new.is_some() { self.built.push(described) } else { self.up_to_date.push(described) }
            }
            None => self.failed.push(json!({"path": job.source.shown})),
        }
        self.findings.extend(job.findings);
    }

    fn print(&self, context: &Context<'_>, format: MessageFormat, exit: Exit, seconds: f64) {
        let screen = context.screen;
        if screen.json {
            screen.document(&json!({
                "schema": "macrocli.build/1",
                "success": exit == Exit::OK,
                "exit_code": exit.0,
                "built": self.built,
                "up_to_date": self.up_to_date,
                "failed": self.failed,
                "diagnostics": document::list(&self.findings),
            }));
        } else {
            human::show(screen, &self.findings, format);
        }
        if !self.findings.list.is_empty() {
            screen.remark(&escape::line(&self.findings.summary()));
        }
        let (built, fresh, failed) = (self.built.len(), self.up_to_date.len(), self.failed.len());
        screen
            .remark(&format!("{} built, {fresh} up to date, {failed} failed in {seconds:.2} s", count(built, "macro")));
    }
}
