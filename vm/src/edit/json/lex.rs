//! Bytes to tokens with their byte ranges.
//!
//! The tokens are those of `jsonc_parser`'s scanner; the rest of that crate does not serve here. Its trees cost about 60
//! bytes a value and do not say where commas are, and all of it refuses a document for one lone surrogate escape
//! anywhere, takes raw control characters inside strings and any Unicode space between tokens.

use std::borrow::Cow;
use std::ops::Range;

use jsonc_parser::tokens::Token;
use jsonc_parser::{Scanner, ScannerOptions};

use crate::edit::json::error::{JsonEditError, Position};

/// A document's text, without its byte order mark.
pub(crate) struct Document<'a> {
    /// The text as it stands in the file.
    pub(crate) text: &'a str,
    /// The bytes of the byte order mark before it: 0 or 3.
    pub(crate) bom: usize,
    /// The same text with every lone surrogate escape as `\ufffd`: equal length, equal token ranges.
    scannable: Cow<'a, str>,
}

impl<'a> Document<'a> {
    /// Checks the encoding; the syntax is the scan's concern.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, JsonEditError> {
        const BOM: &[u8] = b"\xEF\xBB\xBF";
        let (bom, body) = bytes.strip_prefix(BOM).map_or((0, bytes), |rest| (BOM.len(), rest));
        match bytes {
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [0, _, ..] => {
                return Err(JsonEditError::Encoding { offset: 0, guess: "UTF-16" });
            }
            [_, 0, ..] => return Err(JsonEditError::Encoding { offset: 1, guess: "UTF-16" }),
            [..] => {}
        }
        let text = std::str::from_utf8(body).map_err(|error| JsonEditError::Encoding {
            offset: bom + error.valid_up_to(),
            guess: "Latin-1 or another 8-bit encoding",
        })?;
        Ok(Self { text, bom, scannable: mask_lone_surrogates(text) })
    }

    /// The tokens of a part of the text; `range` begins and ends between tokens.
    pub(crate) fn lexer(&self, range: Range<usize>) -> Lexer<'_> {
        let options = ScannerOptions {
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let scanner = Scanner::new(&self.scannable[range.clone()], &options);
        Lexer { text: self.text, scanner, base: range.start, end: range.start }
    }

    /// Line and column of a byte.
    pub(crate) fn position(&self, offset: usize) -> Position {
        Position::of(self.text, offset)
    }

    /// A syntax error at a byte.
    pub(crate) fn error(&self, offset: usize, message: impl Into<String>) -> JsonEditError {
        JsonEditError::Syntax { position: self.position(offset), message: message.into() }
    }

    /// Whether a lone surrogate escape lies in `range`.
    pub(crate) fn is_masked(&self, range: Range<usize>) -> bool {
        self.text.as_bytes()[range.clone()] != self.scannable.as_bytes()[range]
    }
}

/// A token and the bytes it takes.
pub(crate) struct Lexeme<'t> {
    /// The token; strings are decoded.
    pub(crate) token: Token<'t>,
    /// Its bytes.
    pub(crate) range: Range<usize>,
}

/// Walks the tokens of a part of a document.
pub(crate) struct Lexer<'t> {
    text: &'t str,
    scanner: Scanner<'t>,
    base: usize,
    end: usize,
}

impl<'t> Lexer<'t> {
    /// The next token that is no comment; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Lexeme<'t>>, JsonEditError> {
        loop {
            match self.next_or_comment()? {
                Some(Lexeme { token: Token::CommentLine(_) | Token::CommentBlock(_), .. }) => {}
                other => return Ok(other),
            }
        }
    }

    /// The next token, comments included; `None` at the end.
    pub(crate) fn next_or_comment(&mut self) -> Result<Option<Lexeme<'t>>, JsonEditError> {
        let token = match self.scanner.scan() {
            Ok(token) => token,
            Err(error) => {
                let message = error.kind().to_string();
                let mut letters = message.chars();
                let message = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
                return Err(self.error(self.base + error.range().start, message));
            }
        };
        let start = self.base + self.scanner.token_start();
        let gap = &self.text.as_bytes()[self.end..start];
        if let Some(at) = gap.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
            return Err(self.error(self.end + at, "only spaces, tabs and line ends may separate tokens".to_owned()));
        }
        let Some(token) = token else { return Ok(None) };
        self.end = self.base + self.scanner.token_end();
        if let Token::String(_) = token
            && let Some(at) = self.text.as_bytes()[start..self.end].iter().position(|byte| *byte < b' ')
        {
            let message = "control characters inside a string must be written as escapes".to_owned();
            return Err(self.error(start + at, message));
        }
        Ok(Some(Lexeme { token, range: start..self.end }))
    }

    /// One past the last token read.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    fn error(&self, offset: usize, message: String) -> JsonEditError {
        JsonEditError::Syntax { position: Position::of(self.text, offset), message }
    }
}

/// A backslash outside strings and comments is an error, and inside a comment a change of digits is harmless, so one look
/// at every backslash is enough.
fn mask_lone_surrogates(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut masked: Option<String> = None;
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &bytes[at..]) {
        let escape = at + found;
        at = match unit(bytes, escape) {
            Some(0xD800..=0xDBFF) if matches!(unit(bytes, escape + 6), Some(0xDC00..=0xDFFF)) => escape + 12,
            Some(0xD800..=0xDFFF) => {
                let masked = masked.get_or_insert_default();
                masked.push_str(&text[copied..escape]);
                masked.push_str("\\ufffd");
                copied = escape + 6;
                copied
            }
            Some(_) => escape + 6,
            None => (escape + 2).min(bytes.len()),
        };
    }
    match masked {
        None => Cow::Borrowed(text),
        Some(mut masked) => {
            masked.push_str(&text[copied..]);
            Cow::Owned(masked)
        }
    }
}

/// The UTF-16 code unit of the `\uXXXX` at `at`.
fn unit(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at.checked_add(6)?)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, digit| Some(unit * 16 + char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use crate::edit::json::lex::mask_lone_surrogates;

    #[test]
    fn only_lone_surrogates_are_masked() {
        let same = [r#""\ud83d\ude00""#, r#""\\ud83d""#, r#""\u00e9""#, r#""\"#, r#""\ud8"#, r"é\é"];
        for text in same {
            assert_eq!(mask_lone_surrogates(text), text);
        }
        assert_eq!(
            mask_lone_surrogates(r#""\ud83d" "\\\uDE00x\ud83d\ud83d\ude00""#),
            r#""\ufffd" "\\\ufffdx\ufffd\ud83d\ude00""#
        );
    }
}
