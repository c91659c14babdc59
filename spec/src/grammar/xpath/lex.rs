//! Text to tokens, with the recommendation's rule (section 3.7) that tells `*` and `and` the operators from the names.

use crate::grammar::xml_name::{is_name_char, is_name_start};
use crate::grammar::xpath::XPathError;
use crate::grammar::xpath::ast::Operator;

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Number(f64),
    Literal(String),
    Name { prefix: Option<String>, local: String },
    Star,
    NamespaceStar(String),
    Operator(Operator),
    Union,
    ParenOpen,
    ParenClose,
    BracketOpen,
    BracketClose,
    Dot,
    DotDot,
    At,
    Comma,
    Axis,
    Slash,
    SlashSlash,
    End,
}

/// All tokens, each with its column counted from 1; the last is [`Token::End`].
pub fn tokens(text: &str) -> Result<Vec<(Token, usize)>, XPathError> {
    let mut lexer = Lexer { chars: text.chars().collect(), at: 0 };
    let mut out: Vec<(Token, usize)> = Vec::new();
    loop {
        lexer.skip_space();
        let column = lexer.at + 1;
        let token = lexer.next(out.last().map(|(token, _)| token))?;
        let done = token == Token::End;
        out.push((token, column));
        if done {
            return Ok(out);
        }
    }
}

impl Token {
    /// How a message names it.
    pub fn describe(&self) -> String {
        match self {
            Token::Number(number) => format!("the number `{number}`"),
            Token::Literal(_) => "a string".to_owned(),
            Token::Name { prefix: Some(prefix), local } => format!("`{prefix}:{local}`"),
            Token::Name { prefix: None, local } => format!("`{local}`"),
            Token::Star => "`*`".to_owned(),
            Token::NamespaceStar(prefix) => format!("`{prefix}:*`"),
            Token::Operator(operator) => format!("`{}`", spelling(*operator)),
            Token::Union => "`|`".to_owned(),
            Token::ParenOpen => "`(`".to_owned(),
            Token::ParenClose => "`)`".to_owned(),
            Token::BracketOpen => "`[`".to_owned(),
            Token::BracketClose => "`]`".to_owned(),
            Token::Dot => "`.`".to_owned(),
            Token::DotDot => "`..`".to_owned(),
            Token::At => "`@`".to_owned(),
            Token::Comma => "`,`".to_owned(),
            Token::Axis => "`::`".to_owned(),
            Token::Slash => "`/`".to_owned(),
            Token::SlashSlash => "`//`".to_owned(),
            Token::End => "the end".to_owned(),
        }
    }

    /// Whether a name or `*` after this token is an operator.
    fn ends_operand(&self) -> bool {
        match self {
            Token::At | Token::Axis | Token::ParenOpen | Token::BracketOpen | Token::Comma | Token::Operator(_) => {
                false
            }
            Token::Union | Token::Slash | Token::SlashSlash | Token::End => false,
            Token::Number(_) | Token::Literal(_) | Token::Name { .. } | Token::Star | Token::NamespaceStar(_) => true,
            Token::ParenClose | Token::BracketClose | Token::Dot | Token::DotDot => true,
        }
    }
}

fn spelling(operator: Operator) -> &'static str {
    match operator {
        Operator::Or => "or",
        Operator::And => "and",
        Operator::Equal => "=",
        Operator::NotEqual => "!=",
        Operator::Less => "<",
        Operator::LessEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterEqual => ">=",
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "div",
        Operator::Modulo => "mod",
    }
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
}

