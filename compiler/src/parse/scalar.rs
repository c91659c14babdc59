//! Scalars without expressions: texts, words, numbers, durations.

use spec::grammar::duration;
use spec::kind;
use spec::value::{Dict, Value};

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::parse::Context;
use crate::parse::fields::Fields;
use crate::yaml::{Kind, Node, Resolved, Scalar};

/// The longest timeout of a step or a macro, in microseconds: a year.
const MAX_TIMEOUT_US: u64 = duration::MAX_MICROS;

impl Context<'_> {
    /// A scalar with the spelling of the source; null that was left out is empty.
    pub fn spelling(&mut self, node: &Node, key: &str) -> String {
        match node.scalar() {
            Some(scalar) => scalar.text.to_string(),
            None => {
                self.wrong_shape(node, &format!("`{key}` must be text"));
                String::new()
            }
        }
    }

    /// Whether a scalar holds an expression where none can be, which is reported.
    fn holds_expression(&mut self, node: &Node, key: &str) -> bool {
        let found = node.scalar().is_some_and(|scalar| scalar.text.contains("${"));
        if found {
            let message = format!("`{key}` cannot hold an expression");
            let problem = Diagnostic::new(Code::WrongShape, node.span, message);
            self.report(problem.help("it is decided when the macro is built: write the value itself"));
        }
        found
    }

    /// `true`, `false`, or a word older YAML reads as one of them.
    pub fn boolean(&mut self, node: &Node, key: &str) -> Option<bool> {
        let word = node.scalar().and_then(|scalar| kind::boolean_word(&scalar.text));
        if word.is_none() && !self.holds_expression(node, key) {
            self.wrong_shape(node, &format!("`{key}` must be `true` or `false`"));
        }
        word
    }

    /// A whole number within bounds; quoted digits count.
    pub fn whole(&mut self, node: &Node, key: &str, min: u64, max: u64) -> Option<u64> {
        let number = node.scalar().and_then(|scalar| scalar.text.parse::<i128>().ok());
        match number {
            Some(number) if (i128::from(min)..=i128::from(max)).contains(&number) => u64::try_from(number).ok(),
            Some(number) => {
                let message = format!("`{key}` must be from {min} to {max}, found `{number}`");
                self.report(Diagnostic::new(Code::OutOfRange, node.span, message));
                None
            }
            None => {
                if !self.holds_expression(node, key) {
                    self.wrong_shape(node, &format!("`{key}` must be a whole number"));
                }
                None
            }
        }
    }

    /// One of a few words.
    pub fn word<'w>(&mut self, node: &Node, key: &str, words: &'w [&'w str]) -> Option<&'w str> {
        let text = self.spelling(node, key);
        let word = words.iter().copied().find(|word| *word == text);
        if word.is_none() && node.scalar().is_some() && !self.holds_expression(node, key) {
            let problem = Diagnostic::new(Code::UnknownWord, node.span, format!("`{key}` cannot be `{text}`"));
            self.report(problem.help(suggest::help(&text, words)));
        }
        word
    }

    /// A duration with its unit, in microseconds.
    pub fn duration(&mut self, node: &Node, key: &str) -> Option<u64> {
        let text = self.spelling(node, key);
        node.scalar()?;
        if self.holds_expression(node, key) {
            return None;
        }
        match duration::parse(&text) {
            Ok(micros) => Some(micros),
            Err(error) => {
                let problem = Diagnostic::new(Code::BadDuration, node.span, format!("`{key}`: {error}"));
                self.report(problem.help(error.help()));
                None
            }
        }
    }

    /// `timeout:` or `timeout_ms:`, above zero, in microseconds.
    pub fn timeout(&mut self, fields: &mut Fields<'_>) -> Option<u64> {
        if let (Some(first), Some(second)) = (fields.entry("timeout"), fields.entry("timeout_ms")) {
            let problem = Diagnostic::new(
                Code::ConflictingKeys,
                second.key.span,
                "`timeout` and `timeout_ms` are two ways to say the same",
            );
            self.report(problem.label(first.key.span, "the other one").help("keep one of them"));
        }
        if let Some(node) = fields.take("timeout") {
            let micros = self.duration(node, "timeout")?;
            if micros == 0 {
                let problem = Diagnostic::new(Code::BadDuration, node.span, "`timeout` must be longer than nothing");
                self.report(problem.help("write a duration such as `30s`"));
                return None;
            }
            return Some(micros);
        }
        let node = fields.take("timeout_ms")?;
        self.whole(node, "timeout_ms", 1, MAX_TIMEOUT_US / 1000).map(|millis| millis * 1000)
    }

    /// A value without expressions.
    pub fn value(&mut self, node: &Node) -> Value {
        match &node.kind {
            Kind::Scalar(scalar) => literal(scalar),
            Kind::List(items) => Value::List(items.iter().map(|item| self.value(item)).collect()),
            Kind::Map(entries) => Value::Dict(
                entries.iter().map(|entry| (entry.key.node.to_string(), self.value(&entry.value))).collect::<Dict>(),
            ),
        }
    }
}

/// What a scalar without expressions stands for. Numbers that neither JSON nor a value can hold stay text.
pub fn literal(scalar: &Scalar) -> Value {
    match scalar.resolve() {
        Resolved::Null => Value::Null,
        Resolved::Bool(value) => Value::Boolean(value),
        Resolved::Int(value) => Value::Integer(value),
        Resolved::BigInt(text) => big(text),
        Resolved::Float(value) => Value::Float(value),
        Resolved::NonFinite(_) => Value::String(scalar.text.to_string()),
        Resolved::Str(text) => Value::String(text.to_owned()),
    }
}

/// A whole number of any size as JSON writes it: decimal, without `+` and leading zeros.
fn big(text: &str) -> Value {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.trim_start_matches('+')),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Value::String(text.to_owned());
    }
    Value::Number(format!("{sign}{}", digits.trim_start_matches('0')))
}
