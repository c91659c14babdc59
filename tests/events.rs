//! What a run tells while it goes on: one object a line, whole and in order, and never at the cost of the run.

use std::fs;
use std::io::Read;
use std::process::Command;
use std::thread;

use serde_json::{Value, json};

use crate::documents::{fenced, parse, same};
use crate::harness::{Outcome, Place, finish};

const FETCH: &str = r#"name: fetch
steps:
  - id: load
    action: run_command
    params: {command: [sh, -c, "test -e ready || { touch ready; exit 1; }"]}
    retry_policy: {max_retries: 1, backoff_ms: [20]}
  - id: save
    action: start_process
    params: {command: [sh, -c, "sleep 0.2; touch saved; sleep 1"]}
    verify: {within: 5s, conditions: [{file_exists: saved}]}
  - {id: tidy, action: run_command, on_failure: continue, params: {command: ["false"]}}
"#;

fn events(text: &str) -> Vec<Value> {
    assert!(text.ends_with('\n'), "{text}");
    let found: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (nth, event) in found.iter().enumerate() {
        assert_eq!(event["seq"], nth + 1);
        assert!(event["elapsed_us"].is_u64() && event["run_id"] == found[0]["run_id"], "{event}");
        let time = event["time"].as_str().unwrap();
        assert!(time.len() == 27 && time.ends_with('Z') && time.contains('T'), "{time}");
    }
    found
}

fn names(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["event"].as_str().unwrap()).collect()
}

/// The last event is the document that was printed.
fn ends_with_the_result(events: &[Value], outcome: &Outcome) {
    let last = events.last().unwrap();
    assert_eq!((&last["event"], &last["result"]), (&json!("result"), &outcome.json()));
    assert_eq!(last["run_id"], last["result"]["telemetry"]["run_id"]);
}

#[test]
fn the_example_is_real() {
    let place = Place::new().file("fetch.yaml", FETCH);
    let words = ["run", "fetch.yaml", "--json", "--session-id", "night", "--events", "ndjson"];
    let outcome = place.call(&words).status(0);
    let found = events(&outcome.stderr);
    ends_with_the_result(&found, &outcome);
    let mut expected = vec!["run_started", "step_started", "route", "try_failed", "wait", "route", "step_finished"];
    expected.extend(["step_started", "route", "wait", "step_finished"]);
    expected.extend(["step_started", "route", "try_failed", "warning", "step_finished", "result"]);
    assert_eq!(names(&found), expected);
    let shown = fenced("spec/cli.md", "ndjson").concat();
    assert_eq!(shown.lines().count(), 9);
    for line in shown.lines() {
        let shown = parse(line);
        let real = found.iter().find(|event| event["seq"] == shown["seq"]).unwrap();
        // Elsewhere than on the page, no key is left out and none is there that the page does not tell of.
        same(line, &shown, real);
        let common = ["time", "elapsed_us", "run_id"];
        let keys = real.as_object().unwrap().keys().filter(|key| !common.contains(&key.as_str()));
        keys.for_each(|key| assert!(!shown[key].is_null() || real[key].is_null(), "{key} is not in {line}"));
    }
}

#[test]
fn loops_and_calls_are_told_apart() {
    let place = Place::new()
        .file("inner.yaml", "name: inner\ncomposable: true\nsteps: [{id: deep, action: find_executable, params: {name: sh}}]\n")
        .file("m.yaml", "name: m\nsteps:\n  - {id: each, for_each: [a, b], action: find_executable, params: {name: sh}}\n  - {id: call, macro: inner}\n  - {id: left, when: false, action: find_executable, params: {name: sh}}\n");
    let outcome = place.call(&["run", "m.yaml", "--json", "--dry-run", "--events", "ndjson"]).status(0);
    let found = events(&outcome.stderr);
    ends_with_the_result(&found, &outcome);
    assert_eq!((&found[0]["steps_total"], &found[0]["dry_run"]), (&json!(4), &json!(true)));
    let started = found.iter().filter(|event| event["event"] == "step_started");
    let started: Vec<_> = started.map(|event| (event["step"].as_str().unwrap(), event["iteration"].as_u64())).collect();
    let expected = [("each", Some(0)), ("each", Some(1)), ("call", None), ("call/deep", None), ("left", None)];
    assert_eq!(started, expected);
    let last = found.iter().rfind(|event| event["event"] == "step_finished").unwrap();
    assert_eq!((&last["step"], &last["status"], &last["attempts"]), (&json!("left"), &json!("skipped"), &json!(0)));
}

#[test]
fn a_run_that_is_refused_has_its_result_alone() {
    let place = Place::new().file("bad.yaml", "name: bad\nsteps: [{action: nope}]\n");
    for (words, status) in [(["run", "bad.yaml"], 3), (["run", "unknown_macro"], 2)] {
        let words: Vec<&str> = words.into_iter().chain(["--json", "--events", "ndjson"]).collect();
        let outcome = place.call(&words).status(status);
        let found = events(&outcome.stderr);
        assert_eq!(names(&found), ["result"]);
        ends_with_the_result(&found, &outcome);
    }
    let place = Place::new().good("m.yaml", "m");
    for bad in ["json", "ndjson:", "ndjson:/dev/stdout", "ndjson:/dev/fd/1"] {
        place.call(&["run", "m.yaml", "--json", "--events", bad]).status(2);
    }
}

