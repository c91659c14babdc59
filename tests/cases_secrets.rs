//! Secret values reach their target and appear nowhere else.

use serde_json::json;

use crate::harness::{Outcome, Place};
use crate::witness::{document, step};

const SECRET: &str = "hunter2!";

const MACRO: &str = r#"name: m
parameters:
  password: {type: string, required: true, secret: true}
outputs:
  - {name: shown, value: "it is ${password}", expose: [password]}
  - {name: length, value: "${len(password)}"}
steps:
  - {id: reach, action: run_command, params: {command: [sh, -c, 'printf %s "$0" > target', "${password}"]}, expose: [password]}
  - {id: echo, action: run_command, params: {capture_stdout: true, command: [sh, -c, 'echo "$0"; echo "$0" >&2', "--token=${password}&x"]}, expose: [password]}
  - {id: variable, action: run_command, params: {capture_stdout: true, command: [sh, -c, 'echo "$T"'], env: {T: "${password}"}}}
  - {id: input, action: run_command, params: {capture_stdout: true, command: [cat], stdin: "a ${password} b"}}
  - {id: fails, action: run_command, on_failure: continue, params: {command: [sh, -c, 'echo "bad password $0" >&2; exit 1', "${password}"]}, expose: [password]}
  - {id: missing, action: run_command, on_failure: continue, params: {command: ["./${password}"]}, expose: [password]}
  - {id: folder, action: run_command, on_failure: continue, params: {command: [pwd], cwd: "/nope/${password}"}, expose: [password]}
  - {id: log, action: start_process, on_failure: continue, params: {command: [pwd], log_file: "/nope/${password}"}, expose: [password]}
  - {id: started, action: start_process, on_failure: skip, params: {command: [sh, -c, 'echo "$0"; exit 1', "${password}"], log_file: log}, expose: [password]}
  - {id: find, action: find_executable, on_failure: continue, params: {name: "${password}", install_hint: "get ${password}"}, expose: [password]}
  - {id: copy, backend: file_transform, action: copy_file, on_failure: continue, params: {src: "/nope/${password}", dst: x}, expose: [password]}
  - {id: set, backend: file_transform, action: json_set, params: {input_file: /dev/null, output_file: o.json, path: "k", value: {deep: ["${password}"]}}, expose: [password]}
  - {id: sum, action: run_command, on_failure: continue, params: {command: [echo, "${int(password)}"]}, expose: [password]}
  - {id: each, action: run_command, for_each: ["${password}", b], params: {capture_stdout: true, command: [echo, "${item}"]}, expose: [password]}
  - {id: check, action: run_command, on_failure: continue, params: {command: ['true']}, verify: [{file_exists: "/nope/${password}"}], expose: [password]}
"#;

fn place() -> Place {
    Place::new().file("m.yaml", MACRO).file("secret", format!("{SECRET}\n"))
}

fn hides(outcome: &Outcome) {
    for text in [&outcome.stdout, &outcome.stderr] {
        assert!(!text.contains(SECRET) && !text.contains("hunter2"), "{text}");
    }
}

#[test]
fn a_secret_reaches_its_target_and_is_seen_nowhere() {
    for how in ["env:PW", "file:secret", "stdin"] {
        for mode in [&["--json"][..], &[], &["--json", "--dry-run"], &["--dry-run"]] {
            let place = place();
            let given = format!("password={how}");
            let words: Vec<&str> = ["run", "m.yaml", "--secret", &given].iter().chain(mode).copied().collect();
            let outcome = place.call(&words).env("PW", SECRET).stdin(&format!("{SECRET}\n")).status(0);
            hides(&outcome);
            assert!(outcome.stdout.contains("***"), "{outcome:#?}");
            if mode.contains(&"--dry-run") {
                assert!(!place.path("target").exists());
                continue;
            }
            assert_eq!(place.read("target"), SECRET);
            assert!(place.read("o.json").contains(SECRET));
            if mode.contains(&"--json") {
                let told = outcome.json();
                assert_eq!(told["output"], json!({"shown": "it is ***", "length": 8}));
                assert_eq!(step(&told, "echo")["output"]["stdout"], "--token=***&x\n");
                assert_eq!(step(&told, "echo")["output"]["stderr"], "--token=***&x\n");
                assert_eq!(step(&told, "input")["output"]["stdout"], "a *** b");
                assert!(step(&told, "fails")["error"].as_str().unwrap().contains("bad password ***"), "{told:#}");
            }
        }
    }
}

