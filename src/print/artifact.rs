//! What a compiled macro says of itself, as JSON and for people.

use serde_json::{Value, json};
use spec::action::Action;
use spec::artifact::{Artifact, Macro, ParameterRecord, ResultKind, StepKind, StepRecord};
use spec::operand::Const;
use spec::value::Type;
use vm::json_text::to_json;

use crate::print::definition::millis;
use crate::print::escape;
use crate::print::table::table;

/// The document of `inspect`.
pub fn inspect(artifact: &Artifact, format_version: u16, content_hash: &str, bytes: usize) -> Value {
    let meta = &artifact.meta;
    json!({
        "schema": "macrocli.inspect/1",
        "format_version": format_version,
        "content_hash": content_hash,
        "bytes": bytes,
        "producer": meta.producer,
        "name": meta.name,
        "version": meta.version,
        "description": meta.description,
        "tags": meta.tags,
        "composable": meta.composable,
        "target": meta.target,
        "agent_hints": hints(artifact),
        "parameters": main(artifact).map(|unit| parameters(artifact, unit)).unwrap_or_default(),
        "outputs": main(artifact).map(outputs).unwrap_or_default(),
        "steps": artifact.steps.iter().map(|record| step(artifact, record)).collect::<Value>(),
        "macros": artifact.macros.iter().map(|unit| unit.name.as_str()).collect::<Vec<_>>(),
        "recordings": artifact.streams.iter().map(|stream| json!({
            "path": stream.path, "steps": stream.steps, "events": stream.events.len()
        })).collect::<Value>(),
        "images": artifact.images.iter().map(|image| json!({
            "path": image.path, "width": image.width, "height": image.height
        })).collect::<Value>(),
        "capabilities": capabilities(artifact),
    })
}

/// An entry of `list` for a macro that is there only in compiled form.
pub fn listed(artifact: &Artifact) -> Value {
    let meta = &artifact.meta;
    let parameters: Vec<&str> = main(artifact)
        .map(|unit| unit.parameters.iter().map(|parameter| parameter.name.as_str()).collect())
        .unwrap_or_default();
    json!({
        "name": meta.name, "version": meta.version, "description": meta.description, "tags": meta.tags, "parameters": parameters,
    })
}

/// The document of `info` for a macro that is there only in compiled form: it has no conditions and steps as written.
pub fn info(artifact: &Artifact, source_path: Option<&str>) -> Value {
    let meta = &artifact.meta;
    let unit = main(artifact);
    let parameters: serde_json::Map<String, Value> = unit
        .map(|unit| unit.parameters.iter().map(|record| (record.name.clone(), parameter(artifact, record))).collect())
        .unwrap_or_default();
    json!({
        "name": meta.name,
        "version": meta.version,
        "description": meta.description,
        "parameters": parameters,
        "preconditions": [],
        "steps": artifact.steps.iter().map(|record| step(artifact, record)).collect::<Value>(),
        "postconditions": [],
        "outputs": unit.map(outputs).unwrap_or_default(),
        "tags": meta.tags,
        "composable": meta.composable,
        "agent_hints": hints(artifact),
        "source_path": source_path,
    })
}

/// `inspect` for people.
pub fn text(document: &Value) -> String {
    let mut out = String::new();
    let keys = ["name", "version", "description", "target", "producer", "format_version", "content_hash", "bytes"];
    for key in keys {
        out.push_str(&format!("{key:15} {}\n", plain(&document[key])));
    }
    section(&mut out, "parameters", document, &["name", "type", "required", "secret", "default", "description"]);
    section(&mut out, "outputs", document, &["name", "kind", "description"]);
    section(&mut out, "steps", document, &["id", "macro", "route", "on_failure", "timeout_ms"]);
    out.push_str("\ncapabilities\n");
    for (name, value) in document["capabilities"].as_object().into_iter().flatten() {
        let shown = plain(value);
        if !shown.is_empty() && *value != Value::Bool(false) {
            out.push_str(&format!("  {name:12} {shown}\n"));
        }
    }
    out
}

