//! Sessions: their names, and what is told, saved and forgotten of them.

use std::fs;

use serde_json::{Value, json};

use crate::harness::Place;

fn place() -> Place {
    let place = Place::new()
        .good("m.yaml", "m")
        .file("fails.yaml", "name: fails\nsteps: [{action: run_command, params: {command: ['false']}}]\n");
    place.call(&["run", "m.yaml", "--session-id", "night"]).status(0);
    place.call(&["run", "fails.yaml"]).env("MACROCLI_SESSION", "night").status(1);
    place.call(&["run", "m.yaml", "--dry-run", "--session-id", "day"]).env("MACROCLI_SESSION", "night").status(0);
    place.call(&["run", "m.yaml"]).env("MACROCLI_SESSION", "").status(0);
    place
}

fn json(place: &Place, words: &[&str]) -> Value {
    place.call(&[words, &["--json"]].concat()).status(0).json()
}

#[test]
fn names_of_sessions_lead_nowhere_else() {
    let place = Place::new().good("m.yaml", "m");
    let long = "x".repeat(300);
    for bad in ["../../x", "/tmp/t/x", "a/b", ".", "..", "", &long, "a\nb", "-rf", ".a", "a..b", "é", "a\\b", "a b"] {
        for words in [&["run", "m.yaml"][..], &["session", "status"], &["session", "save"], &["list"]] {
            let words: Vec<&str> = words.iter().chain(&["--json", "--session-id", bad]).copied().collect();
            assert_eq!(place.call(&words).status(2).json()["error_code"], "usage", "{words:?}");
        }
        if bad.is_empty() {
            continue;
        }
        for words in [["run", "m.yaml", "--json"], ["session", "save", "--json"]] {
            let told = place.call(&words).env("MACROCLI_SESSION", bad).status(2).json();
            assert!(told["error"].as_str().unwrap().contains("MACROCLI_SESSION"), "{told}");
        }
    }
    assert_eq!(fs::read_dir(place.own()).unwrap().count(), 0);
}

#[test]
fn runs_are_counted_and_listed() {
    let place = place();
    let mut status = json(&place, &["session", "status", "--session-id", "night"]);
    assert!(status["avg_duration_ms"].take().as_f64().unwrap() > 0.0);
    let expected = json!({
        "session_id": "night", "runs": 2, "total": 2, "success": 1, "failure": 1, "success_rate": 0.5, "avg_duration_ms": null, "dry_runs": 0,
    });
    assert_eq!(status, expected);
    assert_eq!(json(&place, &["session", "status"])["session_id"], "default");
    assert_eq!(json(&place, &["session", "status", "--session-id", "day"])["dry_runs"], 1);
    assert_eq!(json(&place, &["session", "status", "--session-id", "none"])["success_rate"], 0.0);
    let list = json(&place, &["session", "list"]);
    let list: Vec<_> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (line["session_id"].as_str().unwrap(), line["runs"].as_i64().unwrap()))
        .collect();
    assert_eq!(list, [("default", 1), ("day", 1), ("night", 2)]);
    let history = json(&place, &["session", "history", "--session-id", "night", "--limit", "1"]);
    assert_eq!((history.as_array().unwrap().len(), &history[0]["macro_name"]), (1, &json!("fails")));
    let shown = json(&place, &["session", "show", "last", "--session-id", "night"]);
    assert_eq!((&shown["run_id"], &shown["result"]["exit_code"]), (&history[0]["run_id"], &json!(1)));
    for unknown in ["nope", "", "%"] {
        let told = place.call(&["session", "show", unknown, "--json"]).status(2).json();
        assert!(told["error"].as_str().unwrap().contains("is in the history"), "{told}");
    }
    // For people.
    place
        .call(&["session", "status", "--session-id", "night"])
        .status(0)
        .says("session night: 2 runs, 1 ok, 1 failed, 0 dry\n");
    place.call(&["session", "list"]).status(0).says("session  last run (UTC)       runs\n").says("\nday ");
    place.call(&["session", "history", "--session-id", "day"]).status(0).says("ok (dry)\n");
    place.call(&["session", "show", "last"]).status(0).says("\"schema\": \"macrocli.run/1\"");
}

