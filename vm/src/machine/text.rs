//! Values as text: inside other text, as JSON, and in messages.

use spec::kind;
use spec::value::Value;

use crate::failure::{Failure, FailureKind};
use crate::json_text;

/// The value as it stands inside a text: `42`, `true`, `1.0`.
///
/// # Errors
/// For null, lists and dicts, which have no text of their own.
pub fn plain(value: &Value) -> Result<String, Failure> {
    match value {
        Value::List(_) | Value::Dict(_) | Value::Null => {
            let failure =
                Failure::new(FailureKind::Evaluation, format!("{} cannot stand inside a text", kind::describe(value)));
            Err(match value {
                Value::Null => failure.hint("write `${…:-fallback}` where a value may be null"),
                Value::List(_) | Value::Dict(_) => failure.hint("`join` and `json` make a text of it"),
                Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::Number(_) | Value::String(_) => {
                    failure
                }
            })
        }
        Value::Boolean(value) => Ok(value.to_string()),
        Value::Integer(value) => Ok(value.to_string()),
        Value::Float(value) => Ok(kind::float_text(*value)),
        Value::Number(text) | Value::String(text) => Ok(text.clone()),
    }
}

/// The value as JSON text.
pub fn json(value: &Value) -> String {
    json_text::to_json(value).to_string()
}

/// The value in a message: texts as they are, everything else as JSON, at most 200 characters.
pub fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Null
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::Number(_)
        | Value::List(_)
        | Value::Dict(_) => json(value),
    };
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// "`a`, `b` or `c`", with `word` before the last.
pub fn listed(names: &[String], word: &str) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => format!("`{one}`"),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|name| format!("`{name}`")).collect();
            format!("{} {word} `{last}`", first.join(", "))
        }
    }
}

/// A duration in microseconds, for messages: "1000 ms", "0.25 ms".
pub fn millis(us: u64) -> String {
    if us.is_multiple_of(1000) { format!("{} ms", us / 1000) } else { format!("{} ms", us as f64 / 1000.0) }
}
