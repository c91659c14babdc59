//! Parameters, placeholders and conditions, through the front door: nothing unresolved or mistaken reaches the system.

use serde_json::{Value, json};

use crate::harness::{Outcome, Place};

/// A macro without steps that gives back its parameter `v`.
fn gives_back(declaration: &str) -> String {
    format!("name: m\nparameters: {{v: {declaration}}}\nsteps: []\noutputs: [{{name: v, value: \"${{v}}\"}}]\n")
}

/// A macro with these conditions whose only step makes the file `made`.
fn demands(condition: &str) -> String {
    format!(
        "name: m\npreconditions: [{condition}]\nsteps: [{{id: s, action: run_command, params: {{command: [touch, made]}}}}]\n"
    )
}

fn error(outcome: &Outcome) -> String {
    outcome.json()["error"].as_str().unwrap().to_owned()
}

fn first_problem(document: &Value) -> String {
    let first = &document["diagnostics"][0];
    format!("{}:{} {} {}", first["line"], first["column"], first["message"].as_str().unwrap(), first["help"])
}

#[test]
fn an_unresolved_placeholder_reaches_nothing() {
    let command = |item: &str| {
        format!(
            "name: m\nparameters: {{output: string}}\nsteps:\n  - {{id: first, action: run_command, params: {{command: [touch, made]}}}}\n  \
             - {{id: s, action: run_command, params: {{command: [touch, '{item}']}}}}\n"
        )
    };
    let place = Place::new().file("m.yaml", command("${outptu}"));
    let document = place.call(&["run", "m.yaml", "-p", "output=o", "--json"]).status(3).json();
    let all = document["diagnostics"].to_string();
    assert!(all.contains("`outptu`") && all.contains("did you mean `output`?") && all.contains("\"line\":5"), "{all}");
    place.write("m.yaml", command("${output}"));
    let absent = place.call(&["run", "m.yaml", "--json"]).status(2);
    assert!(error(&absent).contains("parameter `output` has no value"), "{absent:?}");
    for broken in ["${", "a${", "${}", "${ }", "${a b}", "${output", "${a..b}", "${1x}"] {
        place.write("m.yaml", command(broken));
        let document = place.call(&["run", "m.yaml", "-p", "output=o", "--json"]).status(3).json();
        assert!(document["diagnostics"].to_string().contains("\"code\":\"E02"), "{broken}: {document}");
    }
    let names: Vec<_> = std::fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["m.yaml"]);
}

#[test]
fn dollars_that_begin_no_placeholder_are_text() {
    let text = "name: m\nparameters: {v: {default: '${x} $y'}}\nsteps:\n  - {id: s, action: run_command, params: {capture_stdout: true, \
                command: [echo, '$${HOME}', $x, 100$, '$$', '$(id)', '${v}']}}\noutputs: [{name: o, value: '${steps.s.stdout}'}]\n";
    let place = Place::new().file("m.yaml", text.replace("default: '${x} $y'", "required: true"));
    let document = place.call(&["run", "m.yaml", "--json", "-p", "v=${x} $y"]).status(0).json();
    assert_eq!(document["output"]["o"], "${HOME} $x 100$ $$ $(id) ${x} $y\n");
}

#[test]
fn values_keep_their_declared_types() {
    let macro_of = |ty: &str, value: &str| {
        format!(
            "name: m\nparameters: {{v: {{type: {ty}, required: true}}}}\nsteps:\n  - {{id: s, backend: file_transform, action: json_set, \
             params: {{input_file: j.json, path: v, value: '{value}'}}}}\n"
        )
    };
    let place = Place::new();
    let written = |ty: &str, value: &str, given: &str| -> String {
        place.write("m.yaml", macro_of(ty, value));
        place.write("j.json", "{}");
        place.call(&["run", "m.yaml", "-p", &format!("v={given}")]).status(0);
        let document: Value = serde_json::from_str(&place.read("j.json")).unwrap();
        document["v"].to_string()
    };
    for (ty, given) in [
        ("integer", "42"),
        ("float", "1.0"),
        ("boolean", "true"),
        ("list", "[1,\"a\"]"),
        ("dict", "{\"a\":{\"b\":null}}"),
        ("integer", "-9223372036854775808"),
    ] {
        assert_eq!(written(ty, "${v}", given), given);
    }
    assert_eq!(written("string", "${v}", "42"), "\"42\"");
    for (ty, given) in [("integer", "42"), ("float", "1.0"), ("boolean", "true"), ("string", "00420")] {
        assert_eq!(written(ty, "n=${v}", given), format!("\"n={given}\""));
    }
}

