//! Tries, pauses and fallbacks with real programs: how often, how long, by whom.

use std::time::Instant;

use serde_json::{Value, json};

use crate::harness::Place;
use crate::witness::{SOON, document, statuses, step, with};

const RECORDING: &str = r#"{"version": 1, "screen_resolution": "640x480", "layout_hash": "", "steps": [{"type": "click", "x": 1, "y": 1}]}"#;

/// `m.yaml` with one step `s` that runs a shell script, with these further lines.
fn shell(script: &str, more: &str) -> Place {
    let script = json!(script);
    with(&format!("steps:\n  - id: s\n    action: run_command\n    params: {{command: [sh, -c, {script}]}}\n{more}"))
}

/// How each try of a step ended.
fn errors(step: &Value) -> Vec<Option<&str>> {
    step["tries"].as_array().unwrap().iter().map(|one| one["error"].as_str()).collect()
}

#[test]
fn all_tries_together_keep_to_the_step_timeout() {
    let more = "    timeout_ms: 2500\n    retry_policy: {max_retries: 10, backoff_ms: [100, 400]}\n";
    let place = shell("echo x >> tries; sleep 1; exit 1", more);
    let began = Instant::now();
    let told = document(&place, &[], 5);
    assert!(began.elapsed() < SOON);
    let found = step(&told, "s");
    let tries = errors(found);
    assert!(!tries.is_empty() && tries.len() <= 2, "{told:#}");
    assert_eq!(place.read("tries").lines().count(), tries.len());
    assert_eq!(found["attempts"], tries.len());
    assert!(told["error"].as_str().unwrap().starts_with("step `s` failed: timed out after 2500 ms"), "{told:#}");
    let spent: f64 = found["tries"].as_array().unwrap().iter().map(|one| one["duration_ms"].as_f64().unwrap()).sum();
    assert!(found["duration_ms"].as_f64().unwrap() >= spent, "{told:#}");
}

#[test]
fn a_pause_that_would_outlast_the_step_is_not_waited_for() {
    let more = "    timeout: 50s\n    retry_policy: {max_retries: 1, backoff_ms: [55000]}\n";
    let began = Instant::now();
    let told = document(&shell("echo broken >&2; exit 7", more), &[], 5);
    assert!(began.elapsed() < SOON);
    let error = told["error"].as_str().unwrap();
    assert!(error.contains("50000 ms") && error.contains("broken"), "the last error is kept: {error}");
}

#[test]
fn tries_are_counted_and_each_error_is_kept() {
    let script = "echo x >> n; echo try $(wc -l < n) >&2; [ $(wc -l < n) -ge 3 ]";
    for more in [
        "    retry_policy: {max_retries: 5, backoff_ms: [1, 2]}\n",
        "    retry_policy: {max_retries: 2, backoff_ms: []}\n",
    ] {
        let told = document(&shell(script, more), &[], 0);
        let found = step(&told, "s");
        assert_eq!(found["attempts"], 3);
        let [Some(first), Some(second), None] = errors(found)[..] else { panic!("{told:#}") };
        assert!(first.contains("try 1") && second.contains("try 2"), "{told:#}");
        assert_eq!(told["telemetry"]["steps_run"], 1);
    }
    for more in ["", "    retry_max: 0\n", "    retry_policy: {max_retries: 0}\n"] {
        let place = shell(script, more);
        assert_eq!(step(&document(&place, &[], 1), "s")["attempts"], 1);
        assert_eq!(place.read("n").lines().count(), 1);
    }
}

#[test]
fn what_cannot_end_otherwise_is_not_tried_again() {
    let place = with(
        "parameters: {argv: list}\nsteps:\n  - {id: s, action: run_command, params: {command: \"${argv}\"}, retry_policy: {max_retries: 3, backoff_ms: 1}}\n",
    );
    for argv in ["[]", "[[1]]", r#"["a\u0000b"]"#] {
        let told = document(&place, &["-p", &format!("argv={argv}")], 1);
        assert_eq!(told["error_code"], "bad_argument", "{told:#}");
        assert!(step(&told, "s")["attempts"].as_u64().unwrap() <= 1, "{told:#}");
    }
}

