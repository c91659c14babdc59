//! Text and chords, typed for real into a Tk text field, a GTK entry and a terminal.

use std::fs;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::display::hand::{ALT, CAPS_LOCK, CONTROL, Locks, NUM_LOCK};
use crate::display::{Display, Hand, Sink};
use crate::harness::{Place, finish};
use crate::witness::{eventually, send};

/// Characters of every layout and of none, and all that are dead keys somewhere.
const TEXT: &str = "aZ é€ñß 😀 \"'@#{}[]\\|~^`Привет 日本";
const LAYOUTS: [&str; 4] = ["us", "de", "fr", "us-dvorak"];
const TWICE: usize = 2;

/// A macro of one step that types.
fn typing(text: &str) -> Place {
    steps(&[json!({"backend": "visual_anchor", "action": "type_text", "params": {"text": text, "interval_ms": 0}})])
}

/// A macro of one step for each chord.
fn pressing(chords: &[&str]) -> Place {
    let step = |keys: &&str| json!({"backend": "visual_anchor", "action": "hotkey", "params": {"keys": keys}});
    steps(&chords.iter().map(step).collect::<Vec<Value>>())
}

/// A macro of these steps; JSON is YAML.
fn steps(steps: &[Value]) -> Place {
    let steps: Vec<Value> = (0..)
        .zip(steps)
        .map(|(number, step)| {
            let mut step = step.clone();
            step["id"] = json!(format!("s{number}"));
            step
        })
        .collect();
    Place::new().file("m.yaml", json!({"name": "m", "version": "1", "steps": steps}).to_string())
}

fn run(display: &Display, place: &Place, status: i32) -> Value {
    display.call(place, &["run", "m.yaml", "--json"]).status(status).json()
}

#[track_caller]
fn start(display: &Display, place: &Place) -> Child {
    display.call(place, &["run", "m.yaml", "--json"]).start()
}

fn sink(display: &mut Display) -> Sink {
    let sink = Sink::text_field(display, "Sink", "400x300+20+20");
    sink.has_focus();
    sink
}

/// Keysyms and states of the key presses that were no modifiers.
fn presses(sink: &Sink) -> Vec<(String, u64)> {
    let modifier = |name: &str| name.ends_with("_L") || name.ends_with("_R") || name.ends_with("_Lock");
    let events = sink.events(&["KeyPress"]);
    let press = |event: &Value| (event["keysym"].as_str().unwrap().to_owned(), event["state"].as_u64().unwrap());
    events.iter().map(press).filter(|(name, _)| !modifier(name)).collect()
}

#[test]
fn any_text_under_any_layout_into_tk() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let hand = Hand::new(&display);
    let mut whole = String::new();
    for layout in LAYOUTS {
        display.layout(layout);
        let before = display.keymap();
        let document = run(&display, &typing(TEXT), 0);
        assert_eq!(document["steps"][0]["output"]["typed"], TEXT.chars().count(), "{layout}");
        whole.push_str(TEXT);
        sink.becomes(&whole);
        assert_eq!(display.keymap(), before, "{layout}");
        hand.nothing_is_down();
        assert_eq!(hand.locks(), Locks { modifiers: 0, group: 0 }, "{layout}");
    }
}

