//! Why a document was not read or not edited; in every case it is as it was.

use spec::grammar::xpath::XPathError;
use spec::grammar::xpath::ast::Kind;

/// A failure of one of this module's operations.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum XmlEditError {
    /// The bytes are in an encoding other than UTF-8.
    #[error("the document is in {encoding}, found at byte {offset}; only UTF-8 is edited: convert it first")]
    Encoding {
        /// The encoding, as detected or as declared.
        encoding: String,
        /// Where in the file it shows.
        offset: usize,
    },
    /// The bytes are not UTF-8.
    #[error("the document is not valid UTF-8 at byte {offset}")]
    NotUtf8 {
        /// The first offending byte, from the start of the file.
        offset: usize,
    },
    /// The text is not well-formed XML with namespaces.
    #[error("the document is not well-formed XML: {message}")]
    Malformed {
        /// What is wrong, with its line and column.
        message: String,
    },
    /// The document is well-formed perhaps, but reading it would take unreasonably long.
    #[error("the document is too complex: {what}")]
    TooComplex {
        /// Which limit it exceeds.
        what: &'static str,
    },
    /// The expression is not XPath 1.0.
    #[error("xpath: {0}")]
    XPath(#[from] XPathError),
    /// The expression looks at more nodes than the limit.
    #[error("xpath `{xpath}` takes more than {limit} visits in this document; name the path more exactly")]
    TooMuchWork {
        /// The expression.
        xpath: String,
        /// The limit, in nodes visited and texts read.
        limit: u64,
    },
    /// The expression reads a text with a reference to an entity of the document's own.
    #[error("the text read at byte {offset} refers to the entity `&{name};`, and entities of a DTD are never expanded")]
    Entity {
        /// The entity's name.
        name: String,
        /// Where the reference is in the file.
        offset: usize,
    },
    /// A prefix that the document does not declare, or binds to several namespaces below its root.
    #[error("the prefix `{prefix}` is not declared where it is needed; declared there: {}", listed(.known))]
    UndeclaredPrefix {
        /// The prefix.
        prefix: String,
        /// The prefixes that can be used.
        known: Vec<String>,
    },
    /// The expression's value is not a set of nodes.
    #[error("xpath `{xpath}` gives {kind}, not elements")]
    NotNodes {
        /// The expression.
        xpath: String,
        /// What it gives.
        kind: Kind,
    },
    /// The expression matches a node that is not an element.
    #[error("xpath `{xpath}` matches {found}; it must match elements only")]
    NotElement {
        /// The expression.
        xpath: String,
        /// What it matches.
        found: &'static str,
    },
    /// Nothing matches.
    #[error("xpath `{xpath}` matches nothing{hint}")]
    NoMatch {
        /// The expression.
        xpath: String,
        /// Empty, or why a name may not match as written; begins with a separator.
        hint: String,
    },
    /// Elements match, but none has the attribute.
    #[error("xpath `{xpath}` matches {matched} elements, but none has the attribute `{attr}`")]
    NoAttribute {
        /// The expression.
        xpath: String,
        /// The attribute's name.
        attr: String,
        /// How many elements match.
        matched: usize,
    },
    /// The attribute's name cannot be used.
    #[error("`{attr}` {reason}")]
    AttributeName {
        /// The name.
        attr: String,
        /// Why not.
        reason: &'static str,
    },
    /// The value holds a character XML 1.0 has no way to write.
    #[error("the value holds U+{code:04X} at character {index}, which XML cannot represent")]
    Character {
        /// The code point.
        code: u32,
        /// Which character of the value, counted from 1.
        index: usize,
    },
    /// Replacing the text would remove elements.
    #[error("the element `{element}` at byte {offset} has child elements; its text cannot be set")]
    ChildElements {
        /// The element's name as written.
        element: String,
        /// Where it begins in the file.
        offset: usize,
    },
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
