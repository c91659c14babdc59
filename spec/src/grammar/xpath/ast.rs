//! The parsed form of an XPath expression. Chains of operators and steps are flat, so only brackets nest.

use std::fmt;

use crate::grammar::xpath::function::Function;

/// A parsed expression and the type of its value.
#[derive(Clone, Debug, PartialEq)]
pub struct XPath {
    /// What to evaluate.
    pub root: Expr,
    /// The type of the value; XPath 1.0 without variables knows it before evaluation.
    pub kind: Kind,
}

/// The four types of XPath 1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A set of nodes.
    Nodes,
    /// A double.
    Number,
    /// A text.
    Text,
    /// A truth value.
    Boolean,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number as written.
    Number(f64),
    /// A quoted text.
    Literal(String),
    /// Operators of one level of precedence, applied from left to right; never empty.
    Chain(Box<Expr>, Vec<(Operator, Expr)>),
    /// An odd number of minus signs.
    Negate(Box<Expr>),
    /// `a | b | …`, all of them sets of nodes.
    Union(Vec<Expr>),
    /// A function call with a checked number of arguments.
    Call(Function, Vec<Expr>),
    /// A location path.
    Path(Path),
}

/// A binary operator, except `|`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `or`
    Or,
    /// `and`
    And,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `div`
    Divide,
    /// `mod`
    Modulo,
}

/// A start and the steps from there.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Where it begins.
    pub start: Start,
    /// The steps, in order; `//` is a `descendant-or-self::node()` step.
    pub steps: Vec<Step>,
}

/// Where a path begins.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// The document (`/a`).
    Document,
    /// The context node (`a`).
    Context,
    /// A set of nodes filtered by predicates that count in document order (`(//a)[1]/b`).
    Filter(Box<Expr>, Vec<Expr>),
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// In which direction.
    pub axis: Axis,
    /// Which nodes on that axis.
    pub test: NodeTest,
    /// Filters, each counting what the one before it left.
    pub predicates: Vec<Expr>,
}

/// A direction in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the recommendation")]
pub enum Axis {
    Ancestor,
    AncestorOrSelf,
    Attribute,
    Child,
    Descendant,
    DescendantOrSelf,
    Following,
    FollowingSibling,
    Parent,
    Preceding,
    PrecedingSibling,
    SelfNode,
}

/// Which nodes of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeTest {
    /// `node()`
    Any,
    /// `text()`
    Text,
    /// `comment()`
    Comment,
    /// `processing-instruction()`, with or without its target.
    Instruction(Option<String>),
    /// `*`
    AnyName,
    /// `p:*`
    Namespace(String),
    /// `p:local` or `local`
    Name {
        /// The prefix as written.
        prefix: Option<String>,
        /// The local part.
        local: String,
    },
}

impl Axis {
    /// Every axis that is supported, with its name.
    pub const ALL: [(Axis, &'static str); 12] = [
        (Axis::Ancestor, "ancestor"),
        (Axis::AncestorOrSelf, "ancestor-or-self"),
        (Axis::Attribute, "attribute"),
        (Axis::Child, "child"),
        (Axis::Descendant, "descendant"),
        (Axis::DescendantOrSelf, "descendant-or-self"),
        (Axis::Following, "following"),
        (Axis::FollowingSibling, "following-sibling"),
        (Axis::Parent, "parent"),
        (Axis::Preceding, "preceding"),
        (Axis::PrecedingSibling, "preceding-sibling"),
        (Axis::SelfNode, "self"),
    ];
}

impl Expr {
    /// The type of the value.
    pub fn kind(&self) -> Kind {
        match self {
            Expr::Number(_) | Expr::Negate(_) => Kind::Number,
            Expr::Literal(_) => Kind::Text,
            Expr::Chain(first, rest) => rest.first().map_or_else(|| first.kind(), |(operator, _)| operator.kind()),
            Expr::Union(_) | Expr::Path(_) => Kind::Nodes,
            Expr::Call(function, _) => function.result(),
        }
    }
}

impl Operator {
    /// The level of precedence, 0 binding least.
    pub fn level(self) -> usize {
        match self {
            Operator::Or => 0,
            Operator::And => 1,
            Operator::Equal | Operator::NotEqual => 2,
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => 3,
            Operator::Add | Operator::Subtract => 4,
            Operator::Multiply | Operator::Divide | Operator::Modulo => 5,
        }
    }

    fn kind(self) -> Kind {
        if self.level() < 4 { Kind::Boolean } else { Kind::Number }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Nodes => "a set of nodes",
            Kind::Number => "a number",
            Kind::Text => "a string",
            Kind::Boolean => "a boolean",
        })
    }
}
