//! A scalar's text, cut into plain text and expressions.

use std::ops::Range;

use spec::grammar::name::is_keyword;

use crate::expr::ast::{Expr, ExprKind, Ident};
use crate::expr::parser::Rules;
use crate::expr::scan::{self, Endless, Limit};
use crate::expr::{fallback, parser, token};

/// A text with expressions in it. Neighbouring texts are one part, and no text is empty: the empty text has no parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    /// The parts in order.
    pub parts: Vec<Part>,
}

/// A piece of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Plain text, with `$${` already turned into `${`.
    Text(String),
    /// An expression.
    Expr {
        /// The expression itself.
        expr: Expr,
        /// The bytes of the text from its `$` to behind its `}`.
        range: Range<usize>,
    },
}

/// A mistake in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The bytes of the text it is about; never cuts a character.
    pub range: Range<usize>,
    /// One sentence, lower case, names in backticks, no full stop.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// Further mistakes of one text are not reported; whoever has this many has seen the point.
pub const MAX_ERRORS: usize = 32;

/// The most expressions one text may hold.
pub const MAX_EXPRS: usize = 4_096;

/// The template of `text`, and what is wrong with it. A broken expression is left out of the template, so that what is
/// right can still be checked; a template with errors must not be run.
pub fn parse(text: &str) -> (Template, Vec<TemplateError>) {
    parse_at(text, 0..text.len(), &Rules::default())
}

impl Template {
    /// The expression, when the template is exactly one and nothing else: its value keeps its type.
    pub fn as_single_expr(&self) -> Option<&Expr> {
        match self.parts.as_slice() {
            [Part::Expr { expr, .. }] => Some(expr),
            [] | [Part::Text(_)] | [_, _, ..] => None,
        }
    }

    /// Whether there is no expression in it.
    pub fn is_constant(&self) -> bool {
        self.exprs().next().is_none()
    }

    /// The text, when there is no expression in it.
    pub fn as_text(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Text(text)] => Some(text),
            [Part::Expr { .. }] | [_, _, ..] => None,
        }
    }

    /// Appends text, keeping texts together.
    pub fn push_text(&mut self, text: &str) {
        match self.parts.last_mut() {
            _ if text.is_empty() => {}
            Some(Part::Text(last)) => last.push_str(text),
            Some(Part::Expr { .. }) | None => self.parts.push(Part::Text(text.to_owned())),
        }
    }
}

/// The template of `within`, whose ranges are those of the whole `text`.
pub(crate) fn parse_at<'a>(text: &'a str, within: Range<usize>, rules: &Rules<'a>) -> (Template, Vec<TemplateError>) {
    let mut template = Template::default();
    let mut errors = Vec::new();
    let text = &text[..within.end];
    let bytes = text.as_bytes();
    // Start of the plain text not yet in the template.
    let mut plain = within.start;
    let mut from = within.start;
    let mut count = 0;
    while let Some(at) = memchr::memchr(b'$', &bytes[from..]).map(|found| from + found) {
        if bytes[at..].starts_with(b"$${") {
            template.push_text(&text[plain..at]);
            template.push_text("${");
            from = at + 3;
            plain = from;
        } else if bytes[at..].starts_with(b"${") {
            template.push_text(&text[plain..at]);
            count += 1;
            if count > MAX_EXPRS {
                errors.push(TemplateError {
                    range: at..at + 2,
                    message: format!("the text holds more than {MAX_EXPRS} expressions"),
                    help: Some("read a text of this size from a file".to_owned()),
                });
                return (template, errors);
            }
            let (part, end) = expression(text, at, rules, &mut errors);
            template.parts.extend(part);
            from = end;
            plain = from;
            if errors.len() >= MAX_ERRORS {
                errors.truncate(MAX_ERRORS);
                return (template, errors);
            }
        } else {
            from = at + 1;
        }
    }
    template.push_text(&text[plain..]);
    (template, errors)
}

