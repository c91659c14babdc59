//! What comes of a run: one document for every outcome, dry runs that touch nothing, failures that are forgiven or not, hostile input.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::harness::{Outcome, Place, finish};

const OK: &str = "name: m\nsteps: [{id: s, action: run_command, params: {command: [\"true\"]}}]\n";

/// The keys of every result of a run.
const KEYS: [&str; 9] =
    ["schema", "success", "macro_name", "output", "error", "error_code", "exit_code", "warnings", "steps"];

fn run_document(outcome: &Outcome) -> Value {
    let document = outcome.json();
    for key in KEYS {
        assert!(document.get(key).is_some(), "no `{key}` in {document}");
    }
    assert_eq!(document["exit_code"], outcome.status);
    assert_eq!(document["success"], outcome.status == 0);
    document
}

#[test]
fn the_flag_for_documents_may_stand_anywhere() {
    let place = Place::new().file("m.yaml", OK);
    for words in [
        &["--json", "macro", "run", "./m.yaml"][..],
        &["macro", "--json", "run", "./m.yaml"],
        &["macro", "run", "./m.yaml", "--json"],
        &["macro", "run", "--json", "./m.yaml", "--json"],
        &["run", "m.yaml", "--json", "--session-id", "s"],
        &["--json", "run", "--", "m.yaml"],
    ] {
        run_document(&place.call(words).status(0).silent());
    }
    place.call(&["run", "--", "--json"]).status(2).stdout("");
}