#[test]
fn a_secret_in_the_failure_of_the_run_is_hidden() {
    for steps in [
        "[{action: run_command, params: {command: ['false', \"${p}\"]}, expose: [p]}]",
        "[{action: run_command, params: {command: [sh, -c, 'echo $0 >&2; exit 1', \"${p}\"]}, expose: [p]}]",
        "[{action: run_command, params: {command: [sh, -c, 'sleep 61', \"${p}\"]}, timeout: 1s, expose: [p]}]",
        "[{action: run_command, params: {command: [\"${p}\"]}, expose: [p]}]",
        "[{action: run_command, params: {command: [\"${p}=1\", env]}, expose: [p]}]",
        "[{action: find_executable, params: {name: sh}, verify: [{file_exists: \"${p}\"}], expose: [p]}]",
        "[{action: find_executable, params: {name: sh}, verify: [{env_var: \"${p}\"}], expose: [p]}]",
        "[{action: find_executable, params: {name: sh}, verify: [{process_running: \"${p}\"}], expose: [p]}]",
        "[{action: find_executable, params: {name: sh}, verify: [{file_contains: [m.yaml, \"${p}\"]}], expose: [p]}]",
        "[]\noutputs: [{name: o, path: \"${p}\", expose: [p]}]",
    ] {
        let place = Place::new()
            .file("m.yaml", format!("name: m\nparameters: {{p: {{secret: true, required: true}}}}\nsteps: {steps}\n"));
        for mode in [&["--json"][..], &[]] {
            let words: Vec<&str> = ["run", "m.yaml", "--secret", "p=env:PW"].iter().chain(mode).copied().collect();
            let outcome = place.call(&words).env("PW", SECRET).run();
            assert!(outcome.status != 0 && outcome.status != 70, "{steps}: {outcome:#?}");
            hides(&outcome);
        }
    }
}

#[test]
fn a_secret_that_is_refused_is_not_repeated() {
    for kind in [
        "type: integer",
        "type: string, enum: [a, b]",
        "type: list",
        "type: dict",
        "type: boolean",
        "type: float, max: 1",
    ] {
        let place = Place::new().file(
            "m.yaml",
            format!("name: m\nparameters: {{p: {{{kind}, secret: true, required: true}}}}\nsteps: []\n"),
        );
        for mode in [&["--json"][..], &[]] {
            for given in [["--secret", "p=env:PW"], ["-p", "p=hunter2!"]] {
                let words: Vec<&str> = ["run", "m.yaml"].iter().chain(&given).chain(mode).copied().collect();
                hides(&place.call(&words).env("PW", SECRET).status(2));
            }
        }
    }
}

#[test]
fn a_part_of_a_secret_is_not_left_where_output_was_cut() {
    let long = "S3cret-".repeat(40);
    for script in [
        // Only the end of what the program wrote to its standard error is in the message.
        "yes x | tr -d '\\n' | head -c 500 >&2; printf '%s' \"$0\" >&2; yes y | tr -d '\\n' | head -c 900 >&2; exit 1",
        // Only the end of an output that is not captured is kept.
        "yes x | tr -d '\\n' | head -c 5000; printf '%s' \"$0\"; yes y | tr -d '\\n' | head -c 4000; exit 1",
    ] {
        let place = Place::new().file("m.yaml", format!(
            "name: m\nparameters: {{p: {{secret: true, required: true}}}}\nsteps: [{{action: run_command, params: {{command: [sh, -c, {}, \"${{p}}\"]}}, expose: [p]}}]\n",
            json!(script)
        ));
        let outcome = place.call(&["run", "m.yaml", "--json", "--secret", "p=env:PW"]).env("PW", &long).status(1);
        assert!(!outcome.stdout.contains("S3cret") && !outcome.stdout.contains("cret-"), "{}", outcome.stdout);
    }
    // The limit of what is kept falls into the secret.
    let script = json!("yes x | tr -d '\\n' | head -c 16777200; printf '%s' \"$0\"");
    let place = Place::new().file("m.yaml", format!(
        "name: m\nparameters: {{p: {{secret: true, required: true}}}}\nsteps: [{{action: run_command, params: {{capture_stdout: true, command: [sh, -c, {script}, \"${{p}}\"]}}, expose: [p]}}]\n"
    ));
    let outcome = place.call(&["run", "m.yaml", "--json", "--secret", "p=env:PW"]).env("PW", &long).status(0);
    assert!(!outcome.stdout.contains("S3cret"), "{}", &outcome.stdout[outcome.stdout.len() - 900..]);
}

