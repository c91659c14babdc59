//! Replaced ranges of bytes; everything else is copied as it is.

use std::ops::Range;

use crate::edit::json::lex::Document;

/// One change: the bytes of `range`, in the text without its mark, become `text`.
pub(crate) struct Splice {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

impl Splice {
    /// `text` before byte `at`.
    pub(crate) fn insert(at: usize, text: String) -> Self {
        Self { range: at..at, text }
    }
}

/// The document's bytes with `splices`, which are in order and do not overlap, applied.
pub(crate) fn apply(bytes: &[u8], document: &Document<'_>, splices: &[Splice]) -> Vec<u8> {
    let added: usize = splices.iter().map(|splice| splice.text.len()).sum();
    let mut out = Vec::with_capacity(bytes.len() + added);
    let mut copied = 0;
    for splice in splices {
        out.extend_from_slice(&bytes[copied..document.bom + splice.range.start]);
        out.extend_from_slice(splice.text.as_bytes());
        copied = document.bom + splice.range.end;
    }
    out.extend_from_slice(&bytes[copied..]);
    out
}
