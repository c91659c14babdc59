//! A quick reader of the YAML that macros are usually written in.
//!
//! Parsing goes in two passes, as in compilers whose first grammar only has to be right about right programs: this reader takes block and
//! flow collections, plain, quoted and block scalars and comments, and stands back at everything else: anchors and aliases, tags,
//! directives, further documents, explicit keys, tabs, carriage returns, and every mistake. [`crate::yaml::full`] then reads the text
//! from its beginning and has the last word. So nothing here reports anything, and what this reader does take it must take exactly as
//! that one would, spans included; the tests hold the two against each other.

mod block;
mod flow;
mod literal;
mod scalar;
mod text;

use crate::yaml::build::{Builder, Shape, Stop};

/// The longest key, in bytes: the full reader takes 1024 characters.
const MAX_KEY: usize = 1000;

/// The text needs the full reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other;

type Read<T = ()> = Result<T, Other>;

impl From<Stop> for Other {
    /// Which mistake is reported, where there are several, is for the full reader to say.
    fn from(_: Stop) -> Self {
        Other
    }
}

/// Reads the one document of the builder's text.
///
/// # Errors
/// The text needs the full reader, and a new builder.
pub fn read(builder: &mut Builder<'_>) -> Result<(), Other> {
    let text = builder.source.text.as_str();
    // 0xEF begins a byte order mark, among others.
    if memchr::memchr3(b'\t', b'\r', 0xEF, text.as_bytes()).is_some() {
        return Err(Other);
    }
    let mut reader = Reader { text, at: 0, line: 0, levels: Vec::new(), awaited: None, builder };
    reader.document()
}

/// Reads a text from front to back.
struct Reader<'a, 'b> {
    text: &'a str,
    /// The byte read next.
    at: usize,
    /// Where its line begins.
    line: usize,
    /// The block collections that are open, outermost first.
    levels: Vec<Level>,
    /// The last key or dash has nothing behind it on its line: where an empty value would be placed.
    awaited: Option<usize>,
    builder: &'b mut Builder<'a>,
}

/// A block collection that is open.
#[derive(Clone, Copy)]
struct Level {
    kind: Kind,
    /// The column its keys or dashes are in, from 0.
    column: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Map,
    List,
    /// A list whose dashes are in the column of the key it belongs to.
    FlushList,
}

impl Kind {
    fn shape(self) -> Shape {
        match self {
            Kind::Map => Shape::Map,
            Kind::List | Kind::FlushList => Shape::List,
        }
    }
}

#[cfg(test)]
mod tests;
