//! Runs that are stopped: by a timeout, by a signal, by a second one. What was begun is ended, `finally` runs, and the document comes.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::harness::{Outcome, Place, finish};
use crate::witness::{Process, SOON, appears, document, eventually, send, statuses, step, with};

const CLEAN: &str = "finally:\n  - {id: clean, action: run_command, params: {command: [touch, cleaned]}}\n";

/// A step in flow style that runs a shell script, with more keys.
fn shell(id: &str, script: &str, more: &str) -> String {
    format!("  - {{id: {id}, action: run_command, params: {{command: [sh, -c, {}]}}{more}}}\n", json!(script))
}

/// Tells that it is at work and sleeps for long.
fn sleeper(id: &str, more: &str) -> String {
    shell(id, "echo $$ > pid; touch ready; sleep 61", more)
}

/// Runs `m.yaml` until the file is there, sends a signal, and gives the outcome.
fn stopped(place: &Place, file: &str, signal: Signal) -> Outcome {
    // Whoever starts the tests may have hangups ignored, as `nohup` does; a run would respect that.
    let program = env!("CARGO_BIN_EXE_macrocli");
    let words = ["--default-signal=HUP,QUIT", program, "run", "m.yaml", "--json"];
    let child = place.call_as(Path::new("/usr/bin/env"), &words).start();
    appears(place, file);
    // Whatever follows the file has begun by then; if not, the signal comes a little earlier and must do as well.
    std::thread::sleep(Duration::from_millis(100));
    let began = Instant::now();
    send(&child, signal);
    let outcome = finish(child);
    assert!(began.elapsed() < SOON, "{outcome:#?}");
    outcome
}

fn interrupted(outcome: &Outcome, code: i32) -> Value {
    assert_eq!(outcome.status, code, "{outcome:#?}");
    let told = outcome.json();
    assert_eq!((&told["error_code"], &told["exit_code"]), (&json!("interrupted"), &json!(code)), "{told:#}");
    assert_eq!(told["success"], false);
    told
}

#[test]
fn a_signal_ends_the_run_wherever_it_is() {
    let fails = "touch ready; exit 1";
    let never = "verify: {conditions: [{file_exists: never}], within: 50s}, timeout: 55s";
    for (what, steps) in [
        ("a step", sleeper("s", ", timeout: 60s")),
        ("a pause", shell("s", fails, ", timeout: 60s, retry_policy: {max_retries: 3, backoff_ms: 50000}")),
        ("a verify", shell("s", "touch ready", &format!(", {never}"))),
        (
            "a loop",
            shell("s", "[ -e turn ] && touch ready && sleep 61; touch turn", ", for_each: [a, b, c], timeout: 60s"),
        ),
        ("a step that is forgiven", sleeper("s", ", on_failure: skip")),
        ("a step that is tried again", sleeper("s", ", retry_policy: {max_retries: 3, backoff_ms: 1}")),
    ] {
        for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
            let after = shell("after", "touch after", "");
            let place = with(&format!("steps:\n{steps}{after}{CLEAN}"));
            let told = interrupted(&stopped(&place, "ready", signal), code);
            let mut turns = told["steps"].as_array().unwrap().iter().rev().filter(|one| one["id"] == "s");
            assert_eq!(turns.next().unwrap()["status"], "failed", "{what}: {told:#}");
            assert_eq!(step(&told, "after")["status"], "not_run", "{what}: {told:#}");
            assert_eq!(step(&told, "clean")["status"], "ok", "{what}: {told:#}");
            assert!(place.path("cleaned").exists() && !place.path("after").exists(), "{what}");
            if place.path("pid").exists() {
                Process::noted(&place, "pid").ends();
            }
        }
    }
}

#[test]
fn a_signal_passes_through_called_macros_and_their_finally() {
    let place = Place::new();
    for (name, body) in [
        ("inner", sleeper("s", "")),
        ("middle", "  - {id: into, macro: inner}\n".to_owned()),
        ("m", "  - {id: call, macro: middle, on_failure: skip}\n".to_owned()),
    ] {
        let note = shell(&format!("clean_{name}"), &format!("echo {name} >> order"), "");
        place.write(&format!("{name}.yaml"), format!("name: {name}\ncomposable: true\nsteps:\n{body}finally:\n{note}"));
    }
    let told = interrupted(&stopped(&place, "ready", Signal::TERM), 143);
    assert_eq!(place.read("order"), "inner\nmiddle\nm\n");
    assert_eq!(step(&told, "call/into/s")["status"], "failed");
    Process::noted(&place, "pid").ends();
}

