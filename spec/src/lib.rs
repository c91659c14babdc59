//! The contract both sides of macrocli obey: the compiler writes it, the machine reads it.
//!
//! Nothing here does IO, and nothing here knows the compiler, the machine or the command line.

pub mod action;
pub mod artifact;
pub mod condition;
pub mod danger;
pub mod device;
pub mod effect;
pub mod function;
pub mod grammar;
pub mod isa;
pub mod kind;
pub mod op;
pub mod operand;
pub mod reference;
pub mod sensitive;
pub mod span;
pub mod value;
pub mod variable;
