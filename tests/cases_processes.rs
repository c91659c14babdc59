//! Programs that macros run, start and look for, as real processes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Instant;

use serde_json::{Value, json};

use crate::harness::{Place, finish};
use crate::witness::{Process, SOON, document, peak, scripted, step, with};

/// `m.yaml` with one step `s` that runs a shell script and captures its output.
fn shell(script: &str, more: &str) -> Place {
    let script = Value::from(script);
    with(&format!(
        "steps:\n  - id: s\n    action: run_command\n{more}    params: {{capture_stdout: true, command: [sh, -c, {script}]}}\n"
    ))
}

/// `m.yaml` with one step `s` that runs a command written as YAML, with more parameters.
fn command(command: &str, more: &str) -> Place {
    with(&format!(
        "steps:\n  - id: s\n    action: run_command\n    params: {{capture_stdout: true, command: {command}{more}}}\n"
    ))
}

/// What the command of a macro writes.
fn stdout(place: &Place, more: &[&str]) -> String {
    step(&document(place, more, 0), "s")["output"]["stdout"].as_str().unwrap().to_owned()
}

fn program(place: &Place, path: &str, script: &str) {
    place.write(path, format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(place.path(path), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_timeout_ends_the_program_and_its_offspring_and_keeps_what_it_wrote() {
    for prelude in ["", "trap '' TERM; "] {
        let script = format!("{prelude}echo part; sleep 61 & echo $! > back; echo $$ > front; sleep 61; sleep 61");
        let place = shell(&script, "    timeout_ms: 1000\n");
        let began = Instant::now();
        let told = document(&place, &[], 5);
        assert!(began.elapsed() < SOON);
        let (front, back) = (Process::noted(&place, "front"), Process::noted(&place, "back"));
        assert_eq!(told["error"], "step `s` failed: timed out after 1000 ms");
        assert_eq!(told["error_code"], "timeout");
        assert_eq!(step(&told, "s")["output"]["stdout"], "part\n");
        front.ends();
        back.ends();
    }
}

#[test]
fn a_process_that_left_the_group_does_not_delay_a_timeout() {
    let place = shell("echo part; setsid sleep 61 & echo $! > away; sleep 61", "    timeout_ms: 1000\n");
    let began = Instant::now();
    let told = document(&place, &[], 5);
    assert!(began.elapsed() < SOON);
    let _away = Process::noted(&place, "away");
    assert_eq!(step(&told, "s")["output"]["stdout"], "part\n");
}

#[test]
fn a_daemon_that_holds_the_outputs_does_not_delay_the_end() {
    let place = shell("setsid sleep 61 & echo $! > away; echo done", "");
    let began = Instant::now();
    assert_eq!(stdout(&place, &[]), "done\n");
    assert!(began.elapsed() < SOON);
    assert!(Process::noted(&place, "away").runs(), "what a program leaves behind is its own affair");
}

#[test]
fn both_outputs_may_be_large() {
    let script = "head -c 10000000 /dev/zero | tr '\\0' e >&2; head -c 10000000 /dev/zero | tr '\\0' o; exit 3";
    let told = document(&shell(script, ""), &[], 1);
    let output = &step(&told, "s")["output"];
    assert_eq!(output["returncode"], 3);
    assert_eq!(output["truncated"], false);
    for (name, letter) in [("stdout", 'o'), ("stderr", 'e')] {
        let text = output[name].as_str().unwrap();
        assert_eq!(text.len(), 10_000_000);
        assert!(text.chars().all(|found| found == letter));
        assert_eq!(output[format!("{name}_bytes")], 10_000_000);
    }
    assert!(told["error"].as_str().unwrap().len() < 2000, "a message shows only the end");
}

#[test]
fn endless_output_takes_bounded_memory() {
    for (script, bytes, kept) in [
        ("yes | head -c 1000000000", 1_000_000_000, 16 << 20),
        // The limit falls into the middle of a character.
        ("yes é | head -c 30000000", 30_000_000, (16 << 20) - 1),
    ] {
        let place = shell(script, "");
        let child = place.call(&["run", "m.yaml", "--json"]).start();
        let memory = peak(&child);
        let outcome = finish(child);
        let told = outcome.json();
        let output = &step(&told, "s")["output"];
        assert_eq!((&output["truncated"], &output["stdout_bytes"]), (&json!(true), &json!(bytes)));
        let text = output["stdout"].as_str().unwrap();
        assert_eq!(text.len(), kept);
        assert!(!text.contains('\u{FFFD}'));
        let memory = memory.join().unwrap();
        assert!(memory > 0 && memory < 150 << 10, "{memory} KiB");
    }
}

#[test]
fn bytes_that_are_no_text_harm_nothing() {
    let told = |words: &str| stdout(&command(words, ""), &[]);
    assert_eq!(told(r"[printf, '\377\376caf\351\n']"), "\u{FFFD}\u{FFFD}caf\u{FFFD}\n");
    assert_eq!(told(r"[printf, 'a\000b\033[31mc']"), "a\0b\u{1b}[31mc");
    let many = stdout(&shell("printf x; yes é | tr -d '\\n' | head -c 80000", ""), &[]);
    assert!(many.strip_prefix('x').is_some_and(|rest| rest.len() == 80_000 && rest.chars().all(|found| found == 'é')));
    let failed = document(&shell("printf '\\377' >&2; exit 4", ""), &[], 1);
    let output = &step(&failed, "s")["output"];
    assert_eq!((&output["returncode"], &output["stderr"]), (&json!(4), &json!("\u{FFFD}")));
}

#[test]
fn people_see_no_raw_control_characters() {
    let outputs = "outputs: [{name: seen, value: \"${steps.s.stdout}\"}]\n";
    let script = json!("printf 'a\\033[31m\\a\\0b'");
    let place = with(&format!(
        "{outputs}steps: [{{id: s, action: run_command, params: {{capture_stdout: true, command: [sh, -c, {script}]}}}}]\n"
    ));
    let outcome = place.call(&["run", "m.yaml"]).status(0);
    let failed = shell("printf 'a\\033[31m\\a' >&2; exit 1", "").call(&["run", "m.yaml"]).status(1).tells("[31m");
    for text in [&outcome.stdout, &outcome.stderr, &failed.stdout, &failed.stderr] {
        assert!(!text.contains(|found: char| found.is_control() && found != '\n'), "{text:?}");
    }
}

#[test]
fn a_command_as_one_text_is_split_like_a_shell_splits_it() {
    let text = json!(r#"printf '%s|' 'a b' "c d" e\ f ''"#).to_string();
    assert_eq!(stdout(&command(&text, ""), &[]), "a b|c d|e f||");
    // Nothing else of a shell happens.
    assert_eq!(stdout(&command("\"echo $HOME '*' '>' '|' '`id`'\"", ""), &[]), "$HOME * > | `id`\n");
    let list = command("[echo, $HOME, '*', '>', '|', '`id`', '$(id)', '~', '&&', ;]", "");
    assert_eq!(stdout(&list, &[]), "$HOME * > | `id` $(id) ~ && ;\n");
}

#[test]
fn one_value_is_one_argument() {
    let place = with(
        "parameters: {src: string, dst: string}\nsteps:\n  - {id: s, action: run_command, params: {command: \"cp ${src} ${dst}\"}}\n",
    );
    place.write("a b.txt", "text");
    document(&place, &["-p", "src=a b.txt", "-p", "dst=c 'd"], 0);
    assert_eq!(place.read("c 'd"), "text");
    document(&place, &["-p", "src=x; touch pwn", "-p", "dst=$(touch pwn)"], 1);
    assert!(!place.path("pwn").exists());
}

#[test]
fn commands_that_cannot_be_meant_are_compile_errors() {
    for text in [
        "\"echo 'oops\"",
        "\"\"",
        "\"   \"",
        "[]",
        "[\"\"]",
        "\"echo hi > o | wc\"",
        "\"echo hi > o\"",
        "\"echo hi; touch o\"",
        "\"true && touch o\"",
        "\"echo `touch o`\"",
        "\"FOO=1 env\"",
    ] {
        let place = command(text, "");
        let told = document(&place, &[], 3);
        assert_eq!(told["error_code"], "diagnostics", "{text}");
        assert_eq!(told["diagnostics"][0]["line"], 5, "{text}");
        assert!(!place.path("o").exists());
    }
    let told = document(&command("\"FOO=1 env\"", ""), &[], 3);
    let found = &told["diagnostics"][0];
    assert!(found["message"].as_str().unwrap().contains("is not a program"), "{told:#}");
    assert!(found["help"].as_str().unwrap().contains("env: {FOO: …}"), "{told:#}");
}

/// `m.yaml` with one step `s` that starts a program.
fn starts(parameters: &str) -> Place {
    with(&format!("steps:\n  - {{id: s, action: start_process, params: {{{parameters}}}}}\n"))
}

#[test]
fn a_program_that_ends_badly_at_once_has_not_started() {
    let told = document(&starts("command: [sh, -c, 'echo why; exit 9'], log_file: log"), &[], 1);
    let error = told["error"].as_str().unwrap();
    assert!(error.contains("exit code 9") || error.contains("code 9"), "{error}");
    assert!(error.contains("why"), "{error}");
    let told = document(&starts("command: [nosuch-program]"), &[], 1);
    assert!(told["error"].as_str().unwrap().contains("`nosuch-program` not found"), "{told:#}");
    let told = document(&starts("command: [sleep, '1'], log_file: /nope/x.log"), &[], 1);
    assert!(told["error"].as_str().unwrap().contains("`/nope/x.log`"), "{told:#}");
}

#[test]
fn a_started_program_lives_on_by_itself() {
    let place = starts("command: [sleep, '100']");
    // The call leads a group that is hung up at its end, as by a terminal that is closed.
    let outcome = scripted(&place, "setsid sh -c '\"$0\" run m.yaml --json; trap \"\" HUP; kill -HUP 0' \"$0\"");
    let told = outcome.json();
    let pid = step(&told, "s")["output"]["pid"].as_i64().unwrap();
    let sleeper = Process(i32::try_from(pid).unwrap());
    assert!(sleeper.runs());
    let fields = sleeper.stat().unwrap();
    assert_eq!((&fields[2], &fields[3]), (&pid.to_string(), &pid.to_string()), "group and session are its own");
    for fd in 0..3 {
        assert_eq!(fs::read_link(format!("/proc/{pid}/fd/{fd}")).unwrap().to_str(), Some("/dev/null"));
    }
}

#[test]
fn no_program_inherits_a_descriptor() {
    for action in ["start_process", "run_command"] {
        let script = json!("for fd in /proc/$$/fd/*; do readlink \"$fd\"; done > fds; true");
        let place = with(&format!("steps: [{{action: {action}, params: {{command: [sh, -c, {script}]}}}}]\n"));
        let outcome = scripted(&place, "exec 7<m.yaml 9>other; exec \"$0\" run m.yaml --json");
        assert_eq!(outcome.status, 0, "{outcome:#?}");
        let fds = place.read("fds");
        let mut open: Vec<&str> = fds.lines().filter(|target| !target.ends_with("/fds")).collect();
        // Input, error output, and the output that the shell keeps while it writes to the file.
        open.retain(|target| *target != "/dev/null" && !(action == "run_command" && target.starts_with("pipe:")));
        assert!(open.is_empty(), "{action}: {fds}");
        assert!(fds.lines().filter(|target| target.starts_with("pipe:")).count() <= 2, "{action}: {fds}");
    }
}

#[test]
fn ended_programs_are_collected_while_the_macro_runs() {
    let start = "  - {action: start_process, params: {command: [sleep, '0.3']}}\n".repeat(3);
    let look = "sleep 1.5; cat /proc/[0-9]*/stat 2>/dev/null | grep -c \") Z $PPID \"; true";
    let place = with(&format!(
        "steps:\n{start}  - {{id: s, action: run_command, params: {{capture_stdout: true, command: [sh, -c, {}]}}}}\n",
        json!(look)
    ));
    assert_eq!(stdout(&place, &[]), "0\n");
}

#[test]
fn variables_and_lookup_are_those_of_the_program() {
    let place = Place::new();
    program(&place, "bin/tool", "printf '%s|' \"$A\" \"$N\" \"${GONE-unset}\" \"${E-unset}\" \"$KEPT\"");
    let bin = place.path("bin").display().to_string();
    place.write(
        "m.yaml",
        format!(
            "name: m
steps:
  - id: s
    action: run_command
    params: {{command: [tool], capture_stdout: true, env: {{A: no, N: 1.10, GONE: null, E: '', PATH: '{bin}'}}}}
  - id: here
    action: run_command
    params: {{command: [./tool], capture_stdout: true, cwd: '{bin}'}}
  - id: gone
    action: run_command
    on_failure: continue
    params: {{command: [tool]}}
"
        ),
    );
    let call = place.call(&["run", "m.yaml", "--json"]).env("GONE", "there").env("KEPT", "kept").env("A", "ours");
    let told = call.status(0).json();
    assert_eq!(step(&told, "s")["output"]["stdout"], "no|1.10|unset||kept|");
    assert_eq!(step(&told, "here")["output"]["stdout"], "ours||there|unset|kept|");
    assert!(step(&told, "gone")["error"].as_str().unwrap().contains("`tool` not found"), "{told:#}");
}

#[test]
fn bad_names_of_variables_are_compile_errors() {
    for name in ["\"X=Y\"", "\"\""] {
        let told = document(&command("[env]", &format!(", env: {{{name}: 1}}")), &[], 3);
        assert_eq!(told["diagnostics"][0]["line"], 5, "{told:#}");
    }
}

#[test]
fn only_real_programs_are_found() {
    let place = Place::new();
    fs::create_dir_all(place.path("a/tool")).unwrap();
    fs::create_dir_all(place.path("dir")).unwrap();
    place.write("b/tool", "text");
    for path in ["real", "tool", "bin/tool", "path/sub/tool"] {
        program(&place, path, "exit 0");
    }
    let here = place.path("").display().to_string();
    let here = here.trim_end_matches('/');
    let find = |candidates: &str| {
        place.write("m.yaml", format!(
            "name: m\nsteps:\n  - {{id: s, action: find_executable, params: {{name: tool, candidates: {candidates}, install_hint: apt install tool}}}}\n"
        ));
        let path = format!("{here}/a:{here}/b::~/bin:{here}/path");
        place.call(&["run", "m.yaml", "--json"]).env("PATH", &path).run().json()
    };
    // The tools here and in ~/bin are not in PATH: its empty element and the tilde mean nothing.
    let told = find(&format!("['', tool, sub/tool, ./dir, '{here}/real', '{here}/dir']"));
    assert_eq!(step(&told, "s")["output"]["executable"], format!("{here}/real"), "{told:#}");
    assert_eq!(step(&find("[./tool]"), "s")["output"]["executable"], format!("{here}/tool"));
    let told = find(&format!("['', tool, '{here}/dir', ./b/tool]"));
    assert_eq!((&told["exit_code"], &told["hint"]), (&json!(1), &json!("apt install tool")), "{told:#}");
    for tried in ["`tool`", "dir` is a folder", "is not executable"] {
        assert!(told["error"].as_str().unwrap().contains(tried), "{told:#}");
    }
    let outcome = place.call(&["run", "m.yaml"]).env("PATH", "/nowhere").status(1);
    assert!(outcome.stderr.contains("apt install tool"), "{outcome:#?}");
}

#[test]
fn input_is_given_and_otherwise_empty() {
    let text = "é\n".repeat(100_000);
    let place = with(
        "parameters: {text: string}\nsteps:\n  - {id: s, action: run_command, params: {capture_stdout: true, command: [cat], stdin: \"${text}\"}}\n",
    );
    place.write("p.json", json!({ "text": text }).to_string());
    assert_eq!(stdout(&place, &["--params-json", "@p.json"]), text);
    let outcome = shell("cat; echo end", "").call(&["run", "m.yaml", "--json"]).stdin("not for you").status(0);
    assert_eq!(step(&outcome.json(), "s")["output"]["stdout"], "end\n");
}
