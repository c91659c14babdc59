//! `run`: from text and from artifacts, its result, and what people see.

use crate::harness::Place;

#[test]
fn one_value_changes_and_no_other_byte() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/macro_definitions/examples/transform_json.yaml");
    let before = "{ \"a\": 1.50, // kept\n  \"settings\": {\"theme\" : \"light\"} }\n";
    let place = Place::new().file("c.json", before);
    let words = ["-p", "file=c.json", "-p", "key=settings.theme", "-p", "value=dark", "--json"];
    let dry = place.call(&[&["run", example, "--dry-run"], &words[..]].concat()).status(0).json();
    assert_eq!(dry["steps"][0]["would"]["path"], "settings.theme");
    assert!(!dry["not_evaluated"].as_array().unwrap().is_empty());
    assert_eq!(place.read("c.json"), before);
    let done = place.call(&[&["run", example], &words[..]].concat()).status(0).json();
    assert_eq!(done["output"]["file"], "c.json");
    assert_eq!(place.read("c.json"), before.replace("light", "dark"));
    let step = &done["steps"][0];
    assert_eq!(
        (&step["status"], &step["attempts"], &step["backend_used"]),
        (&"ok".into(), &1.into(), &"file_transform".into())
    );
    assert_eq!(step["span"]["file"], example);
    assert!(step["span"]["line"].as_u64().unwrap() > 1 && step["duration_ms"].is_number());
    let telemetry = &done["telemetry"];
    assert_eq!((&telemetry["steps_total"], &telemetry["steps_run"]), (&1.into(), &1.into()));
    assert_eq!(telemetry["backends_used"], serde_json::json!(["file_transform"]));
    // The same from an artifact, without its source.
    place.call(&["build", example]).status(0);
    place
        .call(&["run", "build/transform_json.mcb", "-p", "file=c.json", "-p", "key=a", "-p", "value=x"])
        .status(0)
        .stdout("file: c.json\n");
    assert_eq!(place.read("c.json"), before.replace("light", "dark").replace("1.50", "\"x\""));
}

#[test]
fn steps_after_a_failure_are_not_run() {
    let place = Place::new();
    for (meaning, status, states, run) in [
        ("skip", 0, ["skipped", "ok", "ok"], 3),
        ("continue", 0, ["failed", "ok", "ok"], 3),
        ("fail", 1, ["failed", "not_run", "not_run"], 1),
    ] {
        let text = format!(
            "name: s\nsteps:\n  - id: a\n    action: run_command\n    params: {{command: [\"false\"]}}\n    on_failure: {meaning}\n    \
             retry_policy: {{max_retries: 2, backoff_ms: []}}\n    verify: [{{always: true}}]\n  - {{id: b, action: find_executable, params: {{name: sh}}}}\n  \
             - {{id: c, action: find_executable, params: {{name: sh}}}}\n"
        );
        place.write("s.yaml", text);
        let document = place.call(&["run", "s.yaml", "--json"]).status(status).json();
        let found: Vec<&str> =
            document["steps"].as_array().unwrap().iter().map(|step| step["status"].as_str().unwrap()).collect();
        assert_eq!(found, states, "{meaning}");
        assert_eq!(document["telemetry"]["steps_run"], run, "{meaning}");
        assert_eq!(
            (&document["steps"][0]["attempts"], document["steps"][0]["tries"].as_array().unwrap().len()),
            (&3.into(), 3)
        );
    }
}

#[test]
fn a_promised_file_must_be_there() {
    let text = "name: p\nsteps:\n  - {id: a, action: find_executable, params: {name: sh}}\noutputs:\n  - {name: f, path: never}\n";
    let place = Place::new().file("p.yaml", text);
    let document = place.call(&["run", "p.yaml", "--json"]).status(1).json();
    assert_eq!((&document["success"], &document["error_code"]), (&false.into(), &"postcondition_unmet".into()));
}

#[test]
fn a_dry_run_changes_nothing_and_needs_no_display() {
    let text = "name: d\nsteps:\n  - {id: t, action: run_command, params: {command: [touch, o]}}\n  - {id: k, backend: visual_anchor, action: hotkey, params: {keys: ctrl+s}}\n  \
                - {id: g, backend: gui_agent, action: instruct, params: {description: save}}\npostconditions:\n  - file_exists: o\n";
    let place = Place::new().file("d.yaml", text);
    let document = place.call(&["run", "d.yaml", "--dry-run", "--json"]).status(0).json();
    assert!(!place.path("o").exists());
    assert_eq!(document["steps"][0]["would"]["command"], serde_json::json!(["touch", "o"]));
    assert_eq!(document["steps"].as_array().unwrap().len(), 3);
    assert!(document["not_evaluated"][0].as_str().unwrap().contains("file_exists"));
    place.write("d.yaml", text.replace("steps:", "preconditions:\n  - file_exists: nothing\nsteps:"));
    place.call(&["run", "d.yaml", "--dry-run"]).status(4).stdout("");
    place.write("d.yaml", text);
    let real = place.call(&["run", "d.yaml", "--json"]).status(7).json();
    assert_eq!(real["error_code"], "backend_unavailable");
    assert!(!place.path("o").exists(), "refused before the first step");
}

#[test]
fn people_see_steps_and_results() {
    let text = "name: p\nsteps:\n  - {id: hello, action: run_command, params: {command: [printf, 'a\\nb'], capture_stdout: true}}\noutputs:\n  \
                - {name: out, value: \"${steps.hello.stdout}\"}\n";
    let place = Place::new().file("p.yaml", text);
    place.call(&["run", "p.yaml"]).status(0).stdout("out: a\\nb\n").tells("ok       hello").tells("p: ok in");
    place.call(&["run", "p.yaml", "--quiet"]).status(0).stdout("out: a\\nb\n").silent();
    place.write("p.yaml", text.replace("printf, 'a\\nb'", "\"false\""));
    place.call(&["run", "p.yaml"]).status(1).stdout("").tells("failed   hello").tells("p: failed: step `hello` failed");
}
