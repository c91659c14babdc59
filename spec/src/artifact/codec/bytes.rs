//! Reading bytes in order, with padding that must be zero.

use crate::artifact::LoadErrorKind;
use crate::artifact::codec::Malformed;

/// Sections, events and pixels begin at multiples of this many bytes.
const ALIGNMENT: usize = 16;

/// Fills up with zeros to the next aligned place.
pub(in crate::artifact) fn align(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
}

/// The bytes of a section, and how many of them were read.
pub(super) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    /// Begins at the first byte.
    pub fn new(all: &'a [u8]) -> Self {
        Self { all, at: 0 }
    }

    /// How many bytes were read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// What was not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.all.get(self.at..).unwrap_or_default()
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], Malformed> {
        let taken = self.rest().get(..count).ok_or_else(|| Malformed::expected(what, self.at))?;
        self.at += count;
        Ok(taken)
    }

    /// The next number.
    pub fn number(&mut self, what: &'static str) -> Result<u32, Malformed> {
        let at = self.at;
        let bytes = self.take(4, what)?;
        bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes)).ok_or_else(|| Malformed::expected(what, at))
    }

    /// Zeros up to the next aligned place.
    pub fn padding(&mut self) -> Result<(), Malformed> {
        let at = self.at;
        let zeros = self.take(at.next_multiple_of(ALIGNMENT) - at, "padding")?;
        match zeros.iter().position(|byte| *byte != 0) {
            None => Ok(()),
            Some(place) => Err(Malformed { at: Some(at + place), reason: LoadErrorKind::Padding }),
        }
    }

    /// There is nothing more.
    pub fn end(&self) -> Result<(), Malformed> {
        if self.rest().is_empty() { Ok(()) } else { Err(Malformed::expected("the end of the section", self.at)) }
    }
}
