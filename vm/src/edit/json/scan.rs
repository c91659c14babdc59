//! The grammar: a whole document checked once without recursion, then the members of one list or object at a time.

use std::borrow::Cow;
use std::ops::Range;

use jsonc_parser::tokens::Token;

use crate::edit::json::DEPTH;
use crate::edit::json::error::JsonEditError;
use crate::edit::json::lex::{Document, Lexer};

/// The kind of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Boolean,
    Number,
    String,
    List,
    Object,
}

impl Kind {
    /// The kind with its article.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Boolean => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::List => "a list",
            Kind::Object => "an object",
        }
    }

    fn of(token: &Token<'_>) -> Option<Self> {
        match token {
            Token::OpenBrace => Some(Kind::Object),
            Token::OpenBracket => Some(Kind::List),
            Token::String(_) => Some(Kind::String),
            Token::Number(_) => Some(Kind::Number),
            Token::Boolean(_) => Some(Kind::Boolean),
            Token::Null => Some(Kind::Null),
            Token::CloseBrace
            | Token::CloseBracket
            | Token::Comma
            | Token::Colon
            | Token::Word(_)
            | Token::CommentLine(_)
            | Token::CommentBlock(_) => None,
        }
    }
}

/// A value's bytes and kind.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) range: Range<usize>,
    pub(crate) kind: Kind,
}

/// A member of an object or an item of a list.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    /// One past the token before it: the bracket or the comma.
    pub(crate) before: usize,
    /// The key's bytes, quotes included.
    pub(crate) key: Option<Range<usize>>,
    /// The value.
    pub(crate) value: Node,
    /// The comma after it.
    pub(crate) comma: Option<usize>,
}

impl Child {
    /// Its first byte.
    pub(crate) fn start(&self) -> usize {
        self.key.as_ref().map_or(self.value.range.start, |key| key.start)
    }

    /// One past its value or, when it has one, its comma.
    pub(crate) fn end(&self) -> usize {
        self.comma.map_or(self.value.range.end, |comma| comma + 1)
    }
}

/// Checks the whole document and finds its root value.
pub(crate) fn check(document: &Document<'_>) -> Result<Node, JsonEditError> {
    let mut lexer = document.lexer(0..document.text.len());
    let mut open: Vec<Kind> = Vec::new();
    let mut state = State::Value;
    let mut root: Option<Node> = None;
    while let Some(lexeme) = lexer.next()? {
        let start = lexeme.range.start;
        let kind = Kind::of(&lexeme.token);
        let closes = match (open.last(), &lexeme.token) {
            (Some(Kind::Object), Token::CloseBrace) | (Some(Kind::List), Token::CloseBracket) => {
                matches!(state, State::First | State::Next | State::Separator)
            }
            _ => false,
        };
        if closes {
            open.pop();
            state = State::Separator;
        } else {
            state = match (state, open.last(), &lexeme.token, kind) {
                (State::First | State::Next, Some(Kind::Object), Token::String(_), _) => State::Colon,
                (State::Colon, _, Token::Colon, _) => State::Value,
                (State::Separator, Some(_), Token::Comma, _) => State::Next,
                (State::Value, _, _, Some(kind)) | (State::First | State::Next, Some(Kind::List), _, Some(kind)) => {
                    root.get_or_insert(Node { range: lexeme.range.clone(), kind });
                    if matches!(kind, Kind::Object | Kind::List) {
                        if open.len() >= DEPTH {
                            return Err(JsonEditError::TooDeep { position: document.position(start), limit: DEPTH });
                        }
                        open.push(kind);
                        State::First
                    } else {
                        State::Separator
                    }
                }
                (state, innermost, token, _) => {
                    let found = describe(token);
                    return Err(document.error(start, format!("found {found}, expected {}", state.expected(innermost))));
                }
            };
        }
        if open.is_empty()
            && let Some(root) = &mut root
        {
            root.range.end = lexer.end();
            if let Some(extra) = lexer.next()? {
                let found = describe(&extra.token);
                return Err(document.error(extra.range.start, format!("found {found} after the end of the document")));
            }
        }
    }
    match root {
        Some(root) if open.is_empty() => Ok(root),
        Some(_) => {
            let expected = state.expected(open.last());
            Err(document.error(document.text.len(), format!("the document ends too early, expected {expected}")))
        }
        None => Err(document.error(lexer.end(), "the document is empty, expected a JSON value")),
    }
}

