//! The kinds of parameters: what an action accepts, how a value is read as it, and what the backend then gets.
//!
//! A kind is the single truth about its values: the compiler reads constants with it, the machine reads computed values with it,
//! so that both accept the same things and say the same sentences.

use std::fmt;

use crate::grammar::dot_path::{self, DotPath};
use crate::grammar::keys::{self, Chord};
use crate::grammar::{regex, xpath};
use crate::value::{Type, Value};

/// A kind of parameter. `Out` is what a backend receives.
pub trait Kind {
    /// What a backend receives.
    type Out;
    /// The kind as data.
    const SHAPE: Shape;
    /// Reads a value as this kind.
    ///
    /// # Errors
    /// When the value has another type, or lies outside what the kind allows.
    fn read(value: Value) -> Result<Self::Out, KindError>;
}

/// Why a value is not of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindError {
    /// "must be …, found …".
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl fmt::Display for KindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

/// What kind of YAML and of static type a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Text with the spelling of the source.
    Text,
    /// Text that names a file or folder.
    Path,
    /// A list of texts, or one text that is split into words.
    Words,
    /// A list of texts.
    Texts,
    /// Environment variables by name; null removes one.
    Variables,
    /// A key chord: a text, or a list of texts.
    Keys,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// A list of whole numbers.
    Integers,
    /// A number.
    Float,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// The path of an image that is packed into the artifact.
    Image,
    /// The path of a recording that is packed into the artifact.
    Recording,
    /// Anything; mappings and lists are kept.
    Any,
}

/// How an expression's static type fits a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// Always.
    Yes,
    /// Only when the value turns out right: text that must read as a number, or a value of unknown type.
    AtRunTime,
    /// Never.
    No,
}

impl Shape {
    /// How a value of the static type `found` fits.
    pub const fn fits(self, found: Type) -> Fit {
        match self {
            Shape::Any => Fit::Yes,
            Shape::Text | Shape::Path | Shape::Image | Shape::Recording => match found {
                Type::List | Type::Dict => Fit::No,
                Type::Any => Fit::AtRunTime,
                Type::String | Type::Integer | Type::Float | Type::Boolean => Fit::Yes,
            },
            Shape::Choice(_) => match found {
                Type::String | Type::Any => Fit::AtRunTime,
                Type::Integer | Type::Float | Type::Boolean | Type::List | Type::Dict => Fit::No,
            },
            Shape::Words | Shape::Keys => match found {
                Type::List | Type::String => Fit::Yes,
                Type::Any => Fit::AtRunTime,
                Type::Integer | Type::Float | Type::Boolean | Type::Dict => Fit::No,
            },
            Shape::Texts | Shape::Integers => match found {
                Type::List => Fit::Yes,
                Type::Any => Fit::AtRunTime,
                Type::String | Type::Integer | Type::Float | Type::Boolean | Type::Dict => Fit::No,
            },
            Shape::Variables => match found {
                Type::Dict => Fit::Yes,
                Type::Any => Fit::AtRunTime,
                Type::String | Type::Integer | Type::Float | Type::Boolean | Type::List => Fit::No,
            },
            Shape::Boolean => match found {
                Type::Boolean => Fit::Yes,
                Type::Any | Type::String => Fit::AtRunTime,
                Type::Integer | Type::Float | Type::List | Type::Dict => Fit::No,
            },
            Shape::Integer => match found {
                Type::Integer => Fit::Yes,
                Type::Any | Type::String | Type::Float => Fit::AtRunTime,
                Type::Boolean | Type::List | Type::Dict => Fit::No,
            },
            Shape::Float => match found {
                Type::Integer | Type::Float => Fit::Yes,
                Type::Any | Type::String => Fit::AtRunTime,
                Type::Boolean | Type::List | Type::Dict => Fit::No,
            },
        }
    }

    /// The shape in words, for messages: "must be …".
    pub fn expected(self) -> String {
        match self {
            Shape::Text => "text".to_owned(),
            Shape::Path => "a path".to_owned(),
            Shape::Words => "a list of texts, or one text that is split into words".to_owned(),
            Shape::Texts => "a list of texts".to_owned(),
            Shape::Variables => "a mapping from names to texts".to_owned(),
            Shape::Keys => "a key chord such as `ctrl+s`, or a list of keys".to_owned(),
            Shape::Boolean => "`true` or `false`".to_owned(),
            Shape::Integer => "a whole number".to_owned(),
            Shape::Integers => "a list of whole numbers".to_owned(),
            Shape::Float => "a number".to_owned(),
            Shape::Choice(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                format!("one of {}", words.join(", "))
            }
            Shape::Image => "the path of an image".to_owned(),
            Shape::Recording => "the path of a recording".to_owned(),
            Shape::Any => "a value".to_owned(),
        }
    }
}

