//! The values of a text that [`check`](crate::assets::json::check) has accepted.

use std::borrow::Cow;
use std::ops::Range;

use jsonc_parser::tokens::Token;

use crate::assets::json::tokens::{Lexeme, Tokens};

/// A value and its bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'a> {
    /// The value.
    pub shape: Shape<'a>,
    /// Its bytes, with quotes and brackets.
    pub range: Range<usize>,
}

/// A value; what is in a mapping or list is read by [`members`] or [`items`].
#[derive(Clone, Debug, PartialEq)]
pub enum Shape<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number as it is written.
    Number(&'a str),
    /// A decoded text.
    Text(Cow<'a, str>),
    /// `[…]`
    List,
    /// `{…}`
    Mapping,
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Member<'a> {
    /// The decoded key.
    pub key: Cow<'a, str>,
    /// The key's bytes, with its quotes.
    pub key_range: Range<usize>,
    /// The value.
    pub value: Node<'a>,
}

impl Shape<'_> {
    /// What the value is, in words.
    pub fn name(&self) -> &'static str {
        match self {
            Shape::Null => "null",
            Shape::Boolean(_) => "a boolean",
            Shape::Number(_) => "a number",
            Shape::Text(_) => "a text",
            Shape::List => "a list",
            Shape::Mapping => "a mapping",
        }
    }
}

/// The one value of the text.
pub fn root(text: &str) -> Option<Node<'_>> {
    let mut tokens = Tokens::new(text, 0);
    let first = tokens.next().ok()??;
    node(&mut tokens, first)
}

/// The members of the mapping that starts at byte `from`, in written order.
pub fn members(text: &str, from: usize) -> impl Iterator<Item = Member<'_>> {
    let mut tokens = inside(text, from);
    std::iter::from_fn(move || {
        let (key, key_range) = child(&mut tokens)?;
        let Token::String(key) = key else { return None };
        tokens.next().ok()??;
        let first = tokens.next().ok()??;
        Some(Member { key, key_range, value: node(&mut tokens, first)? })
    })
}

/// The items of the list that starts at byte `from`.
pub fn items(text: &str, from: usize) -> impl Iterator<Item = Node<'_>> {
    let mut tokens = inside(text, from);
    std::iter::from_fn(move || {
        let first = child(&mut tokens)?;
        node(&mut tokens, first)
    })
}

/// The tokens after an opening bracket.
fn inside(text: &str, from: usize) -> Tokens<'_> {
    Tokens::new(text, from.saturating_add(1))
}

/// The first token of the next key or item; `None` at the closing bracket.
fn child<'a>(tokens: &mut Tokens<'a>) -> Option<Lexeme<'a>> {
    let first = tokens.next().ok()??;
    match first.0 {
        Token::Comma => tokens.next().ok()?,
        Token::CloseBrace | Token::CloseBracket => None,
        Token::OpenBrace
        | Token::OpenBracket
        | Token::Colon
        | Token::String(_)
        | Token::Word(_)
        | Token::Boolean(_)
        | Token::Number(_)
        | Token::Null
        | Token::CommentLine(_)
        | Token::CommentBlock(_) => Some(first),
    }
}

/// The value whose first token was read; brackets are passed over.
fn node<'a>(tokens: &mut Tokens<'a>, (token, range): Lexeme<'a>) -> Option<Node<'a>> {
    let shape = match token {
        Token::Null => Shape::Null,
        Token::Boolean(truth) => Shape::Boolean(truth),
        Token::Number(digits) => Shape::Number(digits),
        Token::String(text) => Shape::Text(text),
        Token::OpenBracket => Shape::List,
        Token::OpenBrace => Shape::Mapping,
        Token::CloseBrace
        | Token::CloseBracket
        | Token::Comma
        | Token::Colon
        | Token::Word(_)
        | Token::CommentLine(_)
        | Token::CommentBlock(_) => return None,
    };
    let end = match shape {
        Shape::List | Shape::Mapping => {
            let end = close(tokens.text().as_bytes(), range.start)?;
            tokens.jump(end);
            end
        }
        Shape::Null | Shape::Boolean(_) | Shape::Number(_) | Shape::Text(_) => range.end,
    };
    Some(Node { shape, range: range.start..end })
}

/// One past the bracket that closes the one at `open`. Long lists are passed over byte by byte, which is much faster than by tokens.
fn close(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = open;
    loop {
        match bytes.get(at)? {
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return Some(at + 1),
            b'}' | b']' => depth -= 1,
            b'"' => at = quote(bytes, at)?,
            _ => {}
        }
        at += 1;
    }
}

/// The quote that closes the one at `open`.
fn quote(bytes: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes.get(at) == Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}