#[test]
fn nothing_was_run_yet() {
    let place = Place::new();
    assert_eq!(json(&place, &["session", "status"])["runs"], 0);
    assert_eq!(json(&place, &["session", "list"]), json!([]));
    assert_eq!(json(&place, &["session", "history"]), json!([]));
    assert_eq!(json(&place, &["session", "prune", "--keep", "1"])["removed"], 0);
    place.call(&["session", "show", "last"]).status(2);
    assert_eq!(fs::read_dir(place.own()).unwrap().count(), 0);
}

#[test]
fn a_session_is_saved_whole() {
    let place = place();
    let told = json(&place, &["session", "save", "--session-id", "night"]);
    let path = place.own().join("sessions/night.json");
    assert_eq!(
        (&told["schema"], &told["runs"], &told["path"]),
        (&json!("macrocli.session.save/1"), &json!(2), &json!(path))
    );
    let saved: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(
        (&saved["schema"], &saved["session_id"], &saved["status"]["runs"]),
        (&json!("macrocli.session/1"), &json!("night"), &json!(2))
    );
    let runs: Vec<_> = saved["runs"].as_array().unwrap().iter().map(|run| &run["result"]["macro_name"]).collect();
    assert_eq!(runs, ["m", "fails"]);
    json(&place, &["session", "save", "--session-id", "night"]);
    assert_eq!(json(&place, &["session", "save", "--session-id", "none"])["runs"], 0);
    let text = fs::read_to_string(place.own().join("sessions/none.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["runs"], json!([]));

    json(&place, &["session", "export", "out.json", "--session-id", "night"]);
    assert_eq!(place.read("out.json"), fs::read_to_string(&path).unwrap());
    place.call(&["session", "export", "out.json"]).status(1).tells("--force");
    place.call(&["session", "export", "out.json", "--force"]).status(0);
    place.call(&["session", "export", "no/such/out.json"]).status(1);
    let left = fs::read_dir(place.path(""))
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().ends_with(".tmp"));
    assert_eq!(left.count(), 0);
}

#[cfg(unix)]
#[test]
fn saving_follows_no_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = place();
    place.write("victim", "untouched");
    json(&place, &["session", "save", "--session-id", "night"]);
    let folder = place.own().join("sessions");
    let path = folder.join("night.json");
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&path)), (0o700, 0o600));
    fs::remove_file(&path).unwrap();
    symlink(place.path("victim"), &path).unwrap();
    json(&place, &["session", "save", "--session-id", "night"]);
    assert_eq!(place.read("victim"), "untouched");
    assert!(!fs::symlink_metadata(&path).unwrap().is_symlink());
}

#[test]
fn runs_are_forgotten() {
    let place = place();
    place.call(&["session", "prune"]).status(2);
    place.call(&["session", "prune", "--keep", "1", "--older-than", "1d"]).status(2);
    place.call(&["session", "prune", "--older-than", "soon"]).status(2);
    assert_eq!(json(&place, &["session", "prune", "--older-than", "30d"])["removed"], 0);
    let told = json(&place, &["session", "prune", "--keep", "1", "--session-id", "night"]);
    assert_eq!((&told["removed"], &told["kept"]), (&json!(1), &json!(1)));
    let told = json(&place, &["session", "prune", "--keep", "1"]);
    assert_eq!((&told["removed"], &told["kept"]), (&json!(2), &json!(1)));
    let told = json(&place, &["session", "prune", "--older-than", "0s"]);
    assert_eq!((&told["removed"], &told["kept"]), (&json!(1), &json!(0)));
}
