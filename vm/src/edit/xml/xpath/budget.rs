//! How much work one evaluation may do.

use std::cell::Cell;

use crate::edit::xml::error::XmlEditError;

/// The most visits of one evaluation; a visit is a node looked at, an operation done or four bytes of text copied.
/// That is about a second of an optimised build; tests run unoptimised and take a tenth.
pub const MAX_VISITS: u64 = if cfg!(test) { 2_000_000 } else { 20_000_000 };

/// What is left.
pub struct Budget<'x> {
    left: Cell<u64>,
    source: &'x str,
}

impl<'x> Budget<'x> {
    /// All of it, for the expression written as `source`.
    pub fn new(source: &'x str) -> Self {
        Self { left: Cell::new(MAX_VISITS), source }
    }

    /// Spends `visits`.
    pub fn spend(&self, visits: usize) -> Result<(), XmlEditError> {
        match self.left.get().checked_sub(visits as u64) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(XmlEditError::TooMuchWork { xpath: self.source.to_owned(), limit: MAX_VISITS }),
        }
    }

    /// Spends what copying `text` costs.
    pub fn text(&self, text: String) -> Result<String, XmlEditError> {
        self.spend(1 + text.len() / 4)?;
        Ok(text)
    }
}
