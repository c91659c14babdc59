//! Settings of a step that are computed when it begins: its timeout, its tries, how long it is looked at, and what its failure means.

use spec::function::Function;
use spec::operand::Setting;
use spec::value::Type;

use crate::ast;
use crate::check::Checker;
use crate::check::types::phrase;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir;

impl Checker<'_, '_> {
    /// A computed timeout: milliseconds as a number, or a duration as text.
    pub fn limit(&mut self, limit: &ast::Limit) -> Option<ir::Expr> {
        let (scalar, key, wanted) = match limit {
            ast::Limit::Duration(scalar) => (scalar, "timeout", Type::String),
            ast::Limit::Millis(scalar) => (scalar, "timeout_ms", Type::Integer),
        };
        let typed = self.scalar(scalar)?;
        let span = typed.expr.span;
        match (limit, typed.ty) {
            (ast::Limit::Duration(_), Type::String | Type::Any) | (ast::Limit::Millis(_), Type::Integer) => {
                Some(typed.expr)
            }
            (ast::Limit::Millis(_), Type::String | Type::Any) => {
                Some(ir::Expr { kind: ir::ExprKind::Apply(Function::ToInteger, vec![typed.expr]), span })
            }
            (ast::Limit::Duration(_), Type::Integer | Type::Float | Type::Boolean | Type::List | Type::Dict)
            | (ast::Limit::Millis(_), Type::Float | Type::Boolean | Type::List | Type::Dict) => {
                let message = format!("`{key}` must be {}, found {}", phrase(wanted), phrase(typed.ty));
                let help = "`timeout` takes a duration such as `30s`, `timeout_ms` a number of milliseconds";
                self.report(Diagnostic::new(Code::TypeMismatch, span, message).help(help));
                None
            }
        }
    }

    /// Another computed setting. Whether its value is in range shows when the step begins.
    pub fn setting(&mut self, computed: &ast::Computed) -> Option<(Setting, ir::Expr)> {
        let typed = self.typed(&computed.value)?;
        let (fits, wanted) = match computed.setting {
            Setting::Retries => (
                matches!(typed.ty, Type::Integer | Type::String | Type::Any),
                "a whole number, for instance `${tries}`",
            ),
            Setting::Backoff => (
                matches!(typed.ty, Type::Integer | Type::String | Type::List | Type::Any),
                "milliseconds or a list of them, for instance `[100, \"${pause}\"]`",
            ),
            Setting::Within => {
                (matches!(typed.ty, Type::String | Type::Any), "a duration with its unit, for instance `${seconds}s`")
            }
            Setting::OnFailure => {
                (matches!(typed.ty, Type::String | Type::Any), "`fail`, `skip` or `continue` as text")
            }
        };
        if !fits {
            let message = format!("`{}` cannot be {}", computed.key.node, phrase(typed.ty));
            let problem = Diagnostic::new(Code::TypeMismatch, computed.key.span, message);
            self.report(problem.help(format!("write {wanted}")));
            return None;
        }
        Some((computed.setting, typed.expr))
    }
}
