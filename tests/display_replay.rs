//! Recordings, replayed on a display: what arrives, when, and what is refused before anything does.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::display::{Art, Display, Options, Painter, Sink};
use crate::harness::{Outcome, Place, finish};
use crate::witness::rests;

/// Without a window manager a window is where it asks to be, and keys go to the window under the pointer.
fn bare() -> Display {
    Display::with(Options { window_manager: false, ..Options::default() })
}

/// A macro that replays `r.json`, with more parameters of the action and more of the step.
fn replay(params: &str, step: &str) -> String {
    format!(
        "name: m\nsteps:\n  - {{id: replay, backend: gui_macro, action: replay, params: {{macro_file: r.json{params}}}{step}}}\n"
    )
}

fn recording(place: &Place, steps: &Value) {
    place.write("r.json", json!({"version": 1, "screen_resolution": "1280x800", "steps": steps}).to_string());
}

/// Replays these steps on the display.
fn play(display: &Display, steps: &Value) -> Outcome {
    let place = Place::new();
    recording(&place, steps);
    place.write("m.yaml", replay("", ""));
    display.call(&place, &["run", "m.yaml", "--json"]).run()
}

fn played(display: &Display, steps: &Value) -> Value {
    let outcome = play(display, steps);
    assert_eq!(outcome.status, 0, "{outcome:#?}");
    outcome.json()
}

/// The button and pointer events in a canvas at (50, 60), as `type button x y` on the screen.
fn pointer_events(canvas: &Sink, wanted: usize) -> Vec<String> {
    let types = ["ButtonPress", "ButtonRelease", "Motion"];
    crate::witness::eventually("events", || (canvas.events(&types).len() >= wanted).then_some(()));
    let told = |event: &Value| {
        let place = format!("{} {}", event["x"].as_i64().unwrap() + 50, event["y"].as_i64().unwrap() + 60);
        match event["button"].as_u64() {
            Some(button) => format!("{} {button} {place}", event["type"].as_str().unwrap()),
            None => format!("Motion {place}"),
        }
    };
    canvas.events(&types).iter().map(told).collect()
}

/// The keys in a canvas, as `type keysym`.
fn key_events(sink: &Sink, wanted: usize) -> Vec<String> {
    let types = ["KeyPress", "KeyRelease"];
    crate::witness::eventually("keys", || (sink.events(&types).len() >= wanted).then_some(()));
    let told = |event: &Value| format!("{} {}", event["type"].as_str().unwrap(), event["keysym"].as_str().unwrap());
    sink.events(&types).iter().map(told).collect()
}

/// Moves the pointer into the window, so that it gets the keys.
const INTO: &str = r#"{"type": "move", "x": 100, "y": 100, "delay_ms": 20}"#;

fn into() -> Value {
    serde_json::from_str(INTO).unwrap()
}

#[test]
fn pointer_events_arrive_in_order_and_place() {
    let mut display = bare();
    let canvas = Sink::canvas(&mut display, "canvas", "600x500+50+60");
    let steps = json!([
        {"type": "click", "x": 60, "y": 71, "delay_ms": 5},
        {"type": "move", "x": 200, "y": 300, "delay_ms": 5},
        {"type": "down", "button": "right", "delay_ms": 5},
        {"type": "move", "x": 210, "y": 310, "delay_ms": 5},
        {"type": "up", "button": "right", "delay_ms": 5},
        {"type": "click", "x": 649, "y": 559, "button": "middle", "delay_ms": 0},
        {"type": "click", "x": 50, "y": 60, "delay_ms": 5},
        {"type": "scroll", "dy": -2},
    ]);
    let document = played(&display, &steps);
    let expected = [
        "Motion 60 71",
        "ButtonPress 1 60 71",
        "ButtonRelease 1 60 71",
        "Motion 200 300",
        "ButtonPress 3 200 300",
        "Motion 210 310",
        "ButtonRelease 3 210 310",
        "Motion 649 559",
        "ButtonPress 2 649 559",
        "ButtonRelease 2 649 559",
        "Motion 50 60",
        "ButtonPress 1 50 60",
        "ButtonRelease 1 50 60",
        "ButtonPress 5 50 60",
        "ButtonRelease 5 50 60",
        "ButtonPress 5 50 60",
        "ButtonRelease 5 50 60",
    ];
    assert_eq!(pointer_events(&canvas, expected.len()), expected);
    let output = &document["steps"][0]["output"];
    assert_eq!(output["steps_executed"], 8);
    assert_eq!(output["macro_file"], "r.json");
    let timing = &output["timing"];
    assert_eq!(timing["events"], 14, "{timing}");
    let ranks = ["p50_us", "p99_us", "max_us"].map(|name| timing[name].as_u64().unwrap());
    assert!(ranks.is_sorted() && timing["late"].as_u64().unwrap() <= 14, "{timing}");
}

