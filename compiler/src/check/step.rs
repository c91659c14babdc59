//! Steps: what they do, when, how often, and what later steps can read of them.

use hashbrown::HashSet;
use spec::action::{Action, Backend};
use spec::artifact::OnFailure;
use spec::operand::Setting;
use spec::span::Spanned;
use spec::value::{Type, Value};

use crate::ast::{self, Body, Written};
use crate::check::constant;
use crate::check::scope::{OutputName, Presence, StepNames};
use crate::check::{Checker, Place};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::expr::ast::{BinaryOp, Expr, ExprKind};
use crate::ir;

/// The timeout of a step that has none, in microseconds.
pub const DEFAULT_TIMEOUT_US: u64 = 30_000_000;

impl Checker<'_, '_> {
    /// One step. `None` when it cannot be lowered; its names are known to later steps all the same.
    pub fn step(&mut self, step: &ast::Step) -> Option<ir::Step> {
        self.unique_id(step);
        let each = step.for_each.as_ref().map(|written| self.each(written));
        self.scope.each = each.as_ref().map(|each| match each {
            Some((_, names)) => *names,
            // What is wrong was reported; `item` and `index` are no further mistakes.
            None => self.scope.any_each(),
        });
        let when = step.when.as_ref().map(|when| self.when(when));
        self.assume(step);
        let limit = step.limit.as_ref().map(|limit| self.limit(limit));
        let computed: Vec<Option<(Setting, ir::Expr)>> =
            step.computed.iter().map(|computed| self.setting(computed)).collect();
        let must_run = step.when.is_none()
            && step.for_each.is_none()
            && step.on_failure == Some(OnFailure::Fail)
            && self.place == Place::Body;
        let (body, outputs) = self.body(step, must_run);
        self.lint_step(step, body.as_ref());
        let index = self.scope.enter(names(step, outputs, self.place));
        self.scope.own = Some(index);
        self.scope.assumed.insert(index);
        let verify = step.verify.as_ref().map(|verify| self.conditions(&verify.conditions)).unwrap_or_default();
        self.scope.own = None;
        self.scope.assumed.clear();
        self.scope.assumed_when = None;
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
        let limit = match limit {
            Some(limit) => Some(limit?),
            None => None,
        };
        self.lint_course(when.as_ref(), each.as_ref());
        let retry = step.retry.as_ref().map(|retry| retry.node.clone());
        Some(ir::Step {
            id: step.id.node.clone(),
            body: body?,
            when,
            each,
            timeout_us: step.timeout_us.unwrap_or(DEFAULT_TIMEOUT_US),
            limit,
            computed: computed.into_iter().collect::<Option<_>>()?,
            retries: retry.as_ref().map_or(0, |retry| retry.retries),
            backoff_us: retry.map(|retry| retry.backoff_us).unwrap_or_default(),
            on_failure: step.on_failure,
            verify,
            within_us: step.verify.as_ref().map_or(0, |verify| verify.within.node),
            expose: self.exposed(&step.expose),
            outputs: Vec::new(),
            success: None,
            span: step.span,
        })
    }