#[test]
fn what_ignores_the_signal_is_killed() {
    let script =
        "trap '' TERM INT; echo $$ > pid; (echo $$; sleep 61) & echo $! > back; touch ready; sleep 61; sleep 61";
    let place = with(&format!("steps:\n{}", shell("s", script, "")));
    interrupted(&stopped(&place, "ready", Signal::INT), 130);
    Process::noted(&place, "pid").ends();
    Process::noted(&place, "back").ends();
}

#[test]
fn a_second_signal_ends_the_cleaning_up() {
    let slow = shell("slow", "echo $$ > cleaner; touch cleaning; sleep 61", ", timeout: 60s");
    let place = with(&format!("steps:\n{}finally:\n{slow}", sleeper("s", "")));
    let child = place.call(&["run", "m.yaml", "--json"]).start();
    appears(&place, "ready");
    send(&child, Signal::INT);
    appears(&place, "cleaning");
    send(&child, Signal::TERM);
    let began = Instant::now();
    let outcome = finish(child);
    assert!(began.elapsed() < SOON);
    let told = interrupted(&outcome, 130);
    assert_eq!(statuses(&told), [("s", "failed"), ("slow", "failed")]);
    assert_eq!(told["warnings"].as_array().unwrap().len(), 1, "{told:#}");
    Process::noted(&place, "cleaner").ends();
}

#[test]
fn a_signal_during_the_finally_of_a_good_run_lets_the_rest_of_it_run() {
    let slow = shell("slow", "touch ready; sleep 61", ", timeout: 60s");
    let place = with(&format!("steps: []\nfinally:\n{slow}{}", shell("rest", "touch rest", "")));
    let outcome = stopped(&place, "ready", Signal::INT);
    let told = interrupted(&outcome, 130);
    assert_eq!(statuses(&told), [("slow", "failed"), ("rest", "ok")]);
}

#[test]
fn a_signal_at_the_end_of_the_last_step_leaves_no_finally_out() {
    // A start is watched for a moment; the signal ends the watching and not the program, so that the step succeeds.
    let signals =
        "  - {id: signals, action: start_process, params: {command: [sh, -c, 'kill -TERM $PPID; sleep 2']}}\n";
    let rest = shell("rest", "touch rest", "");
    for (steps, expected) in [
        (format!("steps:\n{signals}finally:\n{rest}"), [("signals", "ok"), ("rest", "ok")]),
        (format!("steps: []\nfinally:\n{signals}{rest}"), [("signals", "ok"), ("rest", "ok")]),
        (format!("steps:\n{signals}{rest}{CLEAN}"), [("signals", "ok"), ("clean", "ok")]),
    ] {
        let place = with(&steps);
        let told = interrupted(&place.call(&["run", "m.yaml", "--json"]).run(), 143);
        assert_eq!(statuses(&told)[..2], expected, "{told:#}");
        assert!(place.path("rest").exists() || place.path("cleaned").exists());
    }
}

#[test]
fn a_signal_ends_the_wait_for_a_secret() {
    let place = with(&format!("parameters: {{p: {{secret: true}}}}\nsteps:\n{}", shell("s", "touch done", "")));
    // Standard input stays open, so that the call waits for it.
    let mut child = place.call(&["run", "m.yaml", "--json", "--secret", "p=stdin"]).start();
    std::thread::sleep(Duration::from_millis(200));
    send(&child, Signal::TERM);
    let status = eventually("the end", || child.try_wait().unwrap());
    assert!(!status.success());
    assert!(!place.path("done").exists());
}

#[test]
fn a_signal_ends_a_call_whose_document_nobody_reads() {
    let big = shell("s", "yes | head -c 1000000", "").replace("{command", "{capture_stdout: true, command");
    let place = with(&format!("steps:\n{big}finally:\n{}", shell("last", "touch ready", "")));
    let mut child = place.call(&["run", "m.yaml", "--json"]).start();
    appears(&place, "ready");
    let status = eventually("the end", || {
        send(&child, Signal::TERM);
        std::thread::sleep(Duration::from_millis(50));
        child.try_wait().unwrap()
    });
    assert!(!status.success());
}

#[test]
fn a_reader_of_remarks_who_reads_nothing_does_not_hold_up_a_run() {
    let many = "  - {id: s, for_each: \"${range(5000)}\", action: find_executable, params: {name: sh}}\n";
    let place = with(&format!("steps:\n{many}{}{CLEAN}", sleeper("last", "")));
    let mut child = place.call(&["run", "m.yaml"]).start();
    appears(&place, "ready");
    send(&child, Signal::TERM);
    appears(&place, "cleaned");
    Process::noted(&place, "pid").ends();
    let status = eventually("the end", || {
        send(&child, Signal::TERM);
        std::thread::sleep(Duration::from_millis(50));
        child.try_wait().unwrap()
    });
    assert!(!status.success());
}

