//! Operators: which types they take and what they give.

use spec::span::Span;
use spec::value::Type;

use crate::check::Checker;
use crate::check::expr::Origin;
use crate::check::types::{self, Typed};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::ast::{BinaryOp, Expr, UnaryOp};
use crate::ir::{self, Binary, Unary};

impl Checker<'_, '_> {
    /// `!a` or `-a`.
    pub fn unary(&mut self, operator: UnaryOp, operand: &Expr, span: Span, origin: Origin) -> Option<Typed> {
        let operand = self.value(operand, origin)?;
        let (unary, ty, right) = match operator {
            UnaryOp::Not => (Unary::Not, Type::Boolean, matches!(operand.ty, Type::Boolean | Type::Any)),
            UnaryOp::Neg => (Unary::Neg, operand.ty, types::may_be_number(operand.ty)),
        };
        if !right {
            return self.operand_mismatch(operator.symbol(), &operand);
        }
        Some(Typed::present(ir::Expr { kind: ir::ExprKind::Unary(unary, Box::new(operand.expr)), span }, ty))
    }

    /// `a + b` and the like.
    pub fn binary(
        &mut self,
        operator: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
        origin: Origin,
    ) -> Option<Typed> {
        let (left, right) = match operator {
            BinaryOp::And => self.conjunction(left, right, origin),
            BinaryOp::Or
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Remainder => (self.value(left, origin), self.value(right, origin)),
        };
        let (left, right) = (left?, right?);
        match operator {
            BinaryOp::Or | BinaryOp::And => {
                for side in [&left, &right] {
                    if !matches!(side.ty, Type::Boolean | Type::Any) {
                        return self.operand_mismatch(operator.symbol(), side);
                    }
                }
                let (left, right) = (Box::new(left.expr), Box::new(right.expr));
                let kind = match operator {
                    BinaryOp::Or => ir::ExprKind::Or(left, right),
                    BinaryOp::And
                    | BinaryOp::Equal
                    | BinaryOp::NotEqual
                    | BinaryOp::Less
                    | BinaryOp::LessEqual
                    | BinaryOp::Greater
                    | BinaryOp::GreaterEqual
                    | BinaryOp::Add
                    | BinaryOp::Subtract
                    | BinaryOp::Multiply
                    | BinaryOp::Divide
                    | BinaryOp::Remainder => ir::ExprKind::And(left, right),
                };
                Some(Typed::present(ir::Expr { kind, span }, Type::Boolean))
            }
            BinaryOp::Equal => self.compared(Binary::Eq, operator, left, right, span),
            BinaryOp::NotEqual => self.compared(Binary::Ne, operator, left, right, span),
            BinaryOp::Less => self.ordered(Binary::Lt, operator, left, right, span),
            BinaryOp::LessEqual => self.ordered(Binary::Le, operator, left, right, span),
            BinaryOp::Greater => self.ordered(Binary::Gt, operator, left, right, span),
            BinaryOp::GreaterEqual => self.ordered(Binary::Ge, operator, left, right, span),
            BinaryOp::Add => self.arithmetic(Binary::Add, operator, left, right, span),
            BinaryOp::Subtract => self.arithmetic(Binary::Sub, operator, left, right, span),
            BinaryOp::Multiply => self.arithmetic(Binary::Mul, operator, left, right, span),
            BinaryOp::Divide => self.arithmetic(Binary::Div, operator, left, right, span),
            BinaryOp::Remainder => self.arithmetic(Binary::Rem, operator, left, right, span),
        }
    }

    /// Both sides of an `and`: where the second is evaluated, the first is true.
    fn conjunction(&mut self, left: &Expr, right: &Expr, origin: Origin) -> (Option<Typed>, Option<Typed>) {
        let first = self.value(left, origin);
        let before = self.scope.assumed.clone();
        let certain = self.successes(left);
        self.scope.assumed.extend(certain);
        let second = self.value(right, origin);
        self.scope.assumed = before;
        (first, second)
    }

    fn compared(&mut self, binary: Binary, operator: BinaryOp, left: Typed, right: Typed, span: Span) -> Option<Typed> {
        let numbers = types::may_be_number(left.ty) && types::may_be_number(right.ty);
        let any = left.ty == Type::Any || right.ty == Type::Any;
        if left.ty != right.ty && !numbers && !any {
            return self.sides_mismatch(operator, &left, &right, span);
        }
        Some(built(binary, left, right, Type::Boolean, span))
    }

    fn ordered(&mut self, binary: Binary, operator: BinaryOp, left: Typed, right: Typed, span: Span) -> Option<Typed> {
        let numbers = types::may_be_number(left.ty) && types::may_be_number(right.ty);
        let text = |ty: Type| matches!(ty, Type::String | Type::Any);
        let texts = text(left.ty) && text(right.ty);
        if !numbers && !texts {
            return self.sides_mismatch(operator, &left, &right, span);
        }
        Some(built(binary, left, right, Type::Boolean, span))
    }

    fn arithmetic(
        &mut self,
        binary: Binary,
        operator: BinaryOp,
        left: Typed,
        right: Typed,
        span: Span,
    ) -> Option<Typed> {
        for side in [&left, &right] {
            if !types::may_be_number(side.ty) {
                return self.operand_mismatch(operator.symbol(), side);
            }
        }
        let ty = match (left.ty, right.ty) {
            (Type::Integer, Type::Integer) => Type::Integer,
            (Type::Float, _) | (_, Type::Float) => Type::Float,
            _ => Type::Any,
        };
        Some(built(binary, left, right, ty, span))
    }

    fn operand_mismatch(&mut self, operator: &str, operand: &Typed) -> Option<Typed> {
        let message = format!("`{}` does not take {}", word(operator), types::phrase(operand.ty));
        let help = match (operator, operand.ty) {
            ("+", Type::String) => Some("texts are joined by writing them side by side: `${a}${b}`"),
            ("!" | "&&" | "||", _) => Some("it takes booleans; compare, for instance `x == 'yes'`"),
            _ => None,
        };
        let problem = Diagnostic::new(Code::TypeMismatch, operand.expr.span, message);
        self.report(problem.help_if(help.map(str::to_owned)));
        None
    }

    fn sides_mismatch(&mut self, operator: BinaryOp, left: &Typed, right: &Typed, span: Span) -> Option<Typed> {
        let (l, r) = (types::phrase(left.ty), types::phrase(right.ty));
        let message = format!("`{}` cannot compare {l} with {r}", operator.symbol());
        let has_order = |ty: Type| types::may_be_number(ty) || ty == Type::String;
        let help =
            if has_order(left.ty) && has_order(right.ty) || matches!(operator, BinaryOp::Equal | BinaryOp::NotEqual) {
                "convert one side: `string(x)`, `int(x)`, `float(x)`"
            } else {
                "numbers and texts have an order, nothing else"
            };
        self.report(Diagnostic::new(Code::TypeMismatch, span, message).help(help));
        None
    }
}

/// An operator as it is usually written.
fn word(operator: &str) -> &str {
    match operator {
        "!" => "not",
        "&&" => "and",
        "||" => "or",
        other => other,
    }
}

fn built(binary: Binary, left: Typed, right: Typed, ty: Type, span: Span) -> Typed {
    let kind = ir::ExprKind::Binary(binary, Box::new(left.expr), Box::new(right.expr));
    Typed::present(ir::Expr { kind, span }, ty)
}
