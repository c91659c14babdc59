//! Every run is in the history, whatever else happens at the same time, and nothing that is wrong with it harms a run.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Place, finish};

const ECHO: &str = "name: echo\nparameters: {n: string}\nsteps: [{id: say, action: run_command, params: {command: [echo, \"${n:-x}\"]}}]\n";

/// The last runs of the usual session, the newest first.
pub fn history(place: &Place) -> Vec<Value> {
    let told = place.call(&["session", "history", "--limit", "1000", "--json"]).status(0).json();
    told.as_array().unwrap().clone()
}

/// The names of the runs that wait beside the store.
pub fn waiting(place: &Place) -> Vec<String> {
    let Ok(entries) = fs::read_dir(place.own().join("history.pending")) else { return Vec::new() };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".json")).collect()
}

/// Runs once, and lets as many more wait, older ones, as if each had been a run.
pub fn fill(place: &Place, count: usize) {
    assert_eq!(warnings(place), [""; 0]);
    let folder = place.own().join("history.pending");
    let name = waiting(place).pop().unwrap();
    let text = fs::read_to_string(folder.join(&name)).unwrap();
    let id = name.strip_suffix(".json").unwrap();
    for number in 0..count {
        let other = format!("00000000001-{number:08x}");
        fs::write(folder.join(format!("{other}.json")), text.replace(id, &other)).unwrap();
    }
}

