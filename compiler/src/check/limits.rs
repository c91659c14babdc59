//! What a loader takes: a macro that is larger is refused here, so that no artifact is written that cannot be read.

use spec::artifact::{Artifact, OP_LIMIT};
use spec::span::Span;

use crate::check::Checker;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Condition, ConditionKind, Expr, ExprKind, Macro};

/// The most parameters a macro may declare.
pub const MAX_PARAMETERS: usize = 256;
/// The most parameters of a macro that is called: a call names the given ones by the bits of one word.
pub const MAX_CALL_PARAMETERS: usize = 64;
/// The most values that may wait on the stack while one expression is computed.
const MAX_STACK: usize = 4_000;
/// The most variables of a macro.
const MAX_SLOTS: usize = u16::MAX as usize;
/// Variables a loop needs beside `item` and `index`.
const SLOTS_OF_A_LOOP: usize = 2;
/// The most steps of an artifact.
const MAX_STEPS: usize = 50_000;
/// The most constants, and the most places, of an artifact.
const MAX_ENTRIES: usize = 250_000;

impl Checker<'_, '_> {
    /// Reports what is too large in a macro.
    pub fn limits(&mut self, unit: &Macro) {
        let declared = unit.parameters.len();
        if declared > MAX_PARAMETERS {
            self.exceeded(unit.span, format!("a macro has at most {MAX_PARAMETERS} parameters, found {declared}"));
        }
        let steps = || unit.steps.iter().chain(&unit.finally);
        let slots = self.scope.slots_taken() + SLOTS_OF_A_LOOP * steps().filter(|step| step.each.is_some()).count();
        if slots > MAX_SLOTS {
            let message = format!("a macro has at most {MAX_SLOTS} variables; these steps need {slots}");
            self.exceeded(unit.span, message);
        }
        let conditions = steps().flat_map(|step| &step.verify);
        for condition in unit.preconditions.iter().chain(&unit.postconditions).chain(conditions) {
            self.condition_fits(condition);
        }
        for step in steps() {
            for expr in step.settings() {
                self.fits(std::slice::from_ref(expr).iter(), expr.span);
            }
            for arguments in step.body.arguments() {
                self.fits(arguments.iter().map(|(_, value)| value), step.span);
            }
        }
        for result in &unit.results {
            self.fits(std::iter::once(&result.value), result.value.span);
        }
    }

    fn condition_fits(&mut self, condition: &Condition) {
        match &condition.kind {
            ConditionKind::Test(_, arguments) => self.fits(arguments.iter(), condition.span),
            ConditionKind::Not(inner) => self.condition_fits(inner),
            ConditionKind::Any(parts) | ConditionKind::All(parts) => {
                parts.iter().for_each(|part| self.condition_fits(part));
            }
        }
    }

    fn fits<'e>(&mut self, together: impl Iterator<Item = &'e Expr>, span: Span) {
        if row(together) > MAX_STACK {
            let message = format!("a list, mapping or text with expressions in it has at most {MAX_STACK} parts");
            self.exceeded(span, message);
        }
    }

    fn exceeded(&mut self, span: Span, message: String) {
        let start = Span { end: span.start, ..span };
        self.report(
            Diagnostic::new(Code::LimitExceeded, start, message).help("split the macro, or read data from a file"),
        );
    }
}

/// What is too large in an artifact, in words.
pub fn oversize(artifact: &Artifact) -> Option<String> {
    let counts = [
        ("instructions", artifact.code.len(), OP_LIMIT),
        ("steps", artifact.steps.len(), MAX_STEPS),
        ("constants", artifact.constants.list.len(), MAX_ENTRIES),
        ("places", artifact.debug.places.len(), MAX_ENTRIES),
    ];
    let over = counts.into_iter().find(|(_, found, most)| found > most);
    over.map(|(what, found, most)| {
        format!("the macro and those it calls make {found} {what}, at most {most} are allowed")
    })
}

/// How many values wait at most while expressions are computed one after the other and all kept.
fn row<'e>(together: impl Iterator<Item = &'e Expr>) -> usize {
    together.enumerate().map(|(kept, expr)| kept + need(expr)).max().unwrap_or(0)
}

/// How many values wait at most while an expression is computed.
fn need(expr: &Expr) -> usize {
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::Slot(_) | ExprKind::MaybeSlot(_) | ExprKind::Env(_) => 1,
        ExprKind::Concat(parts) | ExprKind::List(parts) | ExprKind::Apply(_, parts) => row(parts.iter()).max(1),
        ExprKind::Dict(entries) => {
            let kept = entries.iter().enumerate().map(|(before, (_, value))| 2 * before + 1 + need(value));
            kept.max().unwrap_or(1)
        }
        ExprKind::Field(value, _) | ExprKind::Unary(_, value) => need(value),
        ExprKind::Index(left, right) | ExprKind::Binary(_, left, right) => need(left).max(1 + need(right)),
        ExprKind::And(left, right) | ExprKind::Or(left, right) | ExprKind::OrElse(left, right) => {
            need(left).max(need(right))
        }
    }
}
