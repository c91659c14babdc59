//! What is never kept, whatever a macro says: values of parameters that are secret, or sound like it.

use std::collections::BTreeMap;

use serde_json::Value;

/// What stands for a value that is not kept.
const STARS: &str = "***";

/// Words in the names of parameters whose values are not kept.
const WORDS: [&str; 5] = ["password", "passwd", "secret", "token", "api_key"];

/// The least bytes of a text that is looked for in other texts: shorter ones are in too many words.
const LEAST: usize = 4;

/// Whether a parameter of that name holds what nobody should read.
pub fn is_sensitive(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('-', "_");
    WORDS.iter().any(|word| name.contains(word))
}

/// Given parameters as they are kept, and the texts that must be kept nowhere. `secret` says of a name whether its value is one.
pub fn parameters(given: &BTreeMap<String, Value>, secret: impl Fn(&str) -> bool) -> (Value, Vec<String>) {
    let is_hidden = |name: &str| secret(name) || is_sensitive(name);
    let mut hidden = Vec::new();
    given.iter().filter(|(name, _)| is_hidden(name)).for_each(|(_, value)| collect(value, &mut hidden));
    // A long one first: no part of it is left when a short one lies in it.
    hidden.sort_by_key(|text| std::cmp::Reverse(text.len()));
    let kept = given.iter().map(|(name, value)| {
        let mut value = if is_hidden(name) { STARS.into() } else { value.clone() };
        hide(&mut value, &hidden);
        (name.clone(), value)
    });
    (Value::Object(kept.collect()), hidden)
}

/// Replaces texts in a document, however deep.
pub fn hide(document: &mut Value, hidden: &[String]) {
    if hidden.is_empty() {
        return;
    }
    match document {
        Value::String(text) => {
            for secret in hidden.iter().filter(|secret| text.contains(secret.as_str())).collect::<Vec<_>>() {
                *text = text.replace(secret, STARS);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(item, hidden)),
        Value::Object(entries) => entries.values_mut().for_each(|value| hide(value, hidden)),
        Value::Number(number) if hidden.contains(&number.to_string()) => *document = STARS.into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn collect(value: &Value, hidden: &mut Vec<String>) {
    match value {
        Value::String(text) => hidden.push(text.clone()),
        Value::Number(number) => hidden.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, hidden)),
        Value::Object(entries) => entries.values().for_each(|value| collect(value, hidden)),
        Value::Null | Value::Bool(_) => {}
    }
    hidden.retain(|text| text.len() >= LEAST);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use crate::history::hidden::{hide, is_sensitive, parameters};

    #[test]
    fn names_that_sound_secret_are() {
        for name in ["password", "PASSWORD", "db_passwd", "my-api-key", "client_secret", "tokens"] {
            assert!(is_sensitive(name), "{name}");
        }
        for name in ["file", "pass", "key", "path"] {
            assert!(!is_sensitive(name), "{name}");
        }
    }

    #[test]
    fn secrets_are_kept_nowhere() {
        let given: BTreeMap<String, Value> = [
            ("password", json!("hunter2!")),
            ("pin", json!(47110)),
            ("list", json!({"deep": ["hunter2!-x"]})),
            ("tokens", json!(["abc", "abcdef"])),
            ("open", json!("ab")),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        let (kept, hidden) = parameters(&given, |name| name == "pin");
        let expected =
            json!({"list": {"deep": ["***-x"]}, "open": "ab", "password": "***", "pin": "***", "tokens": "***"});
        assert_eq!(kept, expected);
        assert_eq!(hidden, ["hunter2!", "abcdef", "47110"]);
        let mut document = json!({"a": ["x hunter2! y", 47110, 4711], "hunter2!": true});
        hide(&mut document, &hidden);
        assert_eq!(document, json!({"a": ["x *** y", "***", 4711], "hunter2!": true}));
    }
}
