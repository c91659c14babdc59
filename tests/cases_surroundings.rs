//! Runs in odd surroundings: closed streams, full devices, lost folders, missing variables, few descriptors; and large runs.

use std::time::Instant;

use crate::harness::{Place, finish};
use crate::witness::{SOON, document, peak, scripted, step, with};

const SAY: &str = "outputs: [{name: o, value: \"${steps.s.stdout}\"}]\nsteps:\n  - {id: s, action: run_command, params: {capture_stdout: true, command: [sh, -c, 'cat; echo hi']}}\n";

#[test]
fn an_artifact_runs_from_anywhere_without_its_sources() {
    let place = Place::new()
        .file("src/m.yaml", "name: m\noutputs: [{name: o, value: \"${steps.c.o}\"}]\nsteps: [{id: c, macro: inner, with: {x: hi}}]\n")
        .file("src/inner.yaml", "name: inner\ncomposable: true\nparameters: {x: {required: true}}\noutputs: [{name: o, value: \"${steps.s.stdout}\"}]\nsteps: [{id: s, action: run_command, params: {capture_stdout: true, command: [echo, \"${x}\"]}}]\n");
    place.call(&["build", "src/m.yaml", "-o", "out"]).status(0);
    std::fs::create_dir(place.path("elsewhere")).unwrap();
    std::fs::rename(place.path("out/m.mcb"), place.path("elsewhere/moved.mcb")).unwrap();
    std::fs::remove_dir_all(place.path("src")).unwrap();
    let outcome = scripted(&place, "cd elsewhere && exec \"$0\" run ./moved.mcb --json");
    assert_eq!(outcome.status, 0, "{outcome:#?}");
    assert_eq!(outcome.json()["output"]["o"], "hi\n");
}

#[test]
fn closed_streams_harm_nothing() {
    let place = with(SAY);
    let outcome = scripted(&place, "exec \"$0\" run m.yaml --json <&-");
    assert_eq!((outcome.status, &outcome.json()["output"]["o"]), (0, &"hi\n".into()), "{outcome:#?}");
    let outcome = scripted(&place, "exec \"$0\" run m.yaml --json 2>&-");
    assert_eq!((outcome.status, &outcome.json()["output"]["o"]), (0, &"hi\n".into()), "{outcome:#?}");
    for streams in [">&-", ">&- 2>&-", "<&- >&- 2>&-"] {
        let outcome = scripted(&place, &format!("exec \"$0\" run m.yaml --json {streams}"));
        assert!(outcome.status == 0 || outcome.status == 1, "{streams}: {outcome:#?}");
    }
    let outcome = scripted(&place, "exec \"$0\" run m.yaml --json --secret x=stdin <&-");
    assert_eq!(outcome.status, 2, "{outcome:#?}");
}

#[test]
fn a_full_device_is_an_error() {
    let place = with(SAY);
    for words in ["run m.yaml --json", "run m.yaml", "list --json", "inspect m.yaml", "backends"] {
        let outcome = scripted(&place, &format!("exec \"$0\" {words} >/dev/full"));
        assert_eq!(outcome.status, 1, "{words}: {outcome:#?}");
        assert!(outcome.stderr.contains("cannot write"), "{words}: {outcome:#?}");
    }
}

#[test]
fn remarks_that_cannot_be_written_do_not_stop_a_run() {
    let place = with(
        "steps:\n  - {action: run_command, params: {command: ['true']}}\n  - {action: run_command, params: {command: ['false']}, on_failure: continue}\nfinally:\n  - {action: run_command, params: {command: [touch, cleaned]}}\n",
    );
    let outcome = scripted(&place, "exec \"$0\" run m.yaml 2>/dev/full");
    assert_eq!(outcome.status, 0, "{outcome:#?}");
    assert!(place.path("cleaned").exists());
}

#[test]
fn a_reader_that_goes_away_ends_nothing() {
    let place = with(SAY);
    for words in ["run m.yaml --json", "run m.yaml 2>&1"] {
        let outcome = scripted(&place, &format!("{{ sleep 0.2; \"$0\" {words}; echo $? > code; }} | true"));
        assert!(!outcome.stderr.contains("error"), "{outcome:#?}");
        assert_eq!(place.read("code"), "0\n");
    }
}

