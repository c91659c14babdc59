//! `--json`: one document for every outcome, wherever the flag stands; and what people get instead.

use std::io::Read;

use serde_json::Value;

use crate::harness::{Place, finish};

/// The keys of a run's result, in their order.
const RUN: [&str; 10] =
    ["schema", "success", "macro_name", "output", "error", "error_code", "exit_code", "warnings", "steps", "telemetry"];

fn keys(document: &Value) -> Vec<&str> {
    document.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn flags_may_stand_anywhere() {
    let place = Place::new().good("macro_definitions/m.yaml", "m");
    for words in [
        ["--json", "macro", "run", "m"],
        ["macro", "--json", "run", "m"],
        ["macro", "run", "--json", "m"],
        ["macro", "run", "m", "--json"],
    ] {
        let document = place.call(&words).status(0).json();
        assert_eq!(document["success"], true, "{words:?}");
        assert_eq!(keys(&document), RUN, "{words:?}");
        assert_eq!(document["telemetry"]["dry_run"], false);
    }
    for words in [
        vec!["--dry-run", "--json", "run", "m"],
        vec!["run", "--dry-run", "m", "--json", "--json"],
        vec!["macro", "dry-run", "m", "--json"],
        vec!["--session-id", "s.1", "run", "m", "--dry-run", "--json"],
        vec!["run", "m", "--session-id", "s.1", "--dry-run", "--json"],
    ] {
        let document = place.call(&words).status(0).json();
        assert_eq!(document["telemetry"]["dry_run"], true, "{words:?}");
        assert!(document["steps"][0]["would"].is_object(), "{words:?}");
    }
}

#[test]
fn every_outcome_is_one_document() {
    let place = Place::new()
        .good("a.yaml", "a")
        .file("broken.yaml", "name: broken\nsteps: 3\n")
        .file("fails.yaml", "name: fails\nsteps:\n  - {id: f, action: run_command, params: {command: [\"false\"]}}\n")
        .file("text.mcb", "name: a\n")
        .file("empty.mcb", "");
    for (words, status, code) in [
        (vec!["run", "nothing"], 2, "usage"),
        (vec!["run", "none.yaml"], 2, "usage"),
        (vec!["run", "."], 2, "usage"),
        (vec!["run", "broken.yaml"], 3, "diagnostics"),
        (vec!["run", "fails.yaml"], 1, "step_failed"),
        (vec!["run", "text.mcb"], 8, "bad_artifact"),
        (vec!["run", "empty.mcb"], 8, "bad_artifact"),
        (vec!["run", "a.yaml", "-p", "x"], 2, "usage"),
        (vec!["run", "a.yaml", "-p", "x=1"], 2, "usage"),
        (vec!["run", "a.yaml", "--secret", "x=env:NOT_SET"], 2, "usage"),
        (vec!["run"], 2, "usage"),
        (vec!["macro", "run"], 2, "usage"),
        (vec!["run", "a.yaml", "--frobnicate"], 2, "usage"),
        (vec!["run", "a.yaml", "--session-id", "../x"], 2, "usage"),
        (vec!["--macros", "nowhere", "run", "a"], 2, "usage"),
    ] {
        let document = place.call(&[&["--json"][..], &words].concat()).status(status).json();
        assert_eq!(keys(&document)[..RUN.len()], RUN, "{words:?}");
        assert_eq!(document["schema"], "macrocli.run/1", "{words:?}");
        assert_eq!(document["success"], false, "{words:?}");
        assert_eq!(document["error_code"], code, "{words:?}");
        assert_eq!(document["exit_code"], status, "{words:?}");
        assert!(document["error"].as_str().is_some_and(|error| !error.is_empty()), "{words:?}");
    }
    for (words, status) in [
        (vec![], 2),
        (vec!["frobnicate"], 2),
        (vec!["macro"], 2),
        (vec!["explain", "E9999"], 2),
        (vec!["check", "none.yaml"], 2),
        (vec!["build", "none.yaml"], 2),
        (vec!["build", "text.mcb"], 2),
        (vec!["info", "nothing"], 2),
        (vec!["info", "broken.yaml"], 3),
        (vec!["inspect", "text.mcb"], 8),
        (vec!["disasm", "broken.yaml"], 3),
        (vec!["validate", "nothing"], 2),
        (vec!["define", "a"], 1),
        (vec!["define", "../x"], 2),
        (vec!["completions", "tcsh"], 2),
    ] {
        let document = place.call(&[&words[..], &["--json"]].concat()).status(status).json();
        assert_eq!(document["schema"], "macrocli.error/1", "{words:?}");
        assert_eq!((&document["success"], &document["exit_code"]), (&false.into(), &status.into()), "{words:?}");
    }
    for words in [
        vec!["--version"],
        vec!["--help"],
        vec!["help", "run"],
        vec!["list"],
        vec!["backends"],
        vec!["explain", "e0101"],
        vec!["validate", "a.yaml"],
        vec!["check", "a.yaml"],
        vec!["build", "a.yaml"],
        vec!["disasm", "a.yaml"],
        vec!["inspect", "a.yaml"],
        vec!["info", "a.yaml"],
        vec!["define", "fresh"],
        vec!["completions", "bash"],
    ] {
        place.call(&[&words[..], &["--json"]].concat()).status(0).json();
    }
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let place = Place::new();
    for words in [["--json", "backends"], ["completions", "bash"]] {
        let mut child = place.call(&words).start();
        drop(child.stdin.take());
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut [0]).unwrap();
        drop(out);
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""), "{words:?}");
    }
}

