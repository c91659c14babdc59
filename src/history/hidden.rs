//! What is never kept, whatever a macro says: values of parameters that are secret, or sound like it.

use std::collections::BTreeMap;

use serde_json::Value;
use spec::sensitive::is_sensitive_name;

/// What stands for a value that is not kept.
const STARS: &str = "***";

/// The least bytes of a text that is looked for in other texts: shorter ones are in too many words.
const LEAST: usize = 4;

/// Given parameters as they are kept, and the texts that must be kept nowhere. `secret` says of a name whether its value is one; keys of
/// dicts within that are named like one are hidden too.
pub fn parameters(given: &BTreeMap<String, Value>, secret: impl Fn(&str) -> bool) -> (Value, Vec<String>) {
    let is_hidden = |name: &str| secret(name) || is_sensitive_name(name);
    let mut hidden = Vec::new();
    for (name, value) in given {
        if is_hidden(name) { collect(value, &mut hidden) } else { collect_named(value, &mut hidden) }
    }
    hidden.retain(|text| text.len() >= LEAST);
    // A long one first: no part of it is left when a short one lies in it.
    hidden.sort_by_key(|text| std::cmp::Reverse(text.len()));
    let kept = given.iter().map(|(name, value)| {
        let mut value = if is_hidden(name) { STARS.into() } else { value.clone() };
        mask_named(&mut value);
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
}

/// Collects what is under keys that are named like secrets, however deep.
fn collect_named(value: &Value, hidden: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_named(item, hidden)),
        Value::Object(entries) => entries.iter().for_each(|(name, value)| {
            if is_sensitive_name(name) { collect(value, hidden) } else { collect_named(value, hidden) }
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Masks what is under keys that are named like secrets, however deep.
fn mask_named(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mask_named),
        Value::Object(entries) => entries
            .iter_mut()
            .for_each(|(name, value)| if is_sensitive_name(name) { *value = STARS.into() } else { mask_named(value) }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use crate::history::hidden::{hide, parameters};

    #[test]
    fn names_are_judged_as_everywhere_else() {
        let masked = |name: &str| {
            let given = BTreeMap::from([(name.to_owned(), json!("hunter2!"))]);
            parameters(&given, |_| false) == (json!({name: "***"}), vec!["hunter2!".to_owned()])
        };
        for name in ["password", "db_passwd", "my-api-key", "passphrase", "pwd", "apiKey", "pin", "otp", "credential"] {
            assert!(masked(name), "{name}");
        }
        for name in ["file", "key", "tokens", "max_tokens", "password_file"] {
            assert!(!masked(name), "{name}");
        }
    }

    #[test]
    fn keys_within_are_judged_too() {
        let login = json!({"user": "ann", "pwd": "hunter2!", "more": [{"otp": [4711, 12]}]});
        let given = BTreeMap::from([("login".to_owned(), login), ("text".to_owned(), json!("as hunter2!"))]);
        let (kept, hidden) = parameters(&given, |_| false);
        let login = json!({"user": "ann", "pwd": "***", "more": [{"otp": "***"}]});
        assert_eq!(kept, json!({"login": login, "text": "as ***"}));
        assert_eq!(hidden, ["hunter2!", "4711"]);
    }

    #[test]
    fn secrets_are_kept_nowhere() {
        let given: BTreeMap<String, Value> = [
            ("password", json!("hunter2!")),
            ("code", json!(47110)),
            ("list", json!({"deep": ["hunter2!-x"]})),
            ("token", json!(["abc", "abcdef"])),
            ("open", json!("ab")),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        let (kept, hidden) = parameters(&given, |name| name == "code");
        let expected =
            json!({"list": {"deep": ["***-x"]}, "open": "ab", "password": "***", "code": "***", "token": "***"});
        assert_eq!(kept, expected);
        assert_eq!(hidden, ["hunter2!", "abcdef", "47110"]);
        let mut document = json!({"a": ["x hunter2! y", 47110, 4711], "hunter2!": true});
        hide(&mut document, &hidden);
        assert_eq!(document, json!({"a": ["x *** y", "***", 4711], "hunter2!": true}));
    }
}
