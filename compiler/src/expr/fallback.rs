//! What stands behind `:-` at the level of a whole `${…}`.

use std::ops::Range;

use spec::value::Value;

use crate::expr::ast::{Expr, ExprKind};
use crate::expr::parser::Rules;
use crate::expr::template::{Part, TemplateError, parse_at};
use crate::expr::{parser, token};

/// The fallback in the bytes `within` of `text`, nested at most `depth` levels; `None` when it is broken.
pub fn parse<'a>(
    text: &'a str,
    within: Range<usize>,
    depth: usize,
    rules: &Rules<'a>,
    errors: &mut Vec<TemplateError>,
) -> Option<Expr> {
    let written = &text[within.clone()];
    let trimmed = written.trim();
    let start = within.start + (written.len() - written.trim_start().len());
    let place = start..start + trimmed.len();
    if trimmed.starts_with(['\'', '"', '(']) {
        return parser::whole_value(text, place, depth, rules, errors);
    }
    let value = match trimmed {
        "null" => Some(Value::Null),
        "true" => Some(Value::Boolean(true)),
        "false" => Some(Value::Boolean(false)),
        other => token::number(other),
    };
    if let Some(value) = value {
        return Some(Expr::new(ExprKind::Literal(value), place));
    }
    let (mut template, inner) = parse_at(text, within.clone(), rules);
    if !inner.is_empty() {
        errors.extend(inner);
        return None;
    }
    if let Some(text) = template.as_text() {
        return Some(Expr::new(ExprKind::Literal(Value::String(text.to_owned())), within));
    }
    if template.as_single_expr().is_some()
        && let Some(Part::Expr { expr, .. }) = template.parts.pop()
    {
        return Some(expr);
    }
    Some(Expr::new(ExprKind::Text(template), within))
}