/// A mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseButton {
    /// The left button.
    Left,
    /// The right button.
    Right,
    /// The middle button.
    Middle,
}

/// What a replay does with coordinates on a screen of another size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// They are pixels.
    None,
    /// They are scaled with the screen.
    Proportional,
}

/// The words that read as `true` and `false`, in any case.
pub const BOOLEAN_WORDS: &str = "true, yes, on, 1, false, no, off and 0";

/// Reads one of [`BOOLEAN_WORDS`].
pub fn boolean_word(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident -> $out:ty: $shape:expr, $read:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub enum $name {}

            impl Kind for $name {
                type Out = $out;
                const SHAPE: Shape = $shape;
                fn read(value: Value) -> Result<$out, KindError> {
                    let read: fn(Value) -> Result<$out, KindError> = $read;
                    read(value)
                }
            }
        )*
    };
}

kinds! {
    /// Any text.
    Text -> String: Shape::Text, text;
    /// Text that is not empty.
    NonEmpty -> String: Shape::Text, non_empty;
    /// A path; a leading `~/` is the home folder.
    Path -> String: Shape::Path, path;
    /// A program and its arguments.
    Argv -> Vec<String>: Shape::Words, argv;
    /// A list of texts.
    Texts -> Vec<String>: Shape::Texts, texts;
    /// Labels from a menu bar to an item: at least one, none empty.
    MenuPath -> Vec<String>: Shape::Texts, menu_path;
    /// Environment variables; `None` removes one.
    Environment -> Vec<(String, Option<String>)>: Shape::Variables, environment;
    /// The name of an environment variable.
    VariableName -> String: Shape::Text, variable_name;
    /// `true` or `false`.
    Bool -> bool: Shape::Boolean, boolean;
    /// A whole number.
    Int -> i64: Shape::Integer, integer;
    /// A coordinate in pixels.
    Pixel -> i64: Shape::Integer, |value| ranged(value, -1_000_000, 1_000_000, "pixels");
    /// A width or height in pixels.
    Extent -> i64: Shape::Integer, |value| ranged(value, 1, 1_000_000, "pixels");
    /// A duration in milliseconds, 0 included.
    Millis -> i64: Shape::Integer, |value| ranged(value, 0, 86_400_000, "milliseconds");
    /// A size in bytes.
    Size -> i64: Shape::Integer, |value| ranged(value, 0, i64::MAX, "bytes");
    /// A number of model steps.
    Steps -> i64: Shape::Integer, |value| ranged(value, 1, 100, "steps");
    /// How deep to look.
    Depth -> i64: Shape::Integer, |value| ranged(value, 0, 1_000_000, "levels");
    /// Exit codes of a process.
    ExitCodes -> Vec<i64>: Shape::Integers, exit_codes;
    /// A fraction from 0 to 1.
    Fraction -> f64: Shape::Float, fraction;
    /// A score above 0 and at most 1.
    Confidence -> f64: Shape::Float, confidence;
    /// A time factor.
    Speed -> f64: Shape::Float, speed;
    /// A mouse button.
    Button -> MouseButton: Shape::Choice(&["left", "right", "middle"]), button;
    /// What to do with coordinates on another screen.
    Scale -> Scaling: Shape::Choice(&["none", "proportional"]), scale;
    /// A key chord.
    Keys -> Chord: Shape::Keys, chord;
    /// Keys and indexes joined by dots.
    JsonPath -> DotPath: Shape::Text, dot_path;
    /// An XPath 1.0 expression.
    XPath -> String: Shape::Text, xpath_text;
    /// A regular expression of the `regex` crate's syntax, at most [`regex::MAX_BYTES`] bytes.
    Regex -> String: Shape::Text, regex_text;
    /// The path of an image.
    Image -> String: Shape::Image, non_empty;
    /// The path of an image, or empty for none.
    OptionalImage -> String: Shape::Image, text;
    /// The path of a recording.
    Recording -> String: Shape::Recording, non_empty;
    /// Any value.
    Any -> Value: Shape::Any, Ok;
}

/// The value as text: numbers and booleans as YAML and JSON write them.
///
/// # Errors
/// For null, lists and dicts, which have no text of their own.
pub fn text(value: Value) -> Result<String, KindError> {
    match value {
        Value::String(text) | Value::Number(text) => Ok(text),
        Value::Boolean(value) => Ok(value.to_string()),
        Value::Integer(value) => Ok(value.to_string()),
        Value::Float(value) => Ok(float_text(value)),
        Value::Null | Value::List(_) | Value::Dict(_) => Err(mismatch("text", &value)),
    }
}

