//! Keys of recordings: those that the layout has in another group or not at all, and those that are no characters.

use serde_json::{Value, json};

use crate::display::hand::{CAPS_LOCK, Locks};
use crate::display::{Display, Hand, Options, Sink};
use crate::harness::Place;
use crate::witness::eventually;

/// Without a window manager keys go to the window under the pointer.
fn bare() -> Display {
    Display::with(Options { window_manager: false, ..Options::default() })
}

/// Replays these steps, with the pointer in the window at (50, 60).
fn played(display: &Display, steps: &[Value]) {
    let into = json!({"type": "move", "x": 100, "y": 100, "delay_ms": 20});
    let steps: Vec<&Value> = std::iter::once(&into).chain(steps).collect();
    let step = json!({"id": "r", "backend": "gui_macro", "action": "replay", "params": {"macro_file": "r.json"}});
    let place = Place::new().file("m.yaml", json!({"name": "m", "steps": [step]}).to_string());
    place.write("r.json", json!({"version": 1, "steps": steps}).to_string());
    display.call(&place, &["run", "m.yaml", "--json"]).status(0);
}

fn down(key: &str) -> Value {
    json!({"type": "key_down", "key": key, "delay_ms": 0})
}

fn up(key: &str) -> Value {
    json!({"type": "key_up", "key": key, "delay_ms": 0})
}

fn tap(keys: &str) -> Value {
    json!({"type": "key", "keys": keys, "delay_ms": 0})
}

/// So many first key events, as `type keysym`.
fn keys(sink: &Sink, wanted: usize) -> Vec<String> {
    let types = ["KeyPress", "KeyRelease"];
    eventually("keys", || (sink.events(&types).len() >= wanted).then_some(()));
    let told = |event: &Value| format!("{} {}", event["type"].as_str().unwrap(), event["keysym"].as_str().unwrap());
    sink.events(&types).iter().map(told).collect()
}

#[test]
fn a_key_of_another_group_is_reached_and_the_group_comes_back() {
    let mut display = bare();
    display.layout("us,ru");
    let canvas = Sink::canvas(&mut display, "canvas", "600x500+50+60");
    let hand = Hand::new(&display);
    for group in [0, 1] {
        hand.choose_group(group);
        let before = keys(&canvas, 0).len();
        played(&display, &[down("я"), up("я"), down("z"), up("z"), down("ё"), up("ё")]);
        let expected =
            ["Cyrillic_ya", "z", "Cyrillic_io"].map(|key| [format!("KeyPress {key}"), format!("KeyRelease {key}")]);
        let pressed: Vec<String> =
            keys(&canvas, before + 6)[before..].iter().filter(|key| key.starts_with("KeyPress")).cloned().collect();
        assert_eq!(pressed, expected.map(|[press, _]| press), "from the group {group}");
        assert_eq!(hand.locks(), Locks { modifiers: 0, group });
        eventually("keys that are up", || hand.down().is_empty().then_some(()));
    }
}

#[test]
fn keys_that_are_borrowed_and_down_together_stay_what_they_are() {
    let mut display = bare();
    let before = display.keymap();
    let canvas = Sink::canvas(&mut display, "canvas", "600x500+50+60");
    // A chord between them must not give the first one's key back.
    played(&display, &[down("é"), down("ß"), tap("ctrl+ö"), up("ß"), up("é")]);
    let all = keys(&canvas, 8);
    let without: Vec<&String> = all.iter().filter(|key| !key.contains("Control")).collect();
    let expected = [
        "KeyPress eacute",
        "KeyPress ssharp",
        "KeyPress odiaeresis",
        "KeyRelease odiaeresis",
        "KeyRelease ssharp",
        "KeyRelease eacute",
    ];
    assert_eq!(without, expected);
    assert_eq!(display.keymap(), before);
}

