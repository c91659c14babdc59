//! `check`, `validate`, `explain`: what is wrong with macros, in every form.

use crate::harness::Place;

const TYPOS: &str = "name: typos
precondition: []
steps:
  - id: a
    action: run_command
    tiemout_ms: 10
    on_fail: skip
    params: {comand: [ls], command: [ls]}
    retry_policy: {max_retry: 3}
";

#[test]
fn one_run_reports_every_mistake_in_every_form() {
    let place = Place::new().file("typos.yaml", TYPOS);
    let document = place.call(&["check", "typos.yaml", "--message-format", "json"]).status(3).json();
    assert_eq!(document["schema"], "macrocli.diagnostics/1");
    let found = document["diagnostics"].as_array().unwrap();
    let lines: Vec<u64> = found.iter().map(|found| found["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 6, 7, 8, 9], "{found:#?}");
    for (found, near) in found.iter().zip(["preconditions", "timeout_ms", "on_failure", "command", "max_retries"]) {
        let keys: Vec<&str> = found.as_object().unwrap().keys().map(String::as_str).collect();
        let wanted =
            ["code", "severity", "message", "file", "line", "column", "end_line", "end_column", "help", "labels"];
        assert_eq!(keys, wanted);
        assert!(found["help"].as_str().unwrap().contains(near), "{found}");
        assert_eq!((&found["file"], &found["severity"]), (&"typos.yaml".into(), &"error".into()));
    }
    assert_eq!(place.call(&["check", "typos.yaml", "--json"]).status(3).json(), document);
    let short = place.call(&["check", "typos.yaml", "--message-format", "short"]).status(3).stdout("");
    for found in found {
        let text = |key: &str| found[key].as_str().unwrap().to_owned();
        let line =
            format!("typos.yaml:{}:{}: error[{}]: {}\n", found["line"], found["column"], text("code"), text("message"));
        assert!(short.stderr.contains(&line), "no {line} in {}", short.stderr);
    }
    let human = place.call(&["check", "typos.yaml"]).status(3).stdout("");
    assert_eq!(human.stderr.matches("typos.yaml:").count(), found.len(), "{}", human.stderr);
    assert!(human.stderr.contains("tiemout_ms: 10") && human.stderr.contains("5 errors in `typos.yaml`"));
}

#[test]
fn columns_are_characters_and_drawings_are_right_with_wide_text() {
    let place = Place::new()
        .file("é.yaml", "name: a\nsteps:\n  - {\"id\": \"ä\", x: 1, action: run_command, params: {command: [ls]}}\n");
    let document = place.call(&["check", "é.yaml", "--json"]).status(3).json();
    let unknown = document["diagnostics"].as_array().unwrap().iter().find(|found| found["code"] == "E0101").unwrap();
    assert_eq!((&unknown["column"], &unknown["end_column"]), (&17.into(), &18.into()));
    place.call(&["check", "é.yaml"]).status(3).tells("x: 1");
}

#[test]
fn standard_input_and_folders_are_checked() {
    let place = Place::new().good("m/a.yaml", "a").file("m/sub/b.yml", "name: b\nx: 1\nsteps: []\n");
    place.call(&["check", "-", "--message-format", "short"]).stdin(TYPOS).status(3).tells("<stdin>:2:1: error[E0101]");
    let document = place.call(&["check", "m", "m/a.yaml", "--json"]).status(3).json();
    assert!(document["diagnostics"].as_array().unwrap().iter().all(|found| found["file"] == "m/sub/b.yml"));
    place.call(&["check", "m/a.yaml"]).status(0).stdout("").tells("nothing to report");
    place.call(&["check", "."]).status(3).tells("m/sub/b.yml:2:1");
    std::fs::create_dir(place.path("empty")).unwrap();
    place.call(&["check", "empty"]).status(2).tells("no macro file in `empty`");
}

#[test]
fn warnings_can_be_denied() {
    let text =
        "name: w\nparameters: {unused: string}\nsteps:\n  - {id: a, action: find_executable, params: {name: sh}}\n";
    let place = Place::new().file("w.yaml", text);
    place.call(&["check", "w.yaml"]).status(0).tells("W0101");
    place.call(&["check", "w.yaml", "--deny", "warnings"]).status(3).tells("W0101");
    place.call(&["build", "w.yaml", "--deny", "warnings"]).status(3);
    assert!(!place.path("build/w.mcb").exists());
}

#[test]
fn a_mistake_of_a_called_macro_is_told_once_with_its_path() {
    let caller = |name: &str| format!("name: {name}\nsteps:\n  - {{id: c, macro: ./sub/callee.yaml}}\n");
    let place = Place::new()
        .file("a.yaml", caller("a"))
        .file("b.yaml", caller("b"))
        .file("sub/callee.yaml", "name: callee\ncomposable: true\nfoo: 1\nsteps: []\n");
    let document = place.call(&["check", "a.yaml", "b.yaml", "--json"]).status(3).json();
    let unknown: Vec<_> =
        document["diagnostics"].as_array().unwrap().iter().filter(|found| found["code"] == "E0101").collect();
    assert_eq!(unknown.len(), 1, "{document:#}");
    assert_eq!((&unknown[0]["file"], &unknown[0]["line"]), (&"sub/callee.yaml".into(), &3.into()));
}

#[cfg(unix)]
#[test]
fn a_broken_file_hides_only_itself() {
    let place = Place::new()
        .good("m/a.yaml", "a")
        .file("m/b.yaml", "name: b\nsteps:\n  - {id: x, action: run_comand}\n")
        .good("m/c.yml", "c")
        .good("m/d.yaml", "same")
        .good("m/e.yaml", "same");
    std::os::unix::fs::symlink("nothing", place.path("m/f.yaml")).unwrap();
    std::fs::create_dir(place.path("m/g.yaml")).unwrap();
    let named = |outcome: &crate::harness::Outcome| -> Vec<String> {
        let document = outcome.json();
        let entries = document.as_array().unwrap().iter();
        entries.map(|entry| entry["name"].as_str().unwrap().to_owned()).filter(|name| name.len() < 5).collect()
    };
    for words in [["--macros", "m", "macro", "validate", "--json"], ["macro", "validate", "m", "--json", "-q"]] {
        let document = place.call(&words).status(3).json();
        let errors = |name: &str| document[name]["errors"].to_string();
        assert_eq!(document["a"], serde_json::json!({"valid": true, "errors": []}));
        assert_eq!(document["c"]["valid"], true);
        assert!(errors("b").contains("m/b.yaml:3:"), "{document:#}");
        assert!(errors("same").contains("m/d.yaml") && errors("same").contains("m/e.yaml"), "{document:#}");
        assert!(errors("f").contains("m/f.yaml") && errors("f").contains("a link to nothing"), "{document:#}");
        assert!(document.get("g").is_none());
    }
    place.call(&["validate", "m"]).status(3).tells("m/b.yaml:3:").tells("`m/d.yaml` and `m/e.yaml`").tells("m/f.yaml");
    let listed = place.call(&["--macros", "m", "--json", "macro", "list"]).status(0);
    assert_eq!(named(&listed), ["a", "c"]);
    listed.tells("m/b.yaml").tells("m/f.yaml");
    place.call(&["--macros", "m", "run", "same"]).status(2).tells("m/d.yaml").tells("m/e.yaml");
    place.call(&["--macros", "m", "run", "a"]).status(0);
    place.call(&["--macros", "m", "run", "f"]).status(2).tells("a link to nothing");
}

#[test]
fn what_no_wheel_and_no_key_can_do_is_told_when_the_macro_is_built() {
    for (action, words) in [
        ("visual_anchor, action: scroll, params: {dy: -1000000000}", "`dy` must be at least -10000 notches"),
        ("visual_anchor, action: scroll, params: {dx: 10001}", "`dx` must be at most 10000 notches"),
        (r#"visual_anchor, action: type_text, params: {text: "a\eb"}"#, "found U+001B as character 2"),
        (r#"semantic_ui, action: type_text, params: {text: "\u0085"}"#, "found U+0085 as character 1"),
        ("gui_macro, action: replay, params: {macro_file: r.json}", "found U+0007 as character 3"),
    ] {
        let place = Place::new().file("m.yaml", format!("name: m\nsteps:\n  - {{backend: {action}}}\n"));
        place.write("r.json", r#"{"steps": [{"type": "type", "text": "ab\u0007"}]}"#);
        place.call(&["check", "m.yaml"]).status(3).tells("E0").tells(words);
    }
}

#[test]
fn codes_are_explained() {
    let place = Place::new();
    let document = place.call(&["explain", "e0101", "--json"]).status(0).json();
    assert_eq!((&document["code"], &document["severity"]), (&"E0101".into(), &"error".into()));
    place.call(&["explain", "E0101"]).status(0).says("E0101 (error): a key that means nothing here").silent();
    place.call(&["explain", "E010l"]).status(2).tells("did you mean `E010");
}

#[cfg(unix)]
#[test]
fn a_file_name_does_nothing_to_a_terminal() {
    let place = Place::new().file("m/e\u{1b}[31m\n.yaml", "name: e\nfoo: 1\n");
    for words in [["check", "m"], ["build", "m"], ["validate", "m"]] {
        let outcome = place.call(&words).status(3);
        assert!(!outcome.stderr.contains('\u{1b}') && !outcome.stdout.contains('\u{1b}'), "{outcome:#?}");
    }
    place.call(&["check", "m"]).status(3).tells("2 errors in `m/e\\u{1b}[31m\\n.yaml`");
}