#[test]
fn verify_decides_whether_a_try_has_succeeded() {
    let more = "    verify: [{file_size_gt: [n, 5]}]\n    retry_policy: {max_retries: 5, backoff_ms: 1}\n";
    let told = document(&shell("echo x >> n", more), &[], 0);
    assert_eq!(step(&told, "s")["attempts"], 3);
    let more = "    verify: [{file_exists: never}]\n    retry_policy: {max_retries: 1, backoff_ms: 1}\n";
    let told = document(&shell("true", more), &[], 1);
    assert_eq!((&told["error_code"], &step(&told, "s")["attempts"]), (&json!("verification_failed"), &json!(2)));
}

#[test]
fn what_a_failure_means_is_up_to_the_step() {
    for (word, exit, first, rest, warnings) in
        [("fail", 1, "failed", "not_run", 0), ("skip", 0, "skipped", "ok", 0), ("continue", 0, "failed", "ok", 1)]
    {
        let place = with(&format!(
            "steps:
  - {{id: a, action: run_command, params: {{command: ['false']}}, on_failure: {word}, retry_policy: {{max_retries: 2, backoff_ms: 1}}}}
  - {{id: b, action: run_command, params: {{command: ['true']}}}}
  - {{id: c, action: run_command, params: {{command: ['true']}}}}
"
        ));
        let told = document(&place, &[], exit);
        assert_eq!(statuses(&told), [("a", first), ("b", rest), ("c", rest)], "{word}");
        assert_eq!(
            (&step(&told, "a")["attempts"], &step(&told, "b")["attempts"]),
            (&json!(3), &json!(u8::from(exit == 0)))
        );
        assert_eq!(told["warnings"].as_array().unwrap().len(), warnings, "{told:#}");
        assert_eq!(told["telemetry"]["steps_run"], if exit == 0 { 3 } else { 1 });
        assert_eq!(told["telemetry"]["steps_total"], 3);
        assert!(step(&told, "a")["error"].is_string());
    }
}

#[test]
fn a_promised_file_must_be_there() {
    let outputs = "parameters: {x: string}\noutputs: [{name: file, path: \"${x}\"}, {name: value, value: \"${x}\"}]\n";
    let place = with(&format!("{outputs}steps: [{{action: run_command, params: {{command: [touch, there]}}}}]\n"));
    let told = document(&place, &["-p", "x=there"], 0);
    assert_eq!(told["output"]["value"], "there");
    let told = document(&place, &["-p", "x=never"], 1);
    assert_eq!(told["output"], json!({}));
    assert!(told["error"].as_str().unwrap().contains("never"), "{told:#}");
}

#[test]
fn a_fallback_must_be_able_to_do_it() {
    let place = |parameters: &str| {
        with(&format!(
            "steps:\n  - id: s\n    backend: recovery\n    action: retry_with_fallback\n    params: {parameters}\n"
        ))
    };
    let click = "{primary_backend: visual_anchor, fallback_backend: native_api, step: {action: click_image, params: {template: t.png}}}";
    let itself = "{primary_backend: native_api, fallback_backend: native_api, step: {action: run_command, params: {command: [touch, done]}}}";
    let mut deep = "{action: run_command, params: {command: [touch, done]}}".to_owned();
    for _ in 0..5 {
        deep = format!("{{backend: recovery, action: retry, params: {{step: {deep}}}}}");
    }
    let deep = format!("{{fallback_backend: file_transform, step: {deep}}}");
    for parameters in [click, itself, &deep] {
        let place = place(parameters);
        let told = document(&place, &[], 3);
        assert!(told["diagnostics"][0]["line"].as_u64().unwrap() >= 3, "{told:#}");
        assert!(!place.path("done").exists());
    }
    let typing = "{primary_backend: visual_anchor, fallback_backend: semantic_ui, step: {action: type_text, params: {text: hi}}}";
    let told = document(&place(typing), &["--dry-run"], 0);
    assert_eq!(step(&told, "s")["backend_used"], "recovery(visual_anchor, attempt=1)");
}

