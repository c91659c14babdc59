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
