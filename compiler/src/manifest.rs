//! The capability manifest: what running a macro touches, read off its IR and its recordings.

use std::collections::BTreeSet;

use spec::action::{Action, Parameter, Presence};
use spec::artifact::{Event, EventKind, Manifest};
use spec::device;
use spec::kind::{self, Access, Shape};
use spec::operand::Slot;
use spec::value::Value;
use spec::variable;

use crate::assets::Assets;
use crate::ir::{ActionCall, Body, Condition, ConditionKind, Expr, ExprKind, Linked, Macro, Step};

/// The capabilities of a macro and all it calls, with the recordings they replay.
pub fn infer(linked: &Linked, assets: &Assets) -> Manifest {
    let mut found = Found::new(assets);
    for (place, unit) in linked.macros.iter().enumerate() {
        found.unit(unit, place + 1 < linked.macros.len());
    }
    Manifest {
        backends: sorted(found.backends),
        programs: sorted(found.programs),
        reads: sorted(found.reads),
        writes: sorted(found.writes),
        environment: sorted(found.environment),
        windows: sorted(found.windows),
        hosts: sorted(found.hosts),
        types: found.types,
        clicks: found.clicks,
        captures: found.captures,
        model: found.model,
    }
}

fn sorted(names: BTreeSet<String>) -> Vec<String> {
    names.into_iter().collect()
}

struct Found<'a> {
    assets: &'a Assets,
    backends: BTreeSet<String>,
    programs: BTreeSet<String>,
    reads: BTreeSet<String>,
    writes: BTreeSet<String>,
    environment: BTreeSet<String>,
    windows: BTreeSet<String>,
    hosts: BTreeSet<String>,
    types: bool,
    clicks: bool,
    captures: bool,
    model: bool,
}

impl<'a> Found<'a> {
    fn new(assets: &'a Assets) -> Self {
        Self {
            assets,
            backends: BTreeSet::new(),
            programs: BTreeSet::new(),
            reads: BTreeSet::new(),
            writes: BTreeSet::new(),
            environment: BTreeSet::new(),
            windows: BTreeSet::new(),
            hosts: BTreeSet::new(),
            types: false,
            clicks: false,
            captures: false,
            model: false,
        }
    }

    fn unit(&mut self, unit: &Macro, called: bool) {
        let names = Names { unit, called };
        if let Some(limit) = &unit.limit {
            self.expr(limit);
        }
        for condition in unit.preconditions.iter().chain(&unit.postconditions) {
            self.condition(condition, &names);
        }
        for step in unit.steps.iter().chain(&unit.finally) {
            self.step(step, &names);
        }
        for result in &unit.results {
            self.expr(&result.value);
        }
    }

    fn step(&mut self, step: &Step, names: &Names<'_>) {
        for expr in step.settings() {
            self.expr(expr);
        }
        for condition in &step.verify {
            self.condition(condition, names);
        }
        match &step.body {
            Body::Act { call, fallback, .. } => {
                self.call(call, names);
                if let Some(fallback) = fallback {
                    self.call(fallback, names);
                }
            }
            Body::Call { arguments, .. } => arguments.iter().for_each(|(_, value)| self.expr(value)),
        }
    }

    fn call(&mut self, call: &ActionCall, names: &Names<'_>) {
        for (_, value) in &call.arguments {
            self.expr(value);
        }
        self.backends.extend(call.route.iter().map(|action| action.backend().name().to_owned()));
        let Some(action) = call.route.first().copied() else { return };
        for (index, parameter) in action.parameters().iter().enumerate() {
            match (call.given(action, index), variable::stand_in(action, parameter.name)) {
                (Some(value), _) if parameter.shape == Shape::Variables => self.set(value),
                (Some(value), _) => self.access(parameter.access, value, names),
                (None, Some(variable)) => self.stand_in(parameter.access, variable),
                (None, None) => {}
            }
        }
        self.devices(action, call);
        self.recording(action, call, names);
    }

    /// What a recording does and waits for.
    fn recording(&mut self, action: Action, call: &ActionCall, names: &Names<'_>) {
        let argument = |wanted: &dyn Fn(&Parameter) -> bool| {
            let place = action.parameters().iter().position(wanted)?;
            call.given(action, place)
        };
        let Some(ExprKind::Const(Value::String(key))) =
            argument(&|one| one.shape == Shape::Recording).map(|it| &it.kind)
        else {
            return;
        };
        let Some(stream) = self.assets.stream(key) else { return };
        let filled = argument(&|one| one.presence == Presence::Filled).map_or(&[][..], items);
        let text = |event: &Event| {
            let index = (event.text as usize).checked_sub(1)?;
            match index.checked_sub(stream.texts.len()) {
                None => stream.texts.get(index).cloned(),
                Some(blank) => filled.get(blank).map(|expr| names.text(expr)),
            }
        };
        for event in &stream.events {
            match event.kind {
                EventKind::Move | EventKind::ButtonDown | EventKind::ButtonUp | EventKind::Scroll => self.clicks = true,
                EventKind::Chord | EventKind::KeyDown | EventKind::KeyUp | EventKind::Text => self.types = true,
                EventKind::WaitFile => self.reads.extend(text(event)),
                EventKind::WaitWindow => self.windows.extend(text(event)),
                EventKind::WaitImage => self.captures = true,
                EventKind::Sleep => {}
            }
        }
    }

    /// An environment variable that is read in place of a parameter, and what is done with the thing it names.
    fn stand_in(&mut self, access: Access, variable: &str) {
        self.environment.insert(variable.to_owned());
        if access == Access::Asks {
            self.hosts.insert(format!("${{env.{variable}}}"));
        }
    }