#[test]
fn a_hangup_and_a_quit_are_signals_like_the_others() {
    for (signal, code) in [(Signal::HUP, 129), (Signal::QUIT, 131)] {
        let place = with(&format!("steps:\n{}{CLEAN}", sleeper("s", "")));
        interrupted(&stopped(&place, "ready", signal), code);
        assert!(place.path("cleaned").exists());
        Process::noted(&place, "pid").ends();
    }
}

#[test]
fn what_is_ended_may_clean_up() {
    let script = "trap 'echo bye; touch done; exit' TERM; touch ready; while :; do sleep 0.1; done";
    let captured = |more: &str| shell("s", script, more).replace("{command", "{capture_stdout: true, command");
    let place = with(&format!("steps:\n{}", captured("")));
    let told = interrupted(&stopped(&place, "ready", Signal::INT), 130);
    assert_eq!(step(&told, "s")["output"]["stdout"], "bye\n");
    let place = with(&format!("steps:\n{}", captured(", timeout: 2s")));
    let told = document(&place, &[], 5);
    assert_eq!(step(&told, "s")["output"]["stdout"], "bye\n");
    assert!(place.path("done").exists());
}

#[test]
fn a_timeout_is_that_of_one_turn_within_that_of_the_macro() {
    let turns = shell("s", "sleep 61", ", for_each: [1, 2, 3, 4, 5, 6], timeout: 1s, on_failure: skip");
    let told = document(&with(&format!("timeout: 2500ms\nsteps:\n{turns}")), &[], 5);
    let turns = statuses(&told);
    assert!(turns.len() <= 3, "{told:#}");
    assert_eq!(turns.last(), Some(&("s", "failed")), "{told:#}");
    assert!(turns[..turns.len() - 1].iter().all(|turn| turn.1 == "skipped"), "{told:#}");
    assert!(told["error"].as_str().unwrap().ends_with("timed out after 2500 ms, the limit of macro `m`"), "{told:#}");
}

#[test]
fn a_timeout_can_be_computed() {
    let place = |parameter: &str, timeout: &str| {
        let turns = shell("s", "sleep 61", &format!(", for_each: [a], {timeout}"));
        with(&format!("parameters:\n  t: {parameter}\nsteps:\n{turns}"))
    };
    for (parameter, timeout, given) in [
        ("{type: integer, required: true}", "timeout_ms: \"${t}\"", "t=300"),
        ("{type: integer, required: true}", "timeout: \"${t * 100}ms\"", "t=3"),
        ("{type: string, required: true}", "timeout: \"${t}\"", "t=300ms"),
        ("{type: list, required: true}", "timeout_ms: \"${t[index]}\"", "t=[300]"),
    ] {
        let told = document(&place(parameter, timeout), &["-p", given], 5);
        assert_eq!(step(&told, "s")["error"], "timed out after 300 ms", "{timeout}: {told:#}");
    }
    for (timeout, given) in [("timeout: \"${t}\"", "t=5 parsecs"), ("timeout_ms: \"${int(t)}\"", "t=0")] {
        let told = document(&place("{type: string, required: true}", timeout), &["-p", given], 1);
        assert_eq!(told["error_code"], "bad_argument", "{told:#}");
    }
}

#[test]
fn a_stopped_program_is_ended_too() {
    let place = with(&format!("steps:\n{}", shell("s", "echo $$ > pid; kill -STOP $$", ", timeout: 1s")));
    document(&place, &[], 5);
    Process::noted(&place, "pid").ends();
}

#[test]
fn the_macro_timeout_ends_what_runs_and_cleans_up() {
    let place = with(&format!(
        "timeout: 1s\nsteps:\n{}{}{CLEAN}",
        sleeper("s", ", on_failure: skip"),
        shell("after", "touch after", "")
    ));
    let began = Instant::now();
    let told = document(&place, &[], 5);
    assert!(began.elapsed() < SOON);
    assert_eq!(told["error"], "step `s` failed: timed out after 1000 ms, the limit of macro `m`");
    assert_eq!(statuses(&told), [("s", "failed"), ("clean", "ok"), ("after", "not_run")]);
    assert!(place.path("cleaned").exists() && !place.path("after").exists());
    Process::noted(&place, "pid").ends();
}

