//! Results of tools: the same document as structured content and as text, for clients that read only one of them.

use rmcp::model::CallToolResult;
use serde_json::Value;

use crate::print;
use crate::trouble::Trouble;

/// A document that says what was done.
pub fn done(document: Value) -> CallToolResult {
    CallToolResult::structured(document)
}

/// A document that says why it could not be done: the model reads it and may do better.
pub fn failed(document: Value) -> CallToolResult {
    CallToolResult::structured_error(document)
}

/// Why a fixed tool could not do its work.
pub fn trouble(trouble: &Trouble) -> CallToolResult {
    failed(print::trouble::document(trouble))
}

/// The result of a run.
pub fn run(document: Value) -> CallToolResult {
    if document["success"] == true { done(document) } else { failed(document) }
}
