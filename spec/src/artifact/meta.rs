//! What a macro says of itself.

use wincode::{SchemaRead, SchemaWrite};

/// Name, version and hints of a macro.
#[derive(Clone, Debug, Default, PartialEq, SchemaWrite, SchemaRead)]
pub struct Meta {
    /// The macro's name.
    pub name: String,
    /// Its version, as written.
    pub version: String,
    /// What it does.
    pub description: String,
    /// Free words to find it by.
    pub tags: Vec<String>,
    /// Whether other macros may call it.
    pub composable: bool,
    /// The target it was checked for.
    pub target: String,
    /// The free mapping `agent_hints`, as JSON text.
    pub agent_hints: String,
    /// The compiler and its version.
    pub producer: String,
}
