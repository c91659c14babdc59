//! Two runs and one display: they take turns.

use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::display::{Display, Sink};
use crate::harness::{Place, finish};
use crate::witness::{MACROCLI, eventually, send};

fn typing(text: &str, more: &Value) -> Value {
    let mut step = json!({"id": "t", "backend": "visual_anchor", "action": "type_text", "params": {"text": text, "interval_ms": 20}});
    step.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    step
}

fn place(steps: &[Value]) -> Place {
    Place::new().file("m.yaml", json!({"name": "m", "version": "1", "steps": steps}).to_string())
}

fn sink(display: &mut Display) -> Sink {
    let sink = Sink::text_field(display, "Sink", "400x300+20+20");
    sink.has_focus();
    sink
}

#[test]
fn two_runs_take_turns() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let (one, other) = ("aé".repeat(30), "bß".repeat(30));
    let places = [place(&[typing(&one, &json!({}))]), place(&[typing(&other, &json!({}))])];
    let children = places.each_ref().map(|place| display.call(place, &["run", "m.yaml", "--json"]).start());
    for child in children {
        assert_eq!(finish(child).status, 0);
    }
    let text = eventually("both texts", || Some(sink.text()).filter(|text| text.chars().count() == 120));
    assert!([format!("{one}{other}"), format!("{other}{one}")].contains(&text), "{text}");
}

#[test]
fn the_run_in_the_way_is_named() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let holder = place(&[typing(&"x".repeat(2000), &json!({}))]);
    let child = display.call(&holder, &["run", "m.yaml", "--json"]).start();
    eventually("a first key", || (!sink.text().is_empty()).then_some(()));
    let waiting = place(&[typing("never", &json!({"timeout_ms": 300}))]);
    let document = display.call(&waiting, &["run", "m.yaml", "--json"]).status(5).json();
    let error = document["error"].as_str().unwrap();
    assert!(error.contains(&format!("process {}", child.id())), "{error}");
    // A run that is killed is in nobody's way.
    send(&child, Signal::KILL);
    finish(child);
    let last = place(&[typing("!", &json!({}))]);
    display.call(&last, &["run", "m.yaml", "--json"]).status(0);
    eventually("the last key", || sink.text().ends_with('!').then_some(()));
    thread::sleep(Duration::from_millis(50));
    assert!(!sink.text().contains('n'));
}

#[test]
fn a_run_inside_a_run_does_not_wait_for_it() {
    let mut display = Display::new();
    let sink = sink(&mut display);
    let inner = json!({"name": "inner", "version": "1", "steps": [typing("inner", &json!({}))]}).to_string();
    let command = json!({"id": "c", "action": "run_command", "params": {"command": [MACROCLI, "run", "inner.yaml", "--json"], "capture_stdout": true}});
    let outer = place(&[typing("outer", &json!({})), command]).file("inner.yaml", inner);
    let document = display.call(&outer, &["run", "m.yaml", "--json"]).run().json();
    assert_eq!(document["success"], false, "{document:#}");
    assert!(document.to_string().contains("which started this run"), "{document:#}");
    sink.becomes("outer");
}
