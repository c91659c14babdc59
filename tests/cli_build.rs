//! `build`: what is written, and what is left alone.

use std::fs;

use serde_json::Value;

use crate::harness::{GOOD, Place};

fn names(document: &Value, list: &str) -> Vec<String> {
    let entries = document[list].as_array().unwrap().iter();
    entries.map(|entry| entry["name"].as_str().unwrap_or_else(|| entry["path"].as_str().unwrap()).to_owned()).collect()
}

#[test]
fn what_is_up_to_date_is_told_by_content() {
    let caller = "name: caller\nsteps:\n  - {id: c, macro: callee}\n";
    let place = Place::new()
        .good("m/one.yaml", "one")
        .file("m/callee.yaml", format!("name: callee\ncomposable: true\n{GOOD}"))
        .file("m/caller.yaml", caller);
    let build = |words: &[&str]| place.call(&[&["build", "m", "--json"], words].concat()).status(0).json();
    let first = build(&[]);
    assert_eq!(names(&first, "built"), ["callee", "caller", "one"]);
    let kept = fs::read(place.path("build/one.mcb")).unwrap();
    let second = build(&[]);
    assert_eq!((names(&second, "built").len(), names(&second, "up_to_date")), (0, names(&first, "built")));
    assert_eq!(second["up_to_date"], first["built"]);
    // A later time stamp alone changes nothing; another content does, also of a macro that is called.
    place.write("m/one.yaml", place.read("m/one.yaml"));
    assert!(names(&build(&[]), "built").is_empty());
    place.write("m/callee.yaml", place.read("m/callee.yaml").replace("name: sh", "name: env"));
    assert_eq!(names(&build(&[]), "built"), ["callee", "caller"]);
    // An artifact that was damaged or deleted is made again, with the same bytes.
    fs::write(place.path("build/one.mcb"), "x").unwrap();
    assert_eq!(names(&build(&[]), "built"), ["one"]);
    assert_eq!(fs::read(place.path("build/one.mcb")).unwrap(), kept);
    fs::remove_file(place.path("build/one.mcb")).unwrap();
    assert_eq!(names(&build(&[]), "built"), ["one"]);
    // A macro that comes to shadow the called one makes the caller stale.
    place.write("m/callee2.yaml", format!("name: callee\ncomposable: true\n{GOOD}"));
    let outcome = place.call(&["build", "m", "--json"]).status(3).json();
    assert_eq!(names(&outcome, "failed"), ["m/callee.yaml", "m/callee2.yaml", "m/caller.yaml"]);
    fs::remove_file(place.path("m/callee2.yaml")).unwrap();
    for state in ["", "{", "[]", "{\"format\":1}"] {
        place.write("build/.macrocli-build", state);
        assert!(names(&build(&[]), "built").is_empty(), "a state that is lost costs time alone");
    }
    assert_eq!(names(&build(&["--force"]), "built").len(), 3);
    assert_eq!(fs::read(place.path("build/one.mcb")).unwrap(), kept);
}

#[test]
fn warnings_are_told_each_time() {
    let text =
        "name: w\nparameters: {unused: string}\nsteps:\n  - {id: a, action: find_executable, params: {name: sh}}\n";
    let place = Place::new().file("w.yaml", text);
    for _ in 0..2 {
        place.call(&["build", "w.yaml"]).status(0).tells("W0101");
    }
    place
        .call(&["build", "w.yaml", "--message-format", "short"])
        .status(0)
        .tells("w.yaml:2:14: warning[W0101]")
        .tells("1 up to date");
}

#[test]
fn broken_macros_leave_outputs_as_they_were() {
    let place = Place::new().good("m/a.yaml", "a").good("m/b.yaml", "b");
    place.call(&["build", "m", "-o", "out"]).status(0).stdout("");
    let before = fs::read(place.path("out/b.mcb")).unwrap();
    place.write("m/b.yaml", "name: b\nsteps: 3\n");
    let document = place.call(&["build", "m", "-o", "out", "--json"]).status(3).json();
    assert_eq!(
        (names(&document, "up_to_date"), names(&document, "failed")),
        (vec!["a".to_owned()], vec!["m/b.yaml".to_owned()])
    );
    assert_eq!(document["diagnostics"][0]["file"], "m/b.yaml");
    assert_eq!(fs::read(place.path("out/b.mcb")).unwrap(), before);
    let left: Vec<_> = fs::read_dir(place.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn two_macros_of_one_name_are_told_with_both_paths() {
    let place = Place::new().good("m/a.yaml", "same").good("m/b.yaml", "same").good("m/c.yaml", "c");
    for _ in 0..2 {
        let document = place.call(&["build", "m", "--json"]).status(3).json();
        let text = document["diagnostics"].to_string();
        assert!(text.contains("m/a.yaml") && text.contains("m/b.yaml") && text.contains("E0105"), "{document:#}");
        assert_eq!(names(&document, "failed"), ["m/a.yaml", "m/b.yaml"]);
        assert!(!place.path("build/same.mcb").exists() && place.path("build/c.mcb").exists());
    }
}

#[test]
fn the_same_sources_give_the_same_bytes_anywhere() {
    let place = Place::new().good("x/a.yaml", "a").good("y/z/a.yaml", "a");
    place.call(&["build", "x/a.yaml", "-o", "1"]).status(0);
    place.call(&["build", "y/z", "-o", "2"]).env("HOME", "/").env("TZ", "Asia/Tokyo").status(0);
    assert_eq!(fs::read(place.path("1/a.mcb")).unwrap(), fs::read(place.path("2/a.mcb")).unwrap());
}

#[test]
fn many_files_are_built_in_a_steady_order() {
    let place = Place::new();
    for number in 0..300 {
        place.write(&format!("m/{number}.yaml"), format!("name: m{number}\n{GOOD}"));
    }
    place.write("m/13.yaml", "name: m13\n");
    let first = place.call(&["build", "m", "--json"]).status(3).json();
    let second = place.call(&["build", "m", "--json", "-o", "other"]).status(3).json();
    assert_eq!(names(&first, "built"), names(&second, "built"));
    assert_eq!((names(&first, "built").len(), names(&first, "failed")), (299, vec!["m/13.yaml".to_owned()]));
}

#[test]
fn targets_make_availability_a_mistake() {
    let text = "name: c\nsteps:\n  - {id: a, backend: visual_anchor, action: hotkey, params: {keys: ctrl+z}}\n";
    let place = Place::new().file("c.yaml", text);
    place.call(&["check", "c.yaml"]).status(0);
    place.call(&["check", "c.yaml", "--target", "linux-headless"]).status(3).tells("E0307");
    place.call(&["check", "c.yaml", "--target", "host"]).status(if cfg!(target_os = "linux") { 3 } else { 0 });
    place.call(&["check", "c.yaml", "--target", "amiga"]).status(2).tells("linux-headless");
}

#[test]
fn the_bundled_macros_are_right() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/macro_definitions");
    let place = Place::new();
    let document = place.call(&["build", folder, "--json", "--deny", "warnings"]).status(0).json();
    assert!(names(&document, "built").contains(&"transform_json".to_owned()));
    let validated = place.call(&["macro", "validate", "--json"]).status(0).json();
    assert_eq!(validated.as_object().unwrap().len(), names(&document, "built").len());
}
