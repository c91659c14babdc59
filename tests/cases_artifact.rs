//! Damaged, foreign and crafted artifacts: each is refused by name before any step runs, within little memory.
#![cfg(unix)]

use std::fs;
use std::thread;

use spec::artifact::seal;

use crate::harness::{Outcome, Place};
use crate::steps::shell;

/// The first step leaves a mark.
const MARKING: &str = "name: marking
parameters: {word: {type: string, default: hello}, list: {type: list, default: [1, a, {k: 2.5}]}}
steps:
  - {id: mark, action: run_command, params: {command: [touch, marker]}}
  - {id: each, for_each: '${list}', action: run_command, params: {command: [echo, '${word}-${index}'], capture_stdout: true}}
  - {id: set, backend: file_transform, action: json_set, retry_max: 1,
     params: {input_file: /dev/null, output_file: out.json, path: a.b, value: {x: ['${word}']}}, verify: [{file_exists: out.json}]}
outputs: [{name: word, value: '${word}!'}]
";

/// At most 100 MB of memory of its own: what does not fit ends the program with a signal.
const SMALL: &str = "ulimit -d 100000; exec \"$0\" \"$@\"";

fn good(place: &Place) -> Vec<u8> {
    place.write("marking.yaml", MARKING);
    place.call(&["--json", "build", "./marking.yaml", "-o", "built"]).status(0);
    fs::read(place.path("built/marking.mcb")).unwrap()
}

/// Runs these bytes as an artifact of this name.
fn run(place: &Place, name: &str, bytes: &[u8]) -> Outcome {
    place.write(name, bytes);
    shell(place, SMALL, &["--json", "run", &format!("./{name}")])
}

/// The bytes are refused, for a reason that has these words.
fn refused(place: &Place, name: &str, bytes: &[u8], reason: &str) {
    let outcome = run(place, name, bytes);
    assert_eq!(outcome.status, 8, "{reason}: {outcome:#?}");
    let document = outcome.json();
    assert_eq!(document["error_code"], "bad_artifact");
    assert_eq!(document["success"], false);
    let error = document["error"].as_str().unwrap();
    assert!(error.contains(name) && error.contains(reason), "no {reason:?} in {error}");
    assert!(!place.path("marker").exists(), "a step of a damaged artifact ran");
}

/// Spreads damaged forms over two threads, for each is a process.
fn all_refused(forms: &[Vec<u8>]) {
    thread::scope(|scope| {
        for half in forms.chunks(forms.len().div_ceil(2).max(1)) {
            scope.spawn(move || {
                let place = Place::new();
                for bytes in half {
                    refused(&place, "damaged.mcb", bytes, "");
                }
            });
        }
    });
}

#[test]
fn a_whole_artifact_runs_within_the_same_memory() {
    let place = Place::new();
    let bytes = good(&place);
    assert_eq!(run(&place, "good.mcb", &bytes).status, 0);
    assert!(place.path("marker").exists());
}

#[test]
fn every_damage_is_found_by_the_loader() {
    let bytes = good(&Place::new());
    let refused = |bytes: &[u8]| assert!(vm::load::load(bytes).is_err());
    for length in 0..bytes.len() {
        refused(&bytes[..length]);
    }
    for at in 0..bytes.len() {
        for mask in [0x01, 0x80, 0xFF] {
            let mut damaged = bytes.clone();
            damaged[at] ^= mask;
            refused(&damaged);
        }
        let mut damaged = bytes.clone();
        let window = at..bytes.len().min(at + 4);
        damaged[window].fill(0xFF);
        if damaged != bytes {
            refused(&damaged);
        }
    }
}

#[test]
fn truncated_files_are_refused() {
    let bytes = good(&Place::new());
    let ends = (0..bytes.len()).filter(|length| *length < 80 || length % 16 == 0 || length % 41 == 0);
    all_refused(&ends.map(|length| bytes[..length].to_vec()).collect::<Vec<_>>());
}

#[test]
fn changed_bytes_are_refused() {
    let bytes = good(&Place::new());
    let mut forms = Vec::new();
    for at in (0..bytes.len()).filter(|at| *at < 64 || at % 13 == 0) {
        let mut damaged = bytes.clone();
        damaged[at] ^= [0x01, 0x80, 0xFF][at % 3];
        forms.push(damaged);
        let mut damaged = bytes.clone();
        damaged[at..bytes.len().min(at + 4)].fill(0xFF);
        forms.push(damaged);
    }
    forms.retain(|damaged| *damaged != bytes);
    all_refused(&forms);
}

