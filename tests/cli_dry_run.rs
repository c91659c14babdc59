//! `--dry-run` where it has no meaning, and files that are not to be lost.

use std::fs;
use std::process::Command;

use crate::harness::Place;

#[test]
fn commands_that_write_are_no_dry_runs() {
    let place = Place::new().good("m.yaml", "m");
    place.call(&["run", "m.yaml"]).status(0);
    let words: [&[&str]; 5] = [
        &["build", "m.yaml"],
        &["define", "new"],
        &["session", "prune", "--keep", "0"],
        &["session", "save"],
        &["session", "export", "runs.json"],
    ];
    for words in words {
        let told = place.call(&[words, &["--dry-run", "--json"]].concat()).status(2).json();
        assert!(told["error"].as_str().unwrap().contains("`--dry-run` cannot be said of"), "{told}");
    }
    assert!(!place.path("build").exists() && !place.path("new.yaml").exists() && !place.path("runs.json").exists());
    let kept = place.call(&["session", "history", "--json"]).status(0).json();
    assert_eq!(kept.as_array().unwrap().len(), 1);
}

#[test]
fn events_take_the_place_of_nothing_but_events() {
    let place = Place::new().good("m.yaml", "m");
    let before = place.read("m.yaml");
    let told = place.call(&["run", "m.yaml", "--events", "ndjson:m.yaml", "--json"]).status(0).json();
    assert!(told["warnings"][0].as_str().unwrap().contains("holds something else than events"), "{told}");
    assert_eq!(place.read("m.yaml"), before);
    for _ in 0..2 {
        let told = place.call(&["run", "m.yaml", "--events", "ndjson:e.ndjson", "--json"]).status(0).json();
        assert_eq!(told["warnings"], serde_json::json!([]));
        assert_eq!(place.read("e.ndjson").matches("run_started").count(), 1);
    }
}

#[cfg(unix)]
#[test]
fn an_export_replaces_no_pipe() {
    let place = Place::new().good("m.yaml", "m");
    place.call(&["run", "m.yaml"]).status(0);
    let pipe = place.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    place.call(&["session", "export", "pipe", "--force"]).status(1);
    assert!(!fs::symlink_metadata(&pipe).unwrap().is_file());
}