/// The expression whose `$` is at `dollar`, and the byte behind it.
fn expression<'a>(
    text: &'a str,
    dollar: usize,
    rules: &Rules<'a>,
    errors: &mut Vec<TemplateError>,
) -> (Option<Part>, usize) {
    let start = dollar + 2;
    if let Some((expr, close)) = path(text, start).filter(|(_, end)| text.as_bytes().get(*end) == Some(&b'}')) {
        return (Some(Part::Expr { expr, range: dollar..close + 1 }), close + 1);
    }
    let extent = match scan::extent(text, start) {
        Ok(extent) => extent,
        Err(endless) => {
            errors.push(endless_error(endless, dollar));
            return (None, text.len());
        }
    };
    let end = extent.close + 1;
    if let Some(limit) = extent.limit {
        errors.push(limit_error(limit, dollar..end));
        return (None, end);
    }
    let value = start..extent.default.unwrap_or(extent.close);
    if text[value.clone()].trim().is_empty() {
        let (message, help) = match extent.default {
            None => ("there is no expression between `${` and `}`", "write a name, or `$${` for a literal `${`"),
            Some(_) => ("there is no expression before `:-`", "write `${name:-fallback}`"),
        };
        errors.push(TemplateError { range: dollar..end, message: message.to_owned(), help: Some(help.to_owned()) });
        return (None, end);
    }
    let before = errors.len();
    let expr = match path(text, value.start) {
        Some((expr, end)) if end == value.end => Some(expr),
        Some(_) | None => parser::expression(text, value, extent.depth, rules, errors),
    };
    let expr = match extent.default {
        None => expr,
        Some(colon) => {
            let fallback = fallback::parse(text, colon + 2..extent.close, extent.depth, rules, errors);
            expr.zip(fallback).map(|(expr, fallback)| {
                let range = expr.range.start..fallback.range.end;
                Expr::new(ExprKind::Default(Box::new(expr), Box::new(fallback)), range)
            })
        }
    };
    let part = expr.filter(|_| errors.len() == before).map(|expr| Part::Expr { expr, range: dollar..end });
    (part, end)
}

/// `name` or `name.name.name`, which is what nearly every expression is, read without the parser; with its end.
fn path(text: &str, start: usize) -> Option<(Expr, usize)> {
    let bytes = text.as_bytes();
    let mut end = token::name_end(bytes, start)?;
    let name = &text[start..end];
    if is_keyword(name) {
        return None;
    }
    let mut expr = Expr::new(ExprKind::Name(name.to_owned()), start..end);
    // A bound on the depth of the tree, as for every other expression.
    for _ in 0..scan::MAX_DEPTH {
        if bytes.get(end) != Some(&b'.') {
            return Some((expr, end));
        }
        let from = end + 1;
        end = token::segment_end(bytes, from)?;
        let field = Ident { text: text[from..end].to_owned(), range: from..end };
        expr = Expr::new(ExprKind::Field(Box::new(expr), field), start..end);
    }
    None
}

fn endless_error(endless: Endless, dollar: usize) -> TemplateError {
    let literal = "close it, or write `$${` for a literal `${`";
    let (range, message, help) = match endless {
        Endless::Brace => (dollar..dollar + 2, "`${` is not closed: no `}` follows".to_owned(), literal),
        Endless::Quote(quote) => (
            quote..quote + 1,
            "a quote in `${…}` is not closed".to_owned(),
            "write the same quote again where the text ends",
        ),
        Endless::Length => (
            dollar..dollar + 2,
            format!("`${{` is not closed within {} bytes, the longest an expression may be", scan::MAX_BYTES),
            literal,
        ),
    };
    TemplateError { range, message, help: Some(help.to_owned()) }
}

fn limit_error(limit: Limit, range: Range<usize>) -> TemplateError {
    let message = match limit {
        Limit::Depth => format!("the expression is nested deeper than {} levels", scan::MAX_DEPTH),
        Limit::Tokens => format!("the expression has more than {} names, values and operators", scan::MAX_TOKENS),
    };
    TemplateError { range, message, help: Some("compute it in steps of its own".to_owned()) }
}
