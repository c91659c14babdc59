//! What a kind takes, as data: which YAML, and which static types.

use crate::value::Type;

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
