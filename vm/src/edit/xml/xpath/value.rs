//! Values of expressions.

use crate::edit::xml::xpath::number;

/// A node of the XPath model: a node of the tree, or one of its attributes. The order is document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item {
    /// The number of the tree's node; the document is 0.
    pub node: u32,
    /// 0 for the node itself, else the attribute's index plus 1.
    pub attribute: u32,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nodes in document order, each once.
    Nodes(Vec<Item>),
    /// A number.
    Number(f64),
    /// A string.
    Text(String),
    /// A boolean.
    Boolean(bool),
}

impl Item {
    /// The tree's node `id` itself.
    pub fn of(id: u32) -> Self {
        Self { node: id, attribute: 0 }
    }

    /// Whether it is an attribute.
    pub fn is_attribute(self) -> bool {
        self.attribute > 0
    }
}

impl Value {
    /// As a boolean (function `boolean`).
    pub fn truth(&self) -> bool {
        match self {
            Value::Nodes(items) => !items.is_empty(),
            Value::Number(number) => *number != 0.0 && !number.is_nan(),
            Value::Text(text) => !text.is_empty(),
            Value::Boolean(truth) => *truth,
        }
    }
}

/// A value that is no set of nodes, as a number (function `number`).
pub fn atom_number(value: &Value) -> f64 {
    match value {
        Value::Number(number) => *number,
        Value::Text(text) => number::parse(text),
        Value::Boolean(truth) => f64::from(u8::from(*truth)),
        Value::Nodes(_) => f64::NAN,
    }
}

/// A value that is no set of nodes, as a string (function `string`).
pub fn atom_text(value: &Value) -> String {
    match value {
        Value::Number(number) => number::print(*number),
        Value::Text(text) => text.clone(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Nodes(_) => String::new(),
    }
}
