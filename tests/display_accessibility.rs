//! Controls by accessibility, in real applications.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::display::Display;
use crate::harness::{Place, finish};
use crate::witness::{eventually, step};

/// One step of `semantic_ui`, with a time limit in milliseconds, run to its end; its report.
fn act(display: &Display, action: &str, params: Value, timeout_ms: u64) -> Value {
    let steps =
        json!([{"id": "it", "backend": "semantic_ui", "action": action, "params": params, "timeout_ms": timeout_ms}]);
    // JSON is YAML.
    let place = Place::new().file("m.yaml", json!({"name": "m", "steps": steps}).to_string());
    let document = display.call(&place, &["run", "m.yaml", "--json"]).run().json();
    step(&document, "it").clone()
}

#[track_caller]
fn done(display: &Display, action: &str, params: Value) -> Value {
    let report = act(display, action, params, 20_000);
    assert_eq!(report["status"], "ok", "{report:#}");
    report["output"].clone()
}

#[track_caller]
fn fails(display: &Display, action: &str, params: Value, parts: &[&str]) {
    let report = act(display, action, params, 20_000);
    assert_eq!(report["status"], "failed", "{report:#}");
    let error = report["error"].to_string();
    assert!(parts.iter().all(|part| error.contains(part)), "{error} has not all of {parts:?}");
}

/// Waits until the application shows a control.
#[track_caller]
fn shows(display: &Display, app: &str, label: &str) {
    done(display, "wait_for_control", json!({"app_name": app, "label": label, "timeout_ms": 20_000}));
}

