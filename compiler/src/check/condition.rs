//! Conditions: their arguments fit.

use crate::ast::{self, ConditionKind};
use crate::check::Checker;
use crate::check::argument::Receiver;
use crate::ir;

impl Checker<'_, '_> {
    /// A list of conditions; those that are wrong are left out.
    pub fn conditions(&mut self, conditions: &[ast::Condition]) -> Vec<ir::Condition> {
        conditions.iter().filter_map(|condition| self.condition(condition)).collect()
    }

    /// One condition; `None` when it is wrong.
    pub fn condition(&mut self, condition: &ast::Condition) -> Option<ir::Condition> {
        let kind = match &condition.kind {
            ConditionKind::Test(test, written) => {
                let operands = test.operands().iter().zip(written);
                let arguments: Vec<Option<ir::Expr>> = operands
                    .map(|(operand, written)| {
                        let name = format_args!("{}: {}", test.name(), operand.name);
                        self.argument(Receiver { name: &name, shape: operand.shape, check: &operand.check }, written)
                    })
                    .collect();
                ir::ConditionKind::Test(*test, arguments.into_iter().collect::<Option<Vec<_>>>()?)
            }
            ConditionKind::Not(inner) => ir::ConditionKind::Not(Box::new(self.condition(inner)?)),
            ConditionKind::Any(parts) => ir::ConditionKind::Any(self.conditions(parts)),
            ConditionKind::All(parts) => ir::ConditionKind::All(self.conditions(parts)),
        };
        Some(ir::Condition { kind, span: condition.span })
    }
}
