//! What authors write, through the front door: spelling, shapes, durations, damaged artifacts and folders with a broken file in them.

use serde_json::{Value, json};

use crate::harness::{Outcome, Place};

/// A macro whose only step makes the file `made`.
fn touch(lines: &str) -> String {
    format!("name: m\nsteps:\n  - id: s\n    action: run_command\n    params: {{command: [touch, made]}}\n{lines}")
}

/// Code, line and the whole text of each diagnostic of `check`.
fn found(place: &Place, file: &str) -> Vec<(String, u64, String)> {
    let outcome = place.call(&["check", "--json", file]).run();
    let all = outcome.json()["diagnostics"].as_array().unwrap().clone();
    let text = |entry: &Value| format!("{} {}", entry["message"].as_str().unwrap(), entry["help"]);
    all.iter()
        .map(|entry| (entry["code"].as_str().unwrap().to_owned(), entry["line"].as_u64().unwrap(), text(entry)))
        .collect()
}

fn has(found: &[(String, u64, String)], line: u64, words: &[&str]) {
    let fits = |(_, at, text): &(String, u64, String)| *at == line && words.iter().all(|word| text.contains(word));
    assert!(found.iter().any(fits), "line {line} with {words:?} is not in {found:#?}");
}

#[test]
fn words_stay_the_words_that_were_written() {
    let text = "name: m
steps:
  - id: say
    action: run_command
    params: {command: [echo, no, yes, on, off, false, y, 007, 1e3, ~], capture_stdout: true}
  - {id: a, backend: file_transform, action: json_set, params: {input_file: j.json, path: a, value: no}}
  - {id: b, backend: file_transform, action: json_set, params: {input_file: j.json, path: b, value: false}}
  - {id: c, backend: file_transform, action: json_set, params: {input_file: j.json, path: c, value: \"false\"}}
  - {id: t, backend: file_transform, action: text_replace, params: {input_file: t.txt, find: on, replace: 1.10}}
  - {id: w, backend: file_transform, action: write_file, params: {output_file: off, text: False}}
outputs: [{name: said, value: \"${steps.say.stdout}\"}]
";
    let place = Place::new().file("m.yaml", text).file("j.json", "{}").file("t.txt", "on");
    let document = place.call(&["run", "m.yaml", "--json"]).status(0).json();
    assert_eq!(document["output"]["said"], "no yes on off false y 007 1e3 ~\n");
    let written: Value = serde_json::from_str(&place.read("j.json")).unwrap();
    assert_eq!(written, json!({"a": "no", "b": false, "c": "false"}));
    assert_eq!(place.read("t.txt"), "1.10");
    assert_eq!(place.read("off"), "False");

    let typed = "name: t\nsteps:\n  - {id: t, backend: semantic_ui, action: type_text, params: {text: no}}\n  \
                 - {id: b, backend: semantic_ui, action: button_click, params: {label: off, app_name: 1e3}}\n";
    place.write("t.yaml", typed);
    let document = place.call(&["run", "t.yaml", "--dry-run", "--json"]).status(0).json();
    assert_eq!(document["steps"][0]["would"]["text"], "no");
    assert_eq!(document["steps"][1]["would"], json!({"label": "off", "app_name": "1e3"}));
}

#[test]
fn a_key_written_twice_is_named_with_both_lines() {
    let place = Place::new()
        .file("step.yaml", touch("    params: {command: [ls]}\n"))
        .file("steps.yaml", format!("{}steps: []\n", touch("")))
        .file(
            "value.yaml",
            "name: m\nsteps:\n  - backend: file_transform\n    action: json_set\n    params:\n      input_file: j.json\n      \
             path: a\n      value:\n        a: 1\n        b: 1\n        a: 2\n",
        );
    for (file, key, first, second) in
        [("step.yaml", "params", 5, 6), ("steps.yaml", "steps", 2, 6), ("value.yaml", "a", 9, 11)]
    {
        let places =
            [&format!("`{key}`"), &format!("line {first}"), &format!("line {second}")].map(|word| word.to_owned());
        has(&found(&place, file), second, &places.each_ref().map(String::as_str));
        place.call(&["run", file]).status(3);
    }
    assert!(!place.path("made").exists());

    let merged = "name: m\nsteps:\n  - &base\n    id: one\n    action: run_command\n    params: {command: [touch, one]}\n  \
                  - <<: *base\n    id: two\n    params: {command: [touch, two]}\n";
    place.write("merge.yaml", merged);
    place.call(&["check", "--deny", "warnings", "merge.yaml"]).status(0);
    place.call(&["run", "merge.yaml"]).status(0);
    assert!(place.path("one").exists() && place.path("two").exists());
}

#[test]
fn marks_and_line_ends_change_neither_bytes_nor_places() {
    let text = "name: m\nversion: \"1\"\nsteps:\n  - id: w\n    backend: file_transform\n    action: write_file\n    params:\n      \
                output_file: o\n      text: |\n        one\n        two\n";
    let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let utf16: Vec<u8> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let place = Place::new().file("a/m.yaml", text).file("b/m.yaml", &marked).file("c/m.yaml", utf16);
    for folder in ["a", "b", "c"] {
        place.call(&["build", folder, "-o", &format!("out-{folder}")]).status(0);
    }
    let bytes = |folder: &str| std::fs::read(place.path(&format!("out-{folder}/m.mcb"))).unwrap();
    assert!(bytes("a") == bytes("b") && bytes("a") == bytes("c"));
    place.call(&["run", "out-b/m.mcb"]).status(0);
    assert_eq!(place.read("o"), "one\ntwo\n");

    place.write("key.yaml", format!("{marked}    tiemout: 3s\r\n"));
    has(&found(&place, "key.yaml"), 12, &["`tiemout`", "`timeout`"]);
    place.write("tab.yaml", marked.replace("    action", "\taction"));
    has(&found(&place, "tab.yaml"), 6, &["tab"]);
    place.call(&["check", "tab.yaml", "--message-format", "short"]).status(3).tells("tab.yaml:6:1:");
    place.write("latin.yaml", [text.as_bytes(), b"    description: \xe9\n"].concat());
    has(&found(&place, "latin.yaml"), 12, &["UTF-8"]);
}

#[test]
fn every_misspelt_key_is_found_in_one_run() {
    let text = "name: m
tags: [x]
description: d
agent_hints: {danger_level: safe, anything: else}
precondition: [{always: true}]
parameters: {v: {type: string, default: a, example: b}}
steps:
  - id: a
    action: run_command
    tiemout_ms: 10
    params: {comand: [ls]}
  - id: b
    action: run_command
    on_fail: skip
    retry_policy: {max_retry: 3}
    params: {command: [ls, \"${v}\"]}
outputs: [{name: o, value: 1, description: d}]
";
    let place = Place::new().file("m.yaml", text);
    let all = found(&place, "m.yaml");
    has(&all, 5, &["`precondition`", "mean `preconditions`"]);
    has(&all, 10, &["`tiemout_ms`", "mean `timeout_ms`"]);
    has(&all, 11, &["`comand`", "mean `command`"]);
    has(&all, 14, &["`on_fail`", "mean `on_failure`"]);
    has(&all, 15, &["`max_retry`", "mean `max_retries`"]);
    assert_eq!(all.len(), 5, "{all:#?}");
}

#[test]
fn wrong_shapes_are_told_by_check_validate_and_run_alike() {
    let good = [
        "name: m\nsteps:\n  - {id: s, backend: semantic_ui, action: get_controls, params: }\n".to_owned(),
        touch("    retry_policy: {max_retries: 1, backoff_ms: []}\n"),
        touch("    retry_policy: {max_retries: 1, backoff_ms: 200}\n"),
    ];
    let wrong = [
        ("name: m\nsteps: {}\n".to_owned(), 2, vec!["`steps`", "list"]),
        ("name: m\nsteps:\n".to_owned(), 2, vec!["`steps`", "list"]),
        ("name: m\nsteps: [null]\n".to_owned(), 2, vec!["step", "mapping", "null"]),
        (touch("    on_failure: Skip\n"), 6, vec!["`Skip`", "`fail`", "`skip`", "`continue`"]),
        (touch("    retry_policy: {max_retries: -1}\n"), 6, vec!["`-1`", "0"]),
        (touch("  - {id: s, action: find_executable, params: {name: sh}}\n"), 6, vec!["`s`"]),
        (
            touch("").replace("run_command", "run_comand"),
            4,
            vec!["`run_comand`", "`start_process`", "`find_executable`"],
        ),
        (touch("    backend: native\n"), 6, vec!["`native`", "`native_api`", "`semantic_ui`"]),
        ("- a\n- b\n".to_owned(), 1, vec!["mapping", "list"]),
        (String::new(), 1, vec!["empty", "`name:`"]),
        ("name: m\nsteps: []\n---\nname: n\nsteps: []\n".to_owned(), 3, vec!["second document"]),
        ("just words\n".to_owned(), 1, vec!["mapping"]),
        ("name: m\nsteps: [\n".to_owned(), 2, vec!["`[`", "never closed"]),
    ];
    let place = Place::new();
    for text in good {
        place.write("m.yaml", &text);
        place.call(&["check", "m.yaml"]).status(0);
        place.call(&["validate", "m.yaml"]).status(0);
        place.call(&["run", "m.yaml", "--dry-run"]).status(0);
    }
    for (text, line, words) in wrong {
        place.write("m.yaml", &text);
        has(&found(&place, "m.yaml"), line, &words);
        place.call(&["check", "m.yaml"]).status(3);
        place.call(&["validate", "m.yaml"]).status(3);
        let document = place.call(&["run", "m.yaml", "--json"]).status(3).json();
        assert_eq!(
            (&document["error_code"], &document["diagnostics"][0]["line"]),
            (&json!("diagnostics"), &json!(line))
        );
    }
    assert!(!place.path("made").exists());
}

#[test]
fn time_limits_are_kept_as_written() {
    let sleep = |lines: &str| touch(lines).replace("[touch, made]", "[sleep, \"20\"]");
    let place = Place::new();
    for (line, limit) in [
        ("timeout: 500ms", 500.0),
        ("timeout: 1.5s", 1500.0),
        ("timeout: 1s", 1000.0),
        ("timeout_ms: 300", 300.0),
        ("timeout_ms: \"300\"", 300.0),
    ] {
        place.write("m.yaml", sleep(&format!("    {line}\n")));
        let document = place.call(&["run", "m.yaml", "--json"]).status(5).json();
        assert_eq!(document["error_code"], "timeout");
        assert!(document["error"].as_str().unwrap().contains(&format!("step `s` failed: timed out after {limit} ms")));
        let took = document["steps"][0]["duration_ms"].as_f64().unwrap();
        assert!(took >= limit - 1.0 && took < limit + 5000.0, "{line} took {took} ms");
    }
    for line in ["timeout: 2m", "timeout: 1m30s", "timeout_ms: 31536000000"] {
        place.write("m.yaml", sleep(&format!("    {line}\n")));
        assert_eq!(found(&place, "m.yaml"), [], "{line}");
    }
    for line in [
        "timeout: 1",
        "timeout: -5s",
        "timeout: 0",
        "timeout: 0s",
        "timeout: 5 parsecs",
        "timeout: 1e400s",
        "timeout: 99999999999999999999ms",
        "timeout_ms: 0",
        "timeout_ms: -1",
        "timeout_ms: 99999999999999999999",
        "timeout_ms: 500ms",
        "timeout: 1s\n    timeout_ms: 1000",
    ] {
        place.write("m.yaml", sleep(&format!("    {line}\n")));
        let all = found(&place, "m.yaml");
        assert!(all.len() == 1 && all[0].2.contains("`timeout"), "{line}: {all:#?}");
        place.call(&["run", "m.yaml"]).status(3);
    }
}

#[test]
fn a_damaged_artifact_is_refused_before_its_first_step() {
    let place = Place::new().file("m.yaml", touch(""));
    place.call(&["build", "m.yaml"]).status(0);
    let good = std::fs::read(place.path("build/m.mcb")).unwrap();
    let refused = |bytes: &[u8], words: &[&str]| {
        place.write("bad.mcb", bytes);
        let outcome = place.call(&["run", "bad.mcb", "--json"]).status(8);
        let document = outcome.json();
        assert_eq!(document["error_code"], "bad_artifact");
        let error = document["error"].as_str().unwrap();
        assert!(error.contains("`bad.mcb`") && words.iter().all(|word| error.contains(word)), "{error}");
        assert!(!place.path("made").exists());
    };
    let step = (good.len() / 24).max(1);
    for at in (0..good.len()).step_by(step) {
        refused(&good[..at], &[]);
        let mut flipped = good.clone();
        flipped[at] ^= 0x80;
        refused(&flipped, &[]);
        let mut window = good.clone();
        window.iter_mut().skip(at).take(4).for_each(|byte| *byte = 0xFF);
        refused(&window, &[]);
    }
    refused(&[&good[..], b"x"].concat(), &[]);
    refused(touch("").as_bytes(), &["artifact"]);
    let mut newer = good.clone();
    newer[8] += 1;
    refused(&newer, &["version 2"]);
    place.call(&["run", "build/m.mcb"]).status(0);
    assert!(place.path("made").exists());
}

#[cfg(unix)]
#[test]
fn one_broken_file_hides_neither_itself_nor_the_others() {
    let place = Place::new()
        .good("macro_definitions/a.yaml", "a")
        .file("macro_definitions/b.yaml", "name: b\nversion: \"1\"\nstepz: []\nsteps: []\n")
        .good("macro_definitions/c.yml", "c")
        .good("macro_definitions/d.yaml", "same")
        .good("macro_definitions/e.yaml", "same")
        .good("macro_definitions/g.yaml/h.yaml", "h");
    std::os::unix::fs::symlink("nothing", place.path("macro_definitions/f.yaml")).unwrap();
    let people: Outcome = place.call(&["macro", "validate"]).status(3);
    for word in ["b.yaml:3:", "d.yaml", "e.yaml", "f.yaml", "a link to nothing"] {
        assert!(people.stderr.contains(word), "{word} is not in {}", people.stderr);
    }
    let document = place.call(&["macro", "validate", "--json"]).status(3).json();
    let errors = |name: &str| document[name]["errors"].to_string();
    assert!(errors("b").contains("b.yaml:3:"), "{document}");
    assert!(errors("same").contains("d.yaml") && errors("same").contains("e.yaml"), "{document}");
    assert!(errors("f").contains("a link to nothing"), "{document}");
    assert_eq!((&document["a"]["valid"], &document["c"]["valid"]), (&json!(true), &json!(true)));
    let listed = place.call(&["macro", "list", "--json"]).status(0).json();
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    assert!(["a", "c", "h"].iter().all(|name| names.contains(name)) && !names.contains(&"same"), "{names:?}");
    place.call(&["run", "same"]).status(2).tells("d.yaml").tells("e.yaml");
    place.call(&["run", "b"]).status(3).tells("b.yaml:3:");
    place.call(&["run", "a"]).status(0);
}

#[test]
fn an_element_that_is_not_there_is_never_taken_for_null() {
    let head = "name: m
parameters: {l: {type: list, default: [1, 2]}, d: {type: dict, default: {a: 1}}}
preconditions: [{always: \"${len(l) == 2 and len(d) == 1}\"}]
steps:
";
    let absent = ["${l[5]}", "${d.b}", "${[l[5]]}", "${l[5]:-${d.b}}"];
    for value in absent {
        let macro_text = format!("{head}outputs: [{{name: o, value: '{value}'}}]\n").replace("steps:", "steps: []");
        let document = Place::new().file("m.yaml", macro_text).call(&["run", "m.yaml", "--json"]).status(1).json();
        assert_eq!(document["error_code"], "evaluation_failed", "{value}: {document:#}");
    }
    for value in
        absent.iter().flat_map(|value| [format!("'{value}'"), format!("['{value}']"), format!("{{x: '{value}'}}")])
    {
        let step = format!(
            "  - {{backend: file_transform, action: json_set, params: {{input_file: j, path: a, value: {value}}}}}\n"
        );
        let place = Place::new().file("m.yaml", format!("{head}{step}")).file("j", "{\"a\": 1}");
        let document = place.call(&["run", "m.yaml", "--json"]).status(1).json();
        assert_eq!(document["error_code"], "evaluation_failed", "{value}: {document:#}");
        assert_eq!(place.read("j"), "{\"a\": 1}");
    }
    // What is optional is not left out because of a slip.
    let step = "  - {action: run_command, params: {command: [touch, made], cwd: '${d.folder}'}}\n";
    let place = Place::new().file("m.yaml", format!("{head}{step}"));
    place.call(&["run", "m.yaml"]).status(1);
    assert!(!place.path("made").exists());
}
