//! What people and programs read: documents on standard output, text on standard error.

pub mod artifact;
pub mod definition;
pub mod diff;
pub mod document;
pub mod escape;
pub mod human;
pub mod remarks;
pub mod run;
pub mod screen;
pub mod table;
pub mod trouble;