/// A value on one line: texts as they are, lists with commas.
pub fn plain(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    };
    escape::line(&text)
}

fn section(out: &mut String, name: &str, document: &Value, columns: &[&str]) {
    let rows: Vec<Vec<String>> = document[name]
        .as_array()
        .into_iter()
        .flatten()
        .map(|entry| columns.iter().map(|column| plain(&entry[*column])).collect())
        .collect();
    if !rows.is_empty() {
        out.push_str(&format!("\n{name}\n"));
        table(columns, &rows).lines().for_each(|line| out.push_str(&format!("  {line}\n")));
    }
}

/// The macro that runs.
fn main(artifact: &Artifact) -> Option<&Macro> {
    artifact.macros.last()
}

fn hints(artifact: &Artifact) -> Value {
    let hints = serde_json::from_str(&artifact.meta.agent_hints).unwrap_or(Value::Null);
    if hints.is_null() { json!({}) } else { hints }
}

fn parameters(artifact: &Artifact, unit: &Macro) -> Value {
    let named = |record: &ParameterRecord| {
        let mut entry = json!({"name": record.name});
        if let (Value::Object(entry), Value::Object(rest)) = (&mut entry, parameter(artifact, record)) {
            entry.extend(rest);
        }
        entry
    };
    unit.parameters.iter().map(named).collect()
}

fn parameter(artifact: &Artifact, record: &ParameterRecord) -> Value {
    let constant = |index: u32| artifact.constants.value(Const(index)).map_or(Value::Null, |value| to_json(&value));
    let mut entry = json!({
        "type": Type::from(record.ty).name(),
        "required": record.required,
        "secret": record.secret,
        "default": record.default.map(constant),
        "description": record.description,
        "example": record.example.map(constant),
    });
    if !record.choices.is_empty() {
        entry["enum"] = record.choices.iter().copied().map(constant).collect();
    }
    for (key, bound) in [("min", record.min), ("max", record.max)] {
        if let Some(bound) = bound {
            entry[key] = constant(bound);
        }
    }
    entry
}

fn outputs(unit: &Macro) -> Value {
    let kind = |kind| match kind {
        ResultKind::Path => "path",
        ResultKind::Value => "value",
    };
    let entry = |record: &spec::artifact::ResultRecord| json!({"name": record.name, "kind": kind(record.kind), "description": record.description});
    unit.results.iter().map(entry).collect()
}

fn step(artifact: &Artifact, record: &StepRecord) -> Value {
    let owner = artifact.macros.get(record.owner as usize).map(|unit| unit.name.as_str());
    let mut entry = json!({"id": record.id, "macro": owner});
    match record.kind {
        StepKind::Act { route, fallback } => {
            entry["route"] = self::route(artifact, route);
            if let Some(fallback) = fallback {
                entry["fallback"] = self::route(artifact, fallback);
            }
        }
        StepKind::Call { callee } => {
            entry["call"] = artifact.macros.get(callee as usize).map(|unit| unit.name.as_str()).into();
        }
    }
    entry["on_failure"] = record.on_failure.name().into();
    entry["timeout_ms"] = millis(record.timeout_us);
    entry["retries"] = record.retries.into();
    entry
}

fn route(artifact: &Artifact, route: u32) -> Value {
    let actions = artifact.routes.get(route as usize).map(|route| route.actions.as_slice()).unwrap_or_default();
    let name = |action: Action| format!("{}.{}", action.backend().name(), action.name());
    actions.iter().filter_map(|number| Action::by_number(*number)).map(name).collect()
}

fn capabilities(artifact: &Artifact) -> Value {
    let manifest = &artifact.manifest;
    json!({
        "backends": manifest.backends,
        "programs": manifest.programs,
        "reads": manifest.reads,
        "writes": manifest.writes,
        "environment": manifest.environment,
        "windows": manifest.windows,
        "hosts": manifest.hosts,
        "types": manifest.types,
        "clicks": manifest.clicks,
        "captures": manifest.captures,
        "model": manifest.model,
    })
}
