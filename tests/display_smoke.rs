//! The display of the tests itself, and that it is found.

use crate::display::{Display, Sink};
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