impl Lexer {
    fn next(&mut self, before: Option<&Token>) -> Result<Token, XPathError> {
        let Some(c) = self.peek(0) else { return Ok(Token::End) };
        let second = self.peek(1);
        match c {
            '0'..='9' => return self.number(),
            '.' if second.is_some_and(|c| c.is_ascii_digit()) => return self.number(),
            '"' | '\'' => return self.literal(c),
            '$' => return Err(self.error("variables such as `$x` are not supported")),
            '*' if before.is_some_and(Token::ends_operand) => {
                return Ok(self.take(1, Token::Operator(Operator::Multiply)));
            }
            c if is_name_start(c) => return self.name(before),
            _ => {}
        }
        let (length, token) = match (c, second) {
            ('(', _) => (1, Token::ParenOpen),
            (')', _) => (1, Token::ParenClose),
            ('[', _) => (1, Token::BracketOpen),
            (']', _) => (1, Token::BracketClose),
            ('.', Some('.')) => (2, Token::DotDot),
            ('.', _) => (1, Token::Dot),
            ('@', _) => (1, Token::At),
            (',', _) => (1, Token::Comma),
            (':', Some(':')) => (2, Token::Axis),
            ('/', Some('/')) => (2, Token::SlashSlash),
            ('/', _) => (1, Token::Slash),
            ('|', Some('|')) => return Err(self.error("`||` is not XPath 1.0; use `concat()`")),
            ('|', _) => (1, Token::Union),
            ('*', _) => (1, Token::Star),
            ('+', _) => (1, Token::Operator(Operator::Add)),
            ('-', _) => (1, Token::Operator(Operator::Subtract)),
            ('=', _) => (1, Token::Operator(Operator::Equal)),
            ('!', Some('=')) => (2, Token::Operator(Operator::NotEqual)),
            ('<', Some('=')) => (2, Token::Operator(Operator::LessEqual)),
            ('<', _) => (1, Token::Operator(Operator::Less)),
            ('>', Some('=')) => (2, Token::Operator(Operator::GreaterEqual)),
            ('>', _) => (1, Token::Operator(Operator::Greater)),
            (other, _) => return Err(self.error(&format!("`{}` has no meaning here", other.escape_debug()))),
        };
        Ok(self.take(length, token))
    }

    fn number(&mut self) -> Result<Token, XPathError> {
        let start = self.at;
        self.skip_while(|c| c.is_ascii_digit());
        if self.peek(0) == Some('.') {
            self.at += 1;
            self.skip_while(|c| c.is_ascii_digit());
        }
        let text: String = self.chars[start..self.at].iter().collect();
        let number = text.parse().map_err(|_| self.error(&format!("`{text}` is not a number")))?;
        Ok(Token::Number(number))
    }

    fn literal(&mut self, quote: char) -> Result<Token, XPathError> {
        let body = self.at + 1;
        let Some(length) = self.chars[body..].iter().position(|c| *c == quote) else {
            return Err(self.error(&format!("this string has no closing `{quote}`")));
        };
        self.at = body + length + 1;
        Ok(Token::Literal(self.chars[body..body + length].iter().collect()))
    }

    fn name(&mut self, before: Option<&Token>) -> Result<Token, XPathError> {
        let start = self.at;
        let first = self.ncname();
        if before.is_some_and(Token::ends_operand) {
            let operator = match first.as_str() {
                "and" => Operator::And,
                "or" => Operator::Or,
                "div" => Operator::Divide,
                "mod" => Operator::Modulo,
                other => {
                    let message = format!("expected an operator, found `{other}`");
                    return Err(XPathError { column: start + 1, message });
                }
            };
            return Ok(Token::Operator(operator));
        }
        if self.peek(0) != Some(':') || self.peek(1) == Some(':') {
            return Ok(Token::Name { prefix: None, local: first });
        }
        self.at += 1;
        match self.peek(0) {
            Some('*') => Ok(self.take(1, Token::NamespaceStar(first))),
            Some(c) if is_name_start(c) => Ok(Token::Name { prefix: Some(first), local: self.ncname() }),
            Some(_) | None => Err(self.error(&format!("expected a name or `*` after `{first}:`"))),
        }
    }

    fn ncname(&mut self) -> String {
        let start = self.at;
        self.skip_while(is_name_char);
        self.chars[start..self.at].iter().collect()
    }

    fn take(&mut self, length: usize, token: Token) -> Token {
        self.at += length;
        token
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn skip_space(&mut self) {
        self.skip_while(|c| matches!(c, ' ' | '\t' | '\r' | '\n'));
    }

    fn skip_while(&mut self, keep: impl Fn(char) -> bool) {
        while self.peek(0).is_some_and(&keep) {
            self.at += 1;
        }
    }

    fn error(&self, message: &str) -> XPathError {
        XPathError { column: self.at + 1, message: message.to_owned() }
    }
}
