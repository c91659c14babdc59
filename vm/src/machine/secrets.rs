//! The texts that must not appear in anything a run says.

use std::collections::HashSet;

use spec::value::{Dict, Value};

use crate::failure::Failure;
use crate::machine::mask::{mask, mask_value};
use crate::machine::text::{json, plain};

/// Secret texts, longest first, so that no part of a long one is left when a short one lies in it.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    texts: Vec<String>,
    /// The same, to look up.
    known: HashSet<String>,
}

/// Lines of a secret with several are masked alone from this length on: shorter ones are too common to be secret.
const LINE: usize = 4;

impl Secrets {
    /// Adds what must not be shown of a value: its text, its lines, and everything in it. Booleans stay: there are only two.
    pub fn add(&mut self, value: &Value) {
        self.collect(value);
        self.texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    }

    /// A text without them.
    pub fn text(&self, text: &str) -> String {
        mask(text, &self.texts)
    }

    /// A value without them, however deep; a number that is one becomes text.
    pub fn value(&self, value: Value) -> Value {
        if self.texts.is_empty() { value } else { mask_value(value, &self.texts) }
    }

    /// Named values without them; the names are the macro's own.
    pub fn dict(&self, dict: Dict) -> Dict {
        if self.texts.is_empty() {
            return dict;
        }
        dict.into_iter().map(|(name, value)| (name, self.value(value))).collect()
    }

    /// A failure without them.
    pub fn failure(&self, failure: Failure) -> Failure {
        let partial = failure.partial.into_iter().map(|(name, value)| (name, self.value(value))).collect();
        Failure {
            kind: failure.kind,
            message: self.text(&failure.message),
            hint: failure.hint.map(|hint| self.text(&hint)),
            partial,
        }
    }

    fn collect(&mut self, value: &Value) {
        match value {
            Value::Null | Value::Boolean(_) => {}
            Value::List(items) => items.iter().for_each(|item| self.collect(item)),
            Value::Dict(entries) => entries.values().for_each(|item| self.collect(item)),
            Value::String(text) => {
                self.add_text(text);
                text.lines().filter(|line| line.len() >= LINE).for_each(|line| self.add_text(line));
                self.add_text(text.trim());
            }
            Value::Integer(_) | Value::Float(_) | Value::Number(_) => {
                if let Ok(text) = plain(value) {
                    self.add_text(&text);
                }
            }
        }
    }

    fn add_text(&mut self, text: &str) {
        // Inside JSON text and quoted messages, a secret can be spelled with escapes.
        let quoted = json(&Value::String(text.to_owned()));
        let escaped = quoted[1..quoted.len() - 1].to_owned();
        let control = text.chars().map(|character| match character.is_control() {
            true => character.escape_default().to_string(),
            false => character.to_string(),
        });
        for text in [text.to_owned(), escaped, control.collect(), text.escape_debug().to_string()] {
            if !text.is_empty() && self.known.insert(text.clone()) {
                self.texts.push(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use spec::value::{Dict, Value};

    use crate::machine::secrets::Secrets;

    #[test]
    fn what_a_cut_left_of_a_secret_is_masked() {
        let mut secrets = Secrets::default();
        secrets.add(&Value::String("hunter2-ünder".to_owned()));
        secrets.add(&Value::String("tab\there\u{1b}".to_owned()));
        assert_eq!(secrets.text("`hunter2-ü…` is no number"), "`***…` is no number");
        assert_eq!(secrets.text("ends with:\n…2-ünder, and so on"), "ends with:\n…***, and so on");
        assert_eq!(secrets.text("…hunter2-ünder…"), "…***…");
        assert_eq!(secrets.text("hunter2… der"), "***… der");
        // Where nothing was cut, a part of a secret is a word like any other; so is a short one.
        assert_eq!(secrets.text("the hunter"), "the hunter");
        assert_eq!(secrets.text("hun…der"), "hun…der");
        let long = format!("2-ünder{}hunter", "x".repeat(4090));
        assert_eq!(secrets.text(&long), format!("***{}***", "x".repeat(4090)));
        assert_eq!(secrets.text(r"`tab\there\u{1b}` or tab\there\u001b"), "`***` or ***");
        assert_eq!(Secrets::default().text("a…b"), "a…b");
    }

    #[test]
    fn a_long_secret_that_repeats_itself_costs_no_more_than_its_length() {
        let mut secrets = Secrets::default();
        secrets.add(&Value::String("x".repeat(100_000)));
        let begun = std::time::Instant::now();
        let parts = Value::List(vec![Value::String("a".to_owned()); 20_000]);
        assert_eq!(secrets.value(parts.clone()), parts);
        let cut = format!("{}yxxx…{}…{}yxx", "x".repeat(60_000), "x".repeat(40_000), "x".repeat(4_000));
        assert_eq!(secrets.text(&cut), format!("***yxxx…***…***yxx"));
        // Where every place is tried, this takes minutes.
        assert!(begun.elapsed().as_secs() < 20);
    }

    #[test]
    fn secrets_are_masked_in_every_spelling() {
        let mut secrets = Secrets::default();
        for text in ["ab", "abcd", "x", "say \"hi\"", "line one\nline two\n"] {
            secrets.add(&Value::String(text.to_owned()));
        }
        secrets.add(&Value::List(vec![Value::Integer(4711), Value::Boolean(true)]));
        assert_eq!(secrets.text("abcde"), "***e");
        assert_eq!(secrets.text("1x2"), "1***2");
        assert_eq!(secrets.text(r#"["say \"hi\""]"#), r#"["***"]"#);
        assert_eq!(secrets.text("line two"), "***");
        assert_eq!(secrets.text("port 4711 true"), "port *** true");
        assert_eq!(secrets.value(Value::Integer(4711)), Value::String("***".into()));
        assert_eq!(secrets.value(Value::Integer(14711)), Value::Integer(14711));
        let dict = |key: &str, text: &str| {
            let inner = Dict::from_iter([(key.to_owned(), Value::List(vec![Value::String(text.to_owned())]))]);
            Dict::from_iter([("x".to_owned(), Value::Dict(inner))])
        };
        assert_eq!(secrets.dict(dict("x", "-ab-")), dict("***", "-***-"));
    }
}
