//! Explicit tags: the core ones are respected, all others refused.

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::yaml::schema::{self, Resolved};
use granit_parser::Tag;
use spec::span::Span;

/// An explicit tag of the core schema on a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreTag {
    /// `!!str`, and the bare `!`.
    Str,
    /// `!!int`
    Int,
    /// `!!float`
    Float,
    /// `!!bool`
    Bool,
    /// `!!null`
    Null,
}

/// What carries a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tagged {
    /// A scalar.
    Scalar,
    /// A list.
    List,
    /// A mapping.
    Map,
}

const NAMES: [&str; 7] = ["!!str", "!!int", "!!float", "!!bool", "!!null", "!!seq", "!!map"];

/// The tag of a node: a scalar's core tag, or nothing where the tag says what the node is anyway.
///
/// # Errors
/// A tag that is not a core one, or that belongs to another kind of node; the report is placed at `span`.
pub fn core(tag: &Tag, node: Tagged, span: Span) -> Result<Option<CoreTag>, Diagnostic> {
    let bare = tag.handle().is_empty() && tag.suffix() == "!";
    let found = if bare { None } else { Some(tag.core_suffix().unwrap_or_default()) };
    match (found, node) {
        (None | Some("str"), Tagged::Scalar) => Ok(Some(CoreTag::Str)),
        (Some("int"), Tagged::Scalar) => Ok(Some(CoreTag::Int)),
        (Some("float"), Tagged::Scalar) => Ok(Some(CoreTag::Float)),
        (Some("bool"), Tagged::Scalar) => Ok(Some(CoreTag::Bool)),
        (Some("null"), Tagged::Scalar) => Ok(Some(CoreTag::Null)),
        (None | Some("seq"), Tagged::List) | (None | Some("map"), Tagged::Map) => Ok(None),
        (Some("str" | "int" | "float" | "bool" | "null" | "seq" | "map"), _) => {
            let name = match node {
                Tagged::Scalar => "a text",
                Tagged::List => "a list",
                Tagged::Map => "a mapping",
            };
            let message = format!("the tag `{}` cannot stand before {name}", tag.original());
            Err(Diagnostic::new(Code::TagMismatch, span, message))
        }
        (Some(_), _) => {
            let spelling = tag.original();
            let message = format!("the tag `{spelling}` is not supported");
            Err(Diagnostic::new(Code::UnsupportedTag, span, message).help(suggest::help(&spelling, &NAMES)))
        }
    }
}

/// What `text` stands for under an explicit tag.
///
/// # Errors
/// Names what was expected when the text is not such a value.
pub fn apply(tag: CoreTag, text: &str) -> Result<Resolved<'_>, &'static str> {
    let found = schema::resolve(text);
    match (tag, found) {
        (CoreTag::Str, _) => Ok(Resolved::Str(text)),
        (CoreTag::Null, Resolved::Null)
        | (CoreTag::Bool, Resolved::Bool(_))
        | (CoreTag::Int, Resolved::Int(_) | Resolved::BigInt(_))
        | (CoreTag::Float, Resolved::Float(_) | Resolved::NonFinite(_)) => Ok(found),
        (CoreTag::Float, Resolved::Int(value)) => Ok(Resolved::Float(value as f64)),
        // A whole number this large has digits only, or digits in base 8 or 16, which floats do not have.
        (CoreTag::Float, Resolved::BigInt(digits)) => match digits.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Resolved::Float(value)),
            Ok(value) => Ok(Resolved::NonFinite(value)),
            Err(_) => Err("a number"),
        },
        (CoreTag::Null, _) => Err("`null`"),
        (CoreTag::Bool, _) => Err("`true` or `false`"),
        (CoreTag::Int, _) => Err("a whole number"),
        (CoreTag::Float, _) => Err("a number"),
    }
}
