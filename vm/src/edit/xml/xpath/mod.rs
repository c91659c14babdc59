//! Evaluation of XPath 1.0 over a parsed document, within a fixed amount of work.
//!
//! Three choices the recommendation leaves to the host:
//! - The context node is the root element, so `./a` and `a` are its children and `/r` is the root itself.
//! - A prefix means what the root element declares it to mean, else what the rest of the document does if it agrees.
//! - A name without a prefix matches elements in no namespace and those in the root element's default namespace.

mod axis;
mod budget;
mod call;
mod eval;
mod number;
mod operator;
mod value;

use spec::grammar::xpath::ast::XPath;

use crate::edit::xml::document::Xml;
use crate::edit::xml::error::XmlEditError;

pub use crate::edit::xml::xpath::eval::prefixes_in_scope;
pub use crate::edit::xml::xpath::value::Item;

use crate::edit::xml::xpath::eval::Evaluator;
use crate::edit::xml::xpath::value::Value;

/// The nodes `xpath` selects, in document order and each once; `source` is the expression as written, for messages.
pub fn select(xml: &Xml, xpath: &XPath, source: &str) -> Result<Vec<Item>, XmlEditError> {
    let not_nodes = || XmlEditError::NotNodes { xpath: source.to_owned(), kind: xpath.kind };
    match Evaluator::new(xml, source).run(&xpath.root)? {
        Value::Nodes(items) => Ok(items),
        Value::Number(_) | Value::Text(_) | Value::Boolean(_) => Err(not_nodes()),
    }
}

/// The string value of each of `items`; all of them together cost at most what one expression may.
pub fn string_values(xml: &Xml, items: &[Item], source: &str) -> Result<Vec<String>, XmlEditError> {
    let evaluator = Evaluator::new(xml, source);
    items.iter().map(|item| evaluator.string_value(*item)).collect()
}
