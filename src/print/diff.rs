//! The differences of two macros, as `macrocli.diff/1` and for people.

use serde_json::{Value, json};
use spec::artifact::Meta;

use crate::diff::Change;
use crate::exit::Exit;
use crate::print::artifact::plain;
use crate::print::escape;

/// One of the two.
pub struct Side<'a> {
    /// As it was asked for.
    pub shown: &'a str,
    /// What it says of itself.
    pub meta: &'a Meta,
    /// The content hash of its artifact.
    pub hash: String,
}

/// The document.
pub fn document(before: Side<'_>, after: Side<'_>, changes: &[Change], exit: Exit) -> Value {
    let side = |side: Side<'_>| json!({"file": side.shown, "name": side.meta.name, "version": side.meta.version, "content_hash": side.hash});
    let change = |change: &Change| {
        json!({
            "area": change.area, "name": change.name, "change": kind(change), "key": change.key, "from": change.from, "to": change.to,
            "widened": change.widened,
        })
    };
    json!({
        "schema": "macrocli.diff/1",
        "same": changes.is_empty(),
        "widened": changes.iter().any(|change| change.widened),
        "exit_code": exit.0,
        "before": side(before),
        "after": side(after),
        "changes": changes.iter().map(change).collect::<Value>(),
    })
}

/// One line for each change; what is wider is marked.
pub fn text(changes: &[Change]) -> String {
    let mut out = String::new();
    for change in changes {
        let mark = if change.widened { "wider  " } else { "       " };
        let name = if change.name.is_empty() { String::new() } else { format!(" `{}`", escape::line(&change.name)) };
        let key = if change.key.is_empty() { String::new() } else { format!(" {}", change.key) };
        let values = match kind(change) {
            "added" => format!(" added: {}", value(&change.to)),
            "removed" => format!(" removed: {}", value(&change.from)),
            _ => format!(": {} -> {}", value(&change.from), value(&change.to)),
        };
        out.push_str(&format!("{mark}{}{name}{key}{values}\n", change.area));
    }
    if changes.is_empty() {
        out.push_str("no difference\n");
    }
    out
}

/// Whether a thing is new, gone, or another one.
fn kind(change: &Change) -> &'static str {
    match (change.key.is_empty(), change.from.is_null(), change.to.is_null()) {
        (true, true, _) => "added",
        (true, _, true) => "removed",
        (_, _, _) => "changed",
    }
}

fn value(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Array(items) if items.is_empty() => "nothing".to_owned(),
        other => plain(other),
    }
}
