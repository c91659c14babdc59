//! One try of an action: by which backend, with which arguments, within which time, and what it left behind.

use std::time::Duration;

use spec::action::{Action, Arguments, Outputs, Parameter};
use spec::artifact::{Artifact, StepKind};
use spec::kind::{self, Kind, Shape};
use spec::operand::{Mask, Route};
use spec::value::{Dict, Value};
use spec::variable;

use crate::failure::{Failure, FailureKind};
use crate::machine::Machine;
use crate::machine::exec::{Flow, interrupted};
use crate::machine::frame::{Frame, corrupt};
use crate::machine::raised::Raised;
use crate::world::{Call, Warnings, perform};

impl Machine<'_> {
    /// Performs the first action of the route whose backend is available. Its failure is the try's: no other backend steps in.
    pub(in crate::machine) fn act(&mut self, frame: &mut Frame, route: Route, given: Mask) -> Result<Flow, Raised> {
        let asked = first_action(self.artifact, route.0).ok_or_else(corrupt)?;
        let arguments = self.given_values(frame, given, asked.parameters().len())?;
        let action = self.choose(route.0)?;
        let values = asked.translate(&arguments, action);
        let simulated = self.world.simulated();
        let open = frame.step()?;
        let backend = action.backend().name();
        open.backend = Some(backend);
        if let Some(trying) = &mut open.trying {
            trying.backend = backend;
        }
        if simulated {
            open.would = Some(by_name(action, &values));
        }
        self.ledger.routed(open.trial(), action);
        let outputs = self.perform(frame, action, values)?;
        self.keep(frame, action, outputs)?;
        Ok(Flow::On)
    }

    fn perform(&mut self, frame: &Frame, action: Action, values: Arguments) -> Result<Outputs, Failure> {
        let deadline = frame.deadline().ok_or_else(corrupt)?;
        let warnings = Warnings::default();
        let call = Call {
            remaining: Duration::from_micros(deadline.left_us(self.world.now_us())),
            interrupt: self.interrupt,
            streams: &self.artifact.streams,
            images: &self.artifact.images,
            warnings: &warnings,
            macro_name: &self.artifact.meta.name,
            step: frame.open.as_ref().map_or("", |open| open.id.as_str()),
        };
        let outcome = perform(self.world, action, values, &call);
        let id = frame.open.as_ref().map_or("", |open| open.id.as_str());
        for warning in warnings.into_list() {
            self.ledger.warn(&format!("step `{id}`: {warning}"));
        }
        let late = deadline.passed(self.world.now_us());
        match outcome {
            Ok(outputs) if late => {
                let failure = deadline.failure(Some("the action ended, but too late"));
                Err(Failure { partial: by_name_of(action, outputs), ..failure })
            }
            Ok(outputs) => Ok(outputs),
            Err(failure) => Err(self.judged(failure, late.then(|| deadline.failure(None)))),
        }
    }

    /// The failure of an action, seen from the step: its own deadline and a signal say more than what they cut off.
    fn judged(&self, failure: Failure, deadline: Option<Failure>) -> Failure {
        let cut_off = matches!(failure.kind, FailureKind::Step | FailureKind::Timeout);
        if let Some(signal) = self.interrupt.raised()
            && cut_off
        {
            return Failure { partial: failure.partial, ..interrupted(signal) };
        }
        match deadline {
            Some(verdict) if failure.kind == FailureKind::Timeout => {
                let known = failure.message.is_empty() || failure.message.starts_with("timed out after");
                let message = if known { verdict.message } else { format!("{}: {}", verdict.message, failure.message) };
                Failure { message, ..failure }
            }
            Some(_) | None => failure,
        }
    }

    /// Keeps what an action left behind, under the names the step's own action has for it.
    fn keep(&mut self, frame: &mut Frame, action: Action, outputs: Outputs) -> Result<(), Failure> {
        let open = frame.step()?;
        let StepKind::Act { route, .. } = self.record(open.step)?.kind else { return Err(corrupt()) };
        let named = first_action(self.artifact, route).ok_or_else(corrupt)?;
        for value in outputs.iter().flatten() {
            // Once for the slots, once for the report.
            self.budget.value(value)?;
            self.budget.value(value)?;
        }
        let own = outputs_for(named, action, &outputs);
        open.output = Dict::new();
        for (output, value) in named.outputs().iter().zip(&own) {
            if let Some(value) = value {
                open.output.insert(output.name.to_owned(), value.clone());
            }
        }
        for (name, value) in by_name_of(action, outputs) {
            open.output.entry(name).or_insert(value);
        }
        open.outputs = own;
        Ok(())
    }
}

