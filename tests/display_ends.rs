//! Bad ends: runs that are killed, and displays that die or fall silent. Nothing stays down, and nobody waits for the dead.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::display::{Display, Hand, Options, Sink};
use crate::harness::{Place, finish};
use crate::witness::{eventually, send};

/// A macro of one step that replays `r.json`, made of these steps.
fn recording(steps: &Value) -> Place {
    let step = json!({"id": "r", "backend": "gui_macro", "action": "replay", "params": {"macro_file": "r.json"}, "timeout": "50s"});
    let place = Place::new().file("m.yaml", json!({"name": "m", "steps": [step]}).to_string());
    place.file("r.json", json!({"version": 1, "steps": steps}).to_string())
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