/// Walks the children of the list or object at `range` of a checked document.
pub(crate) fn children<'d>(document: &'d Document<'_>, container: &Node) -> Children<'d> {
    let inside = container.range.start + 1..container.range.end - 1;
    Children { lexer: document.lexer(inside.clone()), keyed: container.kind == Kind::Object, before: inside.start }
}

/// The children of one list or object, in order; in constant memory.
pub(crate) struct Children<'d> {
    lexer: Lexer<'d>,
    keyed: bool,
    before: usize,
}

impl<'d> Children<'d> {
    /// The next child with its decoded key (empty in a list).
    pub(crate) fn next(&mut self) -> Result<Option<(Cow<'d, str>, Child)>, JsonEditError> {
        let mut name = Cow::Borrowed("");
        let mut key = None;
        let Some(mut lexeme) = self.lexer.next()? else { return Ok(None) };
        if self.keyed {
            if let Token::String(text) = lexeme.token {
                name = text;
                key = Some(lexeme.range);
            }
            self.lexer.next()?;
            let Some(value) = self.lexer.next()? else { return Ok(None) };
            lexeme = value;
        }
        let Some(kind) = Kind::of(&lexeme.token) else { return Ok(None) };
        let mut value = Node { range: lexeme.range, kind };
        let mut depth = 0_usize;
        let mut token = lexeme.token;
        loop {
            match token {
                Token::OpenBrace | Token::OpenBracket => depth += 1,
                Token::CloseBrace | Token::CloseBracket => depth = depth.saturating_sub(1),
                Token::Comma
                | Token::Colon
                | Token::String(_)
                | Token::Word(_)
                | Token::Boolean(_)
                | Token::Number(_)
                | Token::Null
                | Token::CommentLine(_)
                | Token::CommentBlock(_) => {}
            }
            if depth == 0 {
                break;
            }
            let Some(next) = self.lexer.next()? else { return Ok(None) };
            token = next.token;
        }
        value.range.end = self.lexer.end();
        let comma = self.lexer.next()?.map(|comma| comma.range.start);
        let child = Child { before: self.before, key, value, comma };
        self.before = child.end();
        Ok(Some((name, child)))
    }
}

/// What the grammar allows next.
#[derive(Clone, Copy)]
enum State {
    /// A value.
    Value,
    /// The first member or item, or the closing bracket.
    First,
    /// The same after a comma: a trailing comma is allowed.
    Next,
    /// The colon after a key.
    Colon,
    /// A comma or the closing bracket.
    Separator,
}

impl State {
    fn expected(self, innermost: Option<&Kind>) -> &'static str {
        let object = innermost == Some(&Kind::Object);
        match self {
            State::Value => "a value",
            State::First | State::Next if object => "a key in double quotes or `}`",
            State::First | State::Next => "a value or `]`",
            State::Colon => "`:`",
            State::Separator if object => "`,` or `}`",
            State::Separator => "`,` or `]`",
        }
    }
}

fn describe(token: &Token<'_>) -> String {
    match token {
        Token::OpenBrace => "`{`".to_owned(),
        Token::CloseBrace => "`}`".to_owned(),
        Token::OpenBracket => "`[`".to_owned(),
        Token::CloseBracket => "`]`".to_owned(),
        Token::Comma => "`,`".to_owned(),
        Token::Colon => "`:`".to_owned(),
        Token::String(_) => "a string".to_owned(),
        Token::Boolean(value) => format!("`{value}`"),
        Token::Null => "`null`".to_owned(),
        Token::Number(text) | Token::Word(text) => {
            let short: String = text.chars().take(40).collect();
            let cut = if short.len() < text.len() { "…" } else { "" };
            format!("`{short}{cut}`")
        }
        Token::CommentLine(_) | Token::CommentBlock(_) => "a comment".to_owned(),
    }
}
