//! Bad ends: runs that are killed, and displays that die or fall silent. Nothing stays down, and nobody waits for the dead.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::display::{Display, Hand, Options, Sink};
use crate::harness::{Place, finish};
use crate::witness::{SOON, eventually, send, step};

/// A macro of one step that replays `r.json`, made of these steps.
fn recording(steps: &Value) -> Place {
    let step = json!({"id": "r", "backend": "gui_macro", "action": "replay", "params": {"macro_file": "r.json"}, "timeout": "50s"});
    let place = Place::new().file("m.yaml", json!({"name": "m", "steps": [step]}).to_string());
    place.file("r.json", json!({"version": 1, "steps": steps}).to_string())
}

/// Sends a signal to the display server.
fn signal(display: &Display, signal: Signal) {
    kill_process(Pid::from_raw(display.server.try_into().unwrap()).unwrap(), signal).unwrap();
}

/// A macro that presses one key.
fn pressing(keys: &str) -> Place {
    let step = json!({"id": "k", "backend": "visual_anchor", "action": "hotkey", "params": {"keys": keys}});
    Place::new().file("m.yaml", json!({"name": "m", "steps": [step]}).to_string())
}

#[test]
fn what_a_killed_run_held_is_released_by_the_next() {
    let mut display = Display::with(Options { window_manager: false, ..Options::default() });
    let _canvas = Sink::canvas(&mut display, "canvas", "600x500+50+60");
    let hand = Hand::new(&display);
    let place = recording(&json!([
        {"type": "move", "x": 100, "y": 100, "delay_ms": 0},
        {"type": "key_down", "key": "ctrl", "delay_ms": 0},
        {"type": "key_down", "key": "é", "delay_ms": 0},
        {"type": "down", "button": "right", "delay_ms": 0},
        {"type": "sleep", "ms": 40000},
    ]));
    let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
    eventually("keys and a button", || (hand.down().len() == 2 && hand.mask() & 0x400 != 0).then_some(()));
    send(&child, Signal::KILL);
    finish(child);
    assert_eq!(hand.down().len(), 2, "nobody has released them");
    // A key that somebody else holds is none of its leftovers.
    hand.press(crate::display::hand::ALT);
    display.call(&pressing("x"), &["run", "m.yaml", "--json"]).status(0);
    eventually("keys that are up", || (hand.down().len() == 1 && hand.mask() == 8).then_some(()));
    assert!(!display.output("xprop", &["-root"]).contains("MACROCLI_DOWN"));
}

#[test]
fn a_run_that_is_killed_at_any_moment_leaves_nothing_to_the_one_after_the_next() {
    let mut display = Display::with(Options { window_manager: false, ..Options::default() });
    let canvas = Sink::canvas(&mut display, "canvas", "600x500+50+60");
    let hand = Hand::new(&display);
    let keymap = display.keymap();
    let mut steps = vec![];
    for turn in 0..200 {
        let y = 100 + turn % 50;
        steps.push(json!({"type": "key_down", "key": "ctrl", "delay_ms": 2}));
        steps.push(json!({"type": "drag", "from_x": 100, "from_y": y, "to_x": 300, "to_y": y, "duration_ms": 15, "delay_ms": 0}));
        steps.push(json!({"type": "type", "text": "Aé→", "delay_ms": 1}));
        steps.push(json!({"type": "key_up", "key": "ctrl", "delay_ms": 1}));
    }
    let place = recording(&json!(steps));
    let next = pressing("x");
    let mut left = 0;
    for round in 0..12u64 {
        let before = canvas.events(&["ButtonPress"]).len();
        let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
        eventually("a first press", || (canvas.events(&["ButtonPress"]).len() > before).then_some(()));
        // Moments that are spread, and the same in every run.
        std::thread::sleep(Duration::from_millis(round * 7919 % 97));
        send(&child, Signal::KILL);
        finish(child);
        left += usize::from(!hand.down().is_empty() || hand.mask() != 0);
        display.call(&next, &["run", "m.yaml", "--json"]).status(0);
        hand.nothing_is_down();
        assert_eq!(display.keymap(), keymap, "{round}");
    }
    assert!(left > 0, "no run was killed while it held anything");
}

