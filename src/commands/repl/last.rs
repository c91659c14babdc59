//! The last result and its parts: `last.output.file`, `last.steps.0.error`.

use serde_json::Value;

use crate::print::artifact;
use crate::print::screen::Screen;
use crate::trouble::Trouble;

const LAST: &str = "last";

/// Whether a word names the last result or a part of it.
pub fn is_path(word: &str) -> bool {
    word.split('.').next() == Some(LAST)
}

/// What a word names.
///
/// # Errors
/// There was no run, or its result has no such part.
pub fn part(last: Option<&Value>, word: &str) -> Result<Value, Trouble> {
    let Some(mut found) = last else { return Err(Trouble::usage("nothing was run here yet")) };
    let mut path = LAST.to_owned();
    for key in word.split('.').skip(1) {
        let next = match found {
            Value::Array(items) => key.parse().ok().and_then(|place: usize| items.get(place)),
            Value::Object(entries) => entries.get(key),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        };
        let Some(next) = next else {
            return Err(Trouble::usage(format!("`{path}` has no `{key}`")).hint_if(contents(found)));
        };
        path = format!("{path}.{key}");
        found = next;
    }
    Ok(found.clone())
}

/// Prints it: text as it is, all else as JSON.
pub fn show(screen: &Screen, found: &Value) {
    match found {
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) if !screen.json => {
            screen.out(&format!("{}\n", artifact::plain(found)));
        }
        Value::Object(_) | Value::Array(_) | Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {
            screen.document(found);
        }
    }
}

fn contents(found: &Value) -> Option<String> {
    match found {
        Value::Object(entries) if !entries.is_empty() => {
            let keys: Vec<String> = entries.keys().map(|key| format!("`{key}`")).collect();
            Some(format!("it has {}", keys.join(", ")))
        }
        Value::Array(items) => Some(format!("it has {} entries, from 0", items.len())),
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::commands::repl::last::{is_path, part};

    #[test]
    fn parts_are_found_and_missed_with_help() {
        let last = json!({"output": {"file": "/x"}, "steps": [{"id": "a"}]});
        let found = |word: &str| part(Some(&last), word).map_err(|trouble| (trouble.message, trouble.hint));
        assert_eq!(found("last").unwrap(), last);
        assert_eq!(found("last.output.file").unwrap(), "/x");
        assert_eq!(found("last.steps.0.id").unwrap(), "a");
        let hint = |hint: &str| Some(hint.to_owned());
        assert_eq!(found("last.output.nme"), Err(("`last.output` has no `nme`".to_owned(), hint("it has `file`"))));
        assert_eq!(
            found("last.steps.7"),
            Err(("`last.steps` has no `7`".to_owned(), hint("it has 1 entries, from 0")))
        );
        assert_eq!(found("last.output.file.x"), Err(("`last.output.file` has no `x`".to_owned(), None)));
        assert!(part(None, "last").is_err());
        assert!(is_path("last") && is_path("last.x") && !is_path("lasting") && !is_path("list"));
    }
}
