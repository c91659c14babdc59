//! Steps: what they do, when, how often, and what later steps can read of them.

use spec::action::{Action, Effect};
use spec::artifact::OnFailure;
use spec::value::{Type, Value};

use crate::ast::{self, Body, Written};
use crate::check::constant::{self, truth};
use crate::check::scope::{OutputName, Presence, StepNames};
use crate::check::{Checker, Place};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::ast::{BinaryOp, Expr, ExprKind};
use crate::ir;

/// The timeout of a step that has none, in microseconds.
const DEFAULT_TIMEOUT_US: u64 = 30_000_000;

impl Checker<'_, '_> {
    /// One step. `None` when it cannot be lowered; its names are known to later steps all the same.
    pub fn step(&mut self, step: &ast::Step) -> Option<ir::Step> {
        self.unique_id(step);
        let each = step.for_each.as_ref().map(|written| self.each(written));
        self.scope.each = each.as_ref().and_then(|each| each.as_ref().map(|(_, names)| *names));
        let when = step.when.as_ref().map(|when| self.when(when));
        self.scope.assumed = self.assumptions(step);
        let must_run = step.when.is_none()
            && step.for_each.is_none()
            && step.on_failure == OnFailure::Fail
            && self.place == Place::Body;
        let (body, outputs) = self.body(step, must_run);
        self.lint_retry(step, &body);
        let index = self.scope.steps.len();
        self.scope.steps.push(names(step, outputs, self.place));
        self.scope.own = Some(index);
        self.scope.assumed.insert(index);
        let verify = step.verify.as_ref().map(|verify| self.conditions(&verify.conditions)).unwrap_or_default();
        self.scope.own = None;
        self.scope.assumed.clear();
        self.scope.each = None;
        let each = match each {
            Some(Some((each, _))) => Some(each),
            Some(None) => return None,
            None => None,
        };
        let when = match when {
            Some(when) => Some(when?),
            None => None,
        };
        self.lint_when(when.as_ref(), each.as_ref());
        let retry = step.retry.as_ref().map(|retry| retry.node.clone());
        Some(ir::Step {
            id: step.id.node.clone(),
            body: body?,
            when,
            each,
            timeout_us: step.timeout_us.unwrap_or(DEFAULT_TIMEOUT_US),
            retries: retry.as_ref().map_or(0, |retry| retry.retries),
            backoff_us: retry.map(|retry| retry.backoff_us).unwrap_or_default(),
            on_failure: step.on_failure,
            verify,
            within_us: step.verify.as_ref().map_or(0, |verify| verify.within_us),
            outputs: Vec::new(),
            success: None,
            span: step.span,
        })
    }

    fn unique_id(&mut self, step: &ast::Step) {
        if let Some(first) = self.scope.step(&step.id.node) {
            let id = &step.id.node;
            // The list is in the order of the file, so the first of that name is the first one written.
            let place = self
                .scope
                .all_ids
                .iter()
                .find(|(known, _)| *known == self.scope.steps[first].id)
                .map(|(_, span)| *span);
            let problem = Diagnostic::new(Code::DuplicateName, step.id.span, format!("two steps have the id `{id}`"));
            let problem = match place {
                Some(place) => problem.label(place, "the first one"),
                None => problem,
            };
            self.report(problem);
        }
    }

    /// A `when`: one expression that is a boolean, or the word `true` or `false`.
    fn when(&mut self, scalar: &ast::Scalar) -> Option<ir::Expr> {
        let typed = self.scalar(scalar)?;
        let as_word = match constant::value(&typed.expr) {
            Some(Value::String(text)) => spec::kind::boolean_word(text),
            Some(_) | None => None,
        };
        if let Some(word) = as_word {
            return Some(crate::check::expr::constant(Value::Boolean(word), scalar.span));
        }
        match typed.ty {
            Type::Boolean | Type::Any => Some(typed.expr),
            Type::String | Type::Integer | Type::Float | Type::List | Type::Dict => {
                let message = format!("`when` must be a boolean, found {}", crate::check::types::phrase(typed.ty));
                let help = "write one expression, for instance `when: ${mode == 'best'}`";
                self.report(Diagnostic::new(Code::TypeMismatch, typed.expr.span, message).help(help));
                None
            }
        }
    }

    fn body(&mut self, step: &ast::Step, must_run: bool) -> (Option<ir::Body>, Vec<OutputName>) {
        match &step.body {
            Body::Call { name, with } => self.macro_call(name, with),
            Body::Action(call) => {
                let Some(action) = self.action(call) else { return (None, Vec::new()) };
                let checked = self.call(action, call, must_run);
                let body = checked.map(|call| ir::Body::Act { call, fallback: None, recovery: false });
                (body, outputs(action, call))
            }
            Body::Recovery(recovery) => self.recovery(recovery, must_run),
        }
    }

