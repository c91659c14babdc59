//! Capabilities and hints: what the second macro may touch that the first may not.

use serde_json::{Value, json};
use spec::artifact::{Artifact, Capability};
use spec::danger::DangerLevel;

use crate::danger;
use crate::diff::{Change, property};

/// Compares what two macros touch and what they say of their danger.
pub fn compare(before: &Artifact, after: &Artifact, changes: &mut Vec<Change>) {
    let (old, new) = (before.manifest.entries(), after.manifest.entries());
    for (capability, name) in old.iter().filter(|entry| !new.contains(entry)) {
        note(changes, *capability, (shown(name), Value::Null), false);
    }
    for (capability, name) in new.iter().filter(|entry| !old.contains(entry)) {
        let covered = old.iter().any(|(known, before)| known == capability && covers(before, name));
        note(changes, *capability, (Value::Null, shown(name)), !covered);
    }
    let (old, new) = (&before.manifest.backends, &after.manifest.backends);
    property(changes, ("capability", "backends", "list"), (json!(old), json!(new)), false);
    hints(before, after, changes);
}

fn note(changes: &mut Vec<Change>, capability: Capability, (from, to): (Value, Value), widened: bool) {
    property(changes, ("capability", capability.name(), ""), (from, to), widened);
}

/// A device has no name.
fn shown(name: &str) -> Value {
    if name.is_empty() { json!(true) } else { json!(name) }
}

/// Whether everything a template can become was possible with another one, in which `${…}` could have become anything.
fn covers(before: &str, after: &str) -> bool {
    let mut fixed = Vec::new();
    let mut rest = before;
    while let Some((text, behind)) = rest.split_once("${") {
        // `$${` is a literal `${`: such templates are compared as they are.
        let Some((_, after)) = behind.split_once('}').filter(|_| !text.ends_with('$')) else { return before == after };
        fixed.push(text);
        rest = after;
    }
    let Some((head, middle)) = fixed.split_first() else { return before == after };
    let Some(after) = after.strip_prefix(head).and_then(|after| after.strip_suffix(rest)) else { return false };
    let mut left = Some(after);
    for text in middle {
        left = left.and_then(|left| left.split_once(text)).map(|(_, behind)| behind);
    }
    // What climbs out of a folder is another place.
    left.is_some() && !after.split('/').any(|part| part == "..")
}

/// `agent_hints`, each by itself; more danger is wider.
fn hints(before: &Artifact, after: &Artifact, changes: &mut Vec<Change>) {
    let hints = |artifact: &Artifact| -> serde_json::Map<String, Value> {
        serde_json::from_str(&artifact.meta.agent_hints).unwrap_or_default()
    };
    let (old, new) = (hints(before), hints(after));
    let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
    for name in names {
        let get = |hints: &serde_json::Map<String, Value>| hints.get(name).cloned().unwrap_or(Value::Null);
        let (from, to) = (get(&old), get(&new));
        let widened = match name.as_str() {
            DangerLevel::KEY => danger::level(&to) > danger::level(&from),
            "reversible" => from == json!(true) && to != from,
            "side_effects" => {
                let listed = |value: &Value| value.as_array().cloned().unwrap_or_default();
                listed(&to).iter().any(|effect| !listed(&from).contains(effect))
            }
            _ => false,
        };
        property(changes, ("hint", name, "value"), (from, to), widened);
    }
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn a_template_covers_what_it_could_have_become() {
        for (before, after, wanted) in [
            ("${file}", "/tmp/x", true),
            ("${file}", "${other}", true),
            ("${dir}/a.txt", "/tmp/a.txt", true),
            ("${dir}/a.txt", "/tmp/b.txt", false),
            ("/tmp/${a}/${b}.png", "/tmp/x/y/z.png", true),
            ("/tmp/${a}", "/tmp/../etc/x", false),
            ("/tmp/${a}", "/etc/x", false),
            ("/tmp/x", "/tmp/${a}", false),
            ("a", "a", true),
            ("$${a}", "b", false),
            ("", "", true),
        ] {
            assert_eq!(covers(before, after), wanted, "{before} {after}");
        }
    }
}
