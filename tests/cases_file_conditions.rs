//! Conditions on files, on paths of every kind.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::{Value, json};

use crate::harness::{Outcome, Place};
use crate::steps::as_nobody;

fn macro_with(precondition: &Value) -> String {
    json!({"name": "asks", "preconditions": [precondition], "steps": []}).to_string()
}

/// Runs a macro with this precondition.
fn ask(place: &Place, precondition: &Value) -> Outcome {
    place.write("asks.yaml", macro_with(precondition));
    place.call(&["--json", "run", "./asks.yaml"]).run()
}

fn holds(place: &Place, precondition: Value) {
    let outcome = ask(place, &precondition);
    assert_eq!(outcome.status, 0, "{precondition}: {outcome:#?}");
}

/// The condition does not hold, and the message has these parts.
fn fails(place: &Place, precondition: Value, parts: &[&str]) {
    let outcome = ask(place, &precondition);
    assert_eq!(outcome.status, 4, "{precondition}: {outcome:#?}");
    let document = outcome.json();
    assert_eq!(document["error_code"], "precondition_unmet");
    for part in parts {
        assert!(document["error"].as_str().unwrap().contains(part), "no {part:?} in {document:#}");
    }
}

fn links() -> Place {
    let place = Place::new().file("ten", "0123456789").file("empty", "").file("a ", "x");
    fs::create_dir(place.path("folder")).unwrap();
    for (target, link) in
        [("ten", "link"), ("link", "second"), ("none", "dangling"), ("loop", "loop"), ("folder", "to_folder")]
    {
        symlink(target, place.path(link)).unwrap();
    }
    place
}

#[test]
fn a_folder_has_no_size() {
    let place = links();
    fails(&place, json!({"file_size_gt": ["folder", 0]}), &["file_size_gt", "folder", "a directory"]);
    fails(&place, json!({"file_size_gt": ["to_folder", 0]}), &["a directory"]);
    fails(&place, json!({"file_contains": ["folder", "x"]}), &["a directory"]);
    holds(&place, json!({"file_exists": "folder"}));
}

#[test]
fn links_count_as_what_they_lead_to() {
    let place = links();
    for link in ["link", "second"] {
        holds(&place, json!({"file_exists": link}));
        holds(&place, json!({"file_size_gt": [link, 9]}));
        fails(&place, json!({"file_size_gt": [link, 10]}), &["file_size_gt", link, "a file of 10 bytes"]);
        holds(&place, json!({"file_contains": [link, "456"]}));
    }
    for link in ["dangling", "loop"] {
        fails(&place, json!({"file_exists": link}), &["file_exists", link, "not found"]);
        fails(&place, json!({"file_size_gt": [link, 0]}), &["not found"]);
        fails(&place, json!({"file_absent": link}), &["symbolic link"]);
    }
    fails(&place, json!({"file_size_gt": ["empty", 0]}), &["a file of 0 bytes"]);
    holds(&place, json!({"file_absent": "none"}));
    holds(&place, json!({"file_absent": "ten/none"}));
}

#[test]
fn the_home_folder_is_found_and_blanks_are_kept() {
    let place = links();
    holds(&place, json!({"file_size_gt": ["~/ten", 1]}));
    holds(&place, json!({"file_exists": "~/folder"}));
    fails(&place, json!({"file_exists": "~other/ten"}), &["~other/ten"]);
    holds(&place, json!({"file_exists": "a "}));
    fails(&place, json!({"file_exists": "a"}), &["`file_exists: a`", "not found"]);
    fails(&place, json!({"file_exists": "ten "}), &["`file_exists: ten `"]);
    holds(&place, json!({"file_exists": place.path("a ").to_str().unwrap()}));
    for odd in ["new\nline", "😀 é", "*", "$HOME", "-f", "%s", "\u{202e}x"] {
        place.write(odd, "x");
        holds(&place, json!({"file_exists": odd}));
        fails(&place, json!({"file_absent": odd}), &[]);
    }
}

