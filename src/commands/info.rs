//! `info`: one macro as it is written.

use serde_json::Value;

use crate::args::Info;
use crate::commands::Context;
use crate::compile;
use crate::engine;
use crate::exit::Exit;
use crate::files::Kind;
use crate::print::table::table;
use crate::print::{artifact, definition, escape};
use crate::registry::Registry;
use crate::registry::source::{Location, Source};
use crate::registry::target;
use crate::trouble::Trouble;

/// Shows a macro.
pub fn info(context: &Context<'_>, args: &Info) -> Result<Exit, Trouble> {
    let document = document(&context.registry()?, &args.target)?;
    if context.screen.json {
        context.screen.document(&document);
    } else {
        context.screen.out(&text(&document));
    }
    Ok(Exit::OK)
}

/// A macro as the document that `info` prints.
///
/// # Errors
/// There is none, or it cannot be read.
pub fn document(registry: &Registry, target: &str) -> Result<Value, Trouble> {
    let source = target::resolve(registry, target)?;
    let bytes = source.open()?;
    let path = path(&source);
    match source.kind {
        Kind::Artifact => {
            let read = engine::artifact(&bytes);
            let read = read.map_err(|reason| Trouble::bad_artifact(format!("`{}`: {reason}", source.shown)))?;
            Ok(artifact::info(&read, path.as_deref()))
        }
        Kind::Yaml => {
            let (read, findings, _) = compile::read(&source, &bytes);
            let Some(read) = read.filter(|_| findings.errors() == 0) else {
                return Err(Trouble::diagnostics(findings));
            };
            Ok(definition::info(&read, path.as_deref()))
        }
    }
}

fn path(source: &Source) -> Option<String> {
    match &source.location {
        Location::File(_) => Some(source.identity()),
        Location::Bundled(_) | Location::Stdin => None,
    }
}

fn text(info: &Value) -> String {
    let plain = |key: &str| artifact::plain(&info[key]);
    let mut out = format!("{} {}\n", plain("name"), plain("version"));
    if let Some(description) = info["description"].as_str().filter(|text| !text.is_empty()) {
        out.push_str(&format!("{}\n", escape::lines(description.trim_end())));
    }
    let place = if info["source_path"].is_null() { "bundled".to_owned() } else { plain("source_path") };
    out.push_str(&format!("\nfile  {place}\n"));
    if !plain("tags").is_empty() {
        out.push_str(&format!("tags  {}\n", plain("tags")));
    }
    let parameters = info["parameters"].as_object();
    let rows: Vec<Vec<String>> = parameters.into_iter().flatten().map(|(name, about)| parameter(name, about)).collect();
    part(&mut out, "parameters", &["name", "type", "needed", "default", "description"], rows);
    for key in ["preconditions", "postconditions"] {
        let row = |condition: &Value| vec![artifact::plain(&condition["type"]), artifact::plain(&condition["args"])];
        part(&mut out, key, &["condition", "of"], list(&info[key]).map(row).collect());
    }
    for key in ["steps", "finally"] {
        part(&mut out, key, &["id", "what", "on_failure"], list(&info[key]).map(step).collect());
    }
    let output = |output: &Value| {
        let value = if output["path"].is_null() { &output["value"] } else { &output["path"] };
        vec![artifact::plain(&output["name"]), artifact::plain(value), artifact::plain(&output["description"])]
    };
    part(&mut out, "outputs", &["name", "is", "description"], list(&info["outputs"]).map(output).collect());
    out
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn parameter(name: &str, about: &Value) -> Vec<String> {
    let needed = if about["required"] == true { "yes" } else { "no" };
    let text = |key: &str| artifact::plain(&about[key]);
    vec![name.to_owned(), text("type"), needed.to_owned(), text("default"), text("description")]
}

fn step(step: &Value) -> Vec<String> {
    let text = |key: &str| artifact::plain(&step[key]);
    let what = match (text("macro"), text("backend")) {
        (_, backend) if !backend.is_empty() => format!("{backend} {}", text("action")),
        (called, _) => format!("macro {called}"),
    };
    vec![text("id"), what, text("on_failure")]
}

fn part(out: &mut String, name: &str, headings: &[&str], rows: Vec<Vec<String>>) {
    if !rows.is_empty() {
        out.push_str(&format!("\n{name}\n"));
        table(headings, &rows).lines().for_each(|line| out.push_str(&format!("  {line}\n")));
    }
}