    fn unique_id(&mut self, step: &ast::Step) {
        if self.scope.step(&step.id.node).is_some() {
            let id = &step.id.node;
            let place = self.scope.places.get(id).copied();
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

    /// What a step does, and its outputs when they are known.
    fn body(&mut self, step: &ast::Step, must_run: bool) -> (Option<ir::Body>, Option<Vec<OutputName>>) {
        match &step.body {
            Body::Call { name, with } => self.macro_call(name, with),
            Body::Action(call) => {
                let Some(action) = self.action(call) else {
                    self.look_at(call.params.iter().map(|(_, written)| written));
                    return (None, None);
                };
                let checked = self.call(action, call, must_run);
                let body = checked.map(|call| ir::Body::Act { call, fallback: None, recovery: false });
                (body, Some(outputs(action, call)))
            }
            Body::Recovery(recovery) => {
                let (body, outputs) = self.recovery(recovery, must_run);
                if outputs.is_none() {
                    self.look_at(recovery.step.params.iter().map(|(_, written)| written));
                }
                (body, outputs)
            }
            Body::Broken(values) => {
                self.look_at(values.iter());
                (None, None)
            }
        }
    }

    /// Checks the names and types inside values whose place is not known.
    pub fn look_at<'w>(&mut self, values: impl Iterator<Item = &'w Written>) {
        for written in values {
            self.any(written);
        }
    }

    fn recovery(&mut self, recovery: &ast::Recovery, must_run: bool) -> (Option<ir::Body>, Option<Vec<OutputName>>) {
        let Some(action) = self.action(&recovery.step) else { return (None, None) };
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
                    return (None, Some(outputs(action, &recovery.step)));
                }
                if name.node == "recovery" {
                    let problem = Diagnostic::new(Code::NestedRecovery, name.span, "`recovery` cannot be a fallback");
                    self.report(problem);
                    return (None, Some(outputs(action, &recovery.step)));
                }
                match self.stand_in(name, action, &recovery.step.action.node) {
                    Some(fallback) => Some(fallback),
                    None => {
                        self.call(action, &recovery.step, false);
                        return (None, Some(outputs(action, &recovery.step)));
                    }
                }
            }
            None => None,
        };
        let primary = self.call(action, &recovery.step, must_run && fallback.is_none());
        let Some(fallback) = fallback else {
            let body = primary.map(|call| ir::Body::Act { call, fallback: None, recovery: true });
            return (body, Some(outputs(action, &recovery.step)));
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
        (body, Some(outputs))
    }

    /// The action of the same name another backend has.
    fn stand_in(&mut self, name: &Spanned<String>, action: Action, word: &str) -> Option<Action> {
        let backend = self.backend(name)?;
        let found = Action::by_name(backend, word);
        if found.is_none() {
            let message = format!("`{}` has no action `{word}`, so it cannot stand in", name.node);
            let able = Backend::ALL.iter().filter(|backend| **backend != action.backend());
            let able: Vec<&str> = able
                .filter(|backend| Action::by_name(**backend, word).is_some())
                .map(|backend| backend.name())
                .collect();
            let help = match able.as_slice() {
                [] => "no other backend has it: use the action `retry`".to_owned(),
                able => format!("{} has it", suggest::list(able)),
            };
            self.report(Diagnostic::new(Code::BadFallback, name.span, message).help(help));
        }
        found
    }

    /// Notes what is certain inside a step because of its `when`.
    fn assume(&mut self, step: &ast::Step) {
        let Some(when) = step.when.as_ref().and_then(|when| when.template.as_single_expr()) else { return };
        self.scope.assumed = self.successes(when);
        self.scope.assumed_when = Some(when.to_string());
    }

    /// The steps that have succeeded where an expression is true.
    pub fn successes(&self, expr: &Expr) -> HashSet<usize> {
        let mut found = HashSet::new();
        let mut conjuncts = vec![expr];
        while let Some(part) = conjuncts.pop() {
            if let ExprKind::Binary(BinaryOp::And, left, right) = &part.kind {
                conjuncts.extend([left.as_ref(), right.as_ref()]);
            } else if let Some(id) = succeeded(part) {
                found.extend(self.scope.step(id));
            }
        }
        found
    }
}

fn names(step: &ast::Step, outputs: Option<Vec<OutputName>>, place: Place) -> StepNames {
    // A loop leaves its lists however its turns end.
    let certain = step.for_each.is_some() || (step.when.is_none() && step.on_failure == Some(OnFailure::Fail));
    let when = step.when.as_ref().filter(|_| step.on_failure == Some(OnFailure::Fail));
    StepNames {
        id: step.id.node.clone(),
        broken: outputs.is_none(),
        outputs: outputs.unwrap_or_default(),
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
            // That it is no boolean is reported where it stands.
            Some(None) => Presence::Always,
            None => Presence::Maybe,
        },
        Written::List(..) | Written::Map(..) => Presence::Always,
    }
}

/// The step an expression says has succeeded: `steps.<id>.success`.
fn succeeded(expr: &Expr) -> Option<&str> {
    let ExprKind::Field(step, field) = &expr.kind else { return None };
    let ExprKind::Field(steps, id) = &step.kind else { return None };
    let is_steps = matches!(&steps.kind, ExprKind::Name(name) if name == "steps");
    (is_steps && field.text == "success").then_some(id.text.as_str())
}