#[test]
fn any_text_under_any_layout_into_gtk() {
    let display = Display::with_bus();
    for layout in LAYOUTS {
        display.layout(layout);
        let before = display.keymap();
        let entry = display
            .command("zenity")
            .args(["--entry", "--title=Entry"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        focused(&display, "Entry");
        run(&display, &typing(&format!("{TEXT}\n")), 0);
        assert_eq!(finish_quietly(entry), format!("{TEXT}\n"), "{layout}");
        assert_eq!(display.keymap(), before, "{layout}");
    }
}

#[test]
fn any_text_under_any_layout_into_a_terminal() {
    let mut display = Display::new();
    for layout in LAYOUTS {
        display.layout(layout);
        let before = display.keymap();
        let file = display.home().join(format!("typed-{layout}"));
        let script = format!("cat > {}", file.display());
        display.spawn("xterm", &["-u8", "-T", layout, "-e", "sh", "-c", &script]);
        focused(&display, layout);
        eventually("a terminal", || file.exists().then_some(()));
        run(&display, &typing(&format!("{TEXT}\n")), 0);
        let there = || fs::read_to_string(&file).ok().filter(|text| text.ends_with('\n'));
        assert_eq!(eventually("a line", there), format!("{TEXT}\n"), "{layout}");
        assert_eq!(display.keymap(), before, "{layout}");
    }
}

#[test]
fn groups_are_chosen_and_put_back() {
    let mut display = Display::new();
    display.layout("us,ru");
    let sink = sink(&mut display);
    let hand = Hand::new(&display);
    hand.choose_group(1);
    let before = display.keymap();
    run(&display, &typing("Привет, world 1! ё"), 0);
    sink.becomes("Привет, world 1! ё");
    assert_eq!(hand.locks().group, 1);
    run(&display, &pressing(&["ctrl+z", "ctrl+я"]), 0);
    let pressed = |count| eventually("chords", || Some(presses(&sink)).filter(|all| all.len() >= count));
    let all = pressed(20);
    assert_eq!(all[18], ("z".to_owned(), 4), "{all:?}");
    assert_eq!(hand.locks().group, 1);
    assert_eq!(display.keymap(), before);
}

#[test]
fn locks_change_nothing_and_stay() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let hand = Hand::new(&display);
    hand.tap(CAPS_LOCK);
    let mut locks = hand.locks();
    assert_eq!(locks.modifiers, 2);
    run(&display, &typing("Hello World 1! é"), 0);
    sink.becomes("Hello World 1! é");
    for _ in 0..TWICE {
        let before = presses(&sink).len();
        let length = sink.events(&[]).len() + sink.text().chars().count();
        run(&display, &pressing(&["end", "kp_1", "kp_add", "ctrl+a"]), 0);
        let all = eventually("keys", || Some(presses(&sink)).filter(|all| all.len() >= before + 4));
        let names: Vec<&str> = all[before..].iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["End", "KP_1", "KP_Add", "a"]);
        // Control alone; Num Lock may stay on.
        assert_eq!(all[before + 3].1 & !16, 4);
        assert_eq!(sink.text().chars().count(), length + 2);
        assert!(sink.text().ends_with("1+"), "{}", sink.text());
        assert_eq!(hand.locks(), locks);
        hand.nothing_is_down_but(locks.modifiers);
        hand.tap(NUM_LOCK);
        locks = hand.locks();
    }
}

#[test]
fn a_lock_key_locks() {
    let mut display = Display::new();
    let _sink = sink(&mut display);
    let hand = Hand::new(&display);
    run(&display, &pressing(&["caps_lock"]), 0);
    assert_eq!(hand.locks().modifiers, 2);
    run(&display, &pressing(&["caps_lock"]), 0);
    assert_eq!(hand.locks().modifiers, 0);
}

#[test]
fn spellings_of_a_key_give_the_same_event() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let same: [(&str, &[&str]); 11] = [
        ("Next", &["page_down", "pagedown", "pgdn", "Page_Down", "Next"]),
        ("Escape", &["esc", "escape"]),
        ("Return", &["enter", "return"]),
        ("Delete", &["del", "delete"]),
        ("plus", &["ctrl++", "ctrl+plus", "+"]),
        ("minus", &["ctrl+-"]),
        ("equal", &["ctrl+="]),
        ("F13", &["f13"]),
        ("space", &["space"]),
        ("KP_Add", &["kp_add", "num_add"]),
        ("Menu", &["menu"]),
    ];
    let chords: Vec<&str> = same.iter().flat_map(|(_, chords)| chords.iter().copied()).collect();
    let names: Vec<&str> = same.iter().flat_map(|(name, chords)| chords.iter().map(|_| *name)).collect();
    let before = display.keymap();
    run(&display, &pressing(&chords), 0);
    let began = std::time::Instant::now();
    let all = eventually("keys", || {
        Some(presses(&sink)).filter(|all| all.len() >= names.len() || began.elapsed().as_secs() > 10)
    });
    let found: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(found, names);
    assert_eq!(display.keymap(), before);
    let list = json!({"backend": "semantic_ui", "action": "shortcut", "params": {"keys": ["ctrl", "+"]}});
    run(&display, &steps(&[list]), 0);
    let all = eventually("keys", || Some(presses(&sink)).filter(|all| all.len() > names.len()));
    assert_eq!(all.last(), Some(&("plus".to_owned(), 5)));
}