#[test]
fn a_replay_that_waits_notices_the_end_of_its_display() {
    for wait in [
        json!({"type": "sleep", "ms": 40000}),
        json!({"type": "wait_file", "path": "never", "timeout_ms": 40000}),
        json!({"type": "wait_window", "title_contains": "never", "timeout_ms": 40000}),
    ] {
        let display = Display::with(Options { window_manager: false, ..Options::default() });
        let hand = Hand::new(&display);
        let place = recording(&json!([{"type": "key_down", "key": "ctrl", "delay_ms": 0}, wait]));
        let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
        eventually("a key", || (hand.down().len() == 1).then_some(()));
        let began = Instant::now();
        signal(&display, Signal::KILL);
        let outcome = finish(child);
        assert!(began.elapsed() < SOON, "{wait}: {:?}", began.elapsed());
        assert_eq!(outcome.status, 1, "{outcome:#?}");
        let error = outcome.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains("the connection to the display was lost"), "{error}");
    }
}

#[test]
fn a_display_that_falls_silent_costs_one_short_clean_up() {
    let mut display = Display::new();
    let sink = Sink::text_field(&mut display, "Sink", "400x300+20+20");
    sink.has_focus();
    let hand = Hand::new(&display);
    let keymap = display.keymap();
    let slow = json!({"id": "slow", "backend": "visual_anchor", "action": "type_text", "timeout": "3s", "on_failure": "skip",
        "params": {"text": "é€".repeat(200), "interval_ms": 50}});
    let key = |id: &str| json!({"id": id, "backend": "visual_anchor", "action": "hotkey", "params": {"keys": "x"}, "timeout": "20s", "on_failure": "skip"});
    let steps = json!([slow, key("a"), key("b"), key("c")]);
    let place = Place::new().file("m.yaml", json!({"name": "m", "steps": steps}).to_string());
    let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
    eventually("some of the text", || (!sink.text().is_empty()).then_some(()));
    signal(&display, Signal::STOP);
    let outcome = finish(child);
    signal(&display, Signal::CONT);
    let document = outcome.json();
    let error = step(&document, "slow")["error"].as_str().unwrap().to_owned();
    assert!(error.contains("timed out after 3000 ms"), "{error}");
    assert!(step(&document, "c")["error"].as_str().unwrap().contains("does not answer"), "{document:#}");
    let took = document["telemetry"]["duration_ms"].as_f64().unwrap();
    assert!(took < 6000.0, "one second is for the clean-up: {document:#}");
    // What could not be put back then is by the next run.
    display.call(&pressing("x"), &["run", "m.yaml", "--json"]).status(0);
    hand.nothing_is_down();
    assert_eq!(display.keymap(), keymap);
}

#[test]
fn a_condition_does_not_wait_for_a_silent_display() {
    let display = Display::with(Options { window_manager: false, ..Options::default() });
    let turn = |id: &str| {
        json!({"id": id, "action": "find_executable", "params": {"name": "sh"}, "timeout": "50s", "on_failure": "continue",
            "verify": {"conditions": [{"window_exists": "never"}], "within": "45s"}})
    };
    let steps = json!([turn("a"), turn("b"), turn("c")]);
    let place = Place::new().file("m.yaml", json!({"name": "m", "steps": steps}).to_string());
    signal(&display, Signal::STOP);
    let began = Instant::now();
    let document = display.call(&place, &["run", "m.yaml", "--json"]).run().json();
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    for id in ["a", "b", "c"] {
        let error = step(&document, id)["error"].as_str().unwrap();
        assert!(error.contains("the display server does not answer"), "{document:#}");
    }
    let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
    std::thread::sleep(Duration::from_millis(500));
    send(&child, Signal::TERM);
    assert_eq!(finish(child).status, 143);
    signal(&display, Signal::CONT);
    // It answers, but falls silent later: whoever asked it before is told so, too.
    let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
    eventually("a client", || display.output("xlsclients", &[]).is_empty().then_some(()));
    std::thread::sleep(Duration::from_millis(500));
    signal(&display, Signal::STOP);
    let document = finish(child).json();
    assert!(document.to_string().contains("the display server does not answer"), "{document:#}");
    assert!(began.elapsed() < 2 * SOON, "{:?}", began.elapsed());
}