    /// The environment variables a command is given.
    fn set(&mut self, variables: &Expr) {
        let constant = if let ExprKind::Const(Value::Dict(entries)) = &variables.kind { Some(entries) } else { None };
        let computed = if let ExprKind::Dict(entries) = &variables.kind { &entries[..] } else { &[] };
        let names =
            constant.into_iter().flat_map(|entries| entries.keys()).chain(computed.iter().map(|(name, _)| name));
        self.environment.extend(names.map(|name| name.replace("${", "$${")));
    }

    /// What the table says is done with the thing a value names.
    fn access(&mut self, access: Access, value: &Expr, names: &Names<'_>) {
        // An empty title is the whole screen, which is no window.
        let text = Some(names.text(value)).filter(|text| !text.is_empty());
        match access {
            Access::None => {}
            Access::Reads => self.reads.extend(text),
            Access::Writes => self.writes.extend(text),
            Access::Runs => self.programs.extend(names.first(value)),
            Access::Finds => self.windows.extend(text),
            Access::Environment => self.environment.extend(text),
            Access::Asks => self.hosts.extend(text),
        }
    }

    /// Keyboard, pointer, screen and model.
    fn devices(&mut self, action: Action, call: &ActionCall) {
        let aimed = |shape: Shape| {
            let shapes = action.parameters().iter().enumerate().filter(|(_, parameter)| parameter.shape == shape);
            let empty = |value: &Expr| matches!(&value.kind, ExprKind::Const(Value::String(text)) if text.is_empty());
            shapes.into_iter().any(|(index, _)| call.given(action, index).is_some_and(|value| !empty(value)))
        };
        let used = device::of(action, &aimed);
        self.types |= used.types;
        self.clicks |= used.clicks;
        self.captures |= used.captures;
        self.model |= used.model;
        if used.every_window {
            self.windows.insert(device::EVERY_WINDOW.to_owned());
        }
    }

    fn condition(&mut self, condition: &Condition, names: &Names<'_>) {
        match &condition.kind {
            ConditionKind::Test(test, arguments) => {
                for (operand, argument) in test.operands().iter().zip(arguments) {
                    self.expr(argument);
                    self.access(operand.access, argument, names);
                }
            }
            ConditionKind::Not(inner) => self.condition(inner, names),
            ConditionKind::Any(parts) | ConditionKind::All(parts) => {
                parts.iter().for_each(|part| self.condition(part, names));
            }
        }
    }

    /// Environment variables can be read anywhere in an expression.
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Env(name) => {
                self.environment.insert(name.clone());
            }
            ExprKind::Const(_) | ExprKind::Slot(_) | ExprKind::MaybeSlot(_) => {}
            ExprKind::Concat(parts) | ExprKind::List(parts) | ExprKind::Apply(_, parts) => {
                parts.iter().for_each(|part| self.expr(part));
            }
            ExprKind::Dict(entries) => entries.iter().for_each(|(_, value)| self.expr(value)),
            ExprKind::Field(value, _) | ExprKind::Unary(_, value) => self.expr(value),
            ExprKind::Index(left, right)
            | ExprKind::Binary(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::OrElse(left, right) => {
                self.expr(left);
                self.expr(right);
            }
        }
    }
}

fn items(list: &Expr) -> &[Expr] {
    if let ExprKind::List(items) = &list.kind { items } else { &[] }
}

/// What is known only in a run.
const UNKNOWN: &str = "${…}";

/// A constant as part of a template.
fn literal(value: &Value) -> Option<String> {
    kind::text(value.clone()).ok().map(|text| text.replace("${", "$${"))
}

/// The names of a macro's parameters, for printing expressions.
struct Names<'a> {
    unit: &'a Macro,
    /// Whether another macro gives its parameters.
    called: bool,
}

impl Names<'_> {
    /// The expression as a template: constants as they are (a `${` in one as `$${`), parameters as `${name}`, those of called macros as
    /// `${macro.name}`, anything else as `${…}`.
    fn text(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Const(value) => literal(value).unwrap_or_else(|| UNKNOWN.to_owned()),
            ExprKind::Slot(slot) | ExprKind::MaybeSlot(slot) => self.slot(*slot),
            ExprKind::Env(name) => format!("${{env.{name}}}"),
            ExprKind::Concat(parts) => parts.iter().map(|part| self.text(part)).collect(),
            ExprKind::OrElse(value, _) => self.text(value),
            ExprKind::List(_)
            | ExprKind::Dict(_)
            | ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::Apply(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::And(..)
            | ExprKind::Or(..) => UNKNOWN.to_owned(),
        }
    }

    /// The first word of a command.
    fn first(&self, command: &Expr) -> Option<String> {
        match &command.kind {
            ExprKind::List(words) => words.first().map(|word| self.text(word)),
            ExprKind::Const(Value::List(words)) => words.first().and_then(literal),
            ExprKind::Const(_)
            | ExprKind::Slot(_)
            | ExprKind::MaybeSlot(_)
            | ExprKind::Env(_)
            | ExprKind::Concat(_)
            | ExprKind::Dict(_)
            | ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::Apply(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::OrElse(..) => Some(self.text(command)),
        }
    }

    fn slot(&self, slot: Slot) -> String {
        match self.unit.parameters.get(slot.index()) {
            Some(parameter) if !self.called => format!("${{{}}}", parameter.name),
            // `${env.NAME}` is a variable.
            Some(parameter) if self.unit.name != "env" => format!("${{{}.{}}}", self.unit.name, parameter.name),
            Some(_) | None => UNKNOWN.to_owned(),
        }
    }
}