/// How many runs the usual session has.
pub fn runs(place: &Place) -> u64 {
    place.call(&["session", "status", "--json"]).status(0).json()["runs"].as_u64().unwrap()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// A run of `m.yaml` that succeeds; its warnings.
pub fn warnings(place: &Place) -> Vec<String> {
    let told = place.call(&["run", "m.yaml", "--json"]).status(0).json();
    serde_json::from_value(told["warnings"].clone()).unwrap()
}

#[test]
fn every_outcome_is_kept() {
    let place = Place::new()
        .good("m.yaml", "m")
        .file("fails.yaml", "name: fails\nsteps: [{action: run_command, params: {command: ['false']}}]\n")
        .file("bad.yaml", "name: bad\nsteps: [{action: nope}]\n")
        .file("needs.yaml", "name: needs\nparameters: {n: {type: integer, required: true}}\nsteps: []\n");
    let result = place.call(&["run", "m.yaml", "--json"]).status(0).json();
    place.call(&["run", "fails.yaml"]).status(1);
    place.call(&["run", "m.yaml", "--dry-run"]).status(0);
    place.call(&["run", "bad.yaml", "-p", "x=open"]).status(3);
    place.call(&["run", "needs.yaml", "-p", "n=x"]).status(2);
    place.call(&["run", "unknown"]).status(2);
    let found = history(&place);
    let brief: Vec<Value> = found
        .iter()
        .map(|run| json!([run["macro_name"], run["success"], run["error_code"], run["exit_code"], run["dry_run"]]))
        .collect();
    assert_eq!(
        brief,
        [
            json!(["needs", false, "usage", 2, false]),
            json!(["bad", false, "diagnostics", 3, false]),
            json!(["m", true, null, 0, true]),
            json!(["fails", false, "step_failed", 1, false]),
            json!(["m", true, null, 0, false]),
        ]
    );
    assert_eq!((&found[0]["parameters"], &found[1]["parameters"]), (&json!({"n": "x"}), &json!({"x": "***"})));
    let first = &found[4];
    assert_eq!(first["run_id"], result["telemetry"]["run_id"]);
    assert_eq!(first["duration_ms"], result["telemetry"]["duration_ms"]);
    // The hash is that of the artifact.
    place.call(&["build", "m.yaml"]).status(0);
    let inspected = place.call(&["inspect", "build/m.mcb", "--json"]).status(0).json();
    assert_eq!(first["artifact_hash"], inspected["content_hash"]);
    let id = first["run_id"].as_str().unwrap();
    let shown = place.call(&["session", "show", id, "--json"]).status(0).json();
    assert_eq!((&shown["schema"], &shown["result"]), (&json!("macrocli.session.run/1"), &result));
}

#[test]
fn an_interrupted_run_is_kept() {
    let place = Place::new().file(
        "m.yaml",
        "name: m\nsteps: [{action: run_command, params: {command: [sh, -c, 'touch begun; sleep 61']}}]\n",
    );
    let child = place.call(&["run", "m.yaml", "--json"]).start();
    while !place.path("begun").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert_eq!(finish(child).status, 143);
    assert_eq!(history(&place)[0]["error_code"], "interrupted");
}

#[test]
fn files_are_their_owners_alone() {
    let place = Place::new().good("m.yaml", "m");
    let home = place.path("deep/own");
    place.call(&["run", "m.yaml"]).env("MACROCLI_HOME", home.to_str().unwrap()).status(0);
    let pending = home.join("history.pending");
    assert_eq!((mode(&home), mode(&pending)), (0o700, 0o700));
    let files = |folder: &Path| {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        paths.filter(|path| path.is_file()).inspect(|path| assert_eq!(mode(path), 0o600, "{path:?}")).count()
    };
    assert_eq!((files(&home), files(&pending)), (0, 1));
    place.call(&["session", "status"]).env("MACROCLI_HOME", home.to_str().unwrap()).status(0);
    assert!(home.join("history.db").exists());
    assert!(files(&home) >= 1 && files(&pending) == 0);
    place.call(&["run", "m.yaml"]).env("MACROCLI_HOME", "").env("XDG_DATA_HOME", home.to_str().unwrap()).status(0);
    assert_eq!(files(&home.join("macrocli/history.pending")), 1);
    place.call(&["run", "m.yaml"]).env("MACROCLI_HOME", "").status(0);
    let data = place.path(if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" });
    assert_eq!(files(&data.join("macrocli/history.pending")), 1);
    // Nothing is recorded, and nothing made.
    place.call(&["run", "m.yaml"]).env("MACROCLI_HISTORY", "off").status(0);
    assert_eq!(fs::read_dir(place.own()).unwrap().count(), 0);
}

#[test]
fn parallel_runs_lose_nothing() {
    let place = Place::new().file("m.yaml", ECHO);
    let runs: Vec<_> = (0..40)
        .map(|n| {
            let given = format!("n={n}");
            let child = place.call(&["run", "m.yaml", "--json", "--session-id", "s", "-p", &given]).start();
            // Some are killed outright, wherever they are then.
            (n, n % 8 == 7, child)
        })
        .collect();
    let mut looks = 0;
    let mut ended = Vec::new();
    for (n, killed, mut child) in runs {
        if killed {
            thread::sleep(Duration::from_millis(n % 7));
            child.kill().unwrap();
        }
        let look = place.call(&["session", "status", "--session-id", "s", "--json"]).status(0).json();
        assert!(look["total"].is_u64());
        looks += 1;
        let done = finish(child);
        if !killed {
            assert_eq!(done.status, 0, "{done:#?}");
            assert_eq!(done.json()["warnings"], json!([]));
            ended.push(done.json()["telemetry"]["run_id"].clone());
        }
    }
    assert_eq!((looks, ended.len()), (40, 35));
    let told = place.call(&["session", "history", "--session-id", "s", "--limit", "1000", "--json"]).status(0).json();
    let kept: Vec<&Value> = told.as_array().unwrap().iter().map(|run| &run["run_id"]).collect();
    for id in &ended {
        assert_eq!(kept.iter().filter(|kept| **kept == id).count(), 1, "{id} in {kept:?}");
    }
    // Nothing is left that holds up the next one.
    let began = Instant::now();
    assert_eq!(warnings(&place), [""; 0]);
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn many_first_runs_make_one_store() {
    for _ in 0..6 {
        let place = Place::new().good("m.yaml", "m");
        let runs: Vec<_> = (0..10).map(|_| place.call(&["run", "m.yaml", "--json"]).start()).collect();
        for child in runs {
            assert_eq!(finish(child).json()["warnings"], json!([]));
        }
        assert_eq!(history(&place).len(), 10);
    }
}

#[test]
fn a_busy_store_holds_up_nothing_and_loses_nothing() {
    let place = Place::new().good("m.yaml", "m");
    assert_eq!(warnings(&place), [""; 0]);
    assert_eq!(history(&place).len(), 1);
    let holder = rusqlite::Connection::open(place.own().join("history.db")).unwrap();
    holder.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let began = Instant::now();
    fill(&place, 63);
    // Enough wait to be taken in, and cannot be.
    assert_eq!(warnings(&place), [""; 0]);
    assert!(began.elapsed() < Duration::from_secs(10));
    assert_eq!(waiting(&place).len(), 65);
    let pending = place.own().join("history.pending");
    fs::write(pending.join("foreign.json"), "{}").unwrap();
    holder.execute_batch("ROLLBACK").unwrap();
    assert_eq!(history(&place).len(), 66);
    assert_eq!(history(&place).len(), 66);
    assert_eq!(fs::read_dir(&pending).unwrap().count(), 1);
}

#[test]
fn a_damaged_store_is_kept_aside() {
    let place = Place::new().good("m.yaml", "m");
    let store = place.own().join("history.db");
    // Whether a run sees it without opening the store.
    let garbage: [(bool, &dyn Fn()); 4] = [
        (true, &|| fs::write(&store, "no database at all, but long enough to be taken for one".repeat(50)).unwrap()),
        (true, &|| fs::write(&store, &fs::read(&store).unwrap()[..50]).unwrap()),
        (false, &|| {
            let mut bytes = fs::read(&store).unwrap();
            let from = 100;
            bytes[from..].iter_mut().for_each(|byte| *byte ^= 0x5a);
            fs::write(&store, bytes).unwrap();
        }),
        (false, &|| {
            let connection = rusqlite::Connection::open(&store).unwrap();
            connection.execute_batch("DROP TABLE runs").unwrap();
        }),
    ];
    let says = |texts: &[String]| texts.len() == 1 && texts[0].contains("history.damaged-");
    for (nth, (shallow, damage)) in garbage.iter().enumerate() {
        assert_eq!(warnings(&place), [""; 0], "{nth}");
        assert!(!history(&place).is_empty());
        damage();
        let told = warnings(&place);
        assert_eq!(says(&told), *shallow, "{nth}: {told:?}");
        // Else whoever looks says it, and goes on with what waited.
        let look = place.call(&["session", "status", "--json"]).status(0);
        let told: Option<Vec<String>> = serde_json::from_value(look.json()["warnings"].clone()).unwrap();
        assert_eq!(told.is_some_and(|told| says(&told)), !shallow, "{nth}: {look:#?}");
        assert_eq!(look.stderr.contains("warning: the history was damaged"), !shallow, "{nth}: {look:#?}");
        assert_eq!((&look.json()["runs"], history(&place).len()), (&json!(1), 1));
        let kept = fs::read_dir(place.own()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let kept: Vec<String> =
            kept.filter(|name| name.starts_with("history.damaged-") && !name.ends_with("-journal")).collect();
        assert_eq!(kept.len(), nth + 1, "{kept:?}");
    }
    // A run that takes in what waits finds it too; a list has no place for the warning but standard error.
    let drop = || rusqlite::Connection::open(&store).unwrap().execute_batch("DROP TABLE runs").unwrap();
    drop();
    fill(&place, 62);
    assert!(says(&warnings(&place)));
    assert_eq!((waiting(&place).len(), runs(&place)), (0, 64));
    drop();
    let look = place.call(&["session", "history", "--json"]).status(0).tells("history.damaged-");
    assert_eq!(look.json(), json!([]));
}

#[test]
fn many_runs_find_a_damaged_store_once() {
    let place = Place::new().good("m.yaml", "m");
    fs::write(place.own().join("history.db"), "x".repeat(5000)).unwrap();
    let runs: Vec<_> = (0..12).map(|_| place.call(&["run", "m.yaml", "--json"]).start()).collect();
    let told: Vec<Value> = runs.into_iter().map(|child| finish(child).json()).collect();
    let warned = told.iter().filter(|told| told["warnings"] != json!([])).count();
    assert_eq!(warned, 1, "{told:?}");
    assert_eq!(history(&place).len(), 12);
}

#[test]
fn what_cannot_be_used_is_left_as_it_is() {
    let place = Place::new().good("m.yaml", "m").file("victim", "").file("plain", "x");
    let store = place.own().join("history.db");
    let one = |expected: &str| {
        let told = warnings(&place);
        assert!(told.len() == 1 && told[0].contains(expected), "{expected}: {told:?}");
        let look = place.call(&["session", "status", "--json"]).status(1).json();
        assert!(look["error"].as_str().unwrap().contains(expected), "{look}");
    };
    let sqlite = |sql: &str| {
        let connection = rusqlite::Connection::open(&store).unwrap();
        connection.execute_batch(sql).unwrap();
    };
    symlink(place.path("victim"), &store).unwrap();
    one("is a link, which is not followed");
    assert_eq!(place.read("victim"), "");
    fs::remove_file(&store).unwrap();

    fs::create_dir(&store).unwrap();
    one("is no file");
    fs::remove_dir(&store).unwrap();

    sqlite("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
    let before = fs::read(&store).unwrap();
    one("database of another program");
    assert_eq!(fs::read(&store).unwrap(), before);
    fs::remove_file(&store).unwrap();

    assert_eq!((warnings(&place).len(), runs(&place)), (0, 1));
    sqlite("PRAGMA user_version = 7");
    one("has version 7, and this macrocli knows only 1");
    fs::remove_file(&store).unwrap();

    // Its journal may not lead elsewhere either.
    assert_eq!((warnings(&place).len(), runs(&place)), (0, 1));
    let journal = place.own().join("history.db-journal");
    fs::remove_file(&journal).unwrap();
    symlink(place.path("plain"), &journal).unwrap();
    fill(&place, 62);
    place.call(&["session", "status"]).status(1);
    let told = warnings(&place);
    assert!(told.len() == 1 && told[0].contains("64 runs wait for the history"), "{told:?}");
    assert_eq!(place.read("plain"), "x");
    fs::remove_file(&journal).unwrap();
    assert_eq!(runs(&place), 65);

    // Nor may the folder of those that wait.
    let pending = place.own().join("history.pending");
    fs::remove_dir(&pending).unwrap();
    fs::create_dir(place.path("elsewhere")).unwrap();
    symlink(place.path("elsewhere"), &pending).unwrap();
    assert!(warnings(&place)[0].contains("is a link, which is not followed"));
    assert_eq!((runs(&place), fs::read_dir(place.path("elsewhere")).unwrap().count()), (65, 0));

    // The folder is a file.
    let outcome = place.call(&["run", "m.yaml", "--json"]).env("MACROCLI_HOME", place.path("plain").to_str().unwrap());
    assert!(outcome.status(0).json()["warnings"][0].as_str().unwrap().contains("was not recorded"));
    // Without any folder there is nothing to say.
    let outcome = place.call(&["run", "m.yaml", "--json"]).env("MACROCLI_HOME", "").env("HOME", "").status(0);
    assert_eq!(outcome.json()["warnings"], json!([]));
}

#[test]
fn secrets_are_kept_nowhere() {
    let place = Place::new().file("m.yaml", "name: m\nparameters:\n  key: {secret: true, required: true}\n  password: {required: true}\n  url: {required: true}\nsteps:\n  - {id: a, action: run_command, on_failure: continue, params: {command: ['false', \"${password}\"]}}\n  - {id: b, action: run_command, expose: [key], params: {capture_stdout: true, command: [echo, \"--token=${key}&${password}\"]}}\n");
    let words =
        ["run", "m.yaml", "--secret", "key=env:K", "-p", "password=hunter2!", "-p", "url=x?p=hunter2!&k=kryptonite"];
    place.call(&words).env("K", "kryptonite").status(0);
    place.call(&[&words[..], &["--dry-run"]].concat()).env("K", "kryptonite").status(0);
    let read = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap();
        entries.filter_map(|entry| fs::read(entry.unwrap().path()).ok()).collect::<Vec<Vec<u8>>>()
    };
    let mut texts = read(&place.own().join("history.pending"));
    assert_eq!(texts.len(), 2);
    place.call(&["session", "save"]).status(0);
    place.call(&["session", "export", "e.json"]).status(0);
    let kept = history(&place);
    assert_eq!(kept[0]["parameters"], json!({"key": "***", "password": "***", "url": "x?p=***&k=***"}));
    texts.extend([place.read("e.json").into_bytes(), fs::read(place.own().join("sessions/default.json")).unwrap()]);
    texts.extend(read(place.own()));
    for text in &texts {
        let text = String::from_utf8_lossy(text);
        assert!(!text.contains("hunter2") && !text.contains("kryptonite"), "{text}");
    }
    assert!(place.read("e.json").contains("--token=***&***"));
}

#[test]
fn long_documents_are_bounded() {
    let place = Place::new().file("m.yaml", "name: m\nsteps: [{id: a, action: run_command, params: {capture_stdout: true, command: [sh, -c, 'yes | head -c 4000000']}}]\n");
    place.call(&["run", "m.yaml", "--json"]).status(0);
    let shown = place.call(&["session", "show", "last", "--json"]).status(0).json();
    assert_eq!((&shown["result"]["shortened"], &shown["result"]["success"]), (&json!(true), &json!(true)));
    assert!(fs::metadata(place.own().join("history.db")).unwrap().len() < 300_000);
}
