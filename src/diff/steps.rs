//! Steps: their routes, their settings and what they do.

use serde_json::{Value, json};
use spec::action::Action;
use spec::artifact::{Artifact, Part, StepKind, StepRecord};

use crate::diff::{Change, property};

/// A step with what names it: the id, with the called macro in front.
struct Step<'a> {
    name: String,
    record: &'a StepRecord,
}

/// Compares the steps of two macros and of all they call, then the code.
pub fn compare(before: &Artifact, after: &Artifact, changes: &mut Vec<Change>) {
    let (old, new) = (steps(before), steps(after));
    let named = |all: &[Step<'_>], name: &str| all.iter().position(|step| step.name == name);
    let does = |artifact: &Artifact, step: &Step<'_>| body(artifact, step.record);
    for step in &old {
        match named(&new, &step.name).and_then(|place| new.get(place)) {
            Some(other) => settings((before, step), (after, other), changes),
            None => property(changes, ("step", &step.name, ""), (does(before, step), Value::Null), false),
        }
    }
    for step in new.iter().filter(|step| named(&old, &step.name).is_none()) {
        property(changes, ("step", &step.name, ""), (Value::Null, does(after, step)), false);
    }
    let common = |all: &[Step<'_>]| -> Vec<String> { all.iter().map(|step| step.name.clone()).collect() };
    let (first, second) = (common(&old), common(&new));
    let order = |mine: &[String], other: &[String]| -> Vec<String> {
        mine.iter().filter(|name| other.contains(name)).cloned().collect()
    };
    property(
        changes,
        ("macro", "", "order of steps"),
        (json!(order(&first, &second)), json!(order(&second, &first))),
        false,
    );
    code(before, after, changes);
}

fn steps(artifact: &Artifact) -> Vec<Step<'_>> {
    let main = artifact.macros.len().saturating_sub(1);
    let named = |record| Step { name: name(artifact, main, record), record };
    artifact.steps.iter().map(named).collect()
}

fn name(artifact: &Artifact, main: usize, record: &StepRecord) -> String {
    match artifact.macros.get(record.owner as usize) {
        Some(owner) if record.owner as usize != main => format!("{}/{}", owner.name, record.id),
        Some(_) | None => record.id.clone(),
    }
}

fn settings((before, old): (&Artifact, &Step<'_>), (after, new): (&Artifact, &Step<'_>), changes: &mut Vec<Change>) {
    let (from, to) = (old.record, new.record);
    let millis = |us: u64| json!(us as f64 / 1000.0);
    let pauses = |record: &StepRecord| record.backoff_us.iter().copied().map(millis).collect::<Value>();
    for (key, from, to) in [
        ("route", body(before, from), body(after, to)),
        ("recovery", json!(from.recovery), json!(to.recovery)),
        ("timeout_ms", millis(from.timeout_us), millis(to.timeout_us)),
        ("retries", json!(from.retries), json!(to.retries)),
        ("backoff_ms", pauses(from), pauses(to)),
        ("on_failure", json!(from.on_failure.name()), json!(to.on_failure.name())),
        ("within_ms", millis(from.within_us), millis(to.within_us)),
    ] {
        property(changes, ("step", &old.name, key), (from, to), false);
    }
}

/// The actions of a step in the order in which they are tried, or the macro it calls.
fn body(artifact: &Artifact, record: &StepRecord) -> Value {
    let route = |route: u32| -> Vec<String> {
        let actions = artifact.routes.get(route as usize).map(|route| route.actions.as_slice()).unwrap_or_default();
        let name = |action: Action| format!("{}.{}", action.backend().name(), action.name());
        actions.iter().filter_map(|number| Action::by_number(*number)).map(name).collect()
    };
    match record.kind {
        StepKind::Act { route: first, fallback } => {
            let mut all = route(first);
            all.extend(fallback.into_iter().flat_map(route).map(|action| format!("else {action}")));
            json!(all)
        }
        StepKind::Call { callee } => {
            json!(artifact.macros.get(callee as usize).map(|unit| format!("macro {}", unit.name)))
        }
    }
}

/// Arguments, conditions, loops and results, as instructions that are there only once.
fn code(before: &Artifact, after: &Artifact, changes: &mut Vec<Change>) {
    let (old, new) = (before.outline(), after.outline());
    let main = |artifact: &Artifact| artifact.macros.last().map(|unit| unit.name.clone()).unwrap_or_default();
    let called = |artifact: &Artifact, part: &Part| (part.owner != main(artifact)).then(|| part.owner.clone());
    for part in &old {
        let owner = called(before, part);
        let same = |other: &&Part| other.step == part.step && called(after, other) == owner;
        let Some(other) = new.iter().find(same) else { continue };
        let (from, to) = between(&part.code, &other.code);
        let step = part.step.as_deref().unwrap_or("outside of steps");
        let name = owner.map_or_else(|| step.to_owned(), |owner| format!("{owner}/{step}"));
        property(changes, ("code", &name, "instructions"), (json!(from), json!(to)), false);
    }
}

/// Two lists without what they begin and end with alike.
fn between<'a>(left: &'a [String], right: &'a [String]) -> (&'a [String], &'a [String]) {
    let head = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    let (left, right) = (&left[head..], &right[head..]);
    let tail = left.iter().rev().zip(right.iter().rev()).take_while(|(left, right)| left == right).count();
    (&left[..left.len() - tail], &right[..right.len() - tail])
}
