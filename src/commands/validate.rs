//! `validate`: whether each macro is valid, without building it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use compiler::Target;
use compiler::diagnostic::Severity;
use serde_json::{Map, Value, json};

use crate::args::Validate;
use crate::batch;
use crate::commands::Context;
use crate::compile;
use crate::engine;
use crate::exit::Exit;
use crate::files::Kind;
use crate::findings::Findings;
use crate::print::escape;
use crate::print::human;
use crate::print::table::table;
use crate::progress::Progress;
use crate::registry::name;
use crate::registry::source::Source;
use crate::registry::target::{self, and};
use crate::registry::{Lookup, Registry};
use crate::trouble::Trouble;

/// Says of each macro whether it is valid.
pub fn validate(context: &Context<'_>, args: &Validate) -> Result<Exit, Trouble> {
    let registry = context.registry()?;
    let (items, findings) = items(&registry, args)?;
    let progress = Progress::new(context.screen, items.len());
    let judged = batch::each(items, &progress, |item| judge(&registry, item));
    progress.finish();
    let mut all = findings.clone();
    judged.iter().for_each(|judged| all.extend(judged.findings.clone()));
    all.sort();
    let verdicts = verdicts(judged, &findings);
    if !context.screen.json && !all.list.is_empty() {
        human::show(context.screen, &all, crate::args::MessageFormat::Human);
    }
    print(context, &verdicts);
    let valid = verdicts.values().all(|verdict| verdict.errors.is_empty());
    Ok(if valid { Exit::OK } else { Exit::DIAGNOSTICS })
}

/// A file, and why it cannot be read when that is known already.
type Item = (Source, Option<String>);

struct Judged {
    source: Source,
    name: Option<String>,
    findings: Findings,
    /// What has no place in a text.
    errors: Vec<String>,
}

#[derive(Default)]
struct Verdict {
    files: Vec<String>,
    errors: Vec<String>,
    warnings: Vec<String>,
}

fn items(registry: &Registry, args: &Validate) -> Result<(Vec<Item>, Findings), Trouble> {
    let mut items = Vec::new();
    let mut findings = Findings::default();
    if args.targets.is_empty() {
        let candidates = registry.candidates().into_iter();
        items.extend(candidates.map(|candidate| (candidate.source.clone(), candidate.problem.clone())));
        findings = registry.manifests();
    }
    for wanted in &args.targets {
        let path = PathBuf::from(wanted);
        let is_folder =
            path.is_dir() && (target::is_path(wanted) || matches!(registry.find(wanted), Lookup::Unknown(_)));
        if is_folder {
            let gathered = batch::gather(&[path])?;
            items.extend(gathered.sources.into_iter().map(|source| (source, None)));
            items.extend(gathered.broken.into_iter().map(|(source, reason)| (source, Some(reason))));
            findings.extend(gathered.manifests);
        } else if let (true, false) = (target::is_path(wanted), path.symlink_metadata().is_ok()) {
            return Err(Trouble::usage(format!("no such file `{wanted}`")));
        } else {
            items.push((target::resolve(registry, wanted)?, None));
        }
    }
    Ok((items, findings))
}

fn judge(registry: &Registry, (source, problem): Item) -> Judged {
    if problem.is_none()
        && source.kind == Kind::Artifact
        && let Err(reason) = source.check_head()
    {
        let errors = vec![format!("{}: {reason}", source.shown)];
        return Judged { source, name: None, findings: Findings::default(), errors };
    }
    let bytes = match problem.map_or_else(|| source.read(), Err) {
        Ok(bytes) => bytes,
        Err(reason) => {
            let findings = compile::unreadable(&source, &reason);
            return Judged { source, name: None, findings, errors: Vec::new() };
        }
    };
    match source.kind {
        Kind::Artifact => {
            let loaded = engine::load(&bytes);
            let name = loaded.as_ref().ok().map(|program| engine::contents(program).meta.name.clone());
            let errors = loaded.err().map(|reason| format!("{}: {reason}", source.shown)).into_iter().collect();
            Judged { source, name, findings: Findings::default(), errors }
        }
        Kind::Yaml => {
            let compiled = compile::text(registry, &source, &bytes, Target::Any);
            let name = compiled.definition.as_ref().and_then(name::declared).map(str::to_owned);
            let name = name.or_else(|| name::name(Kind::Yaml, &bytes));
            Judged { source, name, findings: compiled.findings, errors: Vec::new() }
        }
    }
}

/// By the macro's name, the file's name where it has none, or its path where that is taken.
fn verdicts(judged: Vec<Judged>, findings: &Findings) -> BTreeMap<String, Verdict> {
    let mut verdicts: BTreeMap<String, Verdict> = BTreeMap::new();
    let (named, nameless): (Vec<Judged>, Vec<Judged>) = judged.into_iter().partition(|judged| judged.name.is_some());
    for judged in named {
        let verdict = verdicts.entry(judged.name.clone().unwrap_or_default()).or_default();
        verdict.take(judged);
    }
    for (name, verdict) in verdicts.iter_mut().filter(|(_, verdict)| verdict.files.len() > 1) {
        verdict.errors.push(format!("several files define `{name}`: {}", and(&verdict.files)));
    }
    for judged in nameless {
        let stem = judged.source.stem();
        let key = if verdicts.contains_key(&stem) { judged.source.shown.clone() } else { stem };
        verdicts.entry(key).or_default().take(judged);
    }
    for finding in &findings.list {
        let verdict = verdicts.entry(finding.spot.file.to_string()).or_default();
        verdict.errors.push(finding.short());
    }
    verdicts
}

impl Verdict {
    fn take(&mut self, judged: Judged) {
        self.files.push(judged.source.shown);
        self.errors.extend(judged.errors);
        for finding in &judged.findings.list {
            match finding.code.severity() {
                Severity::Error => self.errors.push(finding.with_help()),
                Severity::Warning => self.warnings.push(finding.with_help()),
            }
        }
    }

    fn document(&self) -> Value {
        let mut document = json!({"valid": self.errors.is_empty(), "errors": self.errors});
        if !self.warnings.is_empty() {
            document["warnings"] = self.warnings.iter().map(String::as_str).collect();
        }
        document
    }
}

fn print(context: &Context<'_>, verdicts: &BTreeMap<String, Verdict>) {
    if context.screen.json {
        let document: Map<String, Value> =
            verdicts.iter().map(|(name, verdict)| (name.clone(), verdict.document())).collect();
        return context.screen.document(&document);
    }
    // What has a place in a text was shown with it.
    for error in verdicts.values().flat_map(|verdict| &verdict.errors).filter(|error| !error.contains(": error[")) {
        context.screen.err(&format!("{}: {}\n", context.screen.paint("1;31", "error"), escape::line(error)));
    }
    let row = |(name, verdict): (&String, &Verdict)| {
        let state = if verdict.errors.is_empty() { "valid" } else { "invalid" };
        vec![name.clone(), state.to_owned(), verdict.files.join(", ")]
    };
    context.screen.out(&table(&["NAME", "STATE", "FILE"], &verdicts.iter().map(row).collect::<Vec<_>>()));
}
