//! Moving through the text: bytes, lines and what separates things.

use crate::yaml::quick::{Other, Read, Reader};

impl<'a> Reader<'a, '_> {
    /// The byte at `at`; the end of the text is like the end of a line.
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(b'\n')
    }

    /// The byte read next.
    pub(super) fn peek(&self) -> u8 {
        self.byte(self.at)
    }

    /// A part of the text; empty outside of it.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Goes past spaces.
    pub(super) fn spaces(&mut self) {
        while self.byte(self.at) == b' ' {
            self.at += 1;
        }
    }

    /// Whether a dash begins an item here.
    pub(super) fn at_dash(&self) -> bool {
        self.peek() == b'-' && is_separator(self.byte(self.at + 1))
    }

    /// Goes past spaces and a comment; true at the end of the line.
    pub(super) fn line_ends(&mut self) -> bool {
        self.spaces();
        match self.peek() {
            b'\n' => true,
            b'#' if self.at == self.line || self.byte(self.at - 1) == b' ' => {
                self.at = self.end_of_line(self.at);
                true
            }
            _ => false,
        }
    }

    /// The line has to end here.
    pub(super) fn end_line(&mut self) -> Read {
        if self.line_ends() { Ok(()) } else { Err(Other) }
    }

    /// From the end of a line to the next one that is neither empty nor a comment. Its column, from 0; nothing at the end of the text.
    pub(super) fn next_line(&mut self) -> Option<usize> {
        while self.at < self.text.len() {
            self.at += 1;
            self.line = self.at;
            if !self.line_ends() {
                return Some(self.at - self.line);
            }
        }
        None
    }

    /// Whether this is the begin of a line that could stand between documents.
    pub(super) fn at_document_marker(&self) -> bool {
        if self.at != self.line {
            return false;
        }
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        rest.starts_with(b"---") || rest.starts_with(b"...")
    }

    /// Where the line of `at` ends.
    pub(super) fn end_of_line(&self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or(self.text.len(), |length| at + length)
    }
}

/// Whether a byte, or the end of the text, ends an indicator such as `-` or `:`.
pub(super) fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n')
}
