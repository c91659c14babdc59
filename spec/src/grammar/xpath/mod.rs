//! XPath 1.0 (W3C Recommendation of 16 November 1999): text in, checked expression out; evaluation lives in the machine.
//!
//! Everything the recommendation can decide without a document is decided here: syntax, names of functions and axes,
//! argument counts, and where a set of nodes is needed. Not supported, and refused by name: variables (`$x`), the
//! `namespace` axis and the function `id`, which needs a DTD.

pub mod ast;
pub mod function;

mod lex;
mod parse;

use std::fmt;

use crate::grammar::xpath::ast::XPath;

/// The longest expression in bytes; with [`MAX_DEPTH`] it bounds what parsing and evaluation can cost.
pub const MAX_BYTES: usize = 64 * 1024;

/// How deep parentheses, predicates and arguments may nest.
pub const MAX_DEPTH: usize = 48;

/// An expression that is not XPath 1.0, or uses what is not supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XPathError {
    /// Where in the expression, in characters, counted from 1; one past the last character when the end came too soon.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

/// Parses `text` as one XPath 1.0 expression.
pub fn parse(text: &str) -> Result<XPath, XPathError> {
    if text.len() > MAX_BYTES {
        let message = format!("the expression has {} bytes; at most {MAX_BYTES} are allowed", text.len());
        return Err(XPathError { column: 1, message });
    }
    parse::expression(lex::tokens(text)?)
}

/// Whether [`parse`] accepts `text`.
pub fn check(text: &str) -> Result<(), XPathError> {
    parse(text).map(|_| ())
}

impl fmt::Display for XPathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at column {}", self.message, self.column)
    }
}

impl std::error::Error for XPathError {}

#[cfg(test)]
mod tests {
    use super::{check, parse};
    use crate::grammar::xpath::ast::Kind;

    #[test]
    fn the_type_of_the_value_is_known() {
        for (text, kind) in [
            ("//i[2] | (a)[1]/@k", Kind::Nodes),
            ("count(//i) * 2", Kind::Number),
            ("- -1", Kind::Number),
            ("concat('a', .)", Kind::Text),
            ("1 = 1 or a", Kind::Boolean),
            ("* * *", Kind::Number),
            ("div/mod", Kind::Nodes),
            ("div div mod", Kind::Number),
            ("text()[1]", Kind::Nodes),
        ] {
            assert_eq!(parse(text).map(|xpath| xpath.kind), Ok(kind), "{text}");
        }
    }

    #[test]
    fn errors_carry_the_column_in_characters() {
        for (text, column) in [("//i[", 5), ("é[§]", 3), ("a]", 2), ("$x", 1), ("a/b c", 5), ("", 1)] {
            assert_eq!(check(text).unwrap_err().column, column, "{text}");
        }
    }

    #[test]
    fn nesting_and_length_are_bounded() {
        for part in ["(", "a[", "not(", "-", "a/", "1+"] {
            assert!(check(&part.repeat(1_000_000 / part.len())).is_err());
            assert!(check(&part.repeat(60_000 / part.len())).is_err());
        }
        assert!(check(&format!("{}1{}", "(".repeat(40), ")".repeat(40))).is_ok());
        assert!(check(&format!("1{}", "+1".repeat(20_000))).is_ok());
    }
}
