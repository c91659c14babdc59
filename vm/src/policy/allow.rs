//! `--allow`: `run=inkscape,write=/tmp/**,window=*,model`.

use spec::artifact::Capability;
use spec::grammar::nearest::nearest;
use thiserror::Error;

use crate::policy::{PatternError, Rules};

/// Why a text is no list of what is allowed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AllowError {
    /// A word that is no capability.
    #[error("`{word}` is no capability{}; allowed: {}", near.as_ref().map(|near| format!(", did you mean `{near}`?")).unwrap_or_default(), words())]
    Unknown {
        /// The word.
        word: String,
        /// The nearest one.
        near: Option<String>,
    },
    /// A pattern that is none.
    #[error("`{capability}`: {error}")]
    Pattern {
        /// What it is for.
        capability: &'static str,
        /// Why.
        error: PatternError,
    },
    /// Consent is given or not.
    #[error("`dangerous` takes no value")]
    Consent,
}

impl Rules {
    /// Adds a list of what is allowed: capabilities, each alone (everything of it) or with a pattern behind `=`, joined by commas. A comma inside
    /// `{…}` or behind `\` belongs to the pattern. `dangerous` consents to macros that call themselves so.
    ///
    /// # Errors
    /// The first item that is wrong.
    pub fn allow_list(&mut self, list: &str) -> Result<(), AllowError> {
        for item in items(list) {
            let (word, pattern) = item.split_once('=').map_or((item, None), |(word, pattern)| (word, Some(pattern)));
            match (Capability::by_name(word.trim()), pattern) {
                (Some(capability), Some(pattern)) => self
                    .allow(capability, pattern)
                    .map_err(|error| AllowError::Pattern { capability: capability.name(), error })?,
                (Some(capability), None) => self.allow_all(capability),
                (None, None) if word.trim() == CONSENT => self.consent(true),
                (None, Some(_)) if word.trim() == CONSENT => return Err(AllowError::Consent),
                (None, _) => {
                    let known = Capability::ALL.iter().map(|known| known.name()).chain([CONSENT]);
                    let near = nearest(word.trim(), known).map(str::to_owned);
                    return Err(AllowError::Unknown { word: word.to_owned(), near });
                }
            }
        }
        Ok(())
    }
}

/// The word for consent.
pub const CONSENT: &str = "dangerous";

/// The words that may be allowed, for messages.
pub fn words() -> String {
    let words = Capability::ALL.iter().map(|known| format!("`{}`", known.name()));
    words.chain([format!("`{CONSENT}`")]).collect::<Vec<_>>().join(", ")
}

/// The items between commas that stand outside of braces and are not escaped.
fn items(list: &str) -> Vec<&str> {
    let (mut items, mut from, mut depth, mut escaped) = (Vec::new(), 0, 0_usize, false);
    for (at, character) in list.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                items.push(&list[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    items.push(&list[from..]);
    items.retain(|item| !item.trim().is_empty());
    items
}
