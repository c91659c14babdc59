//! Secrets: where their values flow, and whether they could be seen there.
//!
//! A secret may be typed, be given on standard input or in the environment of a program, and be a key of a server; the table says of each
//! parameter whether it takes one. Anywhere else it must be named by `expose` of the step or output. What is made of a secret is one,
//! too; what is only asked about it (a comparison, a `when`, a condition's verdict, `len(…)`) is none.

mod flow;

use std::collections::BTreeSet;
use std::fmt::Display;

use spec::action::{Action, Parameter, Presence};
use spec::kind::Shape;
use spec::operand::Setting;
use spec::span::Spanned;
use spec::value::Value;

use crate::assets::Purpose;
use crate::check::Checker;
use crate::check::constant::value;
use crate::check::secret::flow::{Flow, Taint};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::ir::{ActionCall, Body, Condition, ConditionKind, Exposed, Expr, ExprKind, Macro, Output, Step};

impl Checker<'_, '_> {
    /// The secrets an `expose` names.
    pub fn exposed(&mut self, names: &[Spanned<String>]) -> Vec<Exposed> {
        let mut found = Vec::with_capacity(names.len());
        for name in names {
            match self.scope.parameter(&name.node).and_then(|place| u16::try_from(place).ok()) {
                Some(parameter) => found.push(Exposed { parameter, span: name.span }),
                None => {
                    let known: Vec<&str> = self.scope.parameters.iter().map(|known| known.name.as_str()).collect();
                    let message = format!("no parameter is called `{}`", name.node);
                    let problem = Diagnostic::new(Code::UnknownVariable, name.span, message);
                    self.report(problem.help(suggest::help(&name.node, &known)));
                }
            }
        }
        found
    }

    /// Reports every secret of a macro that could be seen where nothing says that it may, and notes which outputs are made of which.
    pub fn secrets(&mut self, unit: &mut Macro) {
        let exposes = unit.steps.iter().chain(&unit.finally).any(|step| !step.expose.is_empty())
            || unit.results.iter().any(|result| !result.expose.is_empty());
        if !exposes && !unit.parameters.iter().any(|parameter| parameter.secret) {
            return;
        }
        let mut results = std::mem::take(&mut unit.results);
        let mut guard = Guard { checker: self, unit, flow: Flow::of(unit), allowed: Vec::new(), used: BTreeSet::new() };
        guard.body(&mut results);
        unit.results = results;
    }
}

/// One macro being looked at.
struct Guard<'c, 'a, 'b, 'u> {
    checker: &'c mut Checker<'a, 'b>,
    unit: &'u Macro,
    flow: Flow,
    /// What the step or output at hand exposes.
    allowed: Vec<Exposed>,
    /// What of it was needed.
    used: BTreeSet<u16>,
}

/// What to do instead of showing a secret.
#[derive(Clone, Copy)]
enum Instead<'a> {
    /// This, or saying that it may be seen.
    Either(&'a str),
    /// Nothing can be exposed here: a step's `verify` must do it.
    Verify,
}

/// For settings.
const ELSEWHERE: Instead<'static> = Instead::Either("compute it from something else");

impl Guard<'_, '_, '_, '_> {
    fn body(&mut self, results: &mut [Output]) {
        let unit = self.unit;
        if let Some(limit) = &unit.limit {
            self.sink(limit, &"`timeout` of the macro", ELSEWHERE);
        }
        unit.preconditions.iter().for_each(|condition| self.condition(condition, Instead::Verify));
        unit.steps.iter().for_each(|step| self.step(step));
        unit.postconditions.iter().for_each(|condition| self.condition(condition, Instead::Verify));
        for result in results {
            self.allowed.clone_from(&result.expose);
            let name = format!("the output `{}`", result.name);
            self.sink(&result.value, &name, Instead::Either("leave it out"));
            result.secrets = self.flow.taint(&result.value);
            self.settle("output");
        }
        unit.finally.iter().for_each(|step| self.step(step));
    }

    fn step(&mut self, step: &Step) {
        self.allowed.clone_from(&step.expose);
        // What a `when` tells of a secret is a yes or no.
        if let Some(each) = &step.each {
            self.flow.set(each.item, self.flow.taint(&each.list));
        }
        if let Some(limit) = &step.limit {
            self.sink(limit, &"`timeout`", ELSEWHERE);
        }
        for (setting, computed) in &step.computed {
            let name = match setting {
                Setting::Retries => "`max_retries`",
                Setting::Backoff => "`backoff_ms`",
                Setting::Within => "`within`",
                Setting::OnFailure => "`on_failure`",
            };
            self.sink(computed, &name, ELSEWHERE);
        }
        match &step.body {
            Body::Act { call, fallback, .. } => std::iter::once(call).chain(fallback).for_each(|call| self.call(call)),
            Body::Call { callee, arguments } => self.macro_call(step, *callee, arguments),
        }
        step.verify.iter().for_each(|condition| self.condition(condition, Instead::Either("look at something else")));
        self.settle("step");
    }

