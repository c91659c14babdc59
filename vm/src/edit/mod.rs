//! Edits of documents that leave every other byte as it was.

pub mod xml;
