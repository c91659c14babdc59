//! Secrets: refused where they could be seen, and masked in every spelling where they are let through.

use serde_json::json;

use crate::harness::{Outcome, Place};
use crate::witness::step;

const SECRET: &str = "hunter2! & Söhne";

/// Prints its input in other spellings.
const SPELL: &str = r#"printf '%s' "$0" | base64; printf 'x%s' "$0" | base64; printf 'xy%s-' "$0" | base64;
printf '%s' "$0" | tr a-z A-Z; printf '%s\n' 'hunter2%21%20%26%20S%C3%B6hne hunter2%21+%26+S%C3%B6hne hunter2! &amp; Söhne'"#;

fn hides(outcome: &Outcome) {
    let all = format!("{}{}", outcome.stdout, outcome.stderr).to_lowercase();
    assert!(!all.contains("hunter2") && !all.contains("ahvudgvymi"), "{outcome:#?}");
}

fn run(place: &Place, more: &[&str]) -> Outcome {
    let words: Vec<&str> = ["run", "m.yaml", "--secret", "p=env:PW"].iter().chain(more).copied().collect();
    place.call(&words).env("PW", SECRET).run()
}

#[test]
fn a_secret_in_an_argument_is_a_mistake_of_the_macro() {
    let place = Place::new().file(
        "m.yaml",
        "name: m\nparameters: {p: {secret: true, required: true}}\nsteps: [{action: run_command, params: {command: [login, \"--password=${p}\"]}}]\n",
    );
    let outcome = run(&place, &["--json"]);
    assert_eq!(outcome.status, 3, "{outcome:#?}");
    let told = outcome.json();
    assert_eq!(told["diagnostics"][0]["code"], "E0702");
    assert_eq!((&told["diagnostics"][0]["line"], &told["diagnostics"][0]["column"]), (&json!(3), &json!(71)));
    hides(&outcome);
    place.call(&["check", "m.yaml"]).status(3).tells("could be seen in `command`").tells("expose: [p]");
    place.call(&["explain", "E0702"]).status(0).says("expose");
    let told = place.call(&["explain", "W0701", "--json"]).status(0).json();
    assert_eq!(told["severity"], "warning");
}

#[test]
fn an_exposed_secret_arrives_and_is_masked_in_every_spelling() {
    let text = format!(
        "name: m\nparameters: {{p: {{secret: true, required: true}}}}\noutputs: [{{name: said, value: \"${{steps.spell.stdout}}\"}}]\nsteps:\n  \
         - {{id: keep, backend: file_transform, action: write_file, params: {{output_file: kept, text: \"${{p}}\"}}, expose: [p]}}\n  \
         - {{id: spell, action: run_command, params: {{capture_stdout: true, command: [sh, -c, {}, \"${{p}}\"]}}, expose: [p]}}\n  \
         - {{id: fails, action: run_command, on_failure: continue, params: {{command: [sh, -c, 'echo \"$0\" | base64 >&2; exit 1', \"${{p}}\"]}}, expose: [p]}}\n",
        json!(SPELL)
    );
    let place = Place::new().file("m.yaml", text);
    for more in [&["--json"][..], &[]] {
        let outcome = run(&place, more);
        assert_eq!(outcome.status, 0, "{outcome:#?}");
        hides(&outcome);
        assert_eq!(place.read("kept"), SECRET);
    }
    let told = run(&place, &["--json"]).json();
    let said = told["output"]["said"].as_str().unwrap();
    assert!(said.matches("***").count() >= 7, "{said}");
    hides(&run(&place, &["--json", "--dry-run"]));
}

#[test]
fn what_expressions_make_of_a_secret_is_masked() {
    let place = Place::new().file(
        "m.yaml",
        "name: m\nparameters: {p: {secret: true, required: true}}\nsteps:\n  \
         - {id: a, action: run_command, params: {capture_stdout: true, command: [cat], stdin: \"${replace(p, '2', '-two-')}\"}}\n  \
         - {id: b, action: run_command, for_each: \"${split(p, ' ')}\", params: {capture_stdout: true, command: [cat], stdin: \"${item}\"}}\n  \
         - {id: c, action: run_command, params: {capture_stdout: true, command: [echo, \"${len(p)}\", \"${p == 'x'}\"]}}\n",
    );
    let outcome = run(&place, &["--json"]);
    hides(&outcome);
    let told = outcome.json();
    assert_eq!(step(&told, "a")["output"]["stdout"], "***", "{told:#}");
    assert!(!outcome.stdout.contains("-two-") && !outcome.stdout.contains("Söhne"), "{outcome:#?}");
    // What is asked about a secret is none.
    assert_eq!(step(&told, "c")["output"]["stdout"], "16 false\n");
}

