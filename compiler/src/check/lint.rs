//! Warnings about a macro as a whole.

use spec::action::{Action, Effect};
use spec::artifact::ResultKind;
use spec::condition::Condition as Test;
use spec::kind::Access;
use spec::value::Value;

use crate::ast::Definition;
use crate::check::Checker;
use crate::check::constant::value;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Body, Condition, ConditionKind, Expr, ExprKind, Macro, Step};

impl Checker<'_, '_> {
    /// Reports what is allowed but looks wrong.
    pub fn lint(&mut self, definition: &Definition, unit: &Macro) {
        self.unused_parameters(definition);
        let verified = unit.steps.iter().chain(&unit.finally).flat_map(|step| &step.verify);
        for condition in unit.preconditions.iter().chain(&unit.postconditions).chain(verified) {
            self.constant_condition(condition);
        }
        self.lint_results(definition, unit);
    }

    fn unused_parameters(&mut self, definition: &Definition) {
        let unused: Vec<_> = definition
            .parameters
            .iter()
            .zip(&self.scope.parameters)
            .filter(|(_, known)| !known.used)
            .map(|(declared, _)| declared.name.clone())
            .collect();
        for name in unused {
            let problem = Diagnostic::new(
                Code::UnusedParameter,
                name.span,
                format!("nothing reads the parameter `{}`", name.node),
            );
            self.report(problem.help(format!("use it as `${{{}}}`, or remove it", name.node)));
        }
    }

    /// A condition that always holds or never does. A bare `always: true` says so on purpose.
    fn constant_condition(&mut self, condition: &Condition) {
        let bare = matches!(condition.kind, ConditionKind::Test(..));
        let (message, help) = match constant_truth(condition) {
            Some(false) => {
                ("this condition never holds: what needs it always fails", "remove it, or write what must hold")
            }
            Some(true) if !bare => ("this condition always holds", "remove it, or write what must hold"),
            Some(true) | None => return,
        };
        self.report(Diagnostic::new(Code::ConstantCondition, condition.span, message).help(help));
    }

    /// A declared file that no step can have written: only where every step says exactly what it writes.
    fn lint_results(&mut self, definition: &Definition, unit: &Macro) {
        let steps: Vec<&Step> = unit.steps.iter().collect();
        if !steps.iter().all(|step| writes_are_known(step)) || unit.steps.len() != definition.steps.len() {
            return;
        }
        let mut written: Vec<&Expr> = steps.iter().flat_map(|step| written_files(step)).collect();
        written.extend(unit.preconditions.iter().chain(&unit.postconditions).filter_map(existing_file));
        for result in unit.results.iter().filter(|result| result.kind == ResultKind::Path) {
            if !written.iter().any(|file| same(file, &result.value)) {
                let message = format!("no step writes the file of the output `{}`", result.name);
                let problem = Diagnostic::new(Code::OutputNotProduced, result.value.span, message);
                self.report(problem.help("write the path as the step that makes the file writes it"));
            }
        }
    }
}

/// Whether a condition is decided already, and how.
fn constant_truth(condition: &Condition) -> Option<bool> {
    match &condition.kind {
        ConditionKind::Test(Test::Always, arguments) => arguments.first().and_then(value).and_then(truth_word),
        ConditionKind::Test(..) => None,
        ConditionKind::Not(inner) => constant_truth(inner).map(|truth| !truth),
        ConditionKind::Any(parts) => joined_truth(parts, true),
        ConditionKind::All(parts) => joined_truth(parts, false),
    }
}

/// One part that is `decisive` decides; without one, every part must be decided.
fn joined_truth(parts: &[Condition], decisive: bool) -> Option<bool> {
    let truths: Vec<Option<bool>> = parts.iter().map(constant_truth).collect();
    if truths.contains(&Some(decisive)) {
        return Some(decisive);
    }
    truths.iter().all(Option::is_some).then_some(!decisive)
}

fn truth_word(value: &Value) -> Option<bool> {
    match value {
        Value::Boolean(truth) => Some(*truth),
        Value::String(word) => spec::kind::boolean_word(word),
        Value::Null | Value::Integer(_) | Value::Float(_) | Value::Number(_) | Value::List(_) | Value::Dict(_) => None,
    }
}

fn writes_are_known(step: &Step) -> bool {
    match &step.body {
        Body::Act { call, .. } => {
            call.route.first().is_some_and(|action| action.effect() != Effect::Acts && !takes_any_path(*action))
        }
        Body::Call { .. } => false,
    }
}

/// Copies into a folder get a name the step does not write.
fn takes_any_path(action: Action) -> bool {
    action == Action::CopyFile
}

fn written_files(step: &Step) -> Vec<&Expr> {
    let Body::Act { call, .. } = &step.body else { return Vec::new() };
    let Some(action) = call.route.first().filter(|action| action.effect() == Effect::Writes) else { return Vec::new() };
    let parameters = action.parameters().iter().enumerate();
    parameters
        .filter(|(_, parameter)| parameter.access == Access::Writes)
        .filter_map(|(place, _)| call.given(*action, place))
        .collect()
}

/// The file a condition looks at: one that is there need not be written.
fn existing_file(condition: &Condition) -> Option<&Expr> {
    match &condition.kind {
        ConditionKind::Test(Test::FileExists | Test::FileSizeGt | Test::FileContains, arguments) => arguments.first(),
        ConditionKind::Test(..) | ConditionKind::Not(_) | ConditionKind::Any(_) | ConditionKind::All(_) => None,
    }
}

/// Whether two expressions are written alike: constants, slots and texts of them.
fn same(left: &Expr, right: &Expr) -> bool {
    match (&left.kind, &right.kind) {
        (ExprKind::Const(left), ExprKind::Const(right)) => left == right,
        (ExprKind::Slot(left), ExprKind::Slot(right)) => left == right,
        (ExprKind::Concat(left), ExprKind::Concat(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        // Computed paths cannot be told apart here.
        (
            ExprKind::Const(_) | ExprKind::Slot(_) | ExprKind::Concat(_),
            ExprKind::Const(_) | ExprKind::Slot(_) | ExprKind::Concat(_),
        ) => false,
        _ => true,
    }
}