/// The name of the backend a route begins with.
pub fn first_backend(artifact: &Artifact, route: u32) -> &'static str {
    first_action(artifact, route).map_or("", |action| action.backend().name())
}

/// The action a route begins with: the one the macro asks for.
pub fn first_action(artifact: &Artifact, route: u32) -> Option<Action> {
    let record = artifact.routes.get(route as usize)?;
    record.actions.first().copied().and_then(Action::by_number)
}

/// What `performed` left behind, by the outputs of `named`: by name, else in the same place; `method` says who did it.
fn outputs_for(named: Action, performed: Action, outputs: &Outputs) -> Outputs {
    if named == performed {
        return outputs.clone();
    }
    let rows = named.outputs().iter().enumerate();
    rows.map(|(place, row)| {
        if let Some((found, _)) = performed.output(row.name) {
            return outputs.get(found).cloned().flatten();
        }
        if row.name == "method" {
            return Some(Value::String(performed.backend().name().to_owned()));
        }
        let other = performed.outputs().get(place)?;
        let same = other.ty == row.ty && named.output(other.name).is_none();
        if same { outputs.get(place).cloned().flatten() } else { None }
    })
    .collect()
}

/// What an action would be given, without the keys of servers.
fn by_name(action: Action, values: &Arguments) -> Dict {
    let given = action.parameters().iter().zip(values);
    let shown = |parameter: &Parameter, value: Value| match variable::stand_in(action, parameter.name) {
        Some(variable::API_KEY) => Value::String("***".to_owned()),
        Some(_) | None => as_read(parameter.shape, value),
    };
    given.filter_map(|(parameter, value)| Some((parameter.name.to_owned(), shown(parameter, value.clone()?)))).collect()
}

/// An argument as its action would read it: a number where text is wanted is text. One that is wrong stays as it is.
fn as_read(shape: Shape, value: Value) -> Value {
    let kept = value.clone();
    let texts = |texts: Vec<String>| Value::List(texts.into_iter().map(Value::String).collect());
    let read = match shape {
        Shape::Text | Shape::Path | Shape::Choice(_) | Shape::Image | Shape::Recording => {
            kind::Text::read(value).map(Value::String)
        }
        Shape::Words => kind::Argv::read(value).map(texts),
        Shape::Texts => kind::Texts::read(value).map(texts),
        Shape::Boolean => kind::Bool::read(value).map(Value::Boolean),
        Shape::Integer => kind::Int::read(value).map(Value::Integer),
        Shape::Variables | Shape::Keys | Shape::Integers | Shape::Float | Shape::Any => return value,
    };
    read.unwrap_or(kept)
}

fn by_name_of(action: Action, outputs: Outputs) -> Vec<(String, Value)> {
    let left = action.outputs().iter().zip(outputs);
    left.filter_map(|(output, value)| Some((output.name.to_owned(), value?))).collect()
}

#[cfg(test)]
mod tests {
    use spec::action::Action;
    use spec::kind::Shape;
    use spec::value::Value;

    use crate::machine::attempt::{as_read, outputs_for};

    #[test]
    fn arguments_are_shown_as_they_are_read() {
        let text = |text: &str| Value::String(text.to_owned());
        let command = Value::List(vec![text("echo"), Value::Integer(3), Value::Boolean(true)]);
        let words = Value::List(vec![text("echo"), text("3"), text("true")]);
        assert_eq!(as_read(Shape::Words, command), words);
        assert_eq!(as_read(Shape::Words, text("ls")), Value::List(vec![text("ls")]));
        assert_eq!(as_read(Shape::Text, Value::Integer(7)), text("7"));
        assert_eq!(as_read(Shape::Integer, text("7")), Value::Integer(7));
        assert_eq!(as_read(Shape::Boolean, text("off")), Value::Boolean(false));
        assert_eq!(as_read(Shape::Integer, text("x")), text("x"));
        assert_eq!(as_read(Shape::Any, text("7")), text("7"));
    }

    #[test]
    fn an_equivalent_action_answers_under_the_asked_names() {
        let text = |text: &str| Some(Value::String(text.to_owned()));
        let pressed = outputs_for(Action::Shortcut, Action::Hotkey, &vec![text("ctrl+s")]);
        assert_eq!(pressed, [text("ctrl+s"), text("visual_anchor")]);
        let pressed = outputs_for(Action::Hotkey, Action::Shortcut, &vec![text("ctrl+s"), text("atspi")]);
        assert_eq!(pressed, [text("ctrl+s")]);
        let typed = outputs_for(Action::VisualTypeText, Action::UiTypeText, &vec![Some(Value::Integer(3)), text("x")]);
        assert_eq!(typed, [Some(Value::Integer(3))]);
    }
}
