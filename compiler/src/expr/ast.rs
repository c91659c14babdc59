//! The tree of an expression. Every node knows the bytes of the scalar's text it was written in.

use std::ops::Range;

use spec::value::Value;

use crate::expr::template::{Part, Template};

/// An expression and where it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its bytes in the text of the whole scalar; parentheses around it are not part of it.
    pub range: Range<usize>,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `null`, `true`, `12`, `1.5`, `'text'`: never a list, a dict or a number of unlimited size.
    Literal(Value),
    /// `name`.
    Name(String),
    /// `object.name`: `steps.id.output`, `env.NAME`, a key of a dict.
    Field(Box<Expr>, Ident),
    /// `object[index]`.
    Index(Box<Expr>, Box<Expr>),
    /// `!a` or `-a`. A minus directly before a number is part of the literal instead.
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and the like.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `x:-fallback`.
    Default(Box<Expr>, Box<Expr>),
    /// `name(arguments)`.
    Call(Ident, Vec<Expr>),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// Text with at least one expression and something beside it; only as the fallback of a `Default`.
    Text(Template),
}

/// A name inside an expression that is not an expression itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub text: String,
    /// Its bytes in the text of the whole scalar.
    pub range: Range<usize>,
}

/// Operators before a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!a`, `not a`.
    Not,
    /// `-a`.
    Neg,
}

/// Operators between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `a || b`, `a or b`.
    Or,
    /// `a && b`, `a and b`.
    And,
    /// `a == b`.
    Equal,
    /// `a != b`.
    NotEqual,
    /// `a < b`.
    Less,
    /// `a <= b`.
    LessEqual,
    /// `a > b`.
    Greater,
    /// `a >= b`.
    GreaterEqual,
    /// `a + b`, of numbers.
    Add,
    /// `a - b`.
    Subtract,
    /// `a * b`.
    Multiply,
    /// `a / b`.
    Divide,
    /// `a % b`.
    Remainder,
}

impl Expr {
    /// A node of `kind` at `range`.
    pub fn new(kind: ExprKind, range: Range<usize>) -> Self {
        Self { kind, range }
    }

    /// The direct parts, in the order in which they are written.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Name(_) => Vec::new(),
            ExprKind::Field(object, _) => vec![object],
            ExprKind::Unary(_, operand) => vec![operand],
            ExprKind::Index(left, right) | ExprKind::Binary(_, left, right) | ExprKind::Default(left, right) => {
                vec![left, right]
            }
            ExprKind::Call(_, items) | ExprKind::List(items) => items.iter().collect(),
            ExprKind::Text(template) => template.exprs().collect(),
        }
    }

    /// Calls `visit` with this node and every node inside it, outer ones first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }
}

impl UnaryOp {
    /// The operator as it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Not => "!",
            UnaryOp::Neg => "-",
        }
    }
}

impl BinaryOp {
    /// The operator as it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
        }
    }
}

impl Template {
    /// The expressions of the template, in order.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Expr { expr, .. } => Some(expr),
        })
    }
}
