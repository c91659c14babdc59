//! Every action with real programs.

use std::time::{Duration, Instant};

use spec::value::Value;

use crate::backends::testing::{Left, act, act_within, given, partial, text};
use crate::failure::{Failure, FailureKind};
use crate::process::Interrupt;
use crate::process::testing::{Folder, Killed, eventually, is_alive};
use crate::real::RealWorld;

fn run(given: &[(&str, Value)]) -> Result<Left, Failure> {
    act(&mut RealWorld::new(), "native_api.run_command", given)
}

fn sh(script: &str) -> Value {
    Value::List(["sh", "-c", script].map(|word| Value::String(word.to_owned())).to_vec())
}

fn string(text: &str) -> Value {
    Value::String(text.to_owned())
}

#[test]
fn outputs_are_kept_as_asked() {
    let left = run(given! {"command": sh("cat; echo err >&2"), "stdin": "in é", "capture_stdout": true}).unwrap();
    assert_eq!((text(&left, "stdout"), text(&left, "stderr")), ("in é", "err\n"));
    assert_eq!((&left["returncode"], &left["truncated"]), (&Value::Integer(0), &Value::Boolean(false)));
    let left = run(given! {"command": sh("echo x")}).unwrap();
    assert_eq!((left.get("stdout"), text(&left, "stderr")), (None, ""));
    let left = run(given! {"command": ["printf", r"\377caf\351\0"], "capture_stdout": true}).unwrap();
    assert_eq!(text(&left, "stdout"), "\u{FFFD}caf\u{FFFD}\0");
}

#[test]
fn much_output_is_cut_and_said_to_be() {
    let left = run(given! {"command": sh("yes | head -c 100000000"), "capture_stdout": true}).unwrap();
    assert_eq!((text(&left, "stdout").len(), &left["truncated"]), (16 << 20, &Value::Boolean(true)));
    assert_eq!((&left["stdout_bytes"], &left["stderr_bytes"]), (&Value::Integer(100_000_000), &Value::Integer(0)));
    let left = run(given! {"command": sh("yes | head -c 100000000")}).unwrap();
    assert_eq!(left["truncated"], Value::Boolean(false));
}

#[test]
fn the_exit_code_judges() {
    let failure = run(given! {"command": sh("echo out; echo a >&2; echo b >&2; exit 2")}).unwrap_err();
    assert_eq!(failure.message, "`sh` exited with code 2; its standard error ends with:\na\nb");
    assert_eq!(failure.kind, FailureKind::Step);
    assert_eq!(partial(&failure, "returncode"), Some(&Value::Integer(2)));
    assert_eq!(partial(&failure, "stdout"), Some(&string("out\n")));
    assert_eq!(partial(&failure, "stderr"), Some(&string("a\nb\n")));
    let codes = Value::List(vec![Value::Integer(1), Value::Integer(3)]);
    let left = run(given! {"command": sh("exit 3"), "ok_exit_codes": codes.clone()}).unwrap();
    assert_eq!(left["returncode"], Value::Integer(3));
    let failure = run(given! {"command": sh("exit 0"), "ok_exit_codes": codes}).unwrap_err();
    assert_eq!(failure.message, "`sh` exited with code 0 (allowed: 1, 3)");
    let failure = run(given! {"command": sh("i=0; while [ $i -lt 99 ]; do i=$((i+1)); echo $i >&2; done; exit 1")});
    assert!(failure.unwrap_err().message.ends_with("with:\n95\n96\n97\n98\n99"));
}

#[test]
fn a_signal_is_named() {
    let failure = run(given! {"command": sh("echo x; kill -9 $$")}).unwrap_err();
    assert_eq!(failure.message, "`sh` was ended by signal 9 (SIGKILL)");
    assert_eq!(partial(&failure, "returncode"), Some(&Value::Integer(137)));
}

#[test]
fn a_deadline_ends_the_whole_group() {
    let began = Instant::now();
    let given = given! {"command": sh("echo part; sleep 61 & sleep 61"), "capture_stdout": true};
    let interrupt = Interrupt::new().unwrap();
    // What is left of 1000 ms when an action is reached.
    let remaining = Duration::from_micros(999_950);
    let failure =
        act_within(&mut RealWorld::new(), "native_api.run_command", given, remaining, &interrupt).unwrap_err();
    assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Timeout, "timed out after 1000 ms"));
    assert_eq!(partial(&failure, "stdout"), Some(&string("part\n")));
    assert!(began.elapsed() < Duration::from_secs(30));
}

