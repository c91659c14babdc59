#![cfg(unix)]

use spec::value::Value;

use crate::backends::testing::{Left, act, given, observe, text};
use crate::dry_run::DryRun;
use crate::failure::Failure;
use crate::files::ChangeKind;
use crate::process::testing::Folder;
use crate::real::RealWorld;
use crate::world::World;

/// Over the real clock; nothing here asks for a window.
fn world() -> DryRun<RealWorld> {
    DryRun::new(RealWorld::new())
}

fn command(world: &mut DryRun<RealWorld>, given: &[(&str, Value)]) -> Result<Left, Failure> {
    act(world, "native_api.run_command", given)
}

#[test]
fn edits_are_seen_by_later_steps_and_not_by_the_disk() {
    let dir = Folder::new();
    let f = dir.file("a.json", r#"{"a":1}"#);
    let mut world = world();
    act(&mut world, "file_transform.json_set", given! {"input_file": f.as_path(), "path": "a", "value": 2}).unwrap();
    let left = act(&mut world, "file_transform.json_get", given! {"input_file": f.as_path(), "path": "a"}).unwrap();
    assert_eq!(left["value"], Value::Integer(2));
    let given = given! {"input_file": f.as_path(), "find": "2", "replace": "33"};
    act(&mut world, "file_transform.text_replace", given).unwrap();
    let path = Value::String(f.to_str().unwrap().to_owned());
    let seen = observe(&mut world, "file_contains", &[path, Value::String("33".into())]).unwrap();
    assert!(seen.holds, "{seen:?}");
    assert_eq!(dir.read("a.json"), r#"{"a":1}"#);
    let changes = world.changes();
    assert_eq!(changes.iter().map(|change| change.bytes).collect::<Vec<_>>(), [7, 8]);
    assert!(changes.iter().all(|change| change.kind == ChangeKind::Write && change.path == f));
    assert!(world.simulated());
}

#[test]
fn a_missing_input_fails_as_in_a_real_run() {
    let dir = Folder::new();
    let f = dir.path().join("missing.json");
    let given = given! {"input_file": f.as_path(), "path": "a", "value": 2};
    let failure = act(&mut world(), "file_transform.json_set", given).unwrap_err();
    assert_eq!(failure.message, format!("`{}` does not exist", f.display()));
}

#[test]
fn commands_are_looked_for_and_not_run() {
    let dir = Folder::new();
    let made = dir.path().join("made");
    let mut world = world();
    let given = given! {"command": ["touch", made.to_str().unwrap()], "capture_stdout": true};
    let left = command(&mut world, given).unwrap();
    assert_eq!((&left["returncode"], text(&left, "stdout"), text(&left, "stderr")), (&Value::Integer(0), "", ""));
    assert!(!made.exists());
    let given = given! {"command": ["false"], "ok_exit_codes": Value::List(vec![Value::Integer(4)])};
    let left = command(&mut world, given).unwrap();
    assert_eq!((&left["returncode"], left.get("stdout")), (&Value::Integer(4), None));
    let failure = command(&mut world, given! {"command": ["no-such-program"]}).unwrap_err();
    assert!(failure.message.starts_with("program `no-such-program` not found"), "{failure}");
    let failure = command(&mut world, given! {"command": ["true"], "cwd": made.as_path()}).unwrap_err();
    assert!(failure.message.starts_with("cannot run in the folder"), "{failure}");
}

#[test]
fn what_earlier_steps_would_have_made_counts() {
    let dir = Folder::new();
    let script = dir.script("script", "exit 1");
    let made = dir.path().join("made");
    let mut world = world();
    act(&mut world, "file_transform.make_dir", given! {"path": made.as_path()}).unwrap();
    command(&mut world, given! {"command": ["true"], "cwd": made.as_path()}).unwrap();
    act(&mut world, "file_transform.copy_file", given! {"src": script.as_path(), "dst": made.as_path()}).unwrap();
    command(&mut world, given! {"command": ["./script"], "cwd": made.as_path()}).unwrap();
    command(&mut world, given! {"command": [made.join("script").to_str().unwrap()]}).unwrap();
    assert!(command(&mut world, given! {"command": ["./other"], "cwd": made.as_path()}).is_err());
    let log = made.join("log");
    let given = given! {"command": ["sleep", "600"], "log_file": log.as_path()};
    let left = act(&mut world, "native_api.start_process", given).unwrap();
    assert_eq!(left["pid"], Value::Integer(0));
    let given = given! {"command": ["sleep", "600"], "log_file": "/nope/x.log"};
    let failure = act(&mut world, "native_api.start_process", given).unwrap_err();
    assert!(failure.message.starts_with("cannot write the log file: `/nope/x.log`"), "{failure}");
    assert!(!made.exists());
}

#[test]
fn programs_are_really_found() {
    let left = act(&mut world(), "native_api.find_executable", given! {"name": "sh"}).unwrap();
    assert!(text(&left, "executable").starts_with('/'));
}
