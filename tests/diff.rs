//! What differs between two macros, and what became wider.

use serde_json::{Value, json};

use crate::harness::Place;

const BEFORE: &str = r#"name: m
version: "1.0"
agent_hints: {danger_level: safe, side_effects: [creates_file]}
parameters:
  n: {type: integer, min: 1, max: 9, required: true}
  word: {enum: [a, b], default: a}
  key: {secret: true, required: true}
  to: {required: true}
outputs: [{name: o, value: "${n}"}]
steps:
  - {id: list, action: run_command, params: {command: [ls, "${word}"], stdin: "${key}"}}
  - {id: write, backend: file_transform, action: write_file, params: {output_file: "${to}", text: x}}
"#;

fn diff(before: &str, after: &str) -> Value {
    let place = Place::new().file("a.yaml", before).file("b.yaml", after);
    let told = place.call(&["diff", "a.yaml", "b.yaml", "--json"]).run();
    let document = told.json();
    assert_eq!(
        (document["schema"].as_str(), &document["exit_code"]),
        (Some("macrocli.diff/1"), &json!(told.status)),
        "{told:#?}"
    );
    assert_eq!(told.status == 0, document["same"] == true);
    // The gate opens for everything that is not wider.
    let gate = place.call(&["diff", "a.yaml", "b.yaml", "--widened"]).run();
    assert_eq!(gate.status == 1, document["widened"] == true, "{gate:#?}");
    document
}

/// The changes after replacing a text: area, name, key, and whether it is wider.
fn changed(from: &str, to: &str) -> Vec<(String, String, String, bool)> {
    assert!(BEFORE.contains(from), "{from}");
    let document = diff(BEFORE, &BEFORE.replace(from, to));
    let text = |change: &Value, key: &str| change[key].as_str().unwrap().to_owned();
    let changes = document["changes"].as_array().unwrap().iter();
    changes.map(|one| (text(one, "area"), text(one, "name"), text(one, "key"), one["widened"] == true)).collect()
}

fn one(from: &str, to: &str, area: &str, name: &str, key: &str, widened: bool) {
    let found = changed(from, to);
    let wanted = (area.to_owned(), name.to_owned(), key.to_owned(), widened);
    assert!(found.contains(&wanted), "{from} -> {to}: {found:?}");
    assert_eq!(found.iter().any(|change| change.3), widened, "{from} -> {to}: {found:?}");
}

#[test]
fn the_same_macro_does_not_differ_wherever_it_is_written() {
    let document = diff(BEFORE, &format!("# A remark.\n\n{}", BEFORE.replace("steps:", "\nsteps:")));
    assert_eq!(document["changes"], json!([]));
    let place = Place::new().file("m.yaml", BEFORE);
    place.call(&["build", "m.yaml", "-o", "out"]).status(0);
    place.call(&["diff", "out/m.mcb", "m.yaml"]).status(0).stdout("no difference\n");
}

#[test]
fn parameters_are_compared() {
    one("type: integer, min: 1", "type: float, min: 1.0", "parameter", "n", "type", true);
    one("min: 1", "min: 2", "parameter", "n", "min", false);
    one("min: 1", "min: 0", "parameter", "n", "min", true);
    one("max: 9, ", "", "parameter", "n", "max", true);
    one("max: 9", "max: 8", "parameter", "n", "max", false);
    one("enum: [a, b]", "enum: [a]", "parameter", "word", "enum", false);
    one("enum: [a, b]", "enum: [a, c]", "parameter", "word", "enum", true);
    one("enum: [a, b], ", "", "parameter", "word", "enum", true);
    one("default: a", "default: b", "parameter", "word", "default", false);
    one("to: {required: true}", "to: {default: x}", "parameter", "to", "required", false);
    one("key: {secret: true", "key: {secret: false", "parameter", "key", "secret", true);
}

#[test]
fn steps_and_code_are_compared() {
    one("action: run_command", "action: run_command, timeout: 5s", "step", "list", "timeout_ms", false);
    one("action: run_command", "action: run_command, on_failure: skip", "step", "list", "on_failure", false);
    one("[ls, ", "[ls, -l, ", "code", "list", "instructions", false);
    one("value: \"${n}\"", "value: \"${n + 1}\"", "code", "outside of steps", "instructions", false);
    one("version: \"1.0\"", "version: \"1.1\"", "macro", "", "version", false);
    one("name: o,", "name: p,", "output", "o", "", false);
    one("id: list", "id: show", "step", "show", "", false);
    let make = "action: make_dir, params: {path: \"${to}\"}";
    one("action: write_file, params: {output_file: \"${to}\", text: x}", make, "step", "write", "route", false);
}

#[test]
fn capabilities_and_danger_are_compared() {
    one("[ls, ", "[rm, ", "capability", "run", "", true);
    one("output_file: \"${to}\"", "output_file: /tmp/x", "capability", "write", "", false);
    one("output_file: \"${to}\"", "output_file: \"${word}\"", "capability", "write", "", false);
    one("danger_level: safe", "danger_level: moderate", "hint", "danger_level", "value", true);
    one("side_effects: [creates_file]", "side_effects: []", "hint", "side_effects", "value", false);
    one(
        "side_effects: [creates_file]",
        "side_effects: [creates_file, gui_interaction]",
        "hint",
        "side_effects",
        "value",
        true,
    );
    one(
        "steps:",
        "steps:\n  - {backend: semantic_ui, action: type_text, params: {text: x}}",
        "capability",
        "type",
        "",
        true,
    );
    let document = diff(&BEFORE.replace("\"${to}\"", "/tmp/x"), BEFORE);
    assert_eq!(document["widened"], true, "{document:#}");
}

#[test]
fn people_see_what_is_wider() {
    let place = Place::new()
        .file("a.yaml", BEFORE)
        .file("b.yaml", BEFORE.replace("[ls, ", "[rm, ").replace("max: 9", "max: 8"));
    let outcome = place.call(&["diff", "a.yaml", "b.yaml"]).status(1);
    outcome
        .says("       parameter `n` max: 9 -> 8\n")
        .says("wider  capability `run` added: rm\n")
        .says("       capability `run` removed: ls\n");
}

#[test]
fn what_cannot_be_compared_is_told() {
    let place = Place::new().file("a.yaml", BEFORE).file("bad.yaml", "name: bad\n");
    place.call(&["diff", "a.yaml", "bad.yaml", "--json"]).status(3);
    place.call(&["diff", "a.yaml", "no_such_macro", "--json"]).status(2);
    place.call(&["diff", "a.yaml"]).status(2);
}
