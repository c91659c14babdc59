//! Parameters: what they are called, what they take.

use serde_json::{Value, json};
use spec::artifact::{Artifact, Macro, ParameterRecord, TypeTag};
use spec::operand::Const;
use spec::value::Type;
use vm::json_text::to_json;

use crate::diff::{Change, property};

/// Compares the parameters of two macros.
pub fn compare((before, old): (&Artifact, &Macro), (after, new): (&Artifact, &Macro), changes: &mut Vec<Change>) {
    let named = |unit: &Macro, name: &str| unit.parameters.iter().find(|record| record.name == name).cloned();
    let ty = |record: &ParameterRecord| json!(Type::from(record.ty).name());
    for record in &old.parameters {
        match named(new, &record.name) {
            Some(other) => one((before, record), (after, &other), changes),
            None => property(changes, ("parameter", &record.name, ""), (ty(record), Value::Null), false),
        }
    }
    for record in new.parameters.iter().filter(|record| named(old, &record.name).is_none()) {
        property(changes, ("parameter", &record.name, ""), (Value::Null, ty(record)), false);
    }
}

fn one(
    (before, old): (&Artifact, &ParameterRecord),
    (after, new): (&Artifact, &ParameterRecord),
    changes: &mut Vec<Change>,
) {
    let constant = |artifact: &Artifact, place: u32| {
        artifact.constants.value(Const(place)).map_or(Value::Null, |value| to_json(&value))
    };
    let optional =
        |artifact: &Artifact, place: Option<u32>| place.map_or(Value::Null, |place| constant(artifact, place));
    let choices = |artifact: &Artifact, record: &ParameterRecord| -> Vec<Value> {
        record.choices.iter().map(|place| constant(artifact, *place)).collect()
    };
    let mut note = |key: &'static str, from: Value, to: Value, widened: bool| {
        property(changes, ("parameter", &old.name, key), (from, to), widened);
    };
    let name = |tag: TypeTag| json!(Type::from(tag).name());
    note("type", name(old.ty), name(new.ty), takes_more(old.ty, new.ty));
    note("required", json!(old.required), json!(new.required), false);
    // What was hidden is shown.
    note("secret", json!(old.secret), json!(new.secret), old.secret);
    note("default", optional(before, old.default), optional(after, new.default), false);
    let (few, many) = (choices(before, old), choices(after, new));
    let more = !few.is_empty() && (many.is_empty() || many.iter().any(|choice| !few.contains(choice)));
    let shown = |choices: Vec<Value>| if choices.is_empty() { Value::Null } else { Value::Array(choices) };
    note("enum", shown(few), shown(many), more);
    let (from, to) = (optional(before, old.min), optional(after, new.min));
    let lower = !from.is_null() && (to.is_null() || to.as_f64() < from.as_f64());
    note("min", from, to, lower);
    let (from, to) = (optional(before, old.max), optional(after, new.max));
    let higher = !from.is_null() && (to.is_null() || to.as_f64() > from.as_f64());
    note("max", from, to, higher);
    note("description", json!(old.description), json!(new.description), false);
}

/// Whether there are values of the second type that are none of the first.
fn takes_more(old: TypeTag, new: TypeTag) -> bool {
    match (old, new) {
        (TypeTag::Float, TypeTag::Integer)
        | (TypeTag::String, TypeTag::Integer | TypeTag::Float | TypeTag::Boolean) => false,
        (old, new) => old != new,
    }
}
