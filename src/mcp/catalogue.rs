//! The macros that are offered: every one that compiles, as a tool.

use std::collections::BTreeMap;

use compiler::Target;
use compiler::diagnostic::Severity;
use rmcp::model::Tool;
use spec::artifact::Artifact;

use crate::batch;
use crate::compile;
use crate::engine;
use crate::files::Kind;
use crate::mcp::tools::RESERVED;
use crate::mcp::{annotations, name, schema};
use crate::print::screen::Screen;
use crate::progress::Progress;
use crate::registry::Registry;
use crate::registry::index::Candidate;
use crate::registry::source::Source;
use crate::registry::target::and;

/// The macros there are.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// Those that can be called, by the names of their tools.
    pub entries: BTreeMap<String, Entry>,
    /// What cannot be offered and why, one sentence each.
    pub problems: Vec<String>,
}

/// A macro that can be called.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The macro's name.
    pub name: String,
    /// Its file.
    pub source: Source,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// What clients see.
    pub tool: Tool,
}

/// Reads all macros of the places.
pub fn read(registry: &Registry, screen: &Screen) -> Catalogue {
    let candidates = registry.candidates();
    // Whoever serves a client has nobody who watches a bar.
    let progress = Progress::new(&Screen { quiet: true, ..*screen }, candidates.len());
    let read =
        batch::each(candidates, &progress, |candidate| (entry(registry, candidate), candidate.source.shown.clone()));
    let mut catalogue = Catalogue::default();
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (entry, shown) in read {
        match entry {
            Ok(entry) => {
                files.entry(entry.tool.name.to_string()).or_default().push(shown);
                catalogue.entries.insert(entry.tool.name.to_string(), entry);
            }
            Err(reason) => catalogue.problems.push(format!("`{shown}` is left out: {reason}")),
        }
    }
    for (tool, files) in files.into_iter().filter(|(_, files)| files.len() > 1) {
        catalogue.entries.remove(&tool);
        catalogue.problems.push(format!("`{tool}` is left out: several files define it: {}", and(&files)));
    }
    catalogue.problems.extend(registry.manifests().list.iter().map(|finding| finding.short()));
    catalogue
}

fn entry(registry: &Registry, candidate: &Candidate) -> Result<Entry, String> {
    if let Some(problem) = &candidate.problem {
        return Err(problem.clone());
    }
    let source = &candidate.source;
    let bytes = source.read()?;
    match source.kind {
        Kind::Artifact => engine::load(&bytes).map(|program| offer(source, engine::contents(&program))),
        Kind::Yaml => {
            let compiled = compile::text(registry, source, &bytes, Target::Any);
            let errors = compiled.findings.list.iter().filter(|finding| finding.code.severity() == Severity::Error);
            let first = errors.map(|finding| finding.short()).next();
            match compiled.artifact {
                Some(artifact) => Ok(offer(source, &artifact)),
                None => Err(first.unwrap_or_else(|| "it cannot be compiled".to_owned())),
            }
        }
    }
}

fn offer(source: &Source, artifact: &Artifact) -> Entry {
    let meta = &artifact.meta;
    let description = match meta.description.trim() {
        "" => format!("Runs the macro `{}`.", meta.name),
        text => text.to_owned(),
    };
    let tool = Tool::new(name::tool(&meta.name, RESERVED), description, schema::input(artifact))
        .with_title(name::title(&meta.name))
        .with_raw_output_schema(schema::output(artifact).into())
        .with_annotations(annotations::derive(artifact));
    Entry { name: meta.name.clone(), source: source.clone(), tags: meta.tags.clone(), tool }
}