/// A float as text: the shortest that reads back the same, always with a fraction or an exponent.
pub fn float_text(value: f64) -> String {
    format!("{value:?}")
}

fn mismatch(expected: &str, found: &Value) -> KindError {
    KindError { message: format!("must be {expected}, found {}", describe(found)), help: None }
}

/// A value in a message: its kind, and the value itself where that is short.
pub fn describe(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() <= 60 => format!("`{text}`"),
        Value::String(text) => format!("a text of {} characters", text.chars().count()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Number(_) => {
            text(value.clone()).map(|text| format!("`{text}`")).unwrap_or_default()
        }
        Value::Null => "null".to_owned(),
        Value::List(items) => format!("a list of {}", items.len()),
        Value::Dict(entries) => format!("a mapping of {}", entries.len()),
    }
}

fn non_empty(value: Value) -> Result<String, KindError> {
    let text = text(value)?;
    if text.is_empty() {
        return Err(KindError { message: "must not be empty".to_owned(), help: None });
    }
    Ok(text)
}

fn path(value: Value) -> Result<String, KindError> {
    let path = non_empty(value)?;
    if path.contains('\0') {
        return Err(KindError { message: "a path cannot hold a NUL character".to_owned(), help: None });
    }
    Ok(path)
}

fn texts(value: Value) -> Result<Vec<String>, KindError> {
    let items = value.into_list().map_err(|other| mismatch("a list of texts", &other))?;
    let item = |(index, item)| {
        text(item).map_err(|error| KindError { message: format!("item {index} {}", error.message), ..error })
    };
    items.into_iter().enumerate().map(item).collect()
}

fn argv(value: Value) -> Result<Vec<String>, KindError> {
    // One value is always one argument: text that arrives whole is a program's name, never split again.
    let words = value.into_text().map(|word| vec![word]).or_else(texts)?;
    match words.first() {
        None => Err(KindError { message: "must name a program, found an empty list".to_owned(), help: None }),
        Some(program) if program.is_empty() => {
            Err(KindError { message: "must name a program, found an empty first word".to_owned(), help: None })
        }
        Some(_) if words.iter().any(|word| word.contains('\0')) => {
            Err(KindError { message: "an argument cannot hold a NUL character".to_owned(), help: None })
        }
        Some(_) => Ok(words),
    }
}

fn menu_path(value: Value) -> Result<Vec<String>, KindError> {
    let labels = texts(value)?;
    if labels.is_empty() || labels.iter().any(String::is_empty) {
        let message = "must name at least one menu item, none of them empty".to_owned();
        return Err(KindError { message, help: None });
    }
    Ok(labels)
}

fn environment(value: Value) -> Result<Vec<(String, Option<String>)>, KindError> {
    let entries = value.into_dict().map_err(|other| mismatch("a mapping from names to texts", &other))?;
    entries.into_iter().map(variable).collect()
}

fn variable((name, value): (String, Value)) -> Result<(String, Option<String>), KindError> {
    let name = variable_name(Value::String(name))?;
    let named = |error: KindError| KindError { message: format!("`{name}` {}", error.message), ..error };
    let value = if value == Value::Null { None } else { Some(text(value).map_err(named)?) };
    if value.as_deref().is_some_and(|value| value.contains('\0')) {
        return Err(KindError { message: format!("`{name}` cannot hold a NUL character"), help: None });
    }
    Ok((name, value))
}

fn variable_name(value: Value) -> Result<String, KindError> {
    let name = text(value)?;
    if name.is_empty() || name.contains(['=', '\0']) {
        return Err(KindError {
            message: format!("`{name}` cannot be the name of an environment variable"),
            help: Some("a name is not empty and has no `=`".to_owned()),
        });
    }
    Ok(name)
}

fn boolean(value: Value) -> Result<bool, KindError> {
    match &value {
        Value::Boolean(value) => Ok(*value),
        Value::String(text) => boolean_word(text).ok_or_else(|| KindError {
            message: format!("must be `true` or `false`, found `{text}`"),
            help: Some(format!("accepted words are {BOOLEAN_WORDS}")),
        }),
        Value::Null | Value::Integer(_) | Value::Float(_) | Value::Number(_) | Value::List(_) | Value::Dict(_) => {
            Err(mismatch("`true` or `false`", &value))
        }
    }
}

fn integer(value: Value) -> Result<i64, KindError> {
    let whole = |number: f64| (number.fract() == 0.0 && number.abs() < 9.0e15).then_some(number as i64);
    let found = match &value {
        Value::Integer(value) => Some(*value),
        Value::Float(value) => whole(*value),
        Value::String(text) if is_decimal(text) => {
            text.parse().ok().or_else(|| text.parse::<f64>().ok().and_then(whole))
        }
        Value::String(_) | Value::Number(_) | Value::Null | Value::Boolean(_) | Value::List(_) | Value::Dict(_) => None,
    };
    found.ok_or_else(|| mismatch("a whole number", &value))
}