    fn call(&mut self, call: &ActionCall) {
        let Some(action) = call.route.first().copied() else { return };
        for (place, argument) in &call.arguments {
            let Some(parameter) = action.parameters().get(usize::from(*place)) else { continue };
            if parameter.presence == Presence::Filled {
                self.blanks(action, call, argument);
            } else if !parameter.confidential {
                self.sink(argument, &format_args!("`{}`", parameter.name), Instead::Either(&instead(action)));
            }
        }
    }

    /// What fills the blanks of a recording: only what is typed may be secret.
    fn blanks(&mut self, action: Action, call: &ActionCall, filled: &Expr) {
        let recording = action.parameters().iter().position(|one| one.shape == Shape::Recording);
        let key = recording.and_then(|place| call.given(action, place)).and_then(value);
        let (Some(Value::String(key)), ExprKind::List(parts)) = (key, &filled.kind) else { return };
        let blanks = self.checker.around.packer.assets.blanks(key);
        for (blank, part) in blanks.iter().zip(parts) {
            match blank.purpose {
                Purpose::Typed => {}
                Purpose::File | Purpose::Window => {
                    let name = format!("`{}` of the recording", blank.purpose.field());
                    self.sink(part, &name, Instead::Either("let the recording only type it"));
                }
            }
        }
    }

    /// A secret may go to a secret of the called macro; what comes back is a secret when it is made of one.
    fn macro_call(&mut self, step: &Step, callee: u32, arguments: &[(u16, Expr)]) {
        let known = self.checker.around.callees.values().find(|known| known.index == callee).copied();
        let Some(callee) = known.map(|known| known.unit) else { return };
        for (place, argument) in arguments {
            let Some(parameter) = callee.parameters.get(usize::from(*place)) else { continue };
            if !parameter.secret {
                let name = format_args!("`{}` of macro `{}`", parameter.name, callee.name);
                self.sink(argument, &name, Instead::Either("declare that parameter `secret: true`"));
            }
        }
        for (index, slot) in &step.outputs {
            let made_of = callee.results.get(usize::from(*index)).map(|result| &result.secrets);
            let given = |place: &u16| arguments.iter().find(|(given, _)| given == place);
            let taint: Taint = made_of
                .into_iter()
                .flatten()
                .filter_map(given)
                .flat_map(|(_, argument)| self.flow.taint(argument))
                .collect();
            self.flow.set(*slot, taint.clone());
            let lists = step.each.iter().flat_map(|each| &each.collect).filter(|(turn, _)| turn == slot);
            lists.for_each(|(_, list)| self.flow.set(*list, taint.clone()));
        }
    }

    fn condition(&mut self, condition: &Condition, instead: Instead<'_>) {
        match &condition.kind {
            ConditionKind::Test(test, arguments) => {
                for (operand, argument) in test.operands().iter().zip(arguments) {
                    self.sink(argument, &format_args!("`{}: {}`", test.name(), operand.name), instead);
                }
            }
            ConditionKind::Not(inner) => self.condition(inner, instead),
            ConditionKind::Any(parts) | ConditionKind::All(parts) => {
                parts.iter().for_each(|part| self.condition(part, instead));
            }
        }
    }

    /// A place where what is in it could be seen.
    fn sink(&mut self, value: &Expr, name: &dyn Display, instead: Instead<'_>) {
        for parameter in self.flow.taint(value) {
            if self.allowed.iter().any(|exposed| exposed.parameter == parameter) {
                self.used.insert(parameter);
                continue;
            }
            let Some(secret) = self.unit.parameters.get(usize::from(parameter)) else { continue };
            let secret = &secret.name;
            let message = format!("the secret `{secret}` could be seen in {name}");
            let help = match instead {
                Instead::Either(instead) => format!("{instead}, or write `expose: [{secret}]` there if it may be seen"),
                Instead::Verify => format!("look at it in the `verify` of a step that has `expose: [{secret}]`"),
            };
            let problem = Diagnostic::new(Code::SecretShown, self.flow.place(value, parameter), message);
            self.checker.report(problem.help(help));
        }
    }

    /// The end of a step or output: what it exposes and does not show is a mistake of its author.
    fn settle(&mut self, what: &str) {
        let used = std::mem::take(&mut self.used);
        for exposed in std::mem::take(&mut self.allowed) {
            let Some(parameter) = self.unit.parameters.get(usize::from(exposed.parameter)) else { continue };
            let why = match parameter.secret {
                false => "is no secret".to_owned(),
                true if !used.contains(&exposed.parameter) => format!("would not be seen in this {what}"),
                true => continue,
            };
            let message = format!("`expose` has no effect: `{}` {why}", parameter.name);
            self.checker.report(Diagnostic::new(Code::NoEffect, exposed.span, message).help("remove it"));
        }
    }
}

/// Parameters of an action that take a secret, as help.
fn instead(action: Action) -> String {
    let takes = |one: &&Parameter| one.confidential && one.presence != Presence::Filled;
    let able: Vec<String> = action.parameters().iter().filter(takes).map(|one| format!("`{}`", one.name)).collect();
    match able.as_slice() {
        [] => "leave it out".to_owned(),
        able => format!("give it by {}", able.join(" or ")),
    }
}
