//! Text to tokens. The scanner of `jsonc_parser` takes a little more than JSON even when told not to; the rest is refused here.

use std::ops::Range;

use jsonc_parser::tokens::Token;
use jsonc_parser::{Scanner, ScannerOptions};

/// Where a text stops being JSON, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The bytes it is about.
    pub range: Range<usize>,
    /// One sentence in the style of a diagnostic.
    pub message: String,
}

/// A token and its bytes.
pub type Lexeme<'a> = (Token<'a>, Range<usize>);

/// The tokens of a part of a text, with places in the whole.
pub struct Tokens<'a> {
    text: &'a str,
    scanner: Scanner<'a>,
    base: usize,
    end: usize,
}

impl<'a> Tokens<'a> {
    /// Starts at byte `from` of `text`, between tokens.
    pub fn new(text: &'a str, from: usize) -> Self {
        Self { text, scanner: scanner(text, from), base: from, end: from }
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Goes on at byte `at`, between tokens.
    pub fn jump(&mut self, at: usize) {
        *self = Self::new(self.text, at);
    }

    /// The next token; `None` at the end.
    pub fn next(&mut self) -> Result<Option<Lexeme<'a>>, Fault> {
        let token = self.scanner.scan().map_err(|error| {
            let range = error.range();
            // The scanner gives up inside a word that a bracket or comma follows.
            let rest = self.text.get(self.base + range.start..).unwrap_or_default();
            let word = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default();
            if word.starts_with(char::is_alphabetic) {
                let start = self.base + range.start;
                return Fault { range: start..start + word.len(), message: not_a_value(word) };
            }
            let message = error.kind().to_string();
            let mut letters = message.chars();
            let message = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
            Fault { range: self.base + range.start..self.base + range.end, message }
        })?;
        let range = self.base + self.scanner.token_start()..self.base + self.scanner.token_end();
        self.check_gap(range.start)?;
        self.end = range.end;
        let Some(token) = token else { return Ok(None) };
        match token {
            Token::CommentLine(_) | Token::CommentBlock(_) => {
                Err(Fault { range, message: "a comment, which JSON does not have".to_owned() })
            }
            Token::Word(word) => Err(Fault { range, message: not_a_value(word) }),
            Token::String(_) => {
                let inside = self.text.as_bytes().get(range.clone()).unwrap_or_default();
                match inside.iter().position(|byte| *byte < b' ') {
                    None => Ok(Some((token, range))),
                    Some(at) => {
                        let at = range.start + at;
                        let message = "a control character in a text must be written as an escape".to_owned();
                        Err(Fault { range: at..at + 1, message })
                    }
                }
            }
            Token::OpenBrace
            | Token::CloseBrace
            | Token::OpenBracket
            | Token::CloseBracket
            | Token::Comma
            | Token::Colon
            | Token::Boolean(_)
            | Token::Number(_)
            | Token::Null => Ok(Some((token, range))),
        }
    }

    fn check_gap(&self, until: usize) -> Result<(), Fault> {
        let gap = self.text.get(self.end..until).unwrap_or_default();
        match gap.char_indices().find(|(_, blank)| !matches!(blank, ' ' | '\t' | '\n' | '\r')) {
            None => Ok(()),
            Some((at, blank)) => {
                let at = self.end + at;
                let message = "only spaces, tabs and line ends may separate values".to_owned();
                Err(Fault { range: at..at + blank.len_utf8(), message })
            }
        }
    }
}

fn scanner(text: &str, from: usize) -> Scanner<'_> {
    let options = ScannerOptions {
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    Scanner::new(text.get(from..).unwrap_or_default(), &options)
}

fn not_a_value(word: &str) -> String {
    let plain = spec::grammar::shown(word);
    match word.to_ascii_lowercase().as_str() {
        lower @ ("true" | "false" | "null") => format!("`{plain}` is written `{lower}`"),
        "none" => "`None` is written `null`".to_owned(),
        _ => format!("`{plain}` is no JSON value; texts and keys are written in double quotes"),
    }
}
