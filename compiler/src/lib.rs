//! Macro text in, artifact or diagnostics out; pure.

pub mod ast;
pub mod diagnostic;
pub mod source;
pub mod yaml;