/// Digits with an optional sign and fraction: `007`, `-3`, `512.0`; not `1e3`, `0x10`, ` 5`.
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    all_digits(whole) && all_digits(fraction)
}

fn ranged(value: Value, min: i64, max: i64, unit: &str) -> Result<i64, KindError> {
    let number = integer(value)?;
    if number < min {
        return Err(KindError { message: format!("must be at least {min} {unit}, found `{number}`"), help: None });
    }
    if number > max {
        return Err(KindError { message: format!("must be at most {max} {unit}, found `{number}`"), help: None });
    }
    Ok(number)
}

fn exit_codes(value: Value) -> Result<Vec<i64>, KindError> {
    let items = value.into_list().map_err(|other| mismatch("a list of exit codes", &other))?;
    if items.is_empty() {
        return Err(KindError { message: "must hold at least one exit code".to_owned(), help: None });
    }
    items.into_iter().map(|item| ranged(item, 0, 255, "(an exit code)")).collect()
}

fn float(value: Value) -> Result<f64, KindError> {
    let found = match &value {
        Value::Integer(value) => Some(*value as f64),
        Value::Float(value) => Some(*value),
        Value::Number(text) | Value::String(text) => float_word(text),
        Value::Null | Value::Boolean(_) | Value::List(_) | Value::Dict(_) => None,
    };
    found.filter(|number| number.is_finite()).ok_or_else(|| mismatch("a number", &value))
}

/// Reads a finite decimal number: digits, sign, fraction and exponent, but no `nan`, `inf` or spaces.
pub fn float_word(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    if !plain || text.starts_with('+') {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

fn fraction(value: Value) -> Result<f64, KindError> {
    let number = float(value)?;
    if (0.0..=1.0).contains(&number) {
        return Ok(number);
    }
    Err(KindError { message: format!("must be a fraction from 0 to 1, found `{number}`"), help: percent(number) })
}

fn confidence(value: Value) -> Result<f64, KindError> {
    let number = float(value)?;
    if number > 0.0 && number <= 1.0 {
        return Ok(number);
    }
    Err(KindError { message: format!("must be above 0 and at most 1, found `{number}`"), help: percent(number) })
}

fn percent(number: f64) -> Option<String> {
    (number > 1.0 && number <= 100.0).then(|| format!("for {number} % write {}", number / 100.0))
}

fn speed(value: Value) -> Result<f64, KindError> {
    let number = float(value)?;
    if (0.01..=1000.0).contains(&number) {
        return Ok(number);
    }
    Err(KindError { message: format!("must be from 0.01 to 1000, found `{number}`"), help: None })
}

fn word(value: &Value, shape: Shape) -> Result<&str, KindError> {
    if let Value::String(word) = value { Ok(word) } else { Err(mismatch(&shape.expected(), value)) }
}

fn button(value: Value) -> Result<MouseButton, KindError> {
    match word(&value, Button::SHAPE)? {
        "left" => Ok(MouseButton::Left),
        "right" => Ok(MouseButton::Right),
        "middle" => Ok(MouseButton::Middle),
        _ => Err(mismatch(&Button::SHAPE.expected(), &value)),
    }
}

fn scale(value: Value) -> Result<Scaling, KindError> {
    match word(&value, Scale::SHAPE)? {
        "none" => Ok(Scaling::None),
        "proportional" => Ok(Scaling::Proportional),
        _ => Err(mismatch(&Scale::SHAPE.expected(), &value)),
    }
}

fn chord(value: Value) -> Result<Chord, KindError> {
    let parsed = if matches!(value, Value::List(_)) {
        let keys = texts(value)?;
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        keys::parse_list(&keys)
    } else {
        keys::parse(&text(value)?)
    };
    parsed.map_err(|error| KindError { message: error.to_string(), help: Some(error.help()) })
}

fn dot_path(value: Value) -> Result<DotPath, KindError> {
    dot_path::parse(&text(value)?).map_err(|error| KindError { message: error.to_string(), help: None })
}

fn xpath_text(value: Value) -> Result<String, KindError> {
    let text = non_empty(value)?;
    match xpath::check(&text) {
        Ok(()) => Ok(text),
        Err(error) => Err(KindError { message: format!("is not XPath 1.0: {error}"), help: None }),
    }
}

fn regex_text(value: Value) -> Result<String, KindError> {
    let text = non_empty(value)?;
    match regex::check(&text) {
        Ok(()) => Ok(text),
        Err(error) => Err(KindError { message: format!("is no regular expression: {error}"), help: error.help() }),
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Regex, XPath};
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
