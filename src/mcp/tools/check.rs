//! `macro_check`: what is wrong with a macro, without running it.

use std::path::Path;

use compiler::Target;
use rmcp::model::{CallToolResult, Tool};
use serde_json::json;
use tokio::task::spawn_blocking;

use crate::args::Globals;
use crate::compile;
use crate::engine;
use crate::files::{Kind, TEXT_LIMIT};
use crate::findings::Findings;
use crate::mcp::schema::Object;
use crate::mcp::state::State;
use crate::mcp::{reply, tools};
use crate::print::document;
use crate::registry::Registry;
use crate::registry::bounds::Bounds;
use crate::registry::source::{Location, Source};
use crate::registry::target;
use crate::trouble::Trouble;

/// The tool.
pub fn tool() -> Tool {
    tools::looking(
        "macro_check",
        "Check macros",
        "Compiles a macro and lists what is wrong with it; nothing is run. Without arguments: every macro there is, also those that are \
         not offered as tools because they are broken.",
        json!({
            "yaml": {"type": "string", "description": "The text of a macro; of files it finds those in the folders of macros."},
            "name": {"type": "string", "description": "The name of a macro, or its file in a folder of macros, instead of its text."},
        }),
        json!({
            "valid": {"type": "boolean", "description": "Whether there is no error."},
            "checked": {"type": "integer", "description": "How many macros were looked at."},
            "diagnostics": {"type": "array", "items": {"type": "object"}},
        }),
    )
}

/// Checks.
pub async fn call(state: &State, arguments: &Object) -> Result<CallToolResult, Trouble> {
    tools::only(arguments, &["yaml", "name"])?;
    let wanted = match (tools::text(arguments, "yaml")?, tools::text(arguments, "name")?) {
        (Some(_), Some(_)) => return Err(Trouble::usage("`yaml` and `name` cannot both be given")),
        (Some(text), None) if text.len() as u64 > TEXT_LIMIT => {
            return Err(Trouble::usage(format!("the text has more than {TEXT_LIMIT} bytes")));
        }
        (Some(text), None) => Wanted::Text(text.to_owned()),
        // Standard input belongs to the protocol.
        (None, Some("-")) => return Err(Trouble::usage("`-` is no macro here").hint("give its text as `yaml`")),
        (None, Some(name)) => Wanted::Name(name.to_owned()),
        (None, None) => Wanted::All,
    };
    let globals = state.settings.globals.clone();
    let checked = spawn_blocking(move || check(&globals, &wanted)).await;
    let (findings, checked) = checked.map_err(|_| Trouble::bug("a macro could not be checked"))??;
    let mut document = document::diagnostics(&findings);
    document["valid"] = (findings.errors() == 0).into();
    document["checked"] = checked.into();
    Ok(reply::done(document))
}

enum Wanted {
    Text(String),
    Name(String),
    All,
}

fn check(globals: &Globals, wanted: &Wanted) -> Result<(Findings, usize), Trouble> {
    let registry = Registry::new(globals)?;
    match wanted {
        Wanted::Text(text) => {
            let source = Source::stdin();
            let folders: Vec<&Path> = registry.folders().collect();
            let bounds = Bounds::new(&registry, &source, &folders);
            Ok((compile::untrusted(&registry, &source, text.as_bytes(), Target::Any, bounds).findings, 1))
        }
        Wanted::Name(name) => {
            if target::is_path(name) && !registry.holds(Path::new(name)) {
                let trouble = Trouble::usage(format!("no macro `{name}` is found here"));
                return Err(trouble.hint("give a macro's name, a file in a folder of macros, or its text as `yaml`"));
            }
            let source = target::resolve(&registry, name)?;
            source.open()?;
            Ok((one(&registry, &source)?, 1))
        }
        Wanted::All => {
            let mut findings = registry.manifests();
            let candidates = registry.candidates();
            for candidate in &candidates {
                findings.extend(match &candidate.problem {
                    Some(problem) => compile::unreadable(&candidate.source, problem),
                    None => one(&registry, &candidate.source)
                        .unwrap_or_else(|trouble| compile::unreadable(&candidate.source, &trouble.message)),
                });
            }
            findings.sort();
            Ok((findings, candidates.len()))
        }
    }
}

fn one(registry: &Registry, source: &Source) -> Result<Findings, Trouble> {
    match (source.kind, &source.location) {
        (Kind::Yaml, _) => Ok(compile::file(registry, source, Target::Any).findings),
        (Kind::Artifact, Location::File(_) | Location::Bundled(_) | Location::Stdin) => {
            let bytes = source.open()?;
            let bad = |reason: String| Trouble::bad_artifact(format!("`{}`: {reason}", source.shown));
            engine::load(&bytes).map(|_| Findings::default()).map_err(bad)
        }
    }
}
