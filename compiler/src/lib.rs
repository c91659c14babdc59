//! Macro text in, artifact or diagnostics out; pure.

pub mod diagnostic;
pub mod expr;
pub mod source;