#[test]
fn every_failure_of_a_run_is_the_document_of_a_run() {
    let place = Place::new()
        .file("m.yaml", OK)
        .file("bad.yaml", "name: bad\nsteps: 1\n")
        .file("fails.yaml", OK.replace("true", "false"))
        .file("bad.mcb", "no artifact");
    for (words, status, code) in [
        (&["run", "fails.yaml"][..], 1, "step_failed"),
        (&["run", "nosuch"], 2, "usage"),
        (&["run", "nosuch.yaml"], 2, "usage"),
        (&["run", "."], 2, "usage"),
        (&["run"], 2, "usage"),
        (&["run", "m.yaml", "--bad"], 2, "usage"),
        (&["run", "m.yaml", "m.yaml"], 2, "usage"),
        (&["run", "m.yaml", "-p", "a"], 2, "usage"),
        (&["run", "m.yaml", "-p", "a=1"], 2, "usage"),
        (&["run", "m.yaml", "--session-id", "../x"], 2, "usage"),
        (&["run", "bad.yaml"], 3, "diagnostics"),
        (&["run", "bad.mcb"], 8, "bad_artifact"),
    ] {
        for call in [
            [&["--json"], words].concat(),
            [&["--json", "macro"], words].concat(),
            [&["macro"], words, &["--json"]].concat(),
        ] {
            let outcome = place.call(&call).status(status);
            assert_eq!(run_document(&outcome)["error_code"], code, "{call:?}");
        }
    }
    for words in [
        &["--json"][..],
        &["macro", "--json"],
        &["runn", "--json"],
        &["--json=true", "list"],
        &["--json", "info", "nosuch"],
    ] {
        let outcome = place.call(words).status(2);
        let document = outcome.json();
        assert_eq!(
            (&document["schema"], &document["error_code"]),
            (&json!("macrocli.error/1"), &json!("usage")),
            "{words:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn words_that_are_no_text_are_usage() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new().file("m.yaml", OK);
    let word = |bytes: &'static [u8]| std::ffi::OsStr::from_bytes(bytes);
    for words in [
        [word(b"run"), word(b"\xff.yaml"), word(b"-q")],
        [word(b"run"), word(b"m.yaml"), word(b"-pa=\xff")],
        [word(b"run"), word(b"m.yaml"), word(b"--\xff")],
        [word(b"\xff"), word(b"run"), word(b"m.yaml")],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_macrocli"));
        command.arg("--json").args(words).current_dir(place.path(""));
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let outcome = finish(child);
        assert_eq!(outcome.status, 2, "{outcome:?}");
        assert_eq!(outcome.json()["error_code"], "usage");
    }
}

#[test]
fn a_dry_run_says_what_it_would_do_and_does_nothing() {
    let text = "name: m
parameters: {out: {required: true}, n: {type: integer, default: 3, max: 5}}
preconditions: [{file_exists: here}]
steps:
  - {id: make, action: run_command, params: {command: [touch, \"${out}\", \"${n}\"]}}
  - {id: click, backend: visual_anchor, action: click_relative, params: {x_pct: 0.25}}
  - {id: ask, backend: gui_agent, action: instruct, params: {description: \"open ${out}\"}}
  - {id: write, backend: file_transform, action: write_file, params: {output_file: \"${out}\", text: hi}}
postconditions: [{file_exists: \"${out}\"}]
outputs: [{name: o, path: \"${out}\"}]
";
    let place = Place::new().file("m.yaml", text).file("here", "");
    for words in [
        &["--dry-run", "--json", "run", "m.yaml", "-p", "out=o"][..],
        &["run", "m.yaml", "-p", "out=o", "--json", "--dry-run"],
        &["macro", "--dry-run", "run", "./m.yaml", "-p", "out=o", "--json"],
        &["macro", "dry-run", "./m.yaml", "-p", "out=o", "--json"],
    ] {
        let document = run_document(&place.call(words).status(0));
        let would: Vec<&Value> = document["steps"].as_array().unwrap().iter().map(|step| &step["would"]).collect();
        assert_eq!(would[0]["command"], json!(["touch", "o", "3"]));
        assert_eq!(would[1]["x_pct"], json!(0.25));
        assert_eq!(would[2]["description"], "open o");
        assert_eq!(would[3], &json!({"output_file": "o", "text": "hi"}));
        assert_eq!(document["not_evaluated"], json!(["postcondition `file_exists: o`"]));
        assert_eq!(document["telemetry"]["dry_run"], true);
    }
    let people = place.call(&["run", "m.yaml", "-p", "out=o", "--dry-run"]).status(0);
    let people = people.tells("command: [\"touch\",\"o\",\"3\"]").tells("description: \"open o\"");
    people.tells("not evaluated: postcondition `file_exists: o`");

    place.call(&["run", "m.yaml", "--dry-run", "-p", "out=o", "-p", "n=9"]).status(2).tells("at most 5");
    place.call(&["macro", "dry-run", "./m.yaml"]).status(2).tells("`out`");
    std::fs::remove_file(place.path("here")).unwrap();
    place.call(&["run", "m.yaml", "--dry-run", "-p", "out=o"]).status(4).tells("`file_exists: here`");
    assert!(!place.path("o").exists());
}

#[test]
fn a_dry_run_keeps_secrets() {
    let text = "name: m\nparameters: {key: {secret: true, required: true}}\nsteps:\n  - {id: s, action: run_command, params: {command: [login, \
                \"--key=${key}\"]}, expose: [key]}\n";
    let place = Place::new().file("m.yaml", text);
    for json in [
        &["run", "m.yaml", "--dry-run", "--secret", "key=env:KEY"][..],
        &["--json", "run", "m.yaml", "--dry-run", "--secret", "key=env:KEY"],
    ] {
        let outcome = place.call(json).env("KEY", "hunter2!").run();
        let all = format!("{outcome:?}");
        assert!(!all.contains("hunter2") && all.contains("--key=***"), "{all}");
    }
}

#[test]
fn a_failure_is_forgiven_as_the_step_says() {
    let text = |word: &str| {
        format!(
            "name: m\nsteps:\n  - {{id: one, action: run_command, params: {{command: [sh, -c, 'echo x >> count; exit 3']}}, on_failure: {word}, \
             retry_policy: {{max_retries: 2, backoff_ms: []}}}}\n  - {{id: two, action: run_command, params: {{command: [touch, two]}}}}\n  \
             - {{id: three, action: run_command, params: {{command: [\"true\"]}}}}\n"
        )
    };
    for (word, status, states, warned) in [
        ("skip", 0, ["skipped", "ok", "ok"], 0),
        ("continue", 0, ["failed", "ok", "ok"], 1),
        ("fail", 1, ["failed", "not_run", "not_run"], 0),
    ] {
        let place = Place::new().file("m.yaml", text(word));
        let document = run_document(&place.call(&["run", "m.yaml", "--json"]).status(status));
        let found: Vec<&str> =
            document["steps"].as_array().unwrap().iter().map(|step| step["status"].as_str().unwrap()).collect();
        assert_eq!(found, states);
        let one = &document["steps"][0];
        assert_eq!((&one["attempts"], one["tries"].as_array().unwrap().len()), (&json!(3), 3));
        assert!(one["error"].as_str().unwrap().contains("code 3"), "{one}");
        assert_eq!(document["warnings"].as_array().unwrap().len(), warned);
        assert_eq!(place.read("count"), "x\nx\nx\n");
        assert_eq!(place.path("two").exists(), status == 0);
        let telemetry = &document["telemetry"];
        assert_eq!(
            (&telemetry["steps_total"], &telemetry["steps_run"]),
            (&json!(3), &json!(if status == 0 { 3 } else { 1 }))
        );
        assert_eq!(document["steps"][1]["attempts"], i32::from(status == 0));
    }
}

#[test]
fn a_declared_file_that_is_not_there_is_a_failure() {
    let text = "name: m\nparameters: {x: {default: v}}\nsteps: []\noutputs: [{name: a, value: \"${x}\"}, {name: f, path: \"~/${x}\"}]\n";
    let place = Place::new().file("m.yaml", text);
    let document = run_document(&place.call(&["run", "m.yaml", "--json"]).status(1));
    assert!(document["error"].as_str().unwrap().contains("declared output `f`"), "{document}");
    place.write("v", "");
    let document = run_document(&place.call(&["run", "m.yaml", "--json"]).status(0));
    assert_eq!(document["output"]["a"], "v");
}

#[test]
fn hostile_parameters_are_refused_or_carried() {
    let text = "name: m\nparameters: {v: {required: true}, d: {type: dict, default: {}}}\nsteps: []\noutputs: [{name: n, value: \"${len(v)}\"}, \
                {name: d, value: \"${d}\"}]\n";
    let nested = |depth: usize| format!("{{\"v\": \"x\", \"d\": {}", "[".repeat(depth));
    let place = Place::new()
        .file("m.yaml", text)
        .file("large.json", json!({"v": "x".repeat(10_000_000)}).to_string())
        .file("larger.json", json!({"v": "x".repeat(17 << 20)}).to_string())
        .file("nested.json", "[".repeat(1 << 20))
        .file("inner.json", nested(1 << 20))
        .file("bytes.json", b"{\"v\": \"\xff\"}");
    let run = |json: &str| place.call(&["run", "m.yaml", "--json", "--params-json", json]);
    assert_eq!(run_document(&run("@large.json").status(0))["output"]["n"], 10_000_000);
    assert_eq!(run_document(&run("{\"v\": \"a\\u0000b\"}").status(0))["output"]["n"], 3);
    for (given, word) in [
        ("@larger.json", "larger than"),
        ("@nested.json", "recursion limit"),
        ("@inner.json", "recursion limit"),
        ("@bytes.json", "`bytes.json` is not JSON"),
        ("@/dev/zero", "`/dev/zero`"),
        ("@.", "a folder"),
        ("@", "no such file"),
        ("", "not JSON"),
        ("{\"v\": 1} x", "trailing"),
        ("{\"v\": \"\\ud800\"}", "not JSON"),
        ("{\"v\": \"a\", \"v\": \"b\"}", "parameter `v` is given twice"),
        ("{\"v\": \"a\", \"d\": {\"k\": 1, \"k\": 2}}", "the key `k` is written twice"),
        ("{\"v\": \"a\", \"d\": {\"k\": [{\"j\": 1, \"j\": 2}]}}", "the key `j` is written twice"),
    ] {
        let outcome = run(given).status(2);
        let error = run_document(&outcome)["error"].as_str().unwrap().to_owned();
        assert!(error.contains(word) && error.len() < 1000, "{given}: {error:.1000}");
    }
    let twice = place.call(&["run", "m.yaml", "--json", "-p", "v=x", "-p", "d={\"k\": 1, \"k\": 2}"]).status(2);
    assert!(twice.json()["error"].as_str().unwrap().contains("no key is written twice"), "{twice:?}");
}

#[test]
fn very_many_parameters_end_in_a_short_message() {
    let place = Place::new().file("m.yaml", OK);
    let words: Vec<String> = (0..100_000).map(|nth| format!("-pk{nth}=1")).collect();
    let mut call: Vec<&str> = vec!["run", "m.yaml", "--json"];
    call.extend(words.iter().map(String::as_str));
    let outcome = place.call(&call).status(2);
    let error = run_document(&outcome)["error"].as_str().unwrap().to_owned();
    assert!(
        error.contains("unknown parameter `k0`") && error.contains("99980 more") && error.len() < 5000,
        "{error:.5000}"
    );
}
