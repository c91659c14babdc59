//! Is a text JSON?

use std::ops::Range;

use jsonc_parser::tokens::Token;

use crate::assets::json::tokens::{Fault, Tokens};

/// Deepest nesting: a recording needs three levels, annotations may have more.
const MAX_DEPTH: usize = 64;

/// Checks a whole text.
///
/// # Errors
/// The first place where it stops being JSON or is nested too deep.
pub fn check(text: &str) -> Result<(), Fault> {
    let mut tokens = Tokens::new(text, 0);
    let mut open: Vec<(Bracket, Range<usize>)> = Vec::new();
    let mut state = State::Value;
    while let Some((token, range)) = tokens.next()? {
        let inside = open.last().map(|(bracket, _)| *bracket);
        state = match (&token, state) {
            (Token::OpenBrace, State::Value | State::FirstItem) => {
                open.push((Bracket::Object, range.clone()));
                State::FirstKey
            }
            (Token::OpenBracket, State::Value | State::FirstItem) => {
                open.push((Bracket::List, range.clone()));
                State::FirstItem
            }
            (
                Token::String(_) | Token::Number(_) | Token::Boolean(_) | Token::Null,
                State::Value | State::FirstItem,
            ) => State::After,
            (Token::String(_), State::FirstKey | State::Key) => State::Colon,
            (Token::Colon, State::Colon) => State::Value,
            (Token::Comma, State::After) if inside == Some(Bracket::Object) => State::Key,
            (Token::Comma, State::After) if inside == Some(Bracket::List) => State::Value,
            (Token::CloseBrace, State::FirstKey | State::After) if inside == Some(Bracket::Object) => {
                open.pop();
                State::After
            }
            (Token::CloseBracket, State::FirstItem | State::After) if inside == Some(Bracket::List) => {
                open.pop();
                State::After
            }
            (_, state) => return Err(unexpected(&token, range, state, inside)),
        };
        if open.len() > MAX_DEPTH {
            return Err(Fault { range, message: format!("values are nested deeper than {MAX_DEPTH} levels") });
        }
    }
    match open.pop() {
        Some((Bracket::Object, range)) => {
            Err(Fault { range, message: "the `{` opened here is never closed".to_owned() })
        }
        Some((Bracket::List, range)) => Err(Fault { range, message: "the `[` opened here is never closed".to_owned() }),
        None if state == State::Value => Err(Fault { range: 0..0, message: "the file is empty".to_owned() }),
        None => Ok(()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Object,
    List,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Value,
    FirstItem,
    FirstKey,
    Key,
    Colon,
    /// A value has ended.
    After,
}

fn unexpected(token: &Token<'_>, range: Range<usize>, state: State, inside: Option<Bracket>) -> Fault {
    let trailing = matches!(token, Token::CloseBrace | Token::CloseBracket);
    let expected = match (state, inside) {
        (State::Value, Some(Bracket::List)) | (State::Key, _) if trailing => {
            return Fault {
                range,
                message: "there is a comma before the closing bracket, which JSON does not allow".to_owned(),
            };
        }
        (State::Value, _) => "a value",
        (State::FirstItem, _) => "a value or `]`",
        (State::FirstKey, _) => "a key in double quotes or `}`",
        (State::Key, _) => "a key in double quotes",
        (State::Colon, _) => "`:`",
        (State::After, Some(Bracket::Object)) => "`,` or `}`",
        (State::After, Some(Bracket::List)) => "`,` or `]`",
        (State::After, None) => "nothing more: a file holds one value",
    };
    Fault { range, message: format!("expected {expected}, found {}", found(token)) }
}

fn found(token: &Token<'_>) -> String {
    match token {
        Token::String(text) => format!("the text \"{}\"", spec::grammar::shown(text)),
        Token::OpenBrace
        | Token::CloseBrace
        | Token::OpenBracket
        | Token::CloseBracket
        | Token::Comma
        | Token::Colon
        | Token::Word(_)
        | Token::Boolean(_)
        | Token::Number(_)
        | Token::Null
        | Token::CommentLine(_)
        | Token::CommentBlock(_) => format!("`{}`", spec::grammar::shown(token.as_str())),
    }
}