#[test]
fn what_is_no_artifact_of_this_version_says_what_it_is() {
    let place = Place::new();
    let bytes = good(&place);
    let mut newer = bytes.clone();
    newer[8] += 1;
    refused(&place, "newer.mcb", &newer, "version 2");
    seal(&mut newer);
    refused(&place, "newer.mcb", &newer, "version 2");
    refused(&place, "longer.mcb", &[&bytes[..], b"x"].concat(), "1 byte");
    refused(&place, "twice.mcb", &[&bytes[..], &bytes[..]].concat(), "");
    refused(&place, "renamed.mcb", MARKING.as_bytes(), "");
    refused(&place, "empty.mcb", b"", "");
    refused(&place, "text.mcb", &String::from_utf8_lossy(&bytes).into_owned().into_bytes(), "");
    refused(&place, "lines.mcb", &replaced(&bytes, b"\r\n", b"\n"), "");
    refused(&place, "zip.mcb", b"PK\x03\x04 and so on", "");
    // By its first bytes it is an artifact, whatever its name.
    refused(&place, "cut.yaml", &bytes[..bytes.len() - 1], "");
}

#[test]
fn what_is_no_file_is_no_artifact() {
    let place = Place::new();
    fs::create_dir(place.path("folder.mcb")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(place.path("pipe.mcb")).status().unwrap().success());
    for name in ["folder.mcb", "pipe.mcb", "none.mcb"] {
        let outcome = shell(&place, SMALL, &["--json", "run", &format!("./{name}")]);
        assert_eq!(outcome.status, 2, "{outcome:#?}");
        assert!(outcome.json()["error"].as_str().unwrap().contains(name));
    }
}

#[test]
fn large_files_are_refused_without_being_read() {
    let place = Place::new();
    let bytes = good(&place);
    for (size, begin) in [(200 << 20, &b""[..]), (200 << 20, &bytes[..]), (5 << 30, &bytes[..])] {
        place.write("large.mcb", begin);
        fs::OpenOptions::new().write(true).open(place.path("large.mcb")).unwrap().set_len(size).unwrap();
        let outcome = shell(&place, SMALL, &["--json", "run", "./large.mcb"]);
        assert_eq!(outcome.status, 8, "{outcome:#?}");
        assert!(outcome.json()["error"].as_str().unwrap().contains("large.mcb"));
    }
    assert!(!place.path("marker").exists());
}

#[test]
fn damaged_artifacts_do_not_hide_their_neighbours() {
    let place = Place::new();
    let bytes = good(&place);
    place.write("macro_definitions/marking.mcb", &bytes);
    place.write("macro_definitions/cut.mcb", &bytes[..bytes.len() - 1]);
    place.write("macro_definitions/renamed.mcb", MARKING);
    place.write("macro_definitions/large.mcb", b"");
    let large = fs::OpenOptions::new().write(true).open(place.path("macro_definitions/large.mcb")).unwrap();
    large.set_len(200 << 20).unwrap();
    for name in ["cut", "renamed", "large"] {
        for command in ["run", "info", "inspect"] {
            let outcome = shell(&place, SMALL, &["--json", command, name]);
            assert_eq!(outcome.status, 8, "{outcome:#?}");
            assert!(outcome.json()["error"].as_str().unwrap().contains(&format!("{name}.mcb")));
        }
        let outcome = shell(&place, SMALL, &["--json", "validate", name]);
        assert_eq!(outcome.status, 3, "{outcome:#?}");
        assert_eq!(outcome.json()[name]["valid"], false);
    }
    let outcome = shell(&place, SMALL, &["--json", "list"]);
    assert!(outcome.stdout.contains("\"marking\"") && outcome.stderr.contains("cut.mcb"), "{outcome:#?}");
    assert!(!place.path("marker").exists());
    assert_eq!(shell(&place, SMALL, &["--json", "run", "marking"]).status, 0);
    assert!(place.path("marker").exists());
}

