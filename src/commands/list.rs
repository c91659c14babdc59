//! `list`: the macros that can be run by name.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::batch;
use crate::commands::Context;
use crate::compile;
use crate::engine;
use crate::exit::Exit;
use crate::files::Kind;
use crate::findings::count;
use crate::print::table::{brief, table};
use crate::print::{artifact, definition, escape};
use crate::progress::Progress;
use crate::registry::Registry;
use crate::registry::index::Candidate;
use crate::registry::target::and;
use crate::trouble::Trouble;

/// Lists macros; files that are none are mentioned on standard error.
pub fn list(context: &Context<'_>) -> Result<Exit, Trouble> {
    let registry = context.registry()?;
    let candidates = registry.candidates();
    let progress = Progress::new(context.screen, candidates.len());
    let read =
        batch::each(candidates, &progress, |candidate| (entry(&registry, candidate), candidate.source.shown.clone()));
    progress.finish();
    let mut named: BTreeMap<String, (Vec<String>, Value)> = BTreeMap::new();
    let mut remarks = Vec::new();
    for (entry, shown) in read {
        match entry {
            Ok(entry) => {
                let name = entry["name"].as_str().unwrap_or_default().to_owned();
                named.entry(name).or_insert_with(|| (Vec::new(), entry)).0.push(shown);
            }
            Err(reason) => remarks.push(format!("`{shown}` is left out: {reason}")),
        }
    }
    remarks.extend(
        named
            .iter()
            .filter(|(_, (files, _))| files.len() > 1)
            .map(|(name, (files, _))| format!("`{name}` is left out: several files define it: {}", and(files))),
    );
    let manifests = registry.manifests();
    remarks.extend(manifests.list.iter().map(|finding| finding.short()));
    for remark in remarks {
        context.screen.remark(&format!("{}: {}", context.screen.paint("1;33", "warning"), escape::line(&remark)));
    }
    let entries: Vec<Value> =
        named.into_values().filter(|(files, _)| files.len() == 1).map(|(_, entry)| entry).collect();
    if context.screen.json {
        context.screen.document(&entries);
    } else {
        let cell = |entry: &Value, key: &str| artifact::plain(&entry[key]);
        let row = |entry: &Value| {
            vec![
                cell(entry, "name"),
                cell(entry, "version"),
                cell(entry, "parameters"),
                brief(&cell(entry, "description"), 72),
            ]
        };
        let rows: Vec<Vec<String>> = entries.iter().map(row).collect();
        context.screen.out(&table(&["NAME", "VERSION", "PARAMETERS", "DESCRIPTION"], &rows));
        context.screen.remark(&count(rows.len(), "macro"));
    }
    Ok(Exit::OK)
}

fn entry(registry: &Registry, candidate: &Candidate) -> Result<Value, String> {
    if let Some(problem) = &candidate.problem {
        return Err(problem.clone());
    }
    let bytes = candidate.source.read()?;
    match candidate.source.kind {
        Kind::Artifact => engine::artifact(&bytes).map(|read| artifact::listed(&read)),
        Kind::Yaml => compile::judge(registry, &candidate.source, &bytes).map(|read| definition::listed(&read)),
    }
}