#[test]
fn a_borrowed_key_is_read_before_it_is_given_back() {
    let mut display = bare();
    let before = display.keymap();
    let canvas = Sink::canvas(&mut display, "canvas", "600x500+50+60");
    let mut expected = vec![];
    for round in 1..=15 {
        let last = ["eacute", "ssharp", "odiaeresis"][round % 3];
        played(&display, &[down(["é", "ß", "ö"][round % 3])]);
        expected.push(format!("KeyPress {last}"));
        let all = keys(&canvas, 2 * round);
        let pressed: Vec<&String> = all.iter().filter(|key| key.starts_with("KeyPress")).collect();
        assert_eq!(pressed, expected.iter().collect::<Vec<&String>>());
        assert_eq!(display.keymap(), before);
    }
}

#[test]
fn a_borrowed_key_among_others_ends_no_rest() {
    let mut display = bare();
    let field = Sink::text_field(&mut display, "field", "600x500+50+60");
    let hand = Hand::new(&display);
    hand.tap(CAPS_LOCK);
    played(&display, &[tap("a"), tap("é"), tap("b"), tap("C")]);
    field.becomes("aébC");
    assert_eq!(hand.locks().modifiers, 2);
}

#[test]
fn keys_that_are_no_characters_arrive_by_every_way() {
    let names = [
        ("print_screen", "Print"),
        ("media_volume_up", "XF86AudioRaiseVolume"),
        ("VolumeUp", "XF86AudioRaiseVolume"),
        ("XF86AudioRaiseVolume", "XF86AudioRaiseVolume"),
        ("media_mute", "XF86AudioMute"),
        ("media_play_pause", "XF86AudioPlay"),
        ("media_next_track", "XF86AudioNext"),
        ("kp_7", "KP_7"),
        ("kp_enter", "KP_Enter"),
        ("num_add", "KP_Add"),
        ("ctrl++", "plus"),
        ("ctrl+plus", "plus"),
        ("page_down", "Next"),
        ("f13", "F13"),
        ("menu", "Menu"),
    ];
    let mut display = bare();
    let keymap = display.keymap();
    let canvas = Sink::canvas(&mut display, "canvas", "600x500+50+60");
    let hand = Hand::new(&display);
    let modifier = |key: &String| ["Control_L", "Shift_L"].iter().any(|name| key.ends_with(name));
    let presses = || -> Vec<String> {
        let all = keys(&canvas, 0);
        all.into_iter().filter(|key| key.starts_with("KeyPress") && !modifier(key)).collect()
    };
    let expected: Vec<String> = names.iter().map(|(_, keysym)| format!("KeyPress {keysym}")).collect();
    let taps: Vec<Value> = names.iter().map(|(name, _)| tap(name)).collect();
    played(&display, &taps);
    eventually("keys", || (presses().len() >= names.len()).then_some(()));
    assert_eq!(presses(), expected);
    let alone: Vec<Value> =
        names.iter().filter(|(name, _)| !name.contains('+')).flat_map(|(name, _)| [down(name), up(name)]).collect();
    played(&display, &alone);
    let more: Vec<String> =
        names.iter().filter(|(name, _)| !name.contains('+')).map(|(_, keysym)| format!("KeyPress {keysym}")).collect();
    eventually("keys", || (presses().len() >= names.len() + more.len()).then_some(()));
    assert_eq!(presses()[names.len()..], more);
    let step =
        |(name, _): &(&str, &str)| json!({"backend": "visual_anchor", "action": "hotkey", "params": {"keys": name}});
    let steps: Vec<Value> = names.iter().map(step).collect();
    let place = Place::new().file("m.yaml", json!({"name": "m", "steps": steps}).to_string());
    let before = presses().len();
    display.call(&place, &["run", "m.yaml", "--json"]).status(0);
    eventually("keys", || (presses().len() >= before + names.len()).then_some(()));
    assert_eq!(presses()[before..], expected);
    assert_eq!(display.keymap(), keymap);
    assert_eq!(hand.locks(), Locks { modifiers: 0, group: 0 });
    hand.nothing_is_down();
}