#[test]
fn a_drag_moves_with_the_button_held_and_a_double_click_is_one() {
    let mut display = bare();
    let canvas = Sink::canvas(&mut display, "canvas", "600x500+50+60");
    let steps = json!([
        {"type": "drag", "from_x": 100, "from_y": 100, "to_x": 400, "to_y": 200, "duration_ms": 100},
        {"type": "double_click", "x": 300, "y": 300},
    ]);
    played(&display, &steps);
    crate::witness::eventually("a double click", || (canvas.events(&["Double"]).len() == 1).then_some(()));
    // A program that is busy gets only the last of several motions.
    let events = pointer_events(&canvas, 9);
    assert_eq!(events[..2], ["Motion 100 100", "ButtonPress 1 100 100"]);
    let released = events.iter().position(|event| event == "ButtonRelease 1 400 200").unwrap();
    assert_eq!(events[released - 1], "Motion 400 200");
    assert!(released > 3 && events[2..released].iter().all(|event| event.starts_with("Motion")), "{events:?}");
}

#[test]
fn keys_and_texts_arrive_as_they_are_written() {
    let mut display = bare();
    let field = Sink::text_field(&mut display, "field", "600x500+50+60");
    let steps = json!([
        into(),
        {"type": "key", "key": "A", "delay_ms": 5},
        {"type": "type", "text": "00420 ", "delay_ms": 0},
        {"type": "key", "keys": "shift+b", "delay_ms": 0},
        {"type": "key", "keys": "c", "delay_ms": 0},
        {"type": "type", "text": "$${x} é"},
    ]);
    played(&display, &steps);
    field.becomes("A00420 Bc${x} é");
    assert_eq!(held(&display), json!({"keys": [], "buttons": 0}));
}

#[test]
fn what_is_still_held_at_the_end_is_released() {
    let mut display = bare();
    let canvas = Sink::canvas(&mut display, "canvas", "600x500+50+60");
    let steps = json!([
        into(),
        {"type": "key_down", "key": "ctrl", "delay_ms": 5},
        {"type": "key_down", "key": "x", "delay_ms": 5},
        {"type": "key_up", "key": "x", "delay_ms": 5},
        {"type": "down"},
    ]);
    played(&display, &steps);
    let expected = ["KeyPress Control_L", "KeyPress x", "KeyRelease x", "KeyRelease Control_L"];
    assert_eq!(key_events(&canvas, 4), expected);
    assert_eq!(held(&display), json!({"keys": [], "buttons": 0}));
}

