//! What macros pass around: values, and the types the compiler knows them by.

use std::fmt;

use indexmap::IndexMap;

/// A dict's entries, in the order in which they were written.
pub type Dict = IndexMap<String, Value>;

/// A run-time value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// JSON's `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number of 64 bits.
    Integer(i64),
    /// A finite number with a fraction or exponent.
    Float(f64),
    /// A JSON number that neither an `i64` nor an `f64` holds exactly, kept as it was written.
    Number(String),
    /// Unicode text.
    String(String),
    /// Values in order.
    List(Vec<Value>),
    /// Values by name, in order.
    Dict(Dict),
}

/// What is known of a value at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Nothing: checked when the macro runs.
    Any,
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// Any finite number.
    Float,
    /// `true` or `false`.
    Boolean,
    /// A list of anything.
    List,
    /// A mapping from names to anything.
    Dict,
}

impl Type {
    /// The type's name in a macro file.
    pub const fn name(self) -> &'static str {
        match self {
            Type::Any => "any",
            Type::String => "string",
            Type::Integer => "integer",
            Type::Float => "float",
            Type::Boolean => "boolean",
            Type::List => "list",
            Type::Dict => "dict",
        }
    }

    /// Every type a parameter may be declared with.
    pub const DECLARABLE: [Type; 6] = [Type::String, Type::Integer, Type::Float, Type::Boolean, Type::List, Type::Dict];
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Value {
    /// The name of the value's own type, for messages.
    pub const fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Boolean(_) => "boolean",
            Value::Integer(_) => "integer",
            Value::Float(_) | Value::Number(_) => "float",
            Value::String(_) => "string",
            Value::List(_) => "list",
            Value::Dict(_) => "dict",
        }
    }

    /// The text, or the value itself when it is something else.
    ///
    /// # Errors
    /// The value, when it is no text.
    pub fn into_text(self) -> Result<String, Value> {
        if let Value::String(text) = self { Ok(text) } else { Err(self) }
    }

    /// The elements, or the value itself when it is something else.
    ///
    /// # Errors
    /// The value, when it is no list.
    pub fn into_list(self) -> Result<Vec<Value>, Value> {
        if let Value::List(items) = self { Ok(items) } else { Err(self) }
    }

    /// The entries, or the value itself when it is something else.
    ///
    /// # Errors
    /// The value, when it is no dict.
    pub fn into_dict(self) -> Result<Dict, Value> {
        if let Value::Dict(entries) = self { Ok(entries) } else { Err(self) }
    }
}
