//! Expressions to instructions that leave one value on the stack.

use spec::op::Op;
use spec::operand::Count;
use spec::value::Value;

use crate::ir::{Binary, Expr, ExprKind, Unary};
use crate::lower::Context;

impl Context {
    /// Emits what pushes the value of `expr`.
    pub fn expr(&mut self, expr: &Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Const(value) => self.constant(value.clone(), span),
            ExprKind::Slot(slot) => self.code.push(Op::Load { slot: *slot }, span),
            ExprKind::MaybeSlot(slot) => self.code.push(Op::LoadMaybe { slot: *slot }, span),
            ExprKind::Env(name) => {
                let name = self.pool.text(name);
                self.code.push(Op::Env { name }, span);
            }
            ExprKind::Concat(parts) => {
                self.all(parts);
                self.code.push(Op::Concat { count: count(parts.len()) }, span);
            }
            ExprKind::List(items) => {
                self.all(items);
                self.code.push(Op::List { count: count(items.len()) }, span);
            }
            ExprKind::Dict(entries) => {
                for (key, value) in entries {
                    self.constant(Value::String(key.clone()), value.span);
                    self.expr(value);
                }
                self.code.push(Op::Dict { count: count(entries.len()) }, span);
            }
            ExprKind::Field(value, name) => {
                self.expr(value);
                let name = self.pool.text(name);
                self.code.push(Op::Field { name }, span);
            }
            ExprKind::Index(value, index) => {
                self.expr(value);
                self.expr(index);
                self.code.push(Op::Index {}, span);
            }
            ExprKind::Apply(function, arguments) => {
                self.all(arguments);
                self.code.push(Op::Apply { function: *function }, span);
            }
            ExprKind::Unary(operator, value) => {
                self.expr(value);
                self.code.push(unary(*operator), span);
            }
            ExprKind::Binary(operator, left, right) => {
                self.expr(left);
                self.expr(right);
                self.code.push(binary(*operator), span);
            }
            ExprKind::And(left, right) => self.either(left, right, false),
            ExprKind::Or(left, right) => self.either(left, right, true),
            ExprKind::OrElse(value, fallback) => {
                self.expr(value);
                let present = self.code.hole(span);
                self.expr(fallback);
                let target = self.code.here();
                self.code.fill(present, Op::OrElse { target });
            }
        }
    }

    fn all(&mut self, exprs: &[Expr]) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    /// The left side decides when it is `decisive`; otherwise the right side does.
    fn either(&mut self, left: &Expr, right: &Expr, decisive: bool) {
        self.expr(left);
        let decided = self.code.hole(left.span);
        self.expr(right);
        self.code.push(Op::Bool {}, right.span);
        let end = self.code.hole(right.span);
        let target = self.code.here();
        self.code.fill(decided, if decisive { Op::JumpIf { target } } else { Op::JumpUnless { target } });
        self.constant(Value::Boolean(decisive), left.span);
        self.code.jump_here(end);
    }
}

fn count(count: usize) -> Count {
    // The check of the stack's height keeps every list below this.
    Count(u16::try_from(count).unwrap_or(u16::MAX))
}

fn unary(operator: Unary) -> Op {
    match operator {
        Unary::Not => Op::Not {},
        Unary::Neg => Op::Neg {},
    }
}

fn binary(operator: Binary) -> Op {
    match operator {
        Binary::Eq => Op::Eq {},
        Binary::Ne => Op::Ne {},
        Binary::Lt => Op::Lt {},
        Binary::Le => Op::Le {},
        Binary::Gt => Op::Gt {},
        Binary::Ge => Op::Ge {},
        Binary::Add => Op::Add {},
        Binary::Sub => Op::Sub {},
        Binary::Mul => Op::Mul {},
        Binary::Div => Op::Div {},
        Binary::Rem => Op::Rem {},
    }
}
