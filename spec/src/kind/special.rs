//! Texts with a grammar of their own.

use crate::grammar::dot_path::{self, DotPath};
use crate::grammar::keys::{self, Chord};
use crate::grammar::{regex as expression, xpath as selection};
use crate::kind::KindError;
use crate::kind::text::{non_empty, text, texts};
use crate::value::Value;

/// Reads a key chord: text, or a list of keys.
///
/// # Errors
/// When the value is something else.
pub fn chord(value: Value) -> Result<Chord, KindError> {
    let parsed = if matches!(value, Value::List(_)) {
        let keys = texts(value)?;
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        keys::parse_list(&keys)
    } else {
        keys::parse(&text(value)?)
    };
    parsed.map_err(|error| KindError { message: error.to_string(), help: Some(error.help()) })
}

/// Reads a path into JSON.
///
/// # Errors
/// When the value is something else.
pub fn dot_path(value: Value) -> Result<DotPath, KindError> {
    dot_path::parse(&text(value)?).map_err(|error| KindError { message: error.to_string(), help: None })
}

/// Reads an XPath expression whose syntax is right.
///
/// # Errors
/// When the value is something else.
pub fn xpath(value: Value) -> Result<String, KindError> {
    let text = non_empty(value)?;
    match selection::check(&text) {
        Ok(()) => Ok(text),
        Err(error) => Err(KindError { message: format!("is not XPath 1.0: {error}"), help: None }),
    }
}

/// Reads a regular expression whose syntax is right.
///
/// # Errors
/// When the value is something else.
pub fn regex(value: Value) -> Result<String, KindError> {
    let text = non_empty(value)?;
    match expression::check(&text) {
        Ok(()) => Ok(text),
        Err(error) => Err(KindError { message: format!("is no regular expression: {error}"), help: error.help() }),
    }
}

#[cfg(test)]
mod tests {
    use crate::kind::{Kind, Regex, XPath};
    use crate::value::Value;

    #[test]
    fn expressions_are_checked_and_the_place_is_told() {
        let xpath = |text: &str| XPath::read(Value::String(text.to_owned()));
        assert_eq!(xpath("//i[@k='1']").unwrap(), "//i[@k='1']");
        let error = xpath("//i[").unwrap_err();
        assert!(error.message.starts_with("is not XPath 1.0: ") && error.message.ends_with(" at column 5"), "{error}");
        let regex = |text: &str| Regex::read(Value::String(text.to_owned()));
        assert_eq!(regex(r"v(\d+)").unwrap(), r"v(\d+)");
        let error = regex("a(").unwrap_err();
        assert_eq!(error.message, "is no regular expression: unclosed group at column 2");
        assert!(regex("(?=a)").unwrap_err().help.is_some_and(|help| help.contains("look-around")));
        assert!(xpath("").is_err() && regex("").is_err());
    }
}
