//! The contract both sides of macrocli obey: the compiler writes it, the machine reads it.
//!
//! Nothing here does IO, and nothing here knows the compiler, the machine or the command line.

pub mod grammar;
pub mod span;
pub mod value;
