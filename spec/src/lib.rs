//! The contract both sides of macrocli obey: the compiler writes it, the machine reads it.
//!
//! Nothing here does IO, and nothing here knows the compiler, the machine or the command line.

pub mod span;
pub mod value;
pub mod grammar;
pub mod kind;
pub mod isa;
pub mod action;
pub mod condition;
pub mod function;
pub mod operand;
pub mod op;
pub mod effect;
pub mod artifact;
pub mod reference;