#[test]
fn a_recording_with_mistakes_sends_nothing() {
    let mut display = bare();
    let canvas = Sink::canvas(&mut display, "canvas", "600x500+50+60");
    let good = r#"{"type": "click", "x": 100, "y": 100}"#;
    let steps = |bad: &str| format!("{{\"version\": 1, \"steps\": [{good}, {bad}]}}");
    let cases = [
        (Some(steps(r#"{"type": "clik"}"#)), "unknown step type `clik`"),
        (Some(steps(r#"{"type": "click", "x": 10}"#)), "`y` is missing"),
        (Some(steps(r#"{"type": "sleep", "delay_ms": -1}"#)), "`delay_ms` must be at least 0"),
        (Some(steps(r#"{"type": "type", "text": "${nobody}"}"#)), "no parameter is called `nobody`"),
        (Some("not JSON".to_owned()), "not valid JSON"),
        (Some(format!("[{good}]")), "a recording is a mapping, found a list"),
        (None, "`r.json`: "),
    ];
    for (text, words) in cases {
        let place = Place::new();
        if let Some(text) = text {
            place.write("r.json", text);
        }
        place.write("m.yaml", replay("", ""));
        for verb in ["run", "build"] {
            let outcome = display.call(&place, &[verb, "m.yaml", "--json"]).status(3);
            assert!(outcome.stdout.contains(words), "{words}: {outcome:#?}");
        }
    }
    assert_eq!(canvas.events(&["Motion", "ButtonPress"]).len(), 0);
}

#[test]
fn another_screen_fails_or_warns_before_the_first_event() {
    let mut display = bare();
    let canvas = Sink::canvas(&mut display, "canvas", "600x500+50+60");
    let place = Place::new();
    let made_on = |screen: &str, x: u32, y: u32| {
        let steps = json!([{"type": "click", "x": 150, "y": 150}, {"type": "click", "x": x, "y": y}]);
        place.write("r.json", json!({"version": 1, "screen_resolution": screen, "steps": steps}).to_string());
    };
    let run = |params: &str| {
        place.write("m.yaml", replay(params, ""));
        display.call(&place, &["run", "m.yaml", "--json"]).run()
    };
    made_on("1920x1080", 150, 150);
    let strict = run(", layout_strict: true");
    assert_eq!(strict.status, 1, "{strict:#?}");
    assert!(strict.json()["error"].as_str().unwrap().contains("1920x1080"), "{strict:#?}");
    made_on("1920x1080", 1900, 1000);
    let outside = run("");
    assert_eq!(outside.status, 1, "{outside:#?}");
    let error = outside.json()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("step 1 of `r.json`: (1900, 1000) is outside of the screen"), "{error}");
    assert_eq!(canvas.events(&["Motion", "ButtonPress"]).len(), 0);
    made_on("1920x1080", 160, 160);
    let document = run("").json();
    assert_eq!(document["success"], true, "{document:#}");
    let warning = document["warnings"][0].as_str().unwrap();
    assert!(warning.contains("step `replay`: `r.json` was recorded on a screen of 1920x1080"), "{warning}");
    // Each click is three events.
    assert_eq!(pointer_events(&canvas, 6)[3], "Motion 160 160");
    made_on("2560x1600", 600, 600);
    let document = run(", scale: proportional").json();
    assert_eq!(document["warnings"], json!([]), "{document:#}");
    let events = pointer_events(&canvas, 12);
    assert_eq!(
        events[6..],
        [
            "Motion 75 75",
            "ButtonPress 1 75 75",
            "ButtonRelease 1 75 75",
            "Motion 300 300",
            "ButtonPress 1 300 300",
            "ButtonRelease 1 300 300"
        ]
    );
}

#[test]
fn another_layout_matters_to_the_strict() {
    let display = bare();
    let place = Place::new();
    let made_with = |hash: &str, params: &str| {
        let steps = json!([{"type": "move", "x": 1, "y": 1, "delay_ms": 0}]);
        place.write("r.json", json!({"version": 1, "layout_hash": hash, "steps": steps}).to_string());
        place.write("m.yaml", replay(params, ""));
        display.call(&place, &["run", "m.yaml", "--json"]).run()
    };
    let other = made_with("l1-0", ", layout_strict: true");
    assert_eq!(other.status, 1, "{other:#?}");
    let error = other.json()["error"].as_str().unwrap().to_owned();
    let own = error.rsplit('`').nth(1).unwrap();
    assert_eq!(made_with(own, ", layout_strict: true").status, 0);
    display.layout("de");
    assert_eq!(made_with(own, ", layout_strict: true").status, 1);
    let document = made_with(own, "").json();
    assert_eq!(document["warnings"].as_array().unwrap().len(), 1, "{document:#}");
}

#[test]
fn speed_scales_every_pause() {
    let display = bare();
    let place = Place::new();
    // At its own speed this takes a minute and a half, longer than a call may.
    let steps = json!([
        {"type": "sleep", "ms": 60000},
        {"type": "move", "x": 1, "y": 1, "delay_ms": 30000},
        {"type": "move", "x": 2, "y": 2, "delay_ms": 0},
    ]);
    recording(&place, &steps);
    place.write("m.yaml", replay(", speed: 1000", ", timeout: 50s"));
    let document = display.call(&place, &["run", "m.yaml", "--json"]).status(0).json();
    assert_eq!(document["steps"][0]["output"]["steps_executed"], 3);
}

#[test]
fn recordings_read_what_their_macro_knows() {
    let mut display = bare();
    let field = Sink::text_field(&mut display, "field", "600x500+50+60");
    let place = Place::new();
    recording(&place, &json!([into(), {"type": "type", "text": "${word}\n", "delay_ms": 0}]));
    place.write(
        "each.json",
        json!({"steps": [into(), {"type": "type", "text": "${index}${item}${word}\n", "delay_ms": 0}]}).to_string(),
    );
    place.write(
        "m.yaml",
        "name: m\nparameters:\n  word: {type: string, secret: true, required: true}\nsteps:\n  - {id: each, for_each: [a, b], backend: gui_macro, \
         action: replay, params: {macro_file: each.json}}\n  - {backend: gui_macro, action: replay, params: {macro_file: r.json}}\n  - {macro: inner, with: {word: end}}\n",
    );
    place.write(
        "inner.yaml",
        "name: inner\ncomposable: true\nparameters:\n  word: {type: string, required: true}\nsteps:\n  \
         - {backend: gui_macro, action: replay, params: {macro_file: r.json}}\n",
    );
    let words = ["run", "m.yaml", "--json", "--secret", "word=env:WORD"];
    let dry: Vec<&str> = words.iter().copied().chain(["--dry-run"]).collect();
    let pretended = display.call(&place, &dry).env("WORD", "hush-hush").status(0);
    assert!(!pretended.stdout.contains("hush-hush"), "{pretended:#?}");
    assert_eq!(pretended.json()["steps"][0]["output"]["steps_executed"], 2);
    assert_eq!(field.text(), "");
    let outcome = display.call(&place, &words).env("WORD", "hush-hush").status(0);
    field.becomes("0ahush-hush\n1bhush-hush\nhush-hush\nend\n");
    assert!(!outcome.stdout.contains("hush-hush"), "{outcome:#?}");
}

#[test]
fn a_window_that_comes_late_is_waited_for() {
    let mut display = bare();
    let place = Place::new();
    let wait = |ms: u32| json!([{"type": "wait_window", "title_contains": "${title}", "timeout_ms": ms}]);
    let text = "name: m\nparameters: {title: {type: string, default: late}}\n".to_owned()
        + replay("", "").strip_prefix("name: m\n").unwrap();
    place.write("m.yaml", text);
    recording(&place, &wait(50));
    let outcome = display.call(&place, &["run", "m.yaml", "--json"]).status(1);
    let error = outcome.json()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("step 0 of `r.json`: ") && error.contains("`late`"), "{error}");
    recording(&place, &wait(20_000));
    let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
    Sink::canvas(&mut display, "The late one", "200x200+50+60");
    assert_eq!(finish(child).json()["success"], true);
}

#[test]
fn a_file_is_complete_before_it_is_copied() {
    let display = bare();
    let place = Place::new();
    let wait = json!({"type": "wait_file", "path": "out.png", "timeout_ms": 20000, "stable_ms": 2000});
    recording(&place, &json!([wait]));
    let copy = "  - {backend: file_transform, action: copy_file, params: {src: out.png, dst: copy.png}}\n";
    place.write("m.yaml", replay("", "") + copy);
    let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
    rests(&child);
    let mut file = fs::File::create(place.path("out.png")).unwrap();
    for _ in 0..15 {
        file.write_all(&[b'x'; 1000]).unwrap();
        rests(&child);
    }
    let document = finish(child).json();
    assert_eq!(fs::metadata(place.path("copy.png")).unwrap().len(), 15_000);
    assert_eq!(document["warnings"], json!([]));
}

#[test]
fn a_file_that_is_no_result_says_why() {
    let display = bare();
    let place = Place::new();
    let wait = |more: &str| {
        let mut step = json!({"type": "wait_file", "path": "out.png", "timeout_ms": 300});
        let more: Value = serde_json::from_str(more).unwrap();
        step.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        recording(&place, &json!([step]));
        place.write("m.yaml", replay("", ""));
        display.call(&place, &["run", "m.yaml", "--json"]).run()
    };
    let refused = |more: &str, words: &str| {
        let outcome = wait(more);
        assert_eq!(outcome.status, 1, "{outcome:#?}");
        let error = outcome.json()["error"].as_str().unwrap().to_owned();
        assert!(
            error.contains("step 0 of `r.json`: timed out after 300 ms: waiting for the file `out.png`"),
            "{error}"
        );
        assert!(error.contains(words), "{error}");
    };
    refused("{}", "does not exist");
    fs::create_dir(place.path("out.png")).unwrap();
    refused("{}", "is a directory");
    fs::remove_dir(place.path("out.png")).unwrap();
    place.write("out.png", "");
    refused("{}", "exists but is empty");
    assert_eq!(wait(r#"{"stable_ms": 0}"#).status, 0);
    let growing = place.path("out.png");
    let (done, asked) = std::sync::mpsc::channel::<()>();
    let writer = thread::spawn(move || {
        let mut file = fs::File::create(growing).unwrap();
        while asked.recv_timeout(Duration::from_millis(10)).is_err() {
            file.write_all(b"x").unwrap();
        }
    });
    refused(r#"{"stable_ms": 200}"#, "exists but is still growing");
    done.send(()).unwrap();
    writer.join().unwrap();
    let left_over = wait(r#"{"stable_ms": 10}"#);
    assert_eq!(left_over.status, 0, "{left_over:#?}");
    assert!(left_over.json()["warnings"][0].as_str().unwrap().contains("was there before the replay began"));
    assert_eq!(wait(r#"{"stable_ms": 10, "newer_than_start": false}"#).json()["warnings"], json!([]));
    refused(r#"{"stable_ms": 10, "newer_than_start": true}"#, "is older than the replay");
}

#[test]
fn a_file_that_was_written_just_before_is_not_newer() {
    let display = bare();
    let place = Place::new().file("in.png", "x");
    let wait = |path: &str| json!({"type": "wait_file", "path": path, "timeout_ms": 300, "stable_ms": 0, "newer_than_start": true});
    recording(&place, &json!([wait("out.png")]));
    let copy = "steps:\n  - {backend: file_transform, action: copy_file, params: {src: in.png, dst: out.png}}\n";
    place.write("m.yaml", replay("", "").replace("steps:\n", copy));
    for _ in 0..5 {
        let outcome = display.call(&place, &["run", "m.yaml", "--json"]).status(1);
        let error = outcome.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains("is older than the replay"), "{error}");
    }
}

#[test]
fn an_image_is_waited_for_and_clicked() {
    let display = bare();
    let painter = Painter::new(&display);
    painter.show(0, 0, &Art::plain(1280, 800, [236, 234, 230]));
    let art = Art::button([0, 120, 0]);
    let place = Place::new().file("t.png", art.png());
    let wait = |ms: u32| json!({"type": "wait_image", "template": "t.png", "timeout_ms": ms});
    recording(&place, &json!([wait(60)]));
    place.write("m.yaml", replay("", ""));
    let outcome = display.call(&place, &["run", "m.yaml", "--json"]).status(1);
    let error = outcome.json()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("step 0 of `r.json`: `t.png` is not on the screen"), "{error}");
    recording(&place, &json!([wait(20_000), {"type": "click", "x": 730, "y": 423}]));
    let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
    rests(&child);
    painter.show(700, 411, &art);
    let document = finish(child).json();
    assert_eq!(document["success"], true, "{document:#}");
    assert_eq!(painter.clicks(1), [(1, 730, 423)]);
}

#[test]
fn a_signal_at_any_moment_leaves_nothing_held() {
    let mut display = bare();
    let canvas = Sink::canvas(&mut display, "canvas", "600x500+50+60");
    let place = Place::new();
    let keymap = display.keymap();
    let mut steps = vec![];
    for turn in 0..400 {
        let y = 100 + turn % 50;
        steps.push(json!({"type": "key_down", "key": "ctrl", "delay_ms": 2}));
        steps.push(json!({"type": "key_down", "key": "shift", "delay_ms": 2}));
        steps.push(json!({"type": "drag", "from_x": 100, "from_y": y, "to_x": 300, "to_y": y, "duration_ms": 15, "delay_ms": 0}));
        steps.push(json!({"type": "type", "text": "Aé→", "delay_ms": 1}));
        steps.push(json!({"type": "key_up", "key": "shift", "delay_ms": 1}));
        steps.push(json!({"type": "key_up", "key": "ctrl", "delay_ms": 1}));
    }
    recording(&place, &json!(steps));
    place.write("m.yaml", replay("", ", timeout: 50s"));
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut acted = 0;
    for turn in 0..25 {
        let before = canvas.events(&["Motion", "KeyPress"]).len();
        let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        thread::sleep(Duration::from_millis(seed % 500));
        let id = Pid::from_raw(child.id().try_into().unwrap()).unwrap();
        kill_process(id, Signal::TERM).unwrap();
        let outcome = finish(child);
        // Before its handlers are there a signal ends it at once.
        assert!([143, -1].contains(&outcome.status), "{turn}: {outcome:#?}");
        assert_eq!(held(&display), json!({"keys": [], "buttons": 0}), "{turn}");
        acted += usize::from(canvas.events(&["Motion", "KeyPress"]).len() > before);
    }
    assert!(acted >= 5, "only {acted} runs had begun");
    assert_eq!(display.keymap(), keymap);
}

/// What is held down now.
fn held(display: &Display) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/display/held.py");
    let text = display.output("python3", &[script.to_str().unwrap()]);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