#[test]
fn a_number_that_is_secret_is_masked_with_what_is_computed_from_it() {
    let place = Place::new().file(
        "m.yaml",
        "name: m\nparameters: {p: {type: integer, secret: true, required: true}}\nsteps:\n  \
         - {id: a, action: run_command, params: {capture_stdout: true, command: [cat], stdin: \"${p} ${p + 1}\"}}\n",
    );
    let told = place.call(&["run", "m.yaml", "--json", "--secret", "p=env:PW"]).env("PW", "471100").status(0).json();
    assert_eq!(step(&told, "a")["output"]["stdout"], "*** ***");
}

#[test]
fn a_parameter_that_is_named_like_a_secret_is_masked_and_told() {
    let text = "name: m\nparameters: {password: {required: true}, n: {type: integer, default: 1}}\noutputs: [{name: o, value: \"it is ${password}\"}]\nsteps:\n  \
                - {id: fails, action: run_command, on_failure: continue, params: {command: ['false', \"${password}\", \"${n}\"]}}\n  \
                - {id: says, action: run_command, params: {capture_stdout: true, command: [echo, \"${password}\"]}}\n";
    let place = Place::new().file("m.yaml", text);
    place.call(&["check", "m.yaml"]).status(0).tells("W0701");
    place.call(&["build", "m.yaml"]).status(0).tells("W0701");
    place.call(&["check", "m.yaml", "--deny", "warnings"]).status(3);
    for more in [&["--json"][..], &[], &["--dry-run", "--json"], &["--dry-run"]] {
        for value in ["password=hunter2!", "password=hunter2! or else"] {
            let words: Vec<&str> = ["run", "m.yaml", "-p", value].iter().chain(more).copied().collect();
            let outcome = place.call(&words).status(0);
            assert!(!format!("{outcome:?}").contains("hunter2"), "{outcome:#?}");
        }
    }
    // Three characters are in too many words to be taken for a secret on the word of a name.
    let told = place.call(&["run", "m.yaml", "-p", "password=abc", "--json"]).status(0).json();
    assert_eq!(told["output"]["o"], "it is abc");
    // Whoever says that it may be seen hears nothing more of it.
    place.write("m.yaml", text.replace("password: {required: true}", "password: {required: true, secret: false}"));
    place.call(&["check", "m.yaml", "--deny", "warnings"]).status(0).tells("nothing to report");
}

#[test]
fn a_secret_goes_to_secrets_of_called_macros_only() {
    let inner = "name: inner\ncomposable: true\nparameters: {key: {secret: true, required: true}}\noutputs: [{name: o, value: \"<${upper(key)}>\", expose: [key]}]\n\
                 steps: [{id: s, action: run_command, params: {capture_stdout: true, command: [cat], stdin: \"${key}\"}}]\n";
    let outer = |declared: &str| {
        format!(
            "name: m\nparameters: {{p: {declared}}}\nsteps:\n  - {{id: c, macro: inner, with: {{key: \"${{p}}\"}}}}\n  - {{action: run_command, params: {{command: [cat], stdin: \"${{steps.c.o}}\"}}}}\n"
        )
    };
    let place = Place::new().file("inner.yaml", inner).file("m.yaml", outer("{secret: true, required: true}"));
    let outcome = run(&place, &["--json"]);
    assert_eq!(outcome.status, 0, "{outcome:#?}");
    hides(&outcome);
    assert_eq!(step(&outcome.json(), "c")["output"]["o"], "<***>");
    place
        .write("inner.yaml", inner.replace("key: {secret: true", "key: {secret: false").replace(", expose: [key]", ""));
    let outcome = run(&place, &["--json"]);
    assert_eq!(outcome.status, 3, "{outcome:#?}");
    assert!(outcome.stdout.contains("`key` of macro `inner`"), "{outcome:#?}");
}

#[test]
fn info_shows_what_is_exposed() {
    let place = Place::new().file(
        "m.yaml",
        "name: m\nparameters: {p: {secret: true, required: true}}\noutputs: [{name: o, value: \"${p}\", expose: p}]\nsteps: [{action: run_command, params: {command: [login, \"${p}\"]}, expose: [p]}]\n",
    );
    let told = place.call(&["info", "m.yaml", "--json"]).status(0).json();
    assert_eq!((&told["steps"][0]["expose"], &told["outputs"][0]["expose"]), (&json!(["p"]), &json!(["p"])));
}
