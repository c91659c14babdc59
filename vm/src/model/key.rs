//! The key for a model's server, and how it is kept out of everything that is shown.

use std::fmt;

/// What stands for a key in texts.
const STARS: &str = "***";

/// Keys are replaced in texts from this length in bytes on: what is shorter is in too many words, and no server's key.
const LEAST: usize = 4;

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

    /// A text without the key, as it is and as JSON spells it.
    pub fn mask(&self, text: &str) -> String {
        if self.0.len() < LEAST {
            return text.to_owned();
        }
        let quoted = serde_json::Value::String(self.0.clone()).to_string();
        let escaped = quoted.trim_matches('"');
        let masked = text.replace(&self.0, STARS);
        if escaped == self.0 { masked } else { masked.replace(escaped, STARS) }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "Key(none)" } else { "Key(***)" })
    }
}

#[cfg(test)]
mod tests {
    use crate::model::key::Key;

    #[test]
    fn a_key_is_trimmed_and_hidden() {
        let key = Key::new("  sk-se\"cret\n");
        assert_eq!(key.bearer().unwrap(), "Bearer sk-se\"cret");
        assert_eq!(key.mask(r#"bad sk-se"cret and "sk-se\"cret""#), r#"bad *** and "***""#);
        assert_eq!(format!("{key:?}"), "Key(***)");
        assert_eq!(Key::new(" \r\n").bearer(), None);
        assert_eq!(Key::new("").mask("text"), "text");
    }
}
