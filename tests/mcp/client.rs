//! The server and the official client of the protocol, in a session with a handshake and with every request for itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::harness::{Place, finish};
use crate::witness::MACROCLI;

/// The client, and what checks results against schemas. The client speaks every revision from 2025-03-26 to 2026-07-28.
const PACKAGES: [&str; 2] = ["mcp==2.3.0", "jsonschema==4.26.0"];

const TYPED: &str = r#"
name: typed
version: "1"
description: Says what it was given.
parameters:
  word: {type: string, required: true, enum: [one, two], description: A word., example: one}
  count: {type: integer, min: 1, max: 9, default: 3}
  part: {type: float, default: 0.5}
  loud: {type: boolean, default: false}
  list: {type: list, default: []}
  map: {type: dict, default: {}}
  key: {type: string, secret: true}
  needed: string
steps:
  - {id: tell, action: run_command, params: {command: [printf, "%s", "${word} ${count} ${part} ${loud} ${needed}"], capture_stdout: true}}
  - {id: noise, action: run_command, params: {command: [sh, -c, "echo to standard output; echo to standard error >&2"]}}
  - {id: keep, action: run_command, params: {command: [sh, -c, "cat > key"], stdin: "${key:-}"}}
outputs:
  - {name: told, value: "${steps.tell.stdout}"}
  - {name: list, value: "${list}"}
  - {name: map, value: "${map}"}
"#;

const FAILS: &str = "name: fails\nsteps:\n  - {id: bad, action: run_command, params: {command: [\"false\"]}}\n  \
    - {id: after, action: run_command, params: {command: [\"true\"]}}\noutputs:\n  - {name: never, value: x}\n";

const SLEEPS: &str = "name: sleeps\nsteps:\n  - {id: s, action: run_command, timeout: 70s, params: {command: [sh, -c, \"echo $$ > pid; exec sleep 61\"]}}\n\
    finally:\n  - {id: clean, action: run_command, params: {command: [touch, cleaned]}}\n";

const PACES: &str = "name: paces\nsteps:\n  - {id: one, action: run_command, params: {command: [\"true\"]}}\n  \
    - {id: two, action: run_command, when: false, params: {command: [\"true\"]}}\n  \
    - {id: three, action: run_command, params: {command: [\"true\"]}}\n";

const MEETS: &str = "name: meets\nparameters: {mine: string, other: string}\nsteps:\n  \
    - {id: m, action: run_command, timeout: 50s, params: {command: [sh, -c, \"touch $0; until [ -e $1 ]; do sleep 0.01; done\", \"${mine}\", \"${other}\"]}}\n";

/// Sessions with a handshake, and every request for itself.
const ERAS: [&str; 2] = ["legacy", "modern"];

/// Plays a scenario of `client.py`, in each era in a folder with macros for all scenarios.
fn play(scenario: &str) {
    let place = ERAS.iter().fold(Place::new(), |place, era| {
        place
            .file(&format!("{era}/m/typed.yaml"), TYPED)
            .file(&format!("{era}/m/fails.yaml"), FAILS)
            .file(&format!("{era}/m/sleeps.yaml"), SLEEPS)
            .file(&format!("{era}/m/paces.yaml"), PACES)
            .file(&format!("{era}/m/meets.yaml"), MEETS)
            .good(&format!("{era}/m/look.yaml"), "look")
            .good(&format!("{era}/m/sub/run_status_user.yaml"), "run_status_user")
            .good(&format!("{era}/m/run_status.yaml"), "run_status")
            .file(&format!("{era}/m/broken.yaml"), "name: broken\nsteps: [{action: none}]\n")
    });
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/client.py");
    let folders = ERAS.map(|era| place.path(era).to_str().unwrap().to_owned());
    let words = [script.to_str().unwrap(), scenario, MACROCLI, &folders[0], &folders[1]];
    let outcome = finish(place.call_as(python(), &words).env("PYTHONDONTWRITEBYTECODE", "1").start());
    assert_eq!(outcome.status, 0, "{}\n{}", outcome.stdout, outcome.stderr);
}

/// An interpreter that has the packages, in an environment that is made when it is first needed and kept beside what is built.
fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-client");
        let python = folder.join("bin/python");
        // It is whole when its list of packages is the one wanted.
        let wanted = PACKAGES.join("\n");
        let list = folder.join("packages");
        if std::fs::read_to_string(&list).is_ok_and(|have| have == wanted) {
            return python;
        }
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder));
        run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(PACKAGES));
        std::fs::write(list, wanted).unwrap();
        python
    })
}

fn run(command: &mut Command) {
    let outcome = command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(outcome.status.success(), "{command:?}: {}", String::from_utf8_lossy(&outcome.stderr));
}

#[test]
fn macros_are_tools_with_schemas() {
    play("lists");
}

#[test]
fn a_call_gives_the_document_of_its_run() {
    play("calls");
}

#[test]
fn fixed_tools_look_and_run_nothing() {
    play("fixed");
}

#[test]
fn a_cancelled_call_ends_its_run() {
    play("cancels");
}

#[test]
fn steps_that_end_are_progress() {
    play("tells");
}

#[test]
fn calls_run_at_once_within_bounds() {
    play("together");
}

#[test]
fn a_client_that_leaves_ends_its_runs() {
    play("leaves");
}

#[test]
fn a_new_macro_is_told_of() {
    play("changes");
}