#[test]
fn a_list_is_a_whole_command_or_an_error() {
    let text = "name: m\nparameters: {l: {type: list, required: true}}\nsteps:\n  - {id: s, action: run_command, params: {capture_stdout: \
                true, command: COMMAND}}\noutputs: [{name: o, value: '${steps.s.stdout}'}]\n";
    let place = Place::new().file("m.yaml", text.replace("COMMAND", "\"${l}\""));
    let run = |list: &str| place.call(&["run", "m.yaml", "--json", "-p", &format!("l={list}")]);
    assert_eq!(run("[\"printf\", \"%s|\", \"a b\", 1, true]").status(0).json()["output"]["o"], "a b|1|true|");
    for (list, word) in
        [("[]", "empty list"), ("[\"echo\", [\"x\"]]", "must be text"), ("[\"echo\", \"a\\u0000b\"]", "NUL")]
    {
        let outcome = run(list).status(1);
        assert!(error(&outcome).contains("step `s` failed") && error(&outcome).contains(word), "{outcome:?}");
        assert_eq!(outcome.json()["error_code"], "bad_argument");
    }
    place.write("m.yaml", text.replace("COMMAND", "[echo, \"${l}\"]"));
    let document = run("[\"a\"]").status(3).json();
    assert!(
        first_problem(&document).starts_with("4:") && first_problem(&document).contains("found a list"),
        "{document}"
    );
}

#[test]
fn booleans_are_words_and_no_other_text() {
    let text = "name: m\nparameters: {cap: {type: boolean, required: true}}\nsteps:\n  - {id: s, action: run_command, params: {capture_stdout: \
                '${cap}', command: [echo, hi]}}\n";
    let place = Place::new().file("m.yaml", text);
    let run = |word: &str| place.call(&["run", "m.yaml", "--json", "--param", &format!("cap={word}")]);
    for word in ["false", "False", "0", "no", "off"] {
        assert_eq!(run(word).status(0).json()["steps"][0]["output"].get("stdout"), None, "{word}");
    }
    for word in ["true", "1", "Yes", "ON"] {
        assert_eq!(run(word).status(0).json()["steps"][0]["output"]["stdout"], "hi\n", "{word}");
    }
    for word in ["maybe", "", "2", " true", "null"] {
        let outcome = run(word).status(2);
        let words = ["`cap`", "true, yes, on, 1, false, no, off and 0", &format!("found `{word}`")];
        assert!(words.iter().all(|part| error(&outcome).contains(part)), "{outcome:?}");
    }
}

