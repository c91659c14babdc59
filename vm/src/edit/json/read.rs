//! A part of a checked document as a value.

use std::ops::Range;

use jsonc_parser::tokens::Token;
use spec::value::{Dict, Value};

use crate::edit::json::error::JsonEditError;
use crate::edit::json::lex::{Document, Lexeme, Lexer};

/// The most values one read may return: a document of 64 MiB must not become 2 GiB of values.
pub(crate) const VALUES: usize = 4_000_000;

/// The value at `range` of a checked document. Of a key that is written twice, the last value counts.
///
/// # Errors
/// A lone surrogate escape (text cannot hold one), or more than [`VALUES`] values.
pub(crate) fn value(document: &Document<'_>, range: Range<usize>) -> Result<Value, JsonEditError> {
    let mut reader = Reader { document, lexer: document.lexer(range), read: 0 };
    match reader.lexer.next()? {
        Some(lexeme) => reader.value(lexeme),
        None => Ok(Value::Null),
    }
}

struct Reader<'d, 'a> {
    document: &'d Document<'a>,
    lexer: Lexer<'d>,
    read: usize,
}

impl<'d> Reader<'d, '_> {
    // Recursion ends at the nesting the check allows.
    fn value(&mut self, lexeme: Lexeme<'d>) -> Result<Value, JsonEditError> {
        self.read += 1;
        if self.read > VALUES {
            let position = self.document.position(lexeme.range.start);
            return Err(JsonEditError::TooMany { position, limit: VALUES });
        }
        match lexeme.token {
            Token::OpenBrace => self.object(),
            Token::OpenBracket => self.list(),
            Token::String(_) => Ok(Value::String(self.text(lexeme)?)),
            Token::Number(literal) => Ok(crate::json_text::number(literal)),
            Token::Boolean(value) => Ok(Value::Boolean(value)),
            // The check has refused every other token in a value's place.
            Token::Null
            | Token::CloseBrace
            | Token::CloseBracket
            | Token::Comma
            | Token::Colon
            | Token::Word(_)
            | Token::CommentLine(_)
            | Token::CommentBlock(_) => Ok(Value::Null),
        }
    }

    fn object(&mut self) -> Result<Value, JsonEditError> {
        let mut entries = Dict::new();
        while let Some(lexeme) = self.lexer.next()? {
            if matches!(lexeme.token, Token::CloseBrace) {
                break;
            }
            if matches!(lexeme.token, Token::Comma) {
                continue;
            }
            let key = self.text(lexeme)?;
            self.lexer.next()?;
            if let Some(lexeme) = self.lexer.next()? {
                entries.insert(key, self.value(lexeme)?);
            }
        }
        Ok(Value::Dict(entries))
    }

    fn list(&mut self) -> Result<Value, JsonEditError> {
        let mut items = Vec::new();
        while let Some(lexeme) = self.lexer.next()? {
            if matches!(lexeme.token, Token::CloseBracket) {
                break;
            }
            if !matches!(lexeme.token, Token::Comma) {
                items.push(self.value(lexeme)?);
            }
        }
        Ok(Value::List(items))
    }

    fn text(&self, lexeme: Lexeme<'d>) -> Result<String, JsonEditError> {
        if self.document.is_masked(lexeme.range.clone()) {
            return Err(JsonEditError::LoneSurrogate { position: self.document.position(lexeme.range.start) });
        }
        if let Token::String(text) = lexeme.token {
            return Ok(text.into_owned());
        }
        Ok(String::new())
    }
}