#[test]
fn an_interrupt_ends_the_program() {
    let interrupt = Interrupt::new().unwrap();
    let other = interrupt.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        other.raise(2);
    });
    let given = given! {"command": ["sleep", "61"]};
    let remaining = Duration::from_secs(60);
    let failure =
        act_within(&mut RealWorld::new(), "native_api.run_command", given, remaining, &interrupt).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Interrupted(2));
    assert!(failure.message.starts_with("interrupted by signal 2"), "{failure}");
    thread.join().unwrap();
}

#[test]
fn the_environment_and_the_folder_are_the_commands_own() {
    let dir = Folder::new();
    dir.script("bin/tool", "echo \"$A|${GONE-unset}|$E|$PWD\"");
    let bin = dir.path().join("bin");
    let env: &[(&str, Value)] =
        &[("A", string("no")), ("GONE", Value::Null), ("E", string("")), ("PATH", string(bin.to_str().unwrap()))];
    let expected = format!("no|unset||{}\n", dir.path().display());
    let left = run(given! {"command": ["tool"], "env": env, "cwd": dir.path(), "capture_stdout": true}).unwrap();
    assert_eq!(text(&left, "stdout"), expected);
    let left = run(given! {"command": ["./tool"], "cwd": bin.as_path(), "capture_stdout": true}).unwrap();
    assert!(text(&left, "stdout").ends_with("/bin\n"));
    let failure = run(given! {"command": ["tool"]}).unwrap_err();
    assert!(failure.message.starts_with("program `tool` not found"), "{failure}");
    let failure = run(given! {"command": ["FOO=1", "env"]}).unwrap_err();
    assert!(failure.message.starts_with("`FOO=1` is not a program: it sets a variable"), "{failure}");
    let bad: &[(&str, Value)] = &[("X=Y", string("1"))];
    assert_eq!(run(given! {"command": ["true"], "env": bad}).unwrap_err().kind, FailureKind::BadArgument);
    let failure = run(given! {"command": ["true"], "cwd": "/no/such"}).unwrap_err();
    assert!(failure.message.starts_with("cannot run in the folder `/no/such`"), "{failure}");
}

#[test]
fn a_program_is_started_and_left_alone() {
    let dir = Folder::new();
    let log = dir.path().join("log");
    let mut world = RealWorld::new();
    let given = given! {"command": sh("echo started; exec sleep 600"), "log_file": log.as_path()};
    let left = act(&mut world, "native_api.start_process", given).unwrap();
    let Value::Integer(pid) = left["pid"] else { panic!("{left:?}") };
    let process = Killed(u32::try_from(pid).unwrap());
    assert_eq!(left["command"], sh("echo started; exec sleep 600"));
    eventually("it has written its log", || dir.read("log") == "started\n");
    drop(world);
    assert!(is_alive(process.0));
}

#[test]
fn a_start_that_fails_says_why() {
    let start =
        |given: &[(&str, Value)]| act(&mut RealWorld::new(), "native_api.start_process", given).unwrap_err().message;
    assert_eq!(start(given! {"command": ["false"]}), "`false` ended at once with exit code 1");
    assert!(start(given! {"command": ["no-such-program"]}).starts_with("program `no-such-program` not found"));
    let log = start(given! {"command": ["sleep", "1"], "log_file": "/nope/x.log"});
    assert!(log.starts_with("cannot write the log file `/nope/x.log`"), "{log}");
}

#[test]
fn a_program_is_found_or_the_hint_is_given() {
    let dir = Folder::new();
    let real = dir.script("real", "exit 0");
    dir.folder("dir");
    let find = |given: &[(&str, Value)]| act(&mut RealWorld::new(), "native_api.find_executable", given);
    let folder = dir.path().join("dir");
    let candidates = ["", "no-such", folder.to_str().unwrap(), real.to_str().unwrap()];
    let left = find(given! {"name": "tool", "candidates": candidates}).unwrap();
    assert_eq!((text(&left, "executable"), text(&left, "name")), (real.to_str().unwrap(), "tool"));
    let left = find(given! {"candidates": [real.to_str().unwrap()]}).unwrap();
    assert_eq!(left["name"], left["executable"]);
    let left = find(given! {"name": "sh"}).unwrap();
    assert!(text(&left, "executable").starts_with('/'));
    let failure = find(given! {"name": "no-such", "install_hint": "apt install tool"}).unwrap_err();
    assert_eq!(failure.hint.as_deref(), Some("apt install tool"));
    assert!(failure.message.starts_with("no executable found for `no-such`, tried `no-such`: "), "{failure}");
    assert_eq!(find(&[]).unwrap_err().kind, FailureKind::BadArgument);
}
