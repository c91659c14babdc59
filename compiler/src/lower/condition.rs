//! Conditions to instructions that leave one boolean on the stack; `any` and `all` stop at the first that decides.

use spec::op::Op;
use spec::span::Span;
use spec::value::Value;

use crate::ir::{Condition, ConditionKind};
use crate::lower::Context;

impl Context {
    /// Emits what pushes whether `condition` holds.
    pub fn condition(&mut self, condition: &Condition) {
        match &condition.kind {
            ConditionKind::Test(test, arguments) => {
                for argument in arguments {
                    self.expr(argument);
                }
                self.code.push(Op::Test { condition: *test }, condition.span);
            }
            ConditionKind::Not(inner) => {
                self.condition(inner);
                self.code.push(Op::Not {}, condition.span);
            }
            ConditionKind::Any(parts) => self.first(parts, true, condition.span),
            ConditionKind::All(parts) => self.first(parts, false, condition.span),
        }
    }

    /// The first part that is `decisive` decides; without one, the opposite holds.
    fn first(&mut self, parts: &[Condition], decisive: bool, span: Span) {
        let mut decided = Vec::with_capacity(parts.len());
        for part in parts {
            self.condition(part);
            decided.push(self.code.hole(part.span));
        }
        self.constant(Value::Boolean(!decisive), span);
        let end = self.code.hole(span);
        let target = self.code.here();
        for hole in decided {
            self.code.fill(hole, if decisive { Op::JumpIf { target } } else { Op::JumpUnless { target } });
        }
        self.constant(Value::Boolean(decisive), span);
        self.code.jump_here(end);
    }
}
