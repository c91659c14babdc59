//! What differs between two compiled macros, and what the second may do or takes that the first does not. Places in files do not count.

mod capabilities;
mod parameters;
mod steps;

use serde_json::{Value, json};
use spec::artifact::{Artifact, Macro, ResultKind};

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What kind of thing differs: `macro`, `parameter`, `output`, `step`, `code`, `recording`, `image`, `capability`, `hint`.
    pub area: &'static str,
    /// Its name; empty for the macro itself.
    pub name: String,
    /// Which of its properties; empty when the whole thing is there only once.
    pub key: &'static str,
    /// What it was; null when it was not there.
    pub from: Value,
    /// What it is; null when it is no longer there.
    pub to: Value,
    /// Whether more is allowed or taken than before.
    pub widened: bool,
}

/// Everything that differs, in the order of an artifact's parts.
pub fn compare(before: &Artifact, after: &Artifact) -> Vec<Change> {
    let mut changes = Vec::new();
    whole(before, after, &mut changes);
    let (old, new) = (before.macros.last(), after.macros.last());
    if let (Some(old), Some(new)) = (old, new) {
        parameters::compare((before, old), (after, new), &mut changes);
        results(old, new, &mut changes);
    }
    steps::compare(before, after, &mut changes);
    let recordings = |artifact: &Artifact| {
        artifact.streams.iter().map(|stream| (stream.path.clone(), stream.clone())).collect::<Vec<_>>()
    };
    packed("recording", &recordings(before), &recordings(after), &mut changes);
    let images = |artifact: &Artifact| {
        artifact.images.iter().map(|image| (image.path.clone(), image.clone())).collect::<Vec<_>>()
    };
    packed("image", &images(before), &images(after), &mut changes);
    capabilities::compare(before, after, &mut changes);
    changes
}

/// Notes a property that differs.
fn property(
    changes: &mut Vec<Change>,
    (area, name, key): (&'static str, &str, &'static str),
    (from, to): (Value, Value),
    widened: bool,
) {
    if from != to {
        changes.push(Change { area, name: name.to_owned(), key, from, to, widened });
    }
}

fn whole(before: &Artifact, after: &Artifact, changes: &mut Vec<Change>) {
    let (old, new) = (&before.meta, &after.meta);
    let timeout = |artifact: &Artifact| {
        artifact.macros.last().and_then(|unit| unit.timeout_us).map_or(Value::Null, |us| json!(us / 1000))
    };
    for (key, from, to) in [
        ("name", json!(old.name), json!(new.name)),
        ("version", json!(old.version), json!(new.version)),
        ("description", json!(old.description), json!(new.description)),
        ("tags", json!(old.tags), json!(new.tags)),
        ("composable", json!(old.composable), json!(new.composable)),
        ("target", json!(old.target), json!(new.target)),
        ("timeout_ms", timeout(before), timeout(after)),
    ] {
        property(changes, ("macro", "", key), (from, to), false);
    }
}

fn results(old: &Macro, new: &Macro, changes: &mut Vec<Change>) {
    let kind = |kind: ResultKind| match kind {
        ResultKind::Path => "path",
        ResultKind::Value => "value",
    };
    let entries = |unit: &Macro| -> Vec<(String, Value)> {
        unit.results.iter().map(|record| (record.name.clone(), json!(kind(record.kind)))).collect()
    };
    listed("output", "kind", &entries(old), &entries(new), changes);
}

/// Things with a name and one property.
fn listed(
    area: &'static str,
    key: &'static str,
    old: &[(String, Value)],
    new: &[(String, Value)],
    changes: &mut Vec<Change>,
) {
    for (name, from) in old {
        let to = new.iter().find(|(other, _)| other == name).map(|(_, to)| to.clone());
        let key = if to.is_some() { key } else { "" };
        property(changes, (area, name, key), (from.clone(), to.unwrap_or(Value::Null)), false);
    }
    for (name, to) in new.iter().filter(|(name, _)| !old.iter().any(|(other, _)| other == name)) {
        property(changes, (area, name, ""), (Value::Null, to.clone()), false);
    }
}

/// Packed files by their paths; what is in them is not shown.
fn packed<T: PartialEq>(area: &'static str, old: &[(String, T)], new: &[(String, T)], changes: &mut Vec<Change>) {
    let before: Vec<(String, Value)> = old.iter().map(|(path, _)| (path.clone(), json!("before"))).collect();
    let after = new.iter().map(|(path, content)| {
        let same = old.iter().any(|(other, before)| other == path && before == content);
        (path.clone(), json!(if same { "before" } else { "after" }))
    });
    listed(area, "content", &before, &after.collect::<Vec<_>>(), changes);
}
