//! How secrets flow through expressions and variables.

use std::collections::{BTreeSet, HashMap};

use spec::operand::Slot;
use spec::span::Span;

use crate::ir::{Binary, Expr, ExprKind, Macro, Unary};

/// The places of the secret parameters a value is made of.
pub type Taint = BTreeSet<u16>;

/// Which variables hold what is made of secrets.
pub struct Flow {
    slots: HashMap<Slot, Taint>,
}

impl Flow {
    /// At the begin of a macro: its secret parameters.
    pub fn of(unit: &Macro) -> Self {
        let places = unit.parameters.iter().zip(0_u16..).filter(|(parameter, _)| parameter.secret);
        Self { slots: places.map(|(_, place)| (Slot(place), Taint::from([place]))).collect() }
    }

    /// A variable gets a value.
    pub fn set(&mut self, slot: Slot, taint: Taint) {
        if !taint.is_empty() {
            self.slots.insert(slot, taint);
        }
    }

    /// The secrets an expression's value is made of.
    pub fn taint(&self, expr: &Expr) -> Taint {
        if let ExprKind::Slot(slot) | ExprKind::MaybeSlot(slot) = &expr.kind {
            return self.slots.get(slot).cloned().unwrap_or_default();
        }
        parts(expr).into_iter().flat_map(|part| self.taint(part)).collect()
    }

    /// Where in an expression a secret comes in: the smallest part that is written.
    pub fn place(&self, expr: &Expr, parameter: u16) -> Span {
        let tainted = parts(expr).into_iter().find(|part| self.taint(part).contains(&parameter));
        tainted.map_or(expr.span, |part| self.place(part, parameter))
    }
}

/// The parts a value is made of; none when it only tells something about them.
fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::Slot(_) | ExprKind::MaybeSlot(_) | ExprKind::Env(_) => Vec::new(),
        ExprKind::Concat(parts) | ExprKind::List(parts) => parts.iter().collect(),
        ExprKind::Dict(entries) => entries.iter().map(|(_, value)| value).collect(),
        ExprKind::Field(value, _) => vec![value],
        ExprKind::Apply(function, _) if function.asks() => Vec::new(),
        ExprKind::Apply(_, arguments) => arguments.iter().collect(),
        ExprKind::Index(value, index) => vec![value, index],
        ExprKind::Unary(Unary::Not, _) | ExprKind::And(..) | ExprKind::Or(..) => Vec::new(),
        ExprKind::Unary(Unary::Neg, value) => vec![value],
        ExprKind::Binary(operator, left, right) => match operator {
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => Vec::new(),
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem => vec![left, right],
        },
        ExprKind::OrElse(value, fallback) => vec![value, fallback],
    }
}
