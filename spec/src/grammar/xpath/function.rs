//! The functions of XPath 1.0, once: name, number of arguments, type.

use crate::grammar::xpath::ast::Kind;

/// A function of the core library (section 4 of the recommendation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the recommendation")]
pub enum Function {
    Last,
    Position,
    Count,
    LocalName,
    NamespaceUri,
    Name,
    String,
    Concat,
    StartsWith,
    Contains,
    SubstringBefore,
    SubstringAfter,
    Substring,
    StringLength,
    NormalizeSpace,
    Translate,
    Boolean,
    Not,
    True,
    False,
    Lang,
    Number,
    Sum,
    Floor,
    Ceiling,
    Round,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// Which function.
    pub function: Function,
    /// Its name.
    pub name: &'static str,
    /// The fewest arguments.
    pub least: usize,
    /// The most arguments.
    pub most: usize,
    /// Whether the first argument must be a set of nodes.
    pub takes_nodes: bool,
}

/// Every supported function.
pub const FUNCTIONS: [Signature; 26] = [
    row(Function::Last, "last", 0, 0, false),
    row(Function::Position, "position", 0, 0, false),
    row(Function::Count, "count", 1, 1, true),
    row(Function::LocalName, "local-name", 0, 1, true),
    row(Function::NamespaceUri, "namespace-uri", 0, 1, true),
    row(Function::Name, "name", 0, 1, true),
    row(Function::String, "string", 0, 1, false),
    row(Function::Concat, "concat", 2, usize::MAX, false),
    row(Function::StartsWith, "starts-with", 2, 2, false),
    row(Function::Contains, "contains", 2, 2, false),
    row(Function::SubstringBefore, "substring-before", 2, 2, false),
    row(Function::SubstringAfter, "substring-after", 2, 2, false),
    row(Function::Substring, "substring", 2, 3, false),
    row(Function::StringLength, "string-length", 0, 1, false),
    row(Function::NormalizeSpace, "normalize-space", 0, 1, false),
    row(Function::Translate, "translate", 3, 3, false),
    row(Function::Boolean, "boolean", 1, 1, false),
    row(Function::Not, "not", 1, 1, false),
    row(Function::True, "true", 0, 0, false),
    row(Function::False, "false", 0, 0, false),
    row(Function::Lang, "lang", 1, 1, false),
    row(Function::Number, "number", 0, 1, false),
    row(Function::Sum, "sum", 1, 1, true),
    row(Function::Floor, "floor", 1, 1, false),
    row(Function::Ceiling, "ceiling", 1, 1, false),
    row(Function::Round, "round", 1, 1, false),
];

impl Function {
    /// The type of the result.
    pub fn result(self) -> Kind {
        match self {
            Function::Last
            | Function::Position
            | Function::Count
            | Function::StringLength
            | Function::Number
            | Function::Sum
            | Function::Floor
            | Function::Ceiling
            | Function::Round => Kind::Number,
            Function::LocalName
            | Function::NamespaceUri
            | Function::Name
            | Function::String
            | Function::Concat
            | Function::SubstringBefore
            | Function::SubstringAfter
            | Function::Substring
            | Function::NormalizeSpace
            | Function::Translate => Kind::Text,
            Function::StartsWith
            | Function::Contains
            | Function::Boolean
            | Function::Not
            | Function::True
            | Function::False
            | Function::Lang => Kind::Boolean,
        }
    }
}

const fn row(function: Function, name: &'static str, least: usize, most: usize, takes_nodes: bool) -> Signature {
    Signature { function, name, least, most, takes_nodes }
}
