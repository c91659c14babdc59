//! The texts that must not appear in anything a run says.

use std::collections::HashSet;

use spec::value::{Dict, Value};

use crate::failure::{Failure, FailureKind};
use crate::machine::mask::{STARS, Texts};
use crate::machine::spellings::spellings;
use crate::machine::text::plain;

/// Secret texts, in every spelling in which they could be shown.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    texts: Texts,
    /// What is in `texts` already.
    known: HashSet<String>,
    /// How many values made of secrets there are.
    made: usize,
}

/// The least characters of what is hidden although it was not given as a secret: a line or a value made of one, or a value that only its name
/// says to be one. Shorter ones are parts of too many words.
const LEAST: usize = 4;

/// The most values made of secrets in a run.
const MOST_MADE: usize = 10_000;

impl Secrets {
    /// Adds what must not be shown of a secret: its text, its lines, and everything in it. Booleans stay: there are only two.
    pub fn add(&mut self, value: &Value) {
        self.collect(value, 1);
    }

    /// Adds a value that only its name says to be secret.
    pub fn add_named(&mut self, value: &Value) {
        self.collect(value, LEAST);
    }

    /// Adds a value that was made of a secret.
    ///
    /// # Errors
    /// [`FailureKind::Limit`]: there are too many.
    pub fn add_made(&mut self, value: &Value) -> Result<(), Failure> {
        let before = self.known.len();
        self.collect(value, LEAST);
        self.made += usize::from(self.known.len() > before);
        if self.made > MOST_MADE {
            let message = format!("more than {MOST_MADE} values were made of secrets, and each must be hidden");
            return Err(Failure::new(FailureKind::Limit, message));
        }
        Ok(())
    }

    /// A text without them.
    pub fn text(&self, text: &str) -> String {
        self.texts.mask(text)
    }

    /// A value without them, however deep; a number that is one becomes text.
    pub fn value(&self, value: Value) -> Value {
        if self.texts.is_empty() { value } else { self.masked(value) }
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

    fn masked(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.texts.mask(&text)),
            Value::List(items) => Value::List(items.into_iter().map(|item| self.masked(item)).collect()),
            Value::Dict(entries) => Value::Dict(
                entries.into_iter().map(|(key, value)| (self.texts.mask_whole(&key), self.masked(value))).collect(),
            ),
            Value::Number(_) | Value::Integer(_) | Value::Float(_) => match plain(&value) {
                Ok(text) if self.known.contains(&text) => Value::String(STARS.to_owned()),
                Ok(_) | Err(_) => value,
            },
            Value::Null | Value::Boolean(_) => value,
        }
    }

    fn collect(&mut self, value: &Value, least: usize) {
        match value {
            Value::Null | Value::Boolean(_) => {}
            Value::List(items) => items.iter().for_each(|item| self.collect(item, least)),
            Value::Dict(entries) => entries.values().for_each(|item| self.collect(item, least)),
            Value::String(text) => {
                self.add_text(text, least);
                text.lines().for_each(|line| self.add_text(line, LEAST));
                self.add_text(text.trim(), least);
            }
            Value::Integer(_) | Value::Float(_) | Value::Number(_) => {
                if let Ok(text) = plain(value) {
                    self.add_text(&text, least);
                }
            }
        }
    }

    fn add_text(&mut self, text: &str, least: usize) {
        let long = |text: &str| text.chars().nth(least - 1).is_some();
        if !long(text) || self.known.contains(text) {
            return;
        }
        for text in spellings(text) {
            if !text.is_empty() && self.known.insert(text.clone()) {
                self.texts.add(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use spec::value::{Dict, Value};

    use crate::failure::FailureKind;
    use crate::machine::mask::work;
    use crate::machine::secrets::Secrets;
    use crate::machine::spellings::spellings;

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
        let begun = work(0);
        let parts = Value::List(vec![Value::String("a".to_owned()); 20_000]);
        assert_eq!(secrets.value(parts.clone()), parts);
        let cut = format!("{}yxxx…{}…{}yxx", "x".repeat(60_000), "x".repeat(40_000), "x".repeat(4_000));
        assert_eq!(secrets.text(&cut), format!("***yxxx…***…***yxx"));
        // Where every place is tried, there are billions of steps.
        let steps = work(0) - begun;
        assert!(steps < 10_000_000, "{steps}");
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

    #[test]
    fn what_was_made_of_a_secret_is_hidden_unless_it_is_too_short() {
        let mut secrets = Secrets::default();
        for made in ["abc", "abcd", "ünïc"] {
            secrets.add_made(&Value::String(made.to_owned())).unwrap();
        }
        secrets.add_made(&Value::Integer(999)).unwrap();
        secrets.add_made(&Value::Integer(1234)).unwrap();
        assert_eq!(secrets.text("abc abcd ünïc 999 1234"), "abc *** *** 999 ***");
        let made = (0..20_000).map(|number| secrets.add_made(&Value::String(format!("value {number}"))));
        assert_eq!(made.collect::<Result<(), _>>().unwrap_err().kind, FailureKind::Limit);
    }

    #[test]
    fn secrets_that_come_late_are_found_too() {
        let mut secrets = Secrets::default();
        secrets.add(&Value::String("eta".to_owned()));
        assert_eq!(secrets.text("eta"), "***");
        for nth in 0..500 {
            secrets.add(&Value::String(format!("later{nth:03}")));
            assert_eq!(secrets.text(&format!("a later{nth:03} b eta")), "a *** b ***");
            // A short one inside a long one leaves nothing of it.
            secrets.add(&Value::String(format!("ter{nth:03}")));
            assert_eq!(secrets.text(&format!("a later{nth:03} b")), "a *** b");
        }
    }

    proptest! {
        #[test]
        fn no_spelling_of_a_secret_is_left(secret in "\\PC{1,20}", before in "[a-z ]{0,9}", after in "[a-z ]{0,9}") {
            let mut secrets = Secrets::default();
            secrets.add(&Value::String(secret.clone()));
            for spelled in spellings(&secret) {
                let masked = secrets.text(&format!("{before}{spelled}{after}"));
                // Letters around it may be the secret themselves.
                let plain = !before.contains(&spelled) && !after.contains(&spelled);
                prop_assert!(masked.contains("***") && (!plain || spelled.len() < 4 || !masked.contains(&spelled)), "{spelled}: {masked}");
            }
        }
    }
}