#[test]
fn a_folder_that_is_gone_is_told() {
    let place = with(SAY);
    let file = place.path("m.yaml").display().to_string();
    let outcome = scripted(&place, &format!("mkdir d && cd d && rmdir ../d && exec \"$0\" run '{file}' --json"));
    assert!(matches!(outcome.status, 0 | 1), "{outcome:#?}");
    assert_eq!(outcome.json()["exit_code"], outcome.status);
    let outcome = scripted(&place, "mkdir d && cd d && rmdir ../d && exec \"$0\" run m.yaml --json");
    assert_eq!(outcome.status, 2, "{outcome:#?}");
    assert!(outcome.json()["error"].as_str().unwrap().contains("m.yaml"));
    let outcome = scripted(&place, "mkdir d && cd d && rmdir ../d && exec \"$0\" list --json");
    assert_eq!(outcome.status, 0, "{outcome:#?}");
}

#[test]
fn missing_variables_harm_nothing() {
    let place = with(SAY);
    for unset in ["HOME", "PATH", "HOME PATH", "HOME PATH TERM LANG USER TMPDIR"] {
        let outcome = scripted(&place, &format!("unset {unset}; exec \"$0\" run m.yaml --json"));
        assert_eq!((outcome.status, &outcome.json()["output"]["o"]), (0, &"hi\n".into()), "{unset}: {outcome:#?}");
    }
    let home = with("steps:\n  - {id: s, action: run_command, params: {command: [pwd], cwd: '~/x'}}\n");
    let outcome = scripted(&home, "unset HOME; exec \"$0\" run m.yaml --json");
    assert_eq!(outcome.status, 1, "{outcome:#?}");
    assert!(outcome.json()["error"].as_str().unwrap().contains("HOME"), "{outcome:#?}");
}

#[test]
fn few_descriptors_are_enough_or_an_error() {
    let place = with(&format!("{SAY}  - {{id: t, action: start_process, params: {{command: ['true']}}}}\n"));
    let outcome = scripted(&place, "ulimit -n 20; exec \"$0\" run m.yaml --json");
    assert_eq!((outcome.status, &outcome.json()["output"]["o"]), (0, &"hi\n".into()), "{outcome:#?}");
    for limit in 3..20 {
        let outcome = scripted(&place, &format!("ulimit -n {limit}; exec \"$0\" run m.yaml --json"));
        // With too few of them not even the libraries of the program can be loaded.
        if outcome.stdout.is_empty() {
            assert!(limit < 8 && outcome.status != 0, "{limit}: {outcome:#?}");
            continue;
        }
        assert!(outcome.status < 70, "{limit}: {outcome:#?}");
        assert_eq!(outcome.json()["exit_code"], outcome.status, "{limit}: {outcome:#?}");
    }
}

#[test]
fn started_programs_do_not_use_up_the_descriptors() {
    let place =
        with("steps:\n  - {id: s, for_each: \"${range(60)}\", action: start_process, params: {command: ['true']}}\n");
    let outcome = scripted(&place, "ulimit -n 20; exec \"$0\" run m.yaml --json");
    assert_eq!(outcome.status, 0, "{outcome:#?}");
}

#[test]
fn ten_thousand_turns_are_done_in_bounded_memory() {
    let loops = |turns: u32| {
        with(&format!(
            "steps:\n  - {{id: s, for_each: \"${{range({turns})}}\", action: find_executable, params: {{name: sh}}}}\n"
        ))
    };
    let place = loops(10_000);
    let began = Instant::now();
    let child = place.call(&["run", "m.yaml", "--json"]).start();
    let memory = peak(&child);
    let outcome = finish(child);
    assert!(began.elapsed() < SOON);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    let told = outcome.json();
    assert_eq!(told["steps"].as_array().unwrap().len(), 10_000);
    assert_eq!(told["steps"][9_999]["iteration"], 9_999);
    let memory = memory.join().unwrap();
    assert!(memory > 0 && memory < 200 << 10, "{memory} KiB");
    let told = document(&loops(10_001), &[], 1);
    assert_eq!(told["error_code"], "limit_reached", "{}", told["error"]);
}

#[test]
fn twenty_levels_of_calls() {
    let place = Place::new();
    place.write(
        "m20.yaml",
        "name: m20\ncomposable: true\nparameters: {x: integer}\noutputs: [{name: o, value: \"${x:-0}\"}]\nsteps: []\n",
    );
    for level in (0..20).rev() {
        let name = if level == 0 { "m".to_owned() } else { format!("m{level}") };
        place.write(
            &format!("{name}.yaml"),
            format!("name: {name}\ncomposable: true\nparameters: {{x: {{type: integer, default: 0}}}}\noutputs: [{{name: o, value: \"${{steps.c.o}}\"}}]\nsteps: [{{id: c, macro: m{}, with: {{x: \"${{x + 1}}\"}}}}]\n", level + 1),
        );
    }
    let told = document(&place, &[], 0);
    assert_eq!(told["output"]["o"], 20);
    assert_eq!(step(&told, "c")["output"]["o"], 20);
    assert_eq!(told["telemetry"]["steps_total"], 20);
}