    fn recovery(&mut self, recovery: &ast::Recovery, must_run: bool) -> (Option<ir::Body>, Vec<OutputName>) {
        let Some(action) = self.action(&recovery.step) else { return (None, Vec::new()) };
        let fallback = match &recovery.fallback {
            Some(name) => {
                if name.node == recovery.step.backend.node {
                    let problem = Diagnostic::new(
                        Code::BadFallback,
                        name.span,
                        format!("`{}` cannot be its own fallback", name.node),
                    );
                    let problem = problem.label(recovery.step.backend.span, "the primary backend");
                    self.report(problem);
                    return (None, outputs(action, &recovery.step));
                }
                if name.node == "recovery" {
                    let problem = Diagnostic::new(Code::NestedRecovery, name.span, "`recovery` cannot be a fallback");
                    self.report(problem);
                    return (None, outputs(action, &recovery.step));
                }
                match self.backend(name).and_then(|backend| self.action_of(backend, &recovery.step.action)) {
                    Some(fallback) => Some(fallback),
                    None => return (None, outputs(action, &recovery.step)),
                }
            }
            None => None,
        };
        let primary = self.call(action, &recovery.step, must_run && fallback.is_none());
        let Some(fallback) = fallback else {
            let body = primary.map(|call| ir::Body::Act { call, fallback: None, recovery: true });
            return (body, outputs(action, &recovery.step));
        };
        // The fallback is asked for by name: it alone does the second part.
        let second =
            self.call(fallback, &recovery.step, false).map(|call| ir::ActionCall { route: vec![fallback], ..call });
        let primary = primary.map(|call| ir::ActionCall { route: vec![action], ..call });
        let body = match (primary, second) {
            (Some(call), Some(second)) => Some(ir::Body::Act { call, fallback: Some(second), recovery: true }),
            _ => None,
        };
        // Only what both leave behind is there whichever did it.
        let mut outputs = outputs(action, &recovery.step);
        for output in &mut outputs {
            if fallback.output(&output.name).is_none() && output.presence == Presence::Always {
                output.presence = Presence::Maybe;
            }
        }
        (body, outputs)
    }

    /// Steps whose success is certain inside this one, because of its `when`.
    fn assumptions(&self, step: &ast::Step) -> std::collections::HashSet<usize> {
        let Some(when) = step.when.as_ref().and_then(|when| when.template.as_single_expr()) else {
            return Default::default();
        };
        let printed = when.to_string();
        let mut assumed = std::collections::HashSet::new();
        let mut conjuncts = vec![when];
        while let Some(part) = conjuncts.pop() {
            if let ExprKind::Binary(BinaryOp::And, left, right) = &part.kind {
                conjuncts.extend([left.as_ref(), right.as_ref()]);
            } else if let Some(id) = succeeded(part) {
                assumed.extend(self.scope.step(id));
            }
        }
        let same = |known: &StepNames| {
            known.when.as_ref() == Some(&printed) && known.finally == (self.place == Place::Finally)
        };
        assumed.extend(self.scope.steps.iter().enumerate().filter(|(_, known)| same(known)).map(|(index, _)| index));
        assumed
    }

    fn lint_retry(&mut self, step: &ast::Step, body: &Option<ir::Body>) {
        let Some(retry) = step.retry.as_ref().filter(|retry| retry.node.retries > 0 && step.verify.is_none()) else {
            return;
        };
        let Some(ir::Body::Act { call, .. }) = body else { return };
        let Some(action) = call.route.first().filter(|action| action.effect() == Effect::Acts) else { return };
        let message = format!("`{}` may have had its effect before it failed, and is done again", action.name());
        let problem = Diagnostic::new(Code::UnsafeRetry, retry.span, message);
        self.report(
            problem
                .help("add `verify:` with what must be true after the step, or retry only steps that may be repeated"),
        );
    }

    fn lint_when(&mut self, when: Option<&ir::Expr>, each: Option<&ir::Each>) {
        if let Some(when) = when
            && let Some(truth) = truth(when)
        {
            let (code, message) = match truth {
                true => (Code::ConstantCondition, "`when` is always true"),
                false => (Code::UnreachableStep, "`when` is always false: the step never runs"),
            };
            self.report(Diagnostic::new(code, when.span, message));
        }
        if let Some(each) = each
            && let Some(Value::List(items)) = constant::value(&each.list)
            && items.is_empty()
        {
            self.report(Diagnostic::new(
                Code::UnreachableStep,
                each.list.span,
                "`for_each` over an empty list: the step never runs",
            ));
        }
    }
}

fn names(step: &ast::Step, outputs: Vec<OutputName>, place: Place) -> StepNames {
    let certain = step.when.is_none() && step.on_failure == OnFailure::Fail;
    let when = step.when.as_ref().filter(|_| step.on_failure == OnFailure::Fail);
    StepNames {
        id: step.id.node.clone(),
        outputs,
        certain,
        loops: step.for_each.is_some(),
        finally: place == Place::Finally,
        when: when.and_then(|when| when.template.as_single_expr()).map(ToString::to_string),
        success: None,
    }
}

/// The outputs of an action; whether `stdout` is there depends on `capture_stdout`.
fn outputs(action: Action, call: &ast::ActionCall) -> Vec<OutputName> {
    let named = |output: &spec::action::Output| OutputName {
        name: output.name.to_owned(),
        ty: output.ty,
        presence: match (action, output.name) {
            (Action::RunCommand, "stdout") => captured(call),
            _ if output.maybe => Presence::Maybe,
            _ => Presence::Always,
        },
        slot: None,
        list: None,
    };
    action.outputs().iter().map(named).collect()
}

fn captured(call: &ast::ActionCall) -> Presence {
    let never = || Presence::Never("add `capture_stdout: true` to its `params`".to_owned());
    let Some((_, written)) = call.params.iter().find(|(name, _)| name.node == "capture_stdout") else { return never() };
    match written {
        Written::Scalar(scalar) => match scalar.template.as_text().map(spec::kind::boolean_word) {
            Some(Some(true)) => Presence::Always,
            Some(Some(false)) => never(),
            Some(None) | None => Presence::Maybe,
        },
        Written::List(..) | Written::Map(..) => Presence::Maybe,
    }
}

/// The step an expression says has succeeded: `steps.<id>.success`.
fn succeeded(expr: &Expr) -> Option<&str> {
    let ExprKind::Field(step, field) = &expr.kind else { return None };
    let ExprKind::Field(steps, id) = &step.kind else { return None };
    let is_steps = matches!(&steps.kind, ExprKind::Name(name) if name == "steps");
    (is_steps && field.text == "success").then_some(id.text.as_str())
}