#[test]
fn a_full_disk_is_told() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_macrocli"));
    let child = command.arg("list").stdout(full).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(String::from_utf8(done.stderr).unwrap().contains("cannot write"));
}

#[cfg(unix)]
#[test]
fn a_link_with_the_first_name_behaves_the_same() {
    let place = Place::new().good("macro_definitions/m.yaml", "m");
    let link = place.path("cli-anything-macrocli");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_macrocli"), &link).unwrap();
    place.call_as(&link, &["macro", "run"]).status(2).tells("Usage: cli-anything-macrocli macro run");
    assert_eq!(place.call_as(&link, &["macro", "run", "m", "--json"]).status(0).json()["success"], true);
    place.call_as(&link, &["completions", "bash"]).status(0).says("cli-anything-macrocli\n");
}

#[test]
fn colours_are_for_those_who_want_them() {
    let place = Place::new().file("b.yaml", "name: b\nsteps: 3\n");
    let colored = |words: &[&str], env: &[(&str, &str)]| {
        let call = env.iter().fold(place.call(words), |call, (name, value)| call.env(name, value));
        call.status(3).stderr.contains('\u{1b}')
    };
    assert!(!colored(&["check", "b.yaml"], &[]));
    assert!(colored(&["check", "b.yaml", "--color", "always"], &[]));
    assert!(colored(&["check", "b.yaml"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&["check", "b.yaml"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!colored(&["--color", "never", "check", "b.yaml"], &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn text_from_files_does_not_reach_the_terminal_raw() {
    let place = Place::new().file("a.yaml", "name: a\n\"x\\e[31m\\u202E\": 1\nsteps: []\n");
    for words in [["check", "a.yaml"], ["run", "a.yaml"], ["validate", "a.yaml"]] {
        let outcome = place.call(&words).run();
        assert!(!format!("{}{}", outcome.stdout, outcome.stderr).contains(['\u{1b}', '\u{202e}']), "{outcome:#?}");
    }
    let outcome = place.call(&["run", "no\u{1b}[31m"]).status(2);
    assert!(!outcome.stderr.contains('\u{1b}'), "{outcome:#?}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_run_with_its_document() {
    let text = "name: s\nsteps:\n  - {id: s, action: run_command, params: {command: [sleep, \"50\"]}}\n";
    let place = Place::new().file("s.yaml", text);
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let mut child = place.call(&["run", "s.yaml", "--json"]).start();
        drop(child.stdin.take());
        // The program has begun when the command runs as its child.
        let children = format!("/proc/{0}/task/{0}/children", child.id());
        for _ in 0..1000 {
            if std::fs::read_to_string(&children).is_ok_and(|list| !list.trim().is_empty()) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let outcome = finish(child);
        assert_eq!(outcome.status, code, "{outcome:#?}");
        let document = outcome.json();
        assert_eq!((&document["error_code"], &document["exit_code"]), (&"interrupted".into(), &code.into()));
    }
}