#[test]
fn numbers_are_plain_and_in_range() {
    let place = Place::new().file("m.yaml", gives_back("{type: integer, required: true}"));
    let run = |value: &str| place.call(&["run", "m.yaml", "--json", "-p", &format!("v={value}")]);
    for (given, value) in [("007", json!(7)), ("-5", json!(-5)), ("9223372036854775807", json!(i64::MAX))] {
        assert_eq!(run(given).status(0).json()["output"]["v"], value);
    }
    for wrong in ["0x10", "1e3", " 5", "9223372036854775808", "true", "5.0", "", "+5", "1_000"] {
        let outcome = run(wrong).status(2);
        assert!(
            error(&outcome).contains("`v`") && error(&outcome).contains(&format!("found `{wrong}`")),
            "{outcome:?}"
        );
    }
    place.write("m.yaml", gives_back("{type: float, required: true}"));
    assert_eq!(run("1e-3").status(0).json()["output"]["v"].to_string(), "0.001");
    for wrong in ["nan", "inf", "-Infinity", "1,5", "1e400", ""] {
        assert!(error(&run(wrong).status(2)).contains(&format!("found `{wrong}`")));
    }
    place.write("m.yaml", gives_back("{type: integer, enum: [1, 2, 3], required: true}"));
    assert_eq!(run("2").status(0).json()["output"]["v"], 2);
    assert!(error(&run("4").status(2)).contains("`1`, `2` or `3`"));
    place.write("m.yaml", gives_back("{type: string, required: true}"));
    assert_eq!(run("00420").status(0).json()["output"]["v"], "00420");
}

#[test]
fn declarations_that_contradict_themselves_are_errors() {
    let place = Place::new();
    for (declaration, words) in [
        ("{type: integer, default: 9, max: 5}", ["default", "at most `5`"]),
        ("{type: integer, min: 5, max: 1}", ["`min`", "`max`"]),
        ("{enum: [a, b], default: c}", ["default", "`a`"]),
        ("{enum: [], required: true}", ["`enum`", "no value"]),
        ("{type: integer, enum: [1, a], required: true}", ["`enum`", "`a`"]),
        ("{type: int, required: true}", ["`int`", "`integer`"]),
        ("{type: string, min: 1, required: true}", ["`min`", "number"]),
    ] {
        place.write("m.yaml", gives_back(declaration));
        let document = place.call(&["run", "m.yaml", "--json", "-p", "v=1"]).status(3).json();
        let problem = first_problem(&document);
        assert!(
            problem.starts_with("2:") && words.iter().all(|word| problem.contains(word)),
            "{declaration}: {problem}"
        );
    }
}

#[test]
fn malformed_conditions_never_pass() {
    let place = Place::new();
    for (condition, words) in [
        ("{file_exist: /nope}", ["`file_exist`", "`window_exists`"]),
        ("{file_size_gt: [/x]}", ["2 values", "`file_size_gt: [path, bytes]`"]),
        ("{file_size_gt: [/x, big]}", ["`big`", "whole number"]),
        ("{file_exists: /a, env_var: B}", ["one key", "`env_var`"]),
        ("file_exists", ["one key", "`file_exists`"]),
        ("{file_size_gt: [f, -1]}", ["`-1`", "at least 0"]),
        ("{file_exists: }", ["`file_exists", "empty"]),
        ("{any: []}", ["`any`", "at least one"]),
        ("{always: maybe}", ["`maybe`", "true, yes"]),
        ("{env_var: \"A=B\"}", ["`A=B`", "`=`"]),
        ("{env_var: \"\"}", ["`env_var", "empty"]),
    ] {
        place.write("m.yaml", demands(condition));
        let document = place.call(&["run", "m.yaml", "--json"]).status(3).json();
        let problem = first_problem(&document);
        assert!(problem.starts_with("2:") && words.iter().all(|word| problem.contains(word)), "{condition}: {problem}");
    }
    place.write("m.yaml", demands("{always: \"false\"}"));
    let outcome = place.call(&["run", "m.yaml", "--json"]).status(4);
    assert_eq!(outcome.json()["error_code"], "precondition_unmet");
    assert!(!place.path("made").exists());
}

