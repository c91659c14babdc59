//! Edits of files that change the bytes asked for and no others: JSON, text, and files as wholes.

pub mod file;
pub mod json;
pub mod text;
pub mod xml;

/// Asked every few MiB of a long operation: `true` ends it with a `Cancelled` error, and the files are as they were.
pub type Cancelled<'a> = &'a dyn Fn() -> bool;

/// Never ends an operation.
#[cfg(test)]
pub(crate) fn never() -> bool {
    false
}
