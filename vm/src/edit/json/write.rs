//! Values as JSON text in a document's style.

use spec::value::Value;

use crate::edit::json::style::Style;

/// Whether lists and objects take one line or one line per child.
#[derive(Clone, Copy)]
pub(crate) enum Layout<'a> {
    /// All on one line.
    Line,
    /// A line per child, indented by one unit more than this.
    Lines(&'a str),
}

/// `value` as text; the caller has bounded its depth.
pub(crate) fn value(value: &Value, style: &Style, layout: Layout<'_>) -> String {
    let mut out = String::new();
    let base = match layout {
        Layout::Line => None,
        Layout::Lines(base) => Some(base.to_owned()),
    };
    write(value, style, base.as_deref(), &mut out);
    out
}

/// `text` as a JSON string, in quotes.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether lists and objects in `value` nest at most `limit` deep.
pub(crate) fn fits(value: &Value, limit: usize) -> bool {
    match value {
        Value::List(items) => limit > 0 && items.iter().all(|item| fits(item, limit - 1)),
        Value::Dict(entries) => limit > 0 && entries.values().all(|item| fits(item, limit - 1)),
        Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::Number(_) | Value::String(_) => {
            true
        }
    }
}

fn write(value: &Value, style: &Style, base: Option<&str>, out: &mut String) {
    match value {
        Value::List(items) => {
            children(('[', ']'), items.iter().map(|item| (None, item)), style, base, out);
        }
        Value::Dict(entries) => {
            children(('{', '}'), entries.iter().map(|(key, item)| (Some(key), item)), style, base, out);
        }
        // As it was read, where `serde_json` would respell the exponent.
        Value::Number(literal) if literal.parse::<serde_json::Number>().is_ok() => out.push_str(literal),
        Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::Number(_) | Value::String(_) => {
            out.push_str(&crate::json_text::to_json(value).to_string())
        }
    }
}

fn children<'v>(
    brackets: (char, char),
    items: impl ExactSizeIterator<Item = (Option<&'v String>, &'v Value)>,
    style: &Style,
    base: Option<&str>,
    out: &mut String,
) {
    let inner = base.map(|base| format!("{base}{}", style.unit));
    let empty = items.len() == 0;
    out.push(brackets.0);
    for (at, (key, item)) in items.enumerate() {
        if at > 0 {
            out.push_str(if base.is_some() { "," } else { &style.comma });
        }
        if let Some(inner) = &inner {
            out.push_str(style.newline);
            out.push_str(inner);
        }
        if let Some(key) = key {
            out.push_str(&quoted(key));
            out.push_str(&style.colon);
        }
        write(item, style, inner.as_deref(), out);
    }
    if let Some(base) = base.filter(|_| !empty) {
        out.push_str(style.newline);
        out.push_str(base);
    }
    out.push(brackets.1);
}