#[cfg(unix)]
#[test]
fn conditions_say_what_they_looked_at_and_saw() {
    let place = Place::new().file("f", "ab").file("ten", "1234567890").file("a ", "x");
    std::fs::create_dir(place.path("folder")).unwrap();
    std::os::unix::fs::symlink("nothing", place.path("dangling")).unwrap();
    std::os::unix::fs::symlink("ten", place.path("link")).unwrap();
    for holds in [
        "{file_size_gt: [link, 9]}",
        "{file_size_gt: [~/f, 1]}",
        "{file_exists: \"a \"}",
        "{file_absent: a}",
        "{not: {file_exists: nope}}",
        "{all: [{file_exists: f}, {any: [{always: false}, {file_contains: [f, b]}]}]}",
    ] {
        place.write("m.yaml", demands(holds));
        place.call(&["run", "m.yaml"]).status(0);
    }
    std::fs::remove_file(place.path("made")).unwrap();
    for (condition, words) in [
        ("{file_size_gt: [folder, 0]}", ["`file_size_gt: [folder, 0]`", "a directory"]),
        ("{file_exists: dangling}", ["`file_exists: dangling`", "a symbolic link to nothing"]),
        ("{file_size_gt: [dangling, 0]}", ["not found", "a symbolic link to nothing"]),
        ("{file_size_gt: [link, 10]}", ["`file_size_gt: [link, 10]`", "10 bytes"]),
        ("{file_size_gt: [~/f, 2]}", ["[~/f, 2]", "2 bytes"]),
        ("{file_exists: a}", ["`file_exists: a`", "not found"]),
        ("{file_absent: f}", ["`file_absent: f`", "2 bytes"]),
        ("{process_running: no-such-program}", ["`process_running: no-such-program`", "no such process"]),
        ("{any: [{always: false}, {file_exists: nope}]}", ["`file_exists: nope`", "not found"]),
    ] {
        place.write("m.yaml", demands(condition));
        let outcome = place.call(&["run", "m.yaml", "--json"]).status(4);
        assert!(words.iter().all(|word| error(&outcome).contains(word)), "{condition}: {outcome:?}");
    }
    let computed = demands("{file_size_gt: [f, \"${0 - 1}\"]}");
    place.write("m.yaml", computed);
    assert!(error(&place.call(&["run", "m.yaml", "--json"]).status(1)).contains("found `-1`"));
    assert!(!place.path("made").exists());
}

#[cfg(unix)]
#[test]
fn a_path_nobody_may_look_at_is_no_missing_file() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new().file("closed/f", "x");
    let mode = |bits| std::fs::set_permissions(place.path("closed"), PermissionsExt::from_mode(bits)).unwrap();
    mode(0o000);
    // Whoever may do everything sees the file.
    let may_look = place.path("closed/f").metadata().is_ok();
    for condition in ["{file_exists: closed/f}", "{file_absent: closed/f}", "{not: {file_exists: closed/f}}"] {
        place.write("m.yaml", demands(condition));
        if !may_look {
            let outcome = place.call(&["run", "m.yaml", "--json"]).status(4);
            assert!(
                error(&outcome).contains("permission denied") && !error(&outcome).contains("not found"),
                "{outcome:?}"
            );
            assert!(!place.path("made").exists());
        }
    }
    mode(0o700);
}

#[test]
fn a_variable_that_is_set_but_empty_is_told() {
    let place = Place::new().file("m.yaml", demands("{env_var: TOK}"));
    let unset = place.call(&["run", "m.yaml", "--json"]).status(4);
    assert!(error(&unset).contains("`env_var: TOK`") && error(&unset).contains("not set"), "{unset:?}");
    for way in [&["run", "m.yaml", "--json"][..], &["run", "m.yaml", "--json", "--dry-run"]] {
        let empty = place.call(way).env("TOK", "").status(0).json();
        assert!(empty["warnings"].to_string().contains("`env_var: TOK`"), "{empty}");
        assert!(empty["warnings"].to_string().contains("set (empty)"), "{empty}");
        let set = place.call(way).env("TOK", "hunter2").status(0);
        assert_eq!(set.json()["warnings"], json!([]));
        assert!(!format!("{set:?}").contains("hunter2"));
    }
    place.call(&["run", "m.yaml"]).env("TOK", "").status(0).tells("set (empty)");
}