#[test]
fn retry_reports_which_try_it_was() {
    let script = json!("echo x >> n; [ $(wc -l < n) -ge 2 ]");
    let place = with(&format!(
        "steps:\n  - {{id: s, backend: recovery, action: retry, params: {{backoff_ms: [1], step: {{action: run_command, params: {{command: [sh, -c, {script}]}}}}}}}}\n"
    ));
    let told = document(&place, &[], 0);
    assert_eq!(step(&told, "s")["backend_used"], "recovery(native_api, attempt=2)");
    assert!(errors(step(&told, "s"))[0].is_some());
}

#[test]
fn without_a_display_a_replay_is_refused_before_the_first_step() {
    let replay = "{id: play, backend: gui_macro, action: replay, params: {macro_file: r.json}}";
    let steps = |more: &str| {
        let place = with(&format!(
            "steps:\n  - {{id: one, action: run_command, params: {{command: [touch, done]}}}}\n  - {replay}{more}\n"
        ));
        place.write("r.json", RECORDING);
        place
    };
    let place = steps("");
    let told = document(&place, &[], 7);
    assert_eq!(told["error_code"], "backend_unavailable");
    let error = told["error"].as_str().unwrap();
    assert!(error.contains("gui_macro") && error.contains("DISPLAY"), "{error}");
    assert!(!place.path("done").exists());
    assert_eq!(statuses(&told), [("one", "not_run"), ("play", "not_run")]);
}

#[test]
fn tries_pauses_and_what_a_failure_means_can_be_computed() {
    let place = with(
        "parameters: {n: {type: integer, default: 2}, pause: {type: integer, default: 1}, mode: {type: string, default: skip}}
steps:
  - id: a
    action: run_command
    params: {command: [\"false\"]}
    on_failure: ${mode}
    retry_policy: {max_retries: \"${n}\", backoff_ms: [0, \"${pause}\"]}
    verify: {conditions: [{always: true}], within: \"${pause}ms\"}
  - {id: b, action: find_executable, params: {name: sh}}
",
    );
    let skipped = document(&place, &[], 0);
    assert_eq!(step(&skipped, "a")["attempts"], 3, "{skipped:#}");
    assert_eq!(statuses(&skipped), [("a", "skipped"), ("b", "ok")]);
    let failed = document(&place, &["-p", "mode=fail", "-p", "n=0"], 1);
    assert_eq!(step(&failed, "a")["attempts"], 1);
    assert_eq!(statuses(&failed), [("a", "failed"), ("b", "not_run")]);
    let went_on = document(&place, &["-p", "mode=continue"], 0);
    assert!(went_on["warnings"][0].as_str().unwrap().contains("went on"), "{went_on:#}");
    for wrong in ["mode=Skip", "n=-1", "n=1001", "pause=-1"] {
        let document =
            document(&place, &["-p", wrong, "-p", if wrong.starts_with("mode") { "n=0" } else { "mode=fail" }], 1);
        assert_eq!(document["error_code"], "bad_argument", "{document:#}");
        assert_eq!(step(&document, "a")["attempts"], 0, "{document:#}");
    }
}

#[test]
fn outputs_of_a_step_whose_failures_may_be_forgiven_may_be_absent() {
    let place = with(
        "parameters: {mode: {type: string, default: fail}}
steps:
  - {id: a, action: find_executable, params: {name: sh}, on_failure: \"${mode}\"}
  - {id: b, action: write_file, backend: file_transform, params: {path: f, text: \"${steps.a.executable}\"}}
",
    );
    place.call(&["check", "m.yaml"]).status(3).tells("steps.a.executable");
}

#[test]
fn the_timeout_of_a_macro_can_be_computed() {
    let place = with(
        "parameters: {seconds: {type: integer, default: 60}}
timeout: ${seconds}s
steps:
  - {id: a, action: run_command, params: {command: [sleep, \"0.2\"]}}
  - {id: b, action: run_command, params: {command: [sleep, \"30\"]}, when: \"${seconds < 60}\"}
",
    );
    document(&place, &[], 0);
    let late = document(&place, &["-p", "seconds=1"], 5);
    assert!(late["error"].as_str().unwrap().contains("macro `m`"), "{late:#}");
    assert_eq!(statuses(&late), [("a", "ok"), ("b", "failed")]);
    let wrong = document(&place, &["-p", "seconds=0"], 1);
    assert_eq!(wrong["error_code"], "bad_argument", "{wrong:#}");
}
