//! JSON (RFC 8259) read with the byte range of every value: no comments, no trailing commas, nothing but the standard.
//!
//! A text is checked as a whole first, without recursion; then its mappings and lists are read one level at a time, so that a long
//! recording is never a tree in memory.

mod check;
mod read;
mod tokens;

pub use check::check;
pub use read::{Member, Node, Shape, items, members, root};

#[cfg(test)]
mod tests;