#[test]
fn a_secret_keeps_its_secrecy_through_calls() {
    let place = Place::new()
        .file("inner.yaml", "name: inner\ncomposable: true\nparameters: {key: {secret: true, required: true}, open: {required: true}}\noutputs: [{name: o, value: \"<${key}>\", expose: [key]}]\nsteps: [{id: s, action: run_command, expose: [key], params: {capture_stdout: true, command: [echo, \"${key}\", \"${open}\"]}}]\n")
        .file("m.yaml", "name: m\nparameters: {a: string}\noutputs: [{name: o, value: \"${steps.c.o}\"}]\nsteps:\n  - {id: first, action: run_command, params: {capture_stdout: true, command: [echo, \"${a}\"]}}\n  - {id: c, macro: inner, with: {key: \"${a}\", open: \"${a}\"}}\n");
    let told = document(&place, &["-p", "a=hunter2!"], 0);
    assert!(!told.to_string().contains("hunter2"), "{told:#}");
    assert_eq!(told["output"]["o"], "<***>");
}

#[test]
fn secrets_with_odd_characters_are_hidden_in_every_spelling() {
    for secret in ["two\nlines here", "quote\"back\\slash", "tab\there", "ünïcode€", "a b c", "x;y'z"] {
        let place = Place::new().file("m.yaml", "name: m\nparameters: {p: {secret: true, required: true}}\nsteps:\n  - {id: a, action: run_command, params: {capture_stdout: true, command: [printf, '%s\\n', \"${json([p])}\", \"${p}\"]}, expose: [p]}\n  - {id: b, action: run_command, params: {command: [\"./${p}\"]}, expose: [p]}\n");
        for mode in [&["--json"][..], &[]] {
            let words: Vec<&str> = ["run", "m.yaml", "--secret", "p=file:s"].iter().chain(mode).copied().collect();
            place.write("s", secret);
            let outcome = place.call(&words).status(1);
            let quoted = json!(secret).to_string();
            let quoted = quoted.trim_matches('"');
            let twice = json!(quoted).to_string();
            for spelled in [secret, quoted, twice.trim_matches('"')] {
                assert!(
                    !outcome.stdout.contains(spelled) && !outcome.stderr.contains(spelled),
                    "{spelled}: {outcome:#?}"
                );
            }
            for line in secret.lines().filter(|line| line.len() > 4) {
                assert!(!outcome.stdout.contains(line) && !outcome.stderr.contains(line), "{line}: {outcome:#?}");
            }
        }
    }
}

#[test]
fn no_secret_is_in_an_artifact_and_none_has_a_default() {
    let place = place();
    place.call(&["build", "m.yaml", "-o", "out"]).status(0);
    let outcome = place.call(&["run", "out/m.mcb", "--json", "--secret", "password=file:secret"]).status(0);
    hides(&outcome);
    let bytes = std::fs::read(place.path("out/m.mcb")).unwrap();
    assert!(!bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes()));
    place.write("d.yaml", "name: d\nparameters: {p: {secret: true, default: hunter2!}}\nsteps: []\n");
    place.call(&["run", "d.yaml", "--json"]).status(3);
}

#[test]
fn a_secret_on_the_command_line_is_hidden_with_a_warning() {
    let outcome = place().call(&["run", "m.yaml", "--json", "-p", "password=hunter2!"]).status(0);
    hides(&outcome);
    assert!(outcome.json()["warnings"][0].as_str().unwrap().contains("--secret password="), "{outcome:#?}");
}

#[test]
fn keys_of_the_document_stay_what_they_are() {
    let place = Place::new().file("m.yaml", "name: m\nparameters: {p: {secret: true, required: true}}\noutputs: [{name: code, value: \"${p}\", expose: [p]}]\nsteps:\n  - {id: code, action: run_command, expose: [p], params: {capture_stdout: true, command: [echo, \"${p}\"]}}\n");
    for secret in ["e", "code", "stdout", "std"] {
        for dry_run in [&[][..], &["--dry-run"]] {
            let words: Vec<&str> =
                ["run", "m.yaml", "--json", "--secret", "p=env:PW"].iter().chain(dry_run).copied().collect();
            let told = place.call(&words).env("PW", secret).status(0).json();
            assert_eq!(told["output"]["code"], "***", "{told:#}");
            let found = step(&told, "code");
            if dry_run.is_empty() {
                assert_eq!(
                    (&found["output"]["stdout"], &found["output"]["returncode"]),
                    (&json!("***\n"), &json!(0)),
                    "{told:#}"
                );
            } else {
                assert!(found["would"]["command"].is_array(), "{told:#}");
            }
        }
    }
}
