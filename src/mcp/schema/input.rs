//! The parameters of a macro as the schema of a tool's arguments.

use serde_json::{Value, json};
use spec::artifact::{Artifact, Constants, ParameterRecord};
use spec::operand::Const;
use spec::value::Type;

use crate::mcp::schema::{Object, object};

/// What a call of the macro may say.
pub fn input(artifact: &Artifact) -> Object {
    // The last macro is the one that runs.
    let parameters = artifact.macros.last().map(|unit| unit.parameters.as_slice()).unwrap_or_default();
    let properties: Object =
        parameters.iter().map(|one| (one.name.clone(), parameter(one, &artifact.constants))).collect();
    // A parameter that is read where it would have no value must be given too: a run without it fails before its first step.
    let required = parameters.iter().filter(|one| one.default.is_none() && (one.required || one.needed));
    let required: Vec<&str> = required.map(|one| one.name.as_str()).collect();
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    object(schema)
}

fn parameter(record: &ParameterRecord, constants: &Constants) -> Value {
    let constant = |index: u32| constants.value(Const(index)).map(|value| vm::json_text::to_json(&value));
    let mut schema = json!({"type": json_type(record.ty.into())});
    if !record.description.is_empty() {
        schema["description"] = record.description.as_str().into();
    }
    let choices: Vec<Value> = record.choices.iter().filter_map(|index| constant(*index)).collect();
    if !choices.is_empty() {
        schema["enum"] = choices.into();
    }
    let bounds = [("minimum", record.min), ("maximum", record.max), ("default", record.default)];
    for (key, index) in bounds {
        if let Some(value) = index.and_then(constant) {
            schema[key] = value;
        }
    }
    if let Some(example) = record.example.and_then(constant) {
        schema["examples"] = json!([example]);
    }
    if record.secret {
        schema["writeOnly"] = true.into();
    }
    schema
}

fn json_type(of: Type) -> &'static str {
    match of {
        Type::String => "string",
        Type::Integer => "integer",
        Type::Float => "number",
        Type::Boolean => "boolean",
        Type::List => "array",
        Type::Dict => "object",
        // No parameter is declared so.
        Type::Any => "string",
    }
}
