//! The tools that are there whatever macros there are; one tool, one file.

mod check;
mod screen;
mod search;
mod status;

use rmcp::model::{CallToolResult, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::mcp::reply;
use crate::mcp::schema::{Object, object};
use crate::mcp::state::State;
use crate::trouble::Trouble;

/// Their names, which no macro's tool has.
pub const RESERVED: &[&str] = &["macros_search", "macro_check", "screen_capture", "run_status"];

/// The tools as clients see them.
pub fn list() -> Vec<Tool> {
    vec![search::tool(), check::tool(), screen::tool(), status::tool()]
}

/// Calls one of them; `None` when none is called so.
pub async fn call(state: &State, name: &str, arguments: Option<&Object>) -> Option<CallToolResult> {
    let empty = Object::new();
    let arguments = arguments.unwrap_or(&empty);
    let found = match name {
        "macros_search" => search::call(state, arguments).await,
        "macro_check" => check::call(state, arguments).await,
        "screen_capture" => screen::call(state, arguments).await,
        "run_status" => status::call(state, arguments),
        _ => return None,
    };
    Some(found.unwrap_or_else(|trouble| reply::trouble(&trouble)))
}

/// A tool that looks and changes nothing. `outputs` are the keys of its result that are there when it did its work.
fn looking(name: &'static str, title: &str, description: &'static str, properties: Value, outputs: Value) -> Tool {
    let input = json!({"type": "object", "properties": properties, "additionalProperties": false});
    let mut results = object(json!({
        "schema": {"type": "string"},
        "error": {"type": "string"}, "error_code": {"type": "string"}, "exit_code": {"type": "integer"}, "hint": {"type": "string"},
    }));
    results.extend(object(outputs));
    let output = json!({"type": "object", "properties": results, "required": ["schema"]});
    let annotations = ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false);
    Tool::new(name, description, object(input))
        .with_title(title)
        .with_raw_output_schema(object(output).into())
        .with_annotations(annotations)
}

/// Refuses arguments that the tool does not have.
fn only(arguments: &Object, allowed: &[&str]) -> Result<(), Trouble> {
    match arguments.keys().find(|key| !allowed.contains(&key.as_str())) {
        None => Ok(()),
        Some(other) => {
            Err(Trouble::usage(format!("unknown argument `{other}`")).hint(format!("allowed: {}", allowed.join(", "))))
        }
    }
}

/// A text among the arguments.
fn text<'a>(arguments: &'a Object, name: &str) -> Result<Option<&'a str>, Trouble> {
    match arguments.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(Trouble::usage(format!("argument `{name}` must be a text, not {other}"))),
    }
}

/// A whole number among the arguments, within bounds.
fn integer(arguments: &Object, name: &str, least: i64, most: i64) -> Result<Option<i64>, Trouble> {
    let Some(value) = arguments.get(name) else { return Ok(None) };
    match value.as_i64().filter(|number| (least..=most).contains(number)) {
        Some(number) => Ok(Some(number)),
        None => {
            Err(Trouble::usage(format!("argument `{name}` must be a whole number from {least} to {most}, not {value}")))
        }
    }
}
