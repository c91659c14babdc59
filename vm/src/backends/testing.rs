//! Help for tests: actions by name, conditions by name, and calls with time enough.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use spec::action::{Action, Backend};
use spec::condition::{Condition, Test};
use spec::value::{Dict, Value};

use crate::failure::Failure;
use crate::process::Interrupt;
use crate::world::{Call, Observation, Warnings, World, perform};

/// What an action left behind, by name; absent outputs are left out.
pub(crate) type Left = HashMap<&'static str, Value>;

/// Values for arguments.
pub(crate) trait IntoValue {
    fn into_value(self) -> Value;
}

impl IntoValue for Value {
    fn into_value(self) -> Value {
        self
    }
}

impl IntoValue for &str {
    fn into_value(self) -> Value {
        Value::String(self.to_owned())
    }
}

impl IntoValue for &Path {
    fn into_value(self) -> Value {
        Value::String(self.to_str().unwrap().to_owned())
    }
}

impl IntoValue for i64 {
    fn into_value(self) -> Value {
        Value::Integer(self)
    }
}

impl IntoValue for bool {
    fn into_value(self) -> Value {
        Value::Boolean(self)
    }
}

impl IntoValue for &[&str] {
    fn into_value(self) -> Value {
        Value::List(self.iter().map(|item| item.into_value()).collect())
    }
}

impl<const N: usize> IntoValue for [&str; N] {
    fn into_value(self) -> Value {
        self.as_slice().into_value()
    }
}

impl IntoValue for &[(&str, Value)] {
    fn into_value(self) -> Value {
        Value::Dict(self.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect::<Dict>())
    }
}

/// Arguments by name.
macro_rules! given {
    ($($name:literal: $value:expr),* $(,)?) => {
        &[$(($name, crate::backends::testing::IntoValue::into_value($value))),*]
    };
}
pub(crate) use given;

/// Performs `backend.action` with a minute to go.
pub(crate) fn act(world: &mut dyn World, name: &str, given: &[(&str, Value)]) -> Result<Left, Failure> {
    act_within(world, name, given, Duration::from_secs(60), &Interrupt::new().unwrap())
}

pub(crate) fn act_within(
    world: &mut dyn World,
    name: &str,
    given: &[(&str, Value)],
    remaining: Duration,
    interrupt: &Interrupt,
) -> Result<Left, Failure> {
    let (backend, action) = name.split_once('.').unwrap();
    let action = Action::by_name(Backend::by_name(backend).unwrap(), action).unwrap();
    let mut values = vec![None; action.parameters().len()];
    for (name, value) in given {
        values[action.parameter(name).unwrap().0] = Some(value.clone());
    }
    let warnings = Warnings::default();
    let call =
        Call { remaining, interrupt, streams: &[], images: &[], warnings: &warnings, macro_name: "m", step: "s" };
    let outputs = perform(world, action, values, &call)?;
    let named = action.outputs().iter().zip(outputs);
    Ok(named.filter_map(|(output, value)| value.map(|value| (output.name, value))).collect())
}

/// Looks whether a condition holds.
pub(crate) fn observe(world: &mut dyn World, name: &str, given: &[Value]) -> Result<Observation, Failure> {
    let test = Test::read(Condition::by_name(name).unwrap(), given.to_vec()).unwrap();
    let interrupt = Interrupt::new().unwrap();
    let warnings = Warnings::default();
    let call = Call {
        remaining: Duration::from_secs(60),
        interrupt: &interrupt,
        streams: &[],
        images: &[],
        warnings: &warnings,
        macro_name: "m",
        step: "s",
    };
    world.observe(&test, &call)
}

/// The text of an output.
pub(crate) fn text<'a>(left: &'a Left, name: &str) -> &'a str {
    match left.get(name) {
        Some(Value::String(text)) => text,
        other => panic!("`{name}` is {other:?}"),
    }
}

/// A partial output of a failure.
pub(crate) fn partial<'a>(failure: &'a Failure, name: &str) -> Option<&'a Value> {
    failure.partial.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}