#[test]
fn what_cannot_be_looked_at_is_no_answer() {
    let place = links().file("closed/file", "x");
    fs::set_permissions(place.path("closed"), fs::Permissions::from_mode(0o000)).unwrap();
    for precondition in [
        json!({"file_exists": "closed/file"}),
        json!({"file_absent": "closed/none"}),
        json!({"file_size_gt": ["closed/file", 0]}),
        json!({"file_contains": ["closed/file", "x"]}),
        json!({"not": {"file_exists": "closed/file"}}),
    ] {
        place.write("asks.yaml", macro_with(&precondition));
        let outcome = as_nobody(&place, &["--json", "run", "./asks.yaml"]);
        assert_ne!(outcome.status, 0, "{precondition}: {outcome:#?}");
        let error = outcome.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains("permission denied") && error.contains("closed/"), "{error}");
        assert!(!error.contains("not found"), "{error}");
    }
    fs::set_permissions(place.path("closed"), fs::Permissions::from_mode(0o755)).unwrap();
    // A file that may be seen but not read.
    place.write("shut", "x");
    fs::set_permissions(place.path("shut"), fs::Permissions::from_mode(0o000)).unwrap();
    let run = |precondition: Value| {
        place.write("asks.yaml", macro_with(&precondition));
        as_nobody(&place, &["--json", "run", "./asks.yaml"])
    };
    assert_eq!(run(json!({"file_exists": "shut"})).status, 0);
    assert_eq!(run(json!({"file_size_gt": ["shut", 0]})).status, 0);
    let outcome = run(json!({"file_contains": ["shut", "x"]}));
    assert_ne!(outcome.status, 0);
    outcome.says("permission denied");
}

#[test]
fn a_negative_size_is_found_when_built() {
    let place = links();
    for arguments in [
        json!(["ten", -1]),
        json!(["ten"]),
        json!(["ten", "big"]),
        json!(["ten", 1, 2]),
        json!("ten"),
        json!(["ten", 1.5]),
    ] {
        assert_eq!(ask(&place, &json!({"file_size_gt": arguments})).status, 3, "{arguments}");
    }
}

#[test]
fn pipes_are_seen_and_never_opened() {
    let place = links();
    assert!(std::process::Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    holds(&place, json!({"file_exists": "pipe"}));
    fails(&place, json!({"file_size_gt": ["pipe", 0]}), &["a named pipe"]);
    fails(&place, json!({"file_contains": ["pipe", "x"]}), &["a named pipe"]);
    fails(&place, json!({"file_absent": "pipe"}), &["a named pipe"]);
    fails(&place, json!({"file_size_gt": ["/dev/zero", 0]}), &["a device"]);
}

#[test]
fn impossible_paths_are_answers_too() {
    let place = links();
    let long = "x".repeat(300);
    let deep = "d/".repeat(5000);
    for path in [&long, &deep] {
        let outcome = ask(&place, &json!({"file_exists": path}));
        assert!([1, 4].contains(&outcome.status), "{outcome:#?}");
        assert!(outcome.json()["error"].as_str().unwrap().len() < 20_000);
    }
    for path in ["", "a\0b"] {
        let outcome = ask(&place, &json!({"file_exists": path}));
        assert!([1, 3, 4].contains(&outcome.status), "{outcome:#?}");
    }
}

#[test]
fn a_text_at_the_border_of_what_is_read_at_once_is_found() {
    let place = Place::new();
    for before in [(1 << 20) - 3, (2 << 20) - 1, 5 << 20] {
        let text = [vec![b'x'; before], b"needle".to_vec(), vec![b'y'; 99]].concat();
        place.write("large", text);
        holds(&place, json!({"file_contains": ["large", "needle"]}));
        fails(&place, json!({"file_contains": ["large", "needlf"]}), &["without the text"]);
    }
}