#[test]
fn an_unknown_key_presses_nothing() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let step =
        json!({"id": "s", "backend": "visual_anchor", "action": "hotkey", "params": {"keys": ["ctrl", "${k}", "q"]}});
    let text = json!({"name": "m", "version": "1", "parameters": {"k": "string"}, "steps": [step]}).to_string();
    let place = Place::new().file("m.yaml", text);
    let call = display.call(&place, &["run", "m.yaml", "--json", "--param", "k=shfit"]);
    let document = call.run().json();
    assert_eq!(document["success"], false, "{document:#}");
    assert!(document["error"].as_str().unwrap().contains("shfit"), "{document:#}");
    // What came before the next key would be seen with it.
    run(&display, &pressing(&["x"]), 0);
    sink.becomes("x");
    assert_eq!(presses(&sink).len(), 1);
    assert_eq!(sink.events(&["KeyPress"]).len(), 1);
}

#[test]
fn keys_that_others_hold_are_put_back() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let hand = Hand::new(&display);
    hand.press(CONTROL);
    hand.press(ALT);
    run(&display, &typing("hello q"), 0);
    sink.becomes("hello q");
    assert_eq!(hand.down().len(), 2, "they are still held");
    hand.release(ALT);
    hand.release(CONTROL);
    hand.nothing_is_down();

    // Let go while it types: they stay up.
    hand.press(CONTROL);
    let slow = json!({"backend": "visual_anchor", "action": "type_text", "params": {"text": " and q q q q q", "interval_ms": 60}});
    let place = steps(&[slow]);
    let child = start(&display, &place);
    eventually("some of the text", || (sink.text().len() > 9).then_some(()));
    hand.release(CONTROL);
    assert_eq!(finish(child).status, 0);
    sink.becomes("hello q and q q q q q");
    hand.nothing_is_down();
}

#[test]
fn a_modifier_that_is_pressed_meanwhile_fires_no_shortcut() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let hand = Hand::new(&display);
    let slow = json!({"backend": "visual_anchor", "action": "type_text", "params": {"text": "abcdefghijklmnopqrst", "interval_ms": 60}});
    let place = steps(&[slow]);
    let child = start(&display, &place);
    eventually("some of the text", || (sink.text().len() > 4).then_some(()));
    hand.press(CONTROL);
    assert_eq!(finish(child).status, 0);
    sink.becomes("abcdefghijklmnopqrst");
    hand.release(CONTROL);
    hand.nothing_is_down();
}

