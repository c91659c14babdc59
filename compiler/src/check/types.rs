//! An expression with its static type.

use spec::value::{Type, Value};

use crate::ir::Expr;

/// A checked expression.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The expression.
    pub expr: Expr,
    /// What is known of its value.
    pub ty: Type,
    /// Whether it can be absent: only `:-` may read it then.
    pub maybe: bool,
}

impl Typed {
    /// An expression that is never absent.
    pub fn present(expr: Expr, ty: Type) -> Self {
        Self { expr, ty, maybe: false }
    }
}

/// The static type of a constant.
pub fn of_value(value: &Value) -> Type {
    match value {
        Value::Null => Type::Any,
        Value::Boolean(_) => Type::Boolean,
        Value::Integer(_) => Type::Integer,
        Value::Float(_) | Value::Number(_) => Type::Float,
        Value::String(_) => Type::String,
        Value::List(_) => Type::List,
        Value::Dict(_) => Type::Dict,
    }
}

/// Whether the type is a number, or may turn out to be one.
pub fn may_be_number(ty: Type) -> bool {
    match ty {
        Type::Integer | Type::Float | Type::Any => true,
        Type::String | Type::Boolean | Type::List | Type::Dict => false,
    }
}

/// What two alternatives have in common.
pub fn join(left: Type, right: Type) -> Type {
    if left == right { left } else { Type::Any }
}

/// "a string", "an integer", "a value": a type in a sentence.
pub fn phrase(ty: Type) -> String {
    match ty {
        Type::Any => "a value of unknown type".to_owned(),
        Type::Integer => "an integer".to_owned(),
        Type::String | Type::Float | Type::Boolean | Type::List | Type::Dict => format!("a {ty}"),
    }
}