#[test]
fn the_timeout_of_a_call_ends_the_called_macro_and_can_be_forgiven() {
    let place = with(&format!(
        "steps:\n  - {{id: call, macro: inner, timeout: 1s, on_failure: continue}}\n{}",
        shell("after", "touch after", "")
    ));
    place.write(
        "inner.yaml",
        format!("name: inner\ncomposable: true\nsteps:\n{}{CLEAN}", sleeper("s", ", on_failure: skip")),
    );
    let began = Instant::now();
    let told = document(&place, &[], 0);
    assert!(began.elapsed() < SOON);
    assert_eq!(step(&told, "call/s")["status"], "failed");
    assert_eq!(step(&told, "call/clean")["status"], "ok");
    assert!(step(&told, "call")["error"].as_str().unwrap().contains("timed out after 1000 ms"), "{told:#}");
    assert!(place.path("cleaned").exists() && place.path("after").exists());
    Process::noted(&place, "pid").ends();
}

#[test]
fn finally_runs_after_success_failure_and_a_failed_postcondition() {
    for (steps, code) in [
        ("steps: []\n".to_owned(), 0),
        (format!("steps:\n{}", shell("s", "exit 1", "")), 1),
        ("steps: []\npostconditions: [{file_exists: never}]\n".to_owned(), 1),
        ("steps: []\noutputs: [{name: o, path: never}]\n".to_owned(), 1),
    ] {
        let place = with(&format!("{steps}{CLEAN}"));
        document(&place, &[], code);
        assert!(place.path("cleaned").exists(), "{steps}");
    }
    let place = with(&format!("preconditions: [{{file_exists: never}}]\nsteps: []\n{CLEAN}"));
    document(&place, &[], 4);
    assert!(!place.path("cleaned").exists(), "nothing had begun");
}

#[test]
fn a_failing_finally_fails_a_good_run_and_only_warns_after_a_bad_one() {
    let finally = format!("finally:\n{}{}", shell("one", "exit 3", ""), shell("two", "touch two", ""));
    let place = with(&format!("steps:\n{}{finally}", shell("s", "true", "")));
    let told = document(&place, &[], 1);
    assert!(told["error"].as_str().unwrap().starts_with("step `one` failed"), "{told:#}");
    assert_eq!(statuses(&told), [("s", "ok"), ("one", "failed"), ("two", "ok")]);
    let place = with(&format!("steps:\n{}{finally}", shell("s", "exit 9", "")));
    let told = document(&place, &[], 1);
    assert!(told["error"].as_str().unwrap().starts_with("step `s` failed"), "{told:#}");
    assert_eq!(told["warnings"].as_array().unwrap().len(), 1, "{told:#}");
    assert!(place.path("two").exists());
}

#[test]
fn finally_of_called_macros_runs_from_the_inside_out() {
    let place = Place::new();
    for (name, body) in [
        ("inner", shell("s", "exit 1", "")),
        ("middle", "  - {id: into, macro: inner}\n".to_owned()),
        ("m", "  - {id: call, macro: middle}\n".to_owned()),
    ] {
        let note = shell(&format!("clean_{name}"), &format!("echo {name} >> order; exit 1"), "");
        place.write(&format!("{name}.yaml"), format!("name: {name}\ncomposable: true\nsteps:\n{body}finally:\n{note}"));
    }
    let told = document(&place, &[], 1);
    assert_eq!(place.read("order"), "inner\nmiddle\nm\n");
    assert!(told["error"].as_str().unwrap().contains("call/into/s"), "{told:#}");
    assert_eq!(told["warnings"].as_array().unwrap().len(), 3, "{told:#}");
}

#[test]
fn an_attached_run_stops_when_its_input_ends() {
    let steps = shell("s", "echo $$ > pid; cat; touch ready; sleep 61", ", timeout: 60s");
    let place = with(&format!("parameters: {{a: string}}\nsteps:\n{steps}{CLEAN}"));
    let mut child = place.call(&["run", "m.yaml", "--json", "--attached"]).start();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"{\"a\": \"b\"}\nmore that nobody reads\n").unwrap();
    // What the run starts reads nothing of it.
    appears(&place, "ready");
    let program = Process::noted(&place, "pid");
    drop(stdin);
    let told = interrupted(&finish(child), 143);
    assert_eq!(step(&told, "clean")["status"], "ok", "{told:#}");
    program.ends();
    for (line, problem) in [("", "is not JSON"), ("[]\n", "must hold a JSON object"), ("{\"b\": 1}\n", "`b`")] {
        let told = place.call(&["run", "m.yaml", "--json", "--attached"]).stdin(line).status(2).json();
        assert!(told["error"].as_str().unwrap().contains(problem), "{told:#}");
    }
}