#[test]
fn line_ends_tabs_and_control_characters() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    run(&display, &typing("a\r\nb\tc\rd\n"), 0);
    sink.becomes("a\nb\tc\nd\n");
    for text in [r"x\u001by", r"x\u0000y", r"x\u007fy"] {
        let place = Place::new().file("m.yaml", typing("TEXT").read("m.yaml").replace("TEXT", text));
        let outcome = display.call(&place, &["run", "m.yaml", "--json"]).status(3);
        assert!(outcome.stdout.contains("control character"), "{outcome:#?}");
        let computed = place.read("m.yaml").replace(text, "${t}");
        let place = Place::new().file("m.yaml", computed.replacen('{', r#"{"parameters": {"t": "string"}, "#, 1));
        let value = format!("t={}", serde_json::from_str::<String>(&format!("\"{text}\"")).unwrap());
        if !value.contains('\0') {
            let outcome = display.call(&place, &["run", "m.yaml", "--json", "--param", &value]).status(1);
            assert!(outcome.stdout.contains("control character"), "{outcome:#?}");
        }
    }
    run(&display, &typing("x\u{200b}y e\u{301}"), 0);
    sink.becomes("a\nb\tc\nd\nx\u{200b}y e\u{301}");
}

#[test]
fn a_long_text_arrives_whole() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let line = "The quick brown fox jumps over 13 lazy dogs; (all) of {them}!\n";
    let text: String = line.repeat(5000 / line.len() + 1).chars().take(5000).collect();
    run(&display, &typing(&text), 0);
    sink.becomes(&text);
}

#[test]
fn more_foreign_characters_than_spare_keys() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let before = display.keymap();
    let text: String = (0x4e00u32..0x4e00 + 150).filter_map(char::from_u32).chain("The end, аб".chars()).collect();
    run(&display, &typing(&text), 0);
    sink.becomes(&text);
    assert_eq!(display.keymap(), before);
}

#[test]
fn without_spare_keys_nothing_foreign_is_typed() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let spare: Vec<String> = display
        .keymap()
        .lines()
        .filter(|line| line.trim_end().ends_with('='))
        .map(|line| format!("{} a", line.trim_end()))
        .collect();
    assert!(!spare.is_empty());
    for line in &spare {
        assert!(display.command("xmodmap").args(["-e", line]).status().unwrap().success());
    }
    let document = run(&display, &typing("ab é"), 1);
    assert!(document["error"].as_str().unwrap().contains("spare key"), "{document:#}");
    run(&display, &typing("ok"), 0);
    sink.becomes("ok");
}

#[test]
fn the_last_characters_arrive() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let before = display.keymap();
    let (foreign, own) = (typing("é"), typing("z"));
    let mut whole = String::new();
    for _ in 0..25 {
        run(&display, &foreign, 0);
        run(&display, &own, 0);
        whole.push_str("éz");
        sink.becomes(&whole);
        assert_eq!(display.keymap(), before);
    }
}

#[test]
fn all_of_a_text_goes_to_the_window_that_was_focused() {
    let mut display = Display::new();
    let first = sink(&mut display);
    let second = Sink::text_field(&mut display, "Second", "300x200+500+20");
    second.has_focus();
    let focus =
        |title: &str| json!({"backend": "semantic_ui", "action": "focus_window", "params": {"title_contains": title}});
    let text = "0123456789".repeat(20);
    let typing = json!({"backend": "visual_anchor", "action": "type_text", "params": {"text": text, "interval_ms": 0}});
    let chord = json!({"backend": "visual_anchor", "action": "hotkey", "params": {"keys": "ctrl+a"}});
    run(&display, &steps(&[focus("Sink"), focus("Second"), typing, focus("Sink"), chord]), 0);
    second.becomes(&text);
    assert_eq!(first.text(), "");
    eventually("the chord", || presses(&first).contains(&("a".to_owned(), 4)).then_some(()));
}

#[test]
fn the_window_that_takes_the_keyboard_is_named() {
    let mut display = Display::new();
    let first = sink(&mut display);
    let text = "abcdefghij".repeat(20);
    let slow = json!({"backend": "visual_anchor", "action": "type_text", "params": {"text": text, "interval_ms": 40}});
    let place = steps(&[slow]);
    let child = start(&display, &place);
    eventually("some of the text", || (first.text().len() > 5).then_some(()));
    let thief = Sink::text_field(&mut display, "The thief", "300x200+500+20");
    let document = finish(child).json();
    let error = document["error"].as_str().unwrap();
    assert!(error.contains("`The thief`") && error.contains("`Sink`") && error.contains("of 200"), "{error}");
    let there = first.text();
    assert!(text.starts_with(&there) && error.contains(&format!("when {} of", there.len())), "{error}: {there}");
    assert_eq!(thief.text(), "");
}