fn zenity(display: &Display, arguments: &[&str]) -> Child {
    display.command("zenity").args(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

fn printed(child: Child) -> (i32, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// The window of `form.py`, and the file it writes to.
fn form(display: &mut Display) -> std::path::PathBuf {
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/display/form.py");
    let log = display.home().join("form.log");
    // Debian's Python has Debian's bindings.
    display.spawn("/usr/bin/python3", &[script.to_str().unwrap(), log.to_str().unwrap()]);
    eventually("a form", || log.exists().then_some(()));
    shows(display, "form.py", "Silent");
    log
}

#[test]
fn a_frozen_application_blocks_no_other_and_is_named() {
    let display = Display::with_bus();
    let mut frozen = zenity(&display, &["--question", "--title", "Frozen", "--text", "A"]);
    shows(&display, "zenity", "Yes");
    let other = zenity(&display, &["--info", "--title", "Other", "--text", "B"]);
    shows(&display, "zenity", "OK");
    let pid = Pid::from_child(&frozen);
    kill_process(pid, Signal::STOP).unwrap();
    let report = act(&display, "button_click", json!({"label": "OK", "app_name": "zenity"}), 2_000);
    assert_eq!(report["status"], "ok", "{report:#}");
    assert_eq!(report["output"]["method"], "keys", "{report:#}");
    assert_eq!(printed(other).0, 0);
    for (action, params) in [
        ("get_controls", json!({"window_title": "Frozen"})),
        ("button_click", json!({"label": "Yes", "app_name": "zenity"})),
    ] {
        let began = Instant::now();
        let report = act(&display, action, params, 2_000);
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        assert_eq!(report["status"], "failed", "{report:#}");
        let error = report["error"].as_str().unwrap();
        assert!(error.contains("`zenity`") && error.contains(&pid.as_raw_nonzero().to_string()), "{error}");
    }
    kill_process(pid, Signal::CONT).unwrap();
    frozen.kill().unwrap();
    frozen.wait().unwrap();
}

#[test]
fn without_a_bus_the_failure_comes_at_once_with_what_to_do() {
    let display = Display::new();
    let began = Instant::now();
    let steps = "steps:\n  - {id: it, backend: semantic_ui, action: button_click, params: {label: OK, app_name: x}}\n";
    let place = Place::new().file("m.yaml", format!("name: m\n{steps}"));
    let document = display.call(&place, &["run", "m.yaml", "--json"]).run().json();
    assert!(began.elapsed() < Duration::from_secs(10));
    let text = document.to_string();
    assert!(text.contains("no session bus") && text.contains("dbus-run-session"), "{document:#}");
}

#[test]
fn the_controls_of_a_window_are_listed_within_limits() {
    let mut display = Display::with_bus();
    form(&mut display);
    let all = done(&display, "get_controls", json!({"window_title": "A form", "max_depth": 100_000}));
    let names = |output: &Value, role: &str| -> Vec<String> {
        let controls = output["controls"].as_array().unwrap().iter().filter(|control| control["role"] == role);
        controls.map(|control| control["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&all, "check box"), ["Wrap lines"]);
    assert!(names(&all, "button").contains(&"Silent".to_owned()), "{all:#}");
    assert_eq!(all["left_out"], json!([]));
    assert_eq!(all["count"], all["controls"].as_array().unwrap().len());
    let top = done(&display, "get_controls", json!({"window_title": "a FORM", "max_depth": 0}));
    assert_eq!(names(&top, "frame"), ["A form"]);
    assert_eq!(top["count"], 1);
    fails(&display, "get_controls", json!({"window_title": "No such"}), &["No such", "A form"]);
}

#[test]
fn a_form_is_filled_and_read() {
    let mut display = Display::with_bus();
    let log = form(&mut display);
    let noted = |line: &str| {
        eventually(line, || std::fs::read_to_string(&log).unwrap().lines().any(|l| l == line).then_some(()))
    };
    let app = "form.py";

    let output = done(&display, "set_text", json!({"app_name": app, "label": "name", "text": "äé €ñß 😀 Привет 日本"}));
    assert_eq!(output, json!({"text": "äé €ñß 😀 Привет 日本", "method": "text"}));
    assert_eq!(
        done(&display, "get_text", json!({"app_name": app, "label": "Name:"})),
        json!({"text": "äé €ñß 😀 Привет 日本"})
    );
    assert_eq!(done(&display, "set_text", json!({"app_name": app, "label": "Name", "text": ""}))["text"], "");
    fails(
        &display,
        "set_text",
        json!({"app_name": app, "label": "Locked", "text": "x"}),
        &["Locked", "cannot be edited"],
    );
    assert_eq!(done(&display, "get_text", json!({"app_name": app, "label": "locked"}))["text"], "fixed");
    assert_eq!(
        done(&display, "set_text", json!({"app_name": app, "label": "Level", "text": "42"})),
        json!({"text": "42", "method": "value"})
    );
    assert_eq!(done(&display, "get_text", json!({"app_name": app, "label": "Level"}))["text"], "42");
    fails(&display, "set_text", json!({"app_name": app, "label": "Nope", "text": "x"}), &["`form.py`", "`Nope`"]);

    assert_eq!(
        done(&display, "toggle", json!({"app_name": app, "label": "Wrap lines", "state": true})),
        json!({"state": true, "method": "action"})
    );
    noted("wrap 1");
    assert_eq!(
        done(&display, "toggle", json!({"app_name": app, "label": "_Wrap lines", "state": true}))["method"],
        "nothing to do"
    );
    assert_eq!(done(&display, "toggle", json!({"app_name": app, "label": "wrap lines"}))["state"], false);
    noted("wrap 0");

    assert_eq!(
        done(&display, "select", json!({"app_name": app, "label": "Colour", "item": "green"}))["selected"],
        "Green"
    );
    noted("colour Green");
    assert_eq!(done(&display, "get_text", json!({"app_name": app, "label": "Colour"}))["text"], "Green");
    assert_eq!(
        done(&display, "select", json!({"app_name": app, "label": "Colour", "item": "Green"}))["method"],
        "nothing to do"
    );
    fails(&display, "select", json!({"app_name": app, "label": "Colour", "item": "Pink"}), &["Pink", "`Red`"]);
    assert_eq!(done(&display, "select", json!({"app_name": app, "label": "Pages", "item": "Two"}))["selected"], "Two");
    noted("page 1");
}

#[test]
fn buttons_are_pressed_once_and_only_when_they_can_be() {
    let mut display = Display::with_bus();
    let log = form(&mut display);
    let app = "form.py";
    let output = done(&display, "button_click", json!({"app_name": app, "label": "silent"}));
    assert_eq!(output, json!({"clicked": "Silent", "method": "keys (unverified)"}));
    let count = std::fs::read_to_string(&log).unwrap().lines().filter(|line| *line == "silent").count();
    assert_eq!(count, 1);
    fails(&display, "button_click", json!({"app_name": app, "label": "Disabled"}), &["`Disabled`", "is disabled"]);
    fails(&display, "button_click", json!({"app_name": app, "label": "Twin"}), &["2 buttons", "`Twin`"]);
    fails(&display, "button_click", json!({"app_name": app, "label": "Sile"}), &["`Sile`", "`Silent`"]);
    fails(&display, "button_click", json!({"app_name": "nobody", "label": "Silent"}), &["`nobody`", "`form.py`"]);
    // It is not there yet, and comes.
    done(&display, "button_click", json!({"app_name": app, "label": "Show later"}));
    let found = done(&display, "wait_for_control", json!({"app_name": app, "label": "Late", "role": "push button"}));
    assert_eq!(found, json!({"found": "Late", "role": "button"}));
    let began = Instant::now();
    fails(&display, "wait_for_control", json!({"app_name": app, "label": "Never", "timeout_ms": 0}), &["Never"]);
    fails(
        &display,
        "wait_for_control",
        json!({"app_name": app, "label": "Never", "timeout_ms": 300}),
        &["timed out after 300 ms", "Never"],
    );
    assert!(began.elapsed() < Duration::from_secs(15));
}

#[test]
fn menus_are_walked_and_never_left_open() {
    let mut display = Display::with_bus();
    display.spawn("mousepad", &[]);
    let app = "mousepad";
    shows(&display, app, "File");
    let menu = |path: &[&str]| json!({"menu_path": path, "app_name": app});
    let closed = |display: &Display| {
        let controls = done(display, "get_controls", json!({"window_title": "Mousepad", "max_depth": 30}));
        let open = |control: &&Value| {
            let item = control["role"].as_str().unwrap().contains("menu item");
            item && control["states"].as_array().unwrap().contains(&json!("showing"))
        };
        let all = controls["controls"].as_array().unwrap().clone();
        let open: Vec<_> = all.iter().filter(open).collect();
        assert!(open.is_empty(), "{open:#?}");
    };
    fails(&display, "menu_click", menu(&["File", "Nope"]), &["`File`", "`Nope`", "`Save As...`"]);
    fails(&display, "menu_click", menu(&["Fail", "Nope"]), &["menu bar", "`Fail`", "`File`", "`Edit`"]);
    fails(&display, "menu_click", menu(&["Edit", "Undo"]), &["`Undo`", "`Edit`", "is disabled"]);
    fails(&display, "menu_click", menu(&["Edit"]), &["`Edit`", "is no item", "`Paste`"]);
    fails(&display, "menu_click", menu(&["File", "Save", "Deeper"]), &["`Save`"]);
    closed(&display);
    // An item of a submenu.
    let output = done(&display, "menu_click", menu(&["Edit", "Convert", "Transpose"]));
    assert!(output["method"].as_str().unwrap().starts_with("keys"), "{output:#}");
    closed(&display);
    // A dialog, which is filled by accessibility in turn.
    let output = done(&display, "menu_click", menu(&["file", "_save as…"]));
    assert_eq!(output["method"], "keys", "{output:#}");
    shows(&display, app, "Cancel");
    let file = display.home().join("saved.txt");
    done(&display, "set_text", json!({"label": "Name", "app_name": app, "text": file.to_str().unwrap()}));
    done(&display, "button_click", json!({"label": "Save", "app_name": app}));
    eventually("a file", || file.exists().then_some(()));
    done(&display, "wait_for_control", json!({"label": "File", "app_name": app}));
    closed(&display);
}

#[test]
fn a_control_without_an_action_is_clicked_in_its_middle_at_every_scale() {
    for scale in ["1", "2"] {
        let mut display = Display::with_bus();
        let log = display.home().join("form.log");
        let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/display/form.py");
        let mut command = display.command("/usr/bin/python3");
        let child = command.env("GDK_SCALE", scale).arg(script).arg(&log).spawn().unwrap();
        display.adopt(child);
        shows(&display, "form.py", "Silent");
        let output = done(&display, "button_click", json!({"app_name": "form.py", "label": "Pad"}));
        assert!(output["method"].as_str().unwrap().starts_with("pointer"), "{output:#}");
        let pressed = eventually("a press", || {
            let text = std::fs::read_to_string(&log).unwrap();
            text.lines().find(|line| line.starts_with("pad")).map(str::to_owned)
        });
        let numbers: Vec<i32> = pressed.split(' ').skip(1).map(|number| number.parse().unwrap()).collect();
        let &[x, y, width, height] = numbers.as_slice() else { panic!("{pressed}") };
        assert!((x - width / 2).abs() <= 1 && (y - height / 2).abs() <= 1, "{pressed} at scale {scale}");
    }
}

#[test]
fn applications_without_menus_or_without_accessibility_are_said_to_be() {
    let mut display = Display::with_bus();
    form(&mut display);
    fails(
        &display,
        "menu_click",
        json!({"menu_path": ["File", "New"], "app_name": "form.py"}),
        &["exposes no accessible menus"],
    );
    crate::display::Sink::text_field(&mut display, "A sink", "400x300+20+20");
    fails(
        &display,
        "menu_click",
        json!({"menu_path": ["File", "New"], "app_name": "sink"}),
        &["`sink`", "no accessible application"],
    );
}

#[test]
fn the_newest_of_several_instances_is_meant() {
    let display = Display::with(crate::display::Options {
        bus: true,
        window_manager: false,
        ..crate::display::Options::default()
    });
    let first = zenity(&display, &["--entry", "--title", "First"]);
    shows(&display, "zenity", "OK");
    let second = zenity(&display, &["--entry", "--title", "Second"]);
    eventually("two", || {
        let all = done(&display, "get_controls", json!({"max_depth": 0}));
        (all["count"] == 2).then_some(())
    });
    let role = json!({"app_name": "zenity", "label": "text", "role": "text", "text": "newest"});
    done(&display, "set_text", role);
    done(&display, "button_click", json!({"app_name": "zenity", "label": "OK"}));
    assert_eq!(printed(second), (0, "newest".to_owned()));
    done(&display, "button_click", json!({"app_name": "zenity", "label": "Cancel"}));
    assert_eq!(printed(first).0, 1);
}

#[test]
fn a_zenity_form_is_filled() {
    let display = Display::with_bus();
    let arguments = ["--forms", "--title", "Form", "--add-entry=First", "--add-entry=Second", "--add-password=Secret"];
    let combo = ["--add-combo=Colour", "--combo-values=Red|Green|Blue"];
    let child = zenity(&display, &[&arguments[..], &combo[..]].concat());
    shows(&display, "zenity", "First");
    for (label, text) in [("Second", "two"), ("First", "one"), ("Secret", "hush")] {
        done(&display, "set_text", json!({"app_name": "zenity", "label": label, "text": text}));
    }
    assert_eq!(done(&display, "get_text", json!({"app_name": "zenity", "label": "Second"}))["text"], "two");
    done(&display, "select", json!({"app_name": "zenity", "label": "Colour", "item": "Green"}));
    done(&display, "button_click", json!({"app_name": "zenity", "label": "OK"}));
    assert_eq!(printed(child), (0, "one|two|hush|Green".to_owned()));
}

#[test]
fn a_row_of_a_list_is_selected() {
    let display = Display::with_bus();
    let child = zenity(&display, &["--list", "--title", "List", "--column", "Fruit", "Apple", "Pear", "Plum"]);
    shows(&display, "zenity", "Pear");
    done(&display, "select", json!({"app_name": "zenity", "label": "table", "item": "Pear"}));
    done(&display, "button_click", json!({"app_name": "zenity", "label": "OK"}));
    assert_eq!(printed(child), (0, "Pear".to_owned()));
}

/// Starts `grow.py`, whose folder is returned.
fn grow(display: &mut Display, mode: &str) -> PathBuf {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/display/grow.py");
    let folder = display.home().join(mode);
    fs::create_dir(&folder).unwrap();
    display.spawn("/usr/bin/python3", &[script.to_str().unwrap(), folder.to_str().unwrap(), mode]);
    shows(display, "grow.py", "First");
    folder
}

/// A macro that waits for a control of `grow.py`.
fn waiting(label: &str, timeout_ms: u64) -> Place {
    let params = json!({"app_name": "grow.py", "label": label, "timeout_ms": timeout_ms});
    let step = json!({"id": "it", "backend": "semantic_ui", "action": "wait_for_control", "params": params,
        "timeout_ms": 100_000});
    Place::new().file("m.yaml", json!({"name": "m", "steps": [step]}).to_string())
}

/// User and system time of a process so far, in ticks of 10 ms.
fn ticks(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// The memory of a process now, in kB.
fn memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Waits until a process has slept for a while.
fn at_rest(pid: u32) {
    let mut quiet = 0;
    eventually("a run that waits", || {
        thread::sleep(Duration::from_millis(20));
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        quiet = if stat.contains(") S ") { quiet + 1 } else { 0 };
        (quiet > 5).then_some(())
    });
}

#[test]
fn a_wait_for_a_control_sleeps_until_the_application_tells_of_it() {
    let mut display = Display::with_bus();
    let folder = grow(&mut display, "still");
    let mut prompt = 0;
    let mut reactions = Vec::new();
    for round in 0..5 {
        let place = waiting(&format!("Late {round}"), 60_000);
        let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
        let pid = child.id();
        at_rest(pid);
        if round == 0 {
            let before = ticks(pid);
            thread::sleep(Duration::from_secs(4));
            let spent = ticks(pid) - before;
            assert!(spent < 40, "{spent} ticks of 400");
        } else {
            // Looks without an event are rare by then.
            thread::sleep(Duration::from_millis(1_500));
        }
        fs::write(folder.join(round.to_string()), "").unwrap();
        let outcome = finish(child);
        let ended = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs_f64();
        let document = outcome.json();
        assert_eq!(step(&document, "it")["output"]["found"], format!("Late {round}"), "{document:#}");
        let shown = eventually("a time", || fs::read_to_string(folder.join(format!("{round}.shown"))).ok());
        let reaction = ended - shown.parse::<f64>().unwrap();
        prompt += u32::from(reaction < 0.35);
        reactions.push(reaction);
    }
    // One may be late: others use this machine.
    assert!(prompt >= 4, "{reactions:?} s");
}

#[test]
fn an_application_that_comes_ends_the_wait_for_its_control() {
    let mut display = Display::with_bus();
    // So that there is a bus that has been used.
    fails(&display, "get_controls", json!({"window_title": "No such"}), &["No such"]);
    let place = waiting("First", 60_000);
    let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
    at_rest(child.id());
    grow(&mut display, "still");
    let document = finish(child).json();
    assert_eq!(step(&document, "it")["output"]["found"], "First", "{document:#}");
}

#[test]
fn a_flood_of_events_costs_little() {
    let mut display = Display::with_bus();
    grow(&mut display, "busy");
    let place = waiting("Never", 60_000);
    let mut child = display.call(&place, &["run", "m.yaml", "--json"]).start();
    let pid = child.id();
    thread::sleep(Duration::from_secs(2));
    let (before, memory_before) = (ticks(pid), memory(pid));
    thread::sleep(Duration::from_secs(4));
    let (spent, grown) = (ticks(pid) - before, memory(pid).saturating_sub(memory_before));
    child.kill().unwrap();
    child.wait().unwrap();
    // A program without optimisation, and a busy machine; without rests it takes all of them.
    assert!(spent < 340, "{spent} ticks of 400");
    assert!(grown < 20_000, "{grown} kB");
}

#[test]
fn a_neighbour_that_does_not_answer_costs_a_run_little() {
    let mut display = Display::with_bus();
    form(&mut display);
    let folder = grow(&mut display, "hung");
    let mut neighbour = zenity(&display, &["--info", "--title", "Neighbour"]);
    shows(&display, "zenity", "OK");
    kill_process(Pid::from_child(&neighbour), Signal::STOP).unwrap();
    fs::write(folder.join("hang"), "").unwrap();
    eventually("an application that hangs", || folder.join("hung").exists().then_some(()));
    let steps: Vec<_> = (0..20)
        .map(|number| {
            let params = json!({"app_name": "form.py", "label": "Locked"});
            json!({"id": format!("s{number}"), "backend": "semantic_ui", "action": "get_text", "params": params})
        })
        .collect();
    let place = Place::new().file("m.yaml", json!({"name": "m", "steps": steps}).to_string());
    let began = Instant::now();
    let document = display.call(&place, &["run", "m.yaml", "--json"]).run().json();
    let took = began.elapsed();
    assert_eq!(step(&document, "s19")["output"]["text"], "fixed", "{document:#}");
    // A second for each step, where it is waited for.
    assert!(took < Duration::from_secs(10), "{took:?}");
    neighbour.kill().unwrap();
    neighbour.wait().unwrap();
}
