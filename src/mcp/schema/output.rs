//! The result of a run as a schema: the document of `run --json`, of runs that fail too.

use serde_json::{Value, json};
use spec::artifact::{Artifact, ResultKind, ResultRecord};

use crate::mcp::schema::{Object, object};

/// What comes of a call of the macro.
pub fn output(artifact: &Artifact) -> Object {
    let results = artifact.macros.last().map(|unit| unit.results.as_slice()).unwrap_or_default();
    let properties: Object = results.iter().map(|one| (one.name.clone(), result(one))).collect();
    let names: Vec<&str> = results.iter().map(|one| one.name.as_str()).collect();
    let mut schema = envelope(json!({"type": "object", "properties": properties, "additionalProperties": false}));
    if !names.is_empty() {
        // A run that succeeds has all its outputs; one that only pretends may not know them.
        let real = json!({"properties": {"dry_run": {"const": false}}});
        schema["if"] = json!({"properties": {"success": {"const": true}, "telemetry": real}});
        schema["then"] = json!({"properties": {"output": {"required": names}}});
    }
    object(schema)
}

fn result(record: &ResultRecord) -> Value {
    let mut schema = match record.kind {
        ResultKind::Path => json!({"type": "string"}),
        ResultKind::Value => json!({}),
    };
    if !record.description.is_empty() {
        schema["description"] = record.description.as_str().into();
    }
    schema
}

fn envelope(output: Value) -> Value {
    let text_or_null = json!({"type": ["string", "null"]});
    let texts = json!({"type": "array", "items": {"type": "string"}});
    json!({
        "type": "object",
        "properties": {
            "schema": {"const": "macrocli.run/1"},
            "success": {"type": "boolean"},
            "macro_name": text_or_null,
            "output": output,
            "error": text_or_null,
            "error_code": text_or_null,
            "exit_code": {"type": "integer"},
            "hint": {"type": "string"},
            "warnings": texts,
            "steps": {"type": "array", "items": step()},
            "telemetry": telemetry(),
        },
        "required": [
            "schema", "success", "macro_name", "output", "error", "error_code", "exit_code", "warnings", "steps", "telemetry",
        ],
    })
}

fn step() -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "status": {"enum": ["ok", "failed", "skipped", "not_run"]},
            "output": {"type": "object"},
            "error": {"type": ["string", "null"]},
        },
        "required": ["id", "status", "output", "error"],
    })
}

fn telemetry() -> Value {
    json!({
        "type": "object",
        "properties": {
            "duration_ms": {"type": "number"},
            "dry_run": {"type": "boolean"},
            "run_id": {"type": "string"},
        },
        "required": ["duration_ms", "dry_run", "run_id"],
    })
}
