//! Runs wait in files beside the history until somebody takes them in: all of them, once, and never too many.

use std::fs;

use serde_json::json;

use crate::harness::{Place, finish};
use crate::history::{fill, history, runs, waiting, warnings};

#[test]
fn a_run_takes_in_what_waits_when_it_is_much() {
    let place = Place::new().good("m.yaml", "m");
    fill(&place, 61);
    assert_eq!(warnings(&place), [""; 0]);
    assert_eq!(waiting(&place).len(), 63);
    assert!(!place.own().join("history.db").exists());
    let told = place.call(&["run", "m.yaml", "--json"]).status(0).json();
    assert_eq!((&told["warnings"], waiting(&place)), (&json!([]), Vec::new()));
    let found = history(&place);
    assert_eq!((found.len(), &found[0]["run_id"]), (64, &told["telemetry"]["run_id"]));
    // A run that was taken in and still waits, because its taker was killed, is not doubled; half a file is no run.
    fill(&place, 70);
    let pending = place.own().join("history.pending");
    let half = pending.join("00000000002-00000000.json");
    fs::write(&half, "{\"run_id\": \"0000").unwrap();
    assert_eq!(history(&place).len(), 64 + 1 + 9);
    assert!(!half.exists());
}

#[test]
fn two_that_take_in_at_once_lose_and_double_nothing() {
    let place = Place::new().good("m.yaml", "m");
    fill(&place, 500);
    let looks: Vec<_> = (0..3).map(|_| place.call(&["session", "status", "--json"]).start()).collect();
    let more: Vec<_> = (0..5).map(|_| place.call(&["run", "m.yaml", "--json"]).start()).collect();
    for child in looks.into_iter().chain(more) {
        let done = finish(child);
        assert_eq!(done.status, 0, "{done:#?}");
        assert!(done.json()["warnings"].as_array().is_none_or(Vec::is_empty), "{done:#?}");
    }
    assert_eq!((runs(&place), waiting(&place).len()), (506, 0));
}

#[test]
fn the_number_that_waits_is_bounded() {
    let place = Place::new().good("m.yaml", "m");
    assert_eq!((warnings(&place).len(), runs(&place)), (0, 1));
    let holder = rusqlite::Connection::open(place.own().join("history.db")).unwrap();
    holder.execute_batch("BEGIN EXCLUSIVE").unwrap();
    fill(&place, 4099);
    let told = place.call(&["run", "m.yaml", "--json"]).status(0).json();
    let warning = told["warnings"][0].as_str().unwrap();
    assert!(warning.contains("more than 4096 runs wait") && warning.contains("given up (5)"), "{warning}");
    // The oldest are.
    let left = waiting(&place);
    assert_eq!((left.len(), left.iter().min().unwrap().as_str()), (4096, "00000000001-00000005.json"));
    holder.execute_batch("ROLLBACK").unwrap();
    assert_eq!(warnings(&place), [""; 0]);
    assert_eq!((waiting(&place).len(), runs(&place)), (0, 4098));
}
