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
