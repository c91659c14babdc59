//! The capability manifest: what running a macro touches, read off its IR.

use std::collections::BTreeSet;

use spec::action::Action;
use spec::artifact::Manifest;
use spec::condition::Condition as Test;
use spec::kind;
use spec::operand::Slot;
use spec::value::Value;

use crate::ir::{ActionCall, Body, Condition, ConditionKind, Expr, ExprKind, Linked, Macro, Step};

/// The capabilities of a macro and all it calls.
pub fn infer(linked: &Linked) -> Manifest {
    let mut found = Found::default();
    for unit in &linked.macros {
        found.unit(unit);
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

#[derive(Default)]
struct Found {
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

impl Found {
    fn unit(&mut self, unit: &Macro) {
        let names = Names { unit };
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
        let loops = step.each.as_ref().map(|each| &each.list);
        for expr in step.when.iter().chain(loops) {
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
        let given = |name: &str| {
            let place = action.parameter(name)?.0;
            call.arguments.iter().find(|(index, _)| usize::from(*index) == place).map(|(_, value)| value)
        };
        let text = |name: &str| given(name).map(|value| names.text(value));
        match action {
            Action::RunCommand | Action::StartProcess => {
                self.programs.extend(given("command").and_then(|command| names.first(command)));
                self.writes.extend(text("log_file"));
            }
            Action::FindExecutable => {}
            Action::Replay => {
                (self.types, self.clicks) = (true, true);
                self.reads.extend(text("macro_file"));
            }
            Action::ClickImage | Action::MoveTo | Action::Scroll | Action::Drag => {
                self.clicks = true;
                self.captures |= given("template").or(given("from_template")).or(given("to_template")).is_some();
            }
            Action::ClickRelative | Action::DragRelative => {
                self.clicks = true;
                self.windows.extend(text("window_title"));
            }
            Action::WaitImage | Action::WaitGone => self.captures = true,
            Action::VisualTypeText | Action::UiTypeText | Action::Hotkey | Action::Shortcut => self.types = true,
            Action::CaptureRegion => {
                self.captures = true;
                self.writes.extend(text("output"));
            }
            Action::JsonGet | Action::XmlGetAttr | Action::XmlGetText => self.reads.extend(text("input_file")),
            Action::JsonSet
            | Action::JsonDelete
            | Action::XmlSetAttr
            | Action::XmlSetText
            | Action::TextReplace
            | Action::RegexReplace => {
                self.reads.extend(text("input_file"));
                self.writes.extend(text("output_file").or(text("input_file")));
            }
            Action::CopyFile => {
                self.reads.extend(text("src"));
                self.writes.extend(text("dst"));
            }
            Action::WriteFile => self.writes.extend(text("output_file")),
            Action::MakeDir | Action::DeleteFile => self.writes.extend(text("path")),
            Action::Instruct | Action::InstructWithRefine => {
                (self.types, self.clicks, self.captures, self.model) = (true, true, true, true);
                self.windows.extend(text("window_title"));
                self.hosts.extend(text("base_url"));
            }
            Action::MenuClick
            | Action::ButtonClick
            | Action::SetText
            | Action::GetText
            | Action::WaitForControl
            | Action::Toggle
            | Action::Select => self.windows.extend(text("app_name")),
            Action::WaitForWindow | Action::FocusWindow | Action::CloseWindow | Action::MoveWindow => {
                self.windows.extend(text("title_contains"));
            }
            Action::GetControls => self.windows.extend(text("window_title")),
        }
    }

    fn condition(&mut self, condition: &Condition, names: &Names<'_>) {
        match &condition.kind {
            ConditionKind::Test(test, arguments) => {
                arguments.iter().for_each(|argument| self.expr(argument));
                let first = arguments.first().map(|argument| names.text(argument));
                match test {
                    Test::FileExists | Test::FileSizeGt | Test::FileAbsent | Test::FileContains => {
                        self.reads.extend(first);
                    }
                    Test::EnvVar => self.environment.extend(first),
                    Test::WindowExists => self.windows.extend(first),
                    Test::ProcessRunning | Test::Always => {}
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

/// The names of a macro's parameters, for printing expressions.
struct Names<'a> {
    unit: &'a Macro,
}

impl Names<'_> {
    /// The expression as a template: constants as they are, parameters as `${name}`, anything else as `${…}`.
    fn text(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Const(value) => kind::text(value.clone()).unwrap_or_else(|_| "${…}".to_owned()),
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
            | ExprKind::Or(..) => "${…}".to_owned(),
        }
    }

    /// The first word of a command.
    fn first(&self, command: &Expr) -> Option<String> {
        match &command.kind {
            ExprKind::List(words) => words.first().map(|word| self.text(word)),
            ExprKind::Const(Value::List(words)) => words.first().and_then(|word| kind::text(word.clone()).ok()),
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
            Some(parameter) => format!("${{{}}}", parameter.name),
            None => "${…}".to_owned(),
        }
    }
}
