//! The display of the tests itself, and that it is found.

use crate::display::{Display, Options, Sink};
use crate::harness::Place;

#[test]
fn a_display_has_windows_and_is_found() {
    let mut display = Display::with_bus();
    let sink = Sink::text_field(&mut display, "A sink", "400x300+20+20");
    assert_eq!(sink.text(), "");
    let place = Place::new();
    let document = display.call(&place, &["backends", "--json"]).status(0).json();
    assert_eq!(document["visual_anchor"]["available"], true, "{document:#}");
    assert!(display.keymap().contains("Return"));
}

#[test]
fn a_display_is_found_by_each_way_to_name_it() {
    let display = Display::with(Options { window_manager: false, ..Options::default() });
    let number = display.name.strip_prefix(':').unwrap();
    let step = "  - {id: s, backend: visual_anchor, action: move_to, params: {x: 5, y: 6}}\n";
    let place = Place::new().file("m.yaml", format!("name: m\nsteps:\n{step}"));
    for name in ["unix:N", "unix:N.0", "localhost:N", "localhost:N.0", ":N.0", "unix/:N", "unix:/tmp/.X11-unix/XN"] {
        let name = name.replace('N', number);
        place.call(&["run", "m.yaml", "--json"]).env("DISPLAY", &name).status(0);
    }
    let outcome = place.call(&["run", "m.yaml", "--json"]).env("DISPLAY", &format!(":{number}.7")).status(7);
    assert!(outcome.stdout.contains("it has no screen 7"), "{outcome:#?}");
    place.call(&["run", "m.yaml", "--json"]).env("DISPLAY", ":65535").status(7);
}

#[test]
fn a_limit_that_is_far_too_short_is_said_once() {
    let mut display = Display::new();
    Sink::text_field(&mut display, "A sink", "400x300+20+20");
    let place =
        Place::new().file("r.json", r#"{"steps": [{"type": "move", "x": 1, "y": 1}, {"type": "key", "key": "x"}]}"#);
    for (backend, action) in [
        ("visual_anchor", "hotkey, params: {keys: x}"),
        ("visual_anchor", "type_text, params: {text: 0123456789}"),
        ("visual_anchor", "click_relative, params: {x_pct: 0.5, y_pct: 0.5}"),
        ("semantic_ui", "wait_for_window, params: {title_contains: never}"),
        ("semantic_ui", "focus_window, params: {title_contains: sink}"),
        ("gui_macro", "replay, params: {macro_file: r.json}"),
    ] {
        let step = format!("  - {{id: s, backend: {backend}, action: {action}, timeout_ms: 1}}\n");
        place.write("m.yaml", format!("name: m\nsteps:\n{step}"));
        for _ in 0..5 {
            let document = display.call(&place, &["run", "m.yaml", "--json"]).run().json();
            let error = document["steps"][0]["error"].as_str().unwrap_or("timed out after 1 ms").to_owned();
            assert!(error.starts_with("timed out after 1 ms"), "{action}: {error}");
            assert_eq!(error.matches("timed out").count(), 1, "{action}: {error}");
        }
    }
}

#[test]
fn a_display_that_is_not_there_is_said_to_be() {
    let place = Place::new();
    let document = place.call(&["backends", "--json"]).env("DISPLAY", ":4095").status(0).json();
    let reason = document["gui_macro"]["reason"].as_str().unwrap();
    assert!(reason.contains("`:4095`"), "{reason}");
}

#[test]
fn a_display_that_does_not_answer_is_given_up_once_for_all() {
    // It takes calls and says nothing.
    let silent = (100..2000).find_map(|number| {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 6000 + number)).ok()?;
        Some((number, listener))
    });
    let (number, _listener) = silent.unwrap();
    let place = Place::new();
    let began = std::time::Instant::now();
    let document = place.call(&["backends", "--json"]).env("DISPLAY", &format!("127.0.0.1:{number}")).status(0).json();
    for backend in ["gui_macro", "visual_anchor", "semantic_ui"] {
        let reason = document[backend]["reason"].as_str().unwrap();
        assert!(reason.contains("does not answer"), "{backend}: {reason}");
    }
    // One wait of five seconds, and not one for each of them.
    assert!(began.elapsed() < std::time::Duration::from_secs(12), "{:?}", began.elapsed());
}