#[test]
fn nothing_is_typed_when_no_window_has_the_keyboard() {
    let display = Display::new();
    let document = run(&display, &typing("lost"), 1);
    assert!(document["error"].as_str().unwrap().contains("no window has the keyboard"), "{document:#}");
}

#[test]
fn a_signal_leaves_no_key_down_and_the_map_as_it_was() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let hand = Hand::new(&display);
    let before = display.keymap();
    let text = format!("{} ÄÖÜ äöü Привет SHOUT", "ÀÁÂ".repeat(10)).repeat(40);
    let place = typing(&text);
    for round in 0..25u64 {
        let child = start(&display, &place);
        // Moments that are spread, and the same in every run.
        thread::sleep(Duration::from_millis(20 + round * 7919 % 400));
        send(&child, Signal::TERM);
        let outcome = finish(child);
        // -1: it came before the run began.
        assert!([-1, 0, 143].contains(&outcome.status), "{outcome:#?}");
        let after = display.keymap();
        let changed: Vec<_> = after.lines().zip(before.lines()).filter(|(after, before)| after != before).collect();
        assert!(changed.is_empty(), "round {round}: {changed:?}, {outcome:?}");
        hand.nothing_is_down();
    }
    // What arrived is the beginning of the text, each time.
    run(&display, &pressing(&["x"]), 0);
    eventually("the last key", || sink.text().ends_with('x').then_some(()));
    let mut rest = sink.text();
    rest.pop();
    let reached = made_of_beginnings(&rest, &text);
    let tail: String = rest.chars().skip(reached.saturating_sub(40)).take(80).collect();
    assert_eq!(reached, rest.chars().count(), "…{tail}…");
}

#[test]
fn what_a_killed_run_left_is_put_back_by_the_next() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let before = display.keymap();
    let hand = Hand::new(&display);
    hand.tap(CAPS_LOCK);
    let slow = json!({"backend": "visual_anchor", "action": "type_text", "params": {"text": "é€".repeat(200), "interval_ms": 50}});
    let place = steps(&[slow]);
    let child = start(&display, &place);
    eventually("some of the text", || (!sink.text().is_empty()).then_some(()));
    send(&child, Signal::KILL);
    finish(child);
    assert_ne!(display.keymap(), before);
    run(&display, &typing("a"), 0);
    assert_eq!(display.keymap(), before);
    assert_eq!(hand.locks().modifiers, 2);
    eventually("the next run's key", || sink.text().ends_with('a').then_some(()));
}

/// How many characters of a text are beginnings of another, one after the other.
fn made_of_beginnings(text: &str, whole: &str) -> usize {
    let (text, whole): (Vec<char>, Vec<char>) = (text.chars().collect(), whole.chars().collect());
    // Where a beginning could end; the text repeats itself, so there are several such places.
    let mut ends = vec![false; text.len() + 1];
    ends[0] = true;
    let mut reached = 0;
    for start in 0..text.len() {
        if !ends[start] {
            continue;
        }
        let same = text[start..].iter().zip(&whole).take_while(|(found, wanted)| found == wanted).count();
        ends[start..=start + same].fill(true);
        reached = reached.max(start + same);
    }
    reached
}

/// Waits until the window of this title is the active one.
fn focused(display: &Display, title: &str) {
    eventually("the focus", || {
        let active = display.output("xprop", &["-root", "_NET_ACTIVE_WINDOW"]);
        let id = active.rsplit(' ').next()?.trim().to_owned();
        let name = display.output("xprop", &["-id", &id, "WM_NAME"]);
        name.contains(&format!("\"{title}\"")).then_some(())
    });
}

/// What a program prints until it ends.
fn finish_quietly(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}
