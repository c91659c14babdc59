//! Expressions as text, with no more parentheses than needed; parsing that text gives the same tree.

use std::fmt;

use spec::value::Value;

use crate::expr::ast::{BinaryOp, Expr, ExprKind};
use crate::expr::template::{Part, Template};

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Default(value, fallback) => {
                write!(f, "{}:-", At(value, Level::Or))?;
                match &fallback.kind {
                    ExprKind::Literal(_) => write!(f, "{fallback}"),
                    ExprKind::Text(template) => write!(f, "{template}"),
                    ExprKind::Name(_)
                    | ExprKind::Field(..)
                    | ExprKind::Index(..)
                    | ExprKind::Unary(..)
                    | ExprKind::Binary(..)
                    | ExprKind::Default(..)
                    | ExprKind::Call(..)
                    | ExprKind::List(_) => write!(f, "${{{fallback}}}"),
                }
            }
            ExprKind::Literal(_)
            | ExprKind::Name(_)
            | ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Call(..)
            | ExprKind::List(_)
            | ExprKind::Text(_) => write!(f, "{}", At(self, Level::Or)),
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Text(text) => f.write_str(&text.replace("${", "$${"))?,
                Part::Expr { expr, .. } => write!(f, "${{{expr}}}")?,
            }
        }
        Ok(())
    }
}

/// How tightly an expression holds together; `Default` is looser than all of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Unary,
    Value,
}

/// An expression where the grammar expects one of at least this level.
struct At<'a>(&'a Expr, Level);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let At(expr, wanted) = *self;
        let parentheses = level(expr).is_none_or(|own| own < wanted);
        if parentheses {
            f.write_str("(")?;
        }
        match &expr.kind {
            ExprKind::Literal(value) => literal(f, value)?,
            ExprKind::Name(name) => f.write_str(name)?,
            // A point behind a number would belong to it.
            ExprKind::Field(object, name) if is_number(object) => write!(f, "({object}).{}", name.text)?,
            ExprKind::Field(object, name) => write!(f, "{}.{}", At(object, Level::Value), name.text)?,
            ExprKind::Index(object, index) => write!(f, "{}[{}]", At(object, Level::Value), At(index, Level::Or))?,
            ExprKind::Unary(op, operand) => {
                // `-5` is a literal, so the negation of one needs its parentheses.
                let level = if unsigned(operand) { None } else { Some(Level::Unary) };
                match level {
                    Some(level) => write!(f, "{}{}", op.symbol(), At(operand, level))?,
                    None => write!(f, "{}({operand})", op.symbol())?,
                }
            }
            ExprKind::Binary(op, left, right) => {
                let (left_level, right_level) = operands(*op);
                write!(f, "{} {} {}", At(left, left_level), op.symbol(), At(right, right_level))?;
            }
            ExprKind::Default(value, fallback) => {
                write!(f, "{}:-", At(value, Level::Or))?;
                match &fallback.kind {
                    ExprKind::Literal(_) => write!(f, "{fallback}")?,
                    ExprKind::Name(_)
                    | ExprKind::Field(..)
                    | ExprKind::Index(..)
                    | ExprKind::Unary(..)
                    | ExprKind::Binary(..)
                    | ExprKind::Default(..)
                    | ExprKind::Call(..)
                    | ExprKind::List(_)
                    | ExprKind::Text(_) => write!(f, "({})", At(fallback, Level::Or))?,
                }
            }
            ExprKind::Call(name, arguments) => {
                write!(f, "{}(", name.text)?;
                items(f, arguments)?;
                f.write_str(")")?;
            }
            ExprKind::List(list) => {
                f.write_str("[")?;
                items(f, list)?;
                f.write_str("]")?;
            }
            ExprKind::Text(template) => write!(f, "{template}")?,
        }
        if parentheses { f.write_str(")") } else { Ok(()) }
    }
}

fn level(expr: &Expr) -> Option<Level> {
    match &expr.kind {
        ExprKind::Literal(_)
        | ExprKind::Name(_)
        | ExprKind::Field(..)
        | ExprKind::Index(..)
        | ExprKind::Call(..)
        | ExprKind::List(_)
        | ExprKind::Text(_) => Some(Level::Value),
        ExprKind::Unary(..) => Some(Level::Unary),
        ExprKind::Binary(op, ..) => Some(own_level(*op)),
        ExprKind::Default(..) => None,
    }
}

fn own_level(op: BinaryOp) -> Level {
    match op {
        BinaryOp::Or => Level::Or,
        BinaryOp::And => Level::And,
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => Level::Comparison,
        BinaryOp::Add | BinaryOp::Subtract => Level::Sum,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => Level::Product,
    }
}

/// What may stand to the left and to the right without parentheses: chains lean to the left, comparisons do not chain.
fn operands(op: BinaryOp) -> (Level, Level) {
    match own_level(op) {
        Level::Or => (Level::Or, Level::And),
        Level::And => (Level::And, Level::Comparison),
        Level::Comparison => (Level::Sum, Level::Sum),
        Level::Sum => (Level::Sum, Level::Product),
        Level::Product | Level::Unary | Level::Value => (Level::Product, Level::Unary),
    }
}

/// Whether the text of `expr` begins with a digit, so that a minus before it would become part of it.
fn unsigned(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(Value::Integer(number)) => *number >= 0,
        ExprKind::Literal(Value::Float(number)) => number.is_sign_positive(),
        ExprKind::Field(object, _) | ExprKind::Index(object, _) => unsigned(object),
        ExprKind::Literal(
            Value::Null | Value::Boolean(_) | Value::Number(_) | Value::String(_) | Value::List(_) | Value::Dict(_),
        )
        | ExprKind::Name(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Default(..)
        | ExprKind::Call(..)
        | ExprKind::List(_)
        | ExprKind::Text(_) => false,
    }
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(Value::Integer(_) | Value::Float(_)))
}

fn items(f: &mut fmt::Formatter<'_>, items: &[Expr]) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{}", At(item, Level::Or))?;
    }
    Ok(())
}

fn literal(f: &mut fmt::Formatter<'_>, value: &Value) -> fmt::Result {
    match value {
        Value::Null => f.write_str("null"),
        Value::Boolean(value) => write!(f, "{value}"),
        Value::Integer(number) => write!(f, "{number}"),
        // The debug form keeps the point or exponent that makes it a float.
        Value::Float(number) => write!(f, "{number:?}"),
        Value::Number(text) => f.write_str(text),
        Value::String(text) if text.contains(char::is_control) => {
            f.write_str("\"")?;
            for character in text.chars() {
                match character {
                    '"' | '\\' => write!(f, "\\{character}")?,
                    '\n' => f.write_str("\\n")?,
                    '\r' => f.write_str("\\r")?,
                    '\t' => f.write_str("\\t")?,
                    other if other.is_control() => write!(f, "{}", other.escape_unicode())?,
                    other => write!(f, "{other}")?,
                }
            }
            f.write_str("\"")
        }
        Value::String(text) => write!(f, "'{}'", text.replace('\'', "''")),
        // No expression has these as literals.
        Value::List(_) => f.write_str("[…]"),
        Value::Dict(_) => f.write_str("{…}"),
    }
}
