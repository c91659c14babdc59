//! Macro text in, artifact or diagnostics out; pure.

pub mod diagnostic;
pub mod source;
pub mod yaml;