#[test]
fn files_pipes_and_descriptors_take_events() {
    let place = Place::new().good("m.yaml", "m").file("e", "{\"event\":\"old\"}\n".repeat(3_000));
    let call = |to: &str| place.call(&["run", "m.yaml", "--json", "--events", &format!("ndjson:{to}")]);
    let outcome = call("e").status(0).silent();
    ends_with_the_result(&events(&place.read("e")), &outcome);
    call("new").status(0);
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(place.path("new")).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);

    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    let child = call("pipe").start();
    let path = place.path("pipe");
    let text = thread::spawn(move || fs::read_to_string(path).unwrap()).join().unwrap();
    ends_with_the_result(&events(&text), &finish(child));

    // A descriptor, and one that is a socket.
    let (mut ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    for (to, redirect) in [("/dev/fd/5", "5>numbered"), ("/dev/fd/0", "")] {
        let mut shell = Command::new("sh");
        let line = format!("exec \"$0\" run m.yaml --events ndjson:{to} {redirect}");
        shell
            .args(["-c", &line, env!("CARGO_BIN_EXE_macrocli")])
            .current_dir(place.path(""))
            .env("MACROCLI_HOME", place.own());
        assert_eq!(shell.output().unwrap().status.code(), Some(if redirect.is_empty() { 2 } else { 0 }));
    }
    assert_eq!(events(&place.read("numbered")).last().unwrap()["event"], "result");
    let mut shell = Command::new("sh");
    let line = "exec \"$0\" run m.yaml --events ndjson:/dev/fd/7 7<&0";
    shell
        .args(["-c", line, env!("CARGO_BIN_EXE_macrocli")])
        .current_dir(place.path(""))
        .env("MACROCLI_HOME", place.own());
    shell.stdin(std::process::Stdio::from(std::os::fd::OwnedFd::from(theirs)));
    assert!(shell.status().unwrap().success());
    drop(shell);
    let mut text = String::new();
    ours.read_to_string(&mut text).unwrap();
    assert_eq!(events(&text).last().unwrap()["event"], "result");
}

#[test]
fn events_that_cannot_be_written_are_one_warning() {
    let place = Place::new().good("m.yaml", "m");
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    for (to, reason) in [
        ("/nope/e", "`/nope/e`: no such file or directory"),
        (".", "`.`: is a directory"),
        ("/dev/full", "no space left on device"),
        ("/dev/fd/77", "descriptor 77: bad file descriptor"),
        ("pipe", "nobody reads them"),
    ] {
        let outcome = place.call(&["run", "m.yaml", "--json", "--events", &format!("ndjson:{to}")]).status(0);
        assert_eq!(outcome.json()["warnings"], json!([format!("events were not written: {reason}")]), "{to}");
        let outcome = place.call(&["run", "m.yaml", "--events", &format!("ndjson:{to}")]).status(0);
        assert_eq!(outcome.stderr.matches("events were not written").count(), 1, "{outcome:#?}");
    }
}

#[test]
fn a_reader_that_goes_away_or_sleeps_harms_nothing() {
    let turns: Vec<String> = (0..3000).map(|turn| turn.to_string()).collect();
    let place = Place::new().file(
        "m.yaml",
        format!(
            "name: m\nsteps: [{{id: each, for_each: [{}], action: find_executable, params: {{name: sh}}}}]\n",
            turns.join(", ")
        ),
    );
    for reader in ["head -c 10", "sleep 20"] {
        let line = format!(
            "{{ \"$0\" run m.yaml --json --events ndjson:/dev/fd/9 9>&1 >out; echo $? >code; }} | {{ {reader} >/dev/null; }} & wait $!; :"
        );
        let line = if reader.starts_with("head") {
            line
        } else {
            line.replace("& wait $!; :", "& while ! test -s code; do sleep 0.05; done")
        };
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &line, env!("CARGO_BIN_EXE_macrocli")])
            .current_dir(place.path(""))
            .env("MACROCLI_HOME", place.own());
        assert!(shell.status().unwrap().success());
        assert_eq!(place.read("code"), "0\n", "{reader}");
        let told: Value = serde_json::from_str(&place.read("out")).unwrap();
        assert_eq!(told["warnings"].as_array().unwrap().len(), 1, "{reader}: {}", told["warnings"]);
        fs::remove_file(place.path("code")).unwrap();
    }
}

#[test]
fn secrets_are_masked() {
    let place = Place::new().file("m.yaml", "name: m\nparameters: {p: {secret: true, required: true}}\nsteps:\n  - {id: a, action: run_command, on_failure: continue, expose: [p], params: {command: [sh, -c, 'echo $0 >&2; exit 1', \"${p}\"]}}\n");
    let words = ["run", "m.yaml", "--secret", "p=env:P", "--events", "ndjson:e"];
    place.call(&words).env("P", "hunter2!").status(0);
    let text = place.read("e");
    assert!(!text.contains("hunter2") && text.contains("***"), "{text}");
}