#[test]
fn other_commands_refuse_them_too() {
    let place = Place::new();
    let mut bytes = good(&place);
    let last = bytes.len() - 20;
    bytes[last] ^= 1;
    place.write("damaged.mcb", &bytes);
    for command in ["inspect", "disasm"] {
        let outcome = shell(&place, SMALL, &["--json", command, "./damaged.mcb"]);
        assert_eq!(outcome.status, 8, "{outcome:#?}");
        assert!(outcome.json()["error"].as_str().unwrap().contains("damaged.mcb"), "{outcome:#?}");
    }
    for command in ["info", "validate", "check"] {
        let outcome = shell(&place, SMALL, &["--json", command, "./damaged.mcb"]);
        assert!([2, 3, 8].contains(&outcome.status), "{outcome:#?}");
        assert!(outcome.stdout.contains("damaged.mcb"), "{outcome:#?}");
    }
}

#[test]
fn a_right_hash_makes_nothing_right() {
    let place = Place::new();
    let bytes = good(&place);
    // Numbers of the section table: lengths, offsets, how many sections.
    for at in (12..16).chain(48..52).chain(64..224).step_by(4) {
        for value in [u32::MAX, 0x7FFF_FFFF, 0] {
            let mut crafted = bytes.clone();
            crafted[at..at + 4].copy_from_slice(&value.to_le_bytes());
            seal(&mut crafted);
            if crafted != bytes {
                refused(&place, "crafted.mcb", &crafted, "");
            }
        }
    }
}

#[test]
fn indexes_past_the_end_are_refused() {
    let place = Place::new();
    let bytes = good(&place);
    // Loaded, changed in one number, written again: the hash is right, and the form too.
    let program = vm::load::load(&bytes).unwrap();
    let whole = program.artifact();
    let crafted = |change: &dyn Fn(&mut spec::artifact::Artifact)| {
        let mut artifact = whole.clone();
        change(&mut artifact);
        assert!(artifact != *whole);
        artifact.to_bytes()
    };
    let forms = [
        crafted(&|artifact| artifact.routes.truncate(artifact.routes.len() - 1)),
        crafted(&|artifact| artifact.steps.truncate(artifact.steps.len() - 1)),
        crafted(&|artifact| artifact.code.truncate(artifact.code.len() - 1)),
        crafted(&|artifact| artifact.debug.places.truncate(artifact.debug.places.len() - 1)),
        crafted(&|artifact| artifact.debug.code.truncate(artifact.debug.code.len() - 1)),
        crafted(&|artifact| artifact.macros.clear()),
        crafted(&|artifact| artifact.steps.swap(0, 1)),
        crafted(&|artifact| artifact.manifest = spec::artifact::Manifest::default()),
    ];
    for form in &forms {
        refused(&place, "crafted.mcb", form, "");
    }
}

#[test]
fn no_crafted_number_does_harm() {
    let bytes = good(&Place::new());
    let code: Vec<usize> = (224..bytes.len()).collect();
    thread::scope(|scope| {
        for half in code.chunks(code.len().div_ceil(2)) {
            let bytes = &bytes;
            scope.spawn(move || {
                let place = Place::new();
                for at in half.iter().filter(|at| **at % 7 == 0) {
                    let mut crafted = bytes.clone();
                    crafted[*at..bytes.len().min(at + 4)].fill(0xFF);
                    seal(&mut crafted);
                    place.write("crafted.mcb", &crafted);
                    // What is still right, such as a text with other letters, is only simulated.
                    let outcome = shell(&place, SMALL, &["--json", "run", "./crafted.mcb", "--dry-run"]);
                    assert!((0..=9).contains(&outcome.status), "{at}: {outcome:#?}");
                    outcome.json();
                }
                assert!(!place.path("marker").exists());
            });
        }
    });
}

#[test]
fn no_crafted_byte_breaks_the_loader() {
    let bytes = good(&Place::new());
    for at in 0..bytes.len() {
        for change in [|byte: u8| byte ^ 0x01, |byte| byte ^ 0x80, |_| 0xFF, |_| 0, |byte: u8| byte.wrapping_add(1)] {
            let mut crafted = bytes.clone();
            crafted[at] = change(crafted[at]);
            seal(&mut crafted);
            // Either is right, as long as it ends.
            let _ = vm::load::load(&crafted);
        }
    }
}

fn replaced(bytes: &[u8], find: &[u8], with: &[u8]) -> Vec<u8> {
    let mut left = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(find) {
            left.extend_from_slice(with);
            at += find.len();
        } else {
            left.push(bytes[at]);
            at += 1;
        }
    }
    left
}
