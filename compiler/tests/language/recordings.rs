//! Expressions in the texts of a recording, checked against each macro that replays it.

use macrocli_compiler::{Compilation, Target, compile};
use spec::op::Op;

use crate::support::{Files, codes, short};

const REPLAY: &str = "  - {id: replay, backend: gui_macro, action: replay, params: {macro_file: r.json}}\n";

fn recording(steps: &str) -> Files {
    Files::default().with("r.json", format!("{{\"version\": 1, \"steps\": [\n{steps}\n]}}"))
}

fn with(files: Files, text: &str) -> Compilation {
    compile("macro.yaml", text.as_bytes(), &files, Target::Any)
}

/// A macro with these parameters that replays the recording.
fn macro_with(parameters: &str) -> String {
    format!("name: m\nparameters: {{{parameters}}}\nsteps:\n{REPLAY}")
}

fn told(steps: &str, parameters: &str) -> String {
    short(&with(recording(steps), &macro_with(parameters)))
}

#[test]
fn a_recording_reads_the_parameters_of_its_macro() {
    let steps = r#"{"type": "type", "text": "Dear ${name}, $${name}"}, {"type": "wait_file", "path": "/tmp/${name}-${count}.txt"},
        {"type": "wait_window", "title_contains": "${name}"}"#;
    let compiled =
        with(recording(steps), &macro_with("name: {type: string, required: true}, count: {type: integer, default: 3}"));
    assert_eq!(short(&compiled), "");
    let artifact = compiled.artifact.unwrap();
    assert_eq!(artifact.streams[0].blanks, ["Dear ${name}, $${name}", "/tmp/${name}-${count}.txt", "${name}"]);
    assert!(artifact.code.iter().any(|op| matches!(op, Op::List { count } if count.0 == 3)));
    assert_eq!(artifact.manifest.reads, ["/tmp/${name}-${count}.txt", "r.json"]);
    assert_eq!(artifact.manifest.windows, ["${name}"]);
    assert!(artifact.manifest.types && !artifact.manifest.clicks && !artifact.manifest.captures);
}

#[test]
fn two_macros_give_one_recording_different_values() {
    let files = recording(r#"{"type": "type", "text": "${word}"}"#).with(
        "inner.yaml",
        format!(
            "name: inner\ncomposable: true\nparameters: {{word: {{type: string, required: true}}}}\nsteps:\n{REPLAY}"
        ),
    );
    let text =
        format!("{}  - {{macro: inner, with: {{word: two}}}}\n", macro_with("word: {type: string, default: one}"));
    let compiled = with(files, &text);
    assert_eq!(short(&compiled), "");
    assert_eq!(compiled.artifact.unwrap().streams.len(), 1);
}

#[test]
fn the_item_of_a_loop_and_outputs_of_steps_can_be_typed() {
    let files = recording(r#"{"type": "type", "text": "${index}: ${item} ${steps.find.executable}"}"#);
    let text = "name: m\nsteps:\n  - {id: find, action: find_executable, params: {name: sh}}\n  - {id: each, for_each: [a, b], backend: gui_macro, \
                action: replay, params: {macro_file: r.json}}\n";
    let compiled = with(files.clone(), text);
    assert_eq!(short(&compiled), "");
    // Without a loop there is no item.
    let compiled = with(files, &text.replace("for_each: [a, b], ", ""));
    assert_eq!(codes(&compiled), ["E0202", "E0202"], "{}", short(&compiled));
}

#[test]
fn mistakes_have_their_place_in_the_recording_and_the_step() {
    assert_eq!(
        told(r#"{"type": "type", "text": "\ttab \u00e9 ${nmae}"}"#, "name: string"),
        "r.json:2:42: error[E0202]: no parameter is called `nmae`\n  macro.yaml:4:75: replayed here\n  help: did you mean `name`? allowed: `name`, `steps` and `env`\n"
    );
    let list = told(r#"{"type": "type", "text": "a ${names}"}"#, "names: {type: list, required: true}");
    assert!(
        list.starts_with(
            "r.json:2:31: error[E0205]: a list cannot be part of a text\n  macro.yaml:4:75: replayed here\n"
        ),
        "{list}"
    );
    let alone = told(r#"{"type": "wait_file", "path": "${names}"}"#, "names: {type: list, required: true}");
    assert!(alone.starts_with("r.json:2:34: error[E0205]: `path` must be"), "{alone}");
    let absent = told(r#"{"type": "wait_window", "title_contains": "${env.HERE}"}"#, "");
    assert!(absent.starts_with("r.json:2:46: error"), "{absent}");
    let broken = told(r#"{"type": "type", "text": "${a b}"}"#, "");
    assert!(broken.starts_with("r.json:2:31: error[E0"), "{broken}");
}

#[test]
fn what_fills_a_recording_is_never_written_by_hand() {
    let text = macro_with("").replace("macro_file: r.json", "macro_file: r.json, texts: [a]");
    let compiled = with(recording(r#"{"type": "type", "text": "x"}"#), &text);
    assert!(short(&compiled).contains("`replay` has no parameter `texts`"), "{}", short(&compiled));
    assert!(!short(&compiled).contains("allowed: `macro_file`, `layout_strict`, `scale`, `speed` and `texts`"));
}

#[test]
fn the_file_of_a_recording_is_known_when_the_macro_is_built() {
    let text = macro_with("file: {type: string, required: true}").replace("r.json", "\"${file}\"");
    let compiled = with(Files::default(), &text);
    assert!(short(&compiled).contains("`macro_file` must be a plain text"), "{}", short(&compiled));
}
