//! The key for a model's server, and how it is kept out of everything that is shown.

use std::fmt;

use serde_json::Value;

/// What stands for a key in texts.
const STARS: &str = "***";

/// Keys are replaced in texts from this length in bytes on: what is shorter is in too many words, and no server's key.
const LEAST: usize = 4;

/// A key with this many characters is in no answer by chance; what is shorter may be a word, as the `ollama` that some servers want.
const UNLIKELY: usize = 12;

/// A key; empty when the server needs none.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// The key of a text that may have blanks and line ends around it, as files have.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// The text for the `Authorization` header; `None` without a key.
    pub fn bearer(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| format!("Bearer {}", self.0))
    }

    /// The key itself.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// A text without the key, as it is and as JSON, URLs and HTML spell it.
    pub fn mask(&self, text: &str) -> String {
        if self.0.len() < LEAST {
            return text.to_owned();
        }
        let mut masked = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            // Spelled first: an escape at its end belongs to it. As it is second: its own characters may look like an escape.
            if let Some(after) = spelled(rest, &self.0).or_else(|| rest.strip_prefix(&self.0)) {
                masked.push_str(STARS);
                rest = after;
            } else {
                masked.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        masked
    }

    /// A value without the key in any of its texts.
    pub fn mask_all(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.mask(&text)),
            Value::Array(items) => Value::Array(items.into_iter().map(|item| self.mask_all(item)).collect()),
            Value::Object(entries) => {
                Value::Object(entries.into_iter().map(|(name, value)| (name, self.mask_all(value))).collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value,
        }
    }

    /// Whether a value has a key in it that cannot be there by chance, in any spelling.
    pub fn is_in(&self, value: &Value) -> bool {
        if self.0.chars().count() < UNLIKELY {
            return false;
        }
        match value {
            Value::String(text) => self.mask(text) != *text,
            Value::Array(items) => items.iter().any(|item| self.is_in(item)),
            Value::Object(entries) => entries.values().any(|value| self.is_in(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
}

/// What follows the key at the beginning of a text, if it is there with some of its characters escaped.
fn spelled<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let (mut text, mut key) = (text, key.as_bytes());
    while let Some(first) = key.first() {
        if let Some((bytes, after)) = escaped(text)
            && let Some(left) = key.strip_prefix(bytes.as_slice())
        {
            (text, key) = (after, left);
        } else if text.as_bytes().first() == Some(first) {
            // Whole characters: the key is text as well.
            let length = text.chars().next()?.len_utf8();
            key = key.strip_prefix(&text.as_bytes()[..length])?;
            text = &text[length..];
        } else {
            return None;
        }
    }
    Some(text)
}

/// What the escape at the beginning of a text stands for, and what follows: `%2F`, `+`, `\u002f`, `\/`, `&#x2F;`, `&#47;` or `&quot;`.
fn escaped(text: &str) -> Option<(Vec<u8>, &str)> {
    let character = |code: u32| char::from_u32(code).map(|found| found.to_string().into_bytes());
    let hex = |digits: &str| u32::from_str_radix(digits, 16).ok();
    match text.as_bytes().first()? {
        b'+' => Some((vec![b' '], &text[1..])),
        b'%' => Some((vec![u8::try_from(hex(text.get(1..3)?)?).ok()?], text.get(3..)?)),
        b'\\' if text[1..].starts_with('u') => Some((character(hex(text.get(2..6)?)?)?, text.get(6..)?)),
        b'\\' => {
            let meant = text.as_bytes().get(1).copied().filter(|byte| matches!(byte, b'"' | b'\\' | b'/' | b'\''))?;
            Some((vec![meant], text.get(2..)?))
        }
        b'&' => {
            // The longest is `&#x10FFFF;`, with room for zeros in front.
            let end = text.bytes().take(16).position(|byte| byte == b';')?;
            let bytes = match &text[1..end] {
                "amp" => vec![b'&'],
                "lt" => vec![b'<'],
                "gt" => vec![b'>'],
                "quot" => vec![b'"'],
                "apos" => vec![b'\''],
                "sol" => vec![b'/'],
                "plus" => vec![b'+'],
                "equals" => vec![b'='],
                other => {
                    let digits = other.strip_prefix('#')?;
                    let code = match digits.strip_prefix(['x', 'X']) {
                        Some(digits) => hex(digits)?,
                        None => digits.parse().ok()?,
                    };
                    character(code)?
                }
            };
            Some((bytes, &text[end + 1..]))
        }
        _ => None,
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "Key(none)" } else { "Key(***)" })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::key::Key;

    #[test]
    fn a_key_is_trimmed_and_hidden() {
        let key = Key::new("  sk-se\"cret\n");
        assert_eq!(key.bearer().unwrap(), "Bearer sk-se\"cret");
        for spelled in
            ["sk%2Dse%22cret", "%73%6b-se%22cret", "sk-se&quot;cret", "sk&#45;se&#x22;cret", r"sk-se\u0022cret"]
        {
            assert_eq!(key.mask(&format!("é {spelled}!")), "é ***!", "{spelled}");
        }
        assert_eq!(Key::new("a/b+é&").mask("?k=a%2fb%2B%C3%A9%26 a/b+é&amp; a\\/b+é&"), "?k=*** *** ***");
        assert_eq!(Key::new("%41bc").mask("%41bc %2541bc Abc"), "*** *** Abc");
        for broken in
            ["sk-se%2", "sk-se%", "sk-se%é", "sk-se&#x", "sk-se\\u00é", "sk-se\\", "sk-se&#999999999;", "&éééééééé;"]
        {
            assert_eq!(key.mask(broken), broken);
        }
        assert_eq!(key.mask(r#"bad sk-se"cret and "sk-se\"cret""#), r#"bad *** and "***""#);
        assert_eq!(format!("{key:?}"), "Key(***)");
        assert_eq!(Key::new(" \r\n").bearer(), None);
        assert_eq!(Key::new("").mask("text"), "text");
    }

    #[test]
    fn only_long_keys_are_in_a_value_for_sure() {
        let value = json!({"a": [{"text": "ollama run %73k-0123456789"}]});
        assert!(Key::new("sk-0123456789").is_in(&value));
        assert!(!Key::new("sk-0123456780").is_in(&value));
        assert!(!Key::new("ollama").is_in(&value) && !Key::new("").is_in(&value));
        assert_eq!(Key::new("ollama").mask_all(json!(["ollama", 1])), json!(["***", 1]));
    }
}
