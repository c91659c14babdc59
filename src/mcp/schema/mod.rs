//! What a macro takes and gives, as JSON Schema 2020-12.

mod input;
mod output;

pub use crate::mcp::schema::input::input;
pub use crate::mcp::schema::output::output;

use serde_json::{Map, Value};

/// A JSON object, as rmcp takes schemas.
pub type Object = Map<String, Value>;

/// The object that a literal is.
pub fn object(value: Value) -> Object {
    match value {
        Value::Object(object) => object,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Object::new(),
    }
}
