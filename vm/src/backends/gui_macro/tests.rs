use std::time::{Duration, Instant};

use spec::action::{Action, arguments, outputs};
use spec::artifact::{Event, EventKind, Stream};
use spec::value::Value;

use crate::backends::gui_macro::fake::Fake;
use crate::backends::gui_macro::replay::replay;
use crate::failure::{Failure, FailureKind};
use crate::locate::{Locator, Scene};
use crate::process::Interrupt;
use crate::stop::Stop;
use crate::world::{Call, Warnings};

fn event(at_ms: u64, step: u32, kind: EventKind) -> Event {
    Event { at_us: at_ms * 1000, kind, button: 0, modifiers: 0, x: 0, y: 0, value: 0, text: 0, step, duration_ms: 0 }
}

fn at(at_ms: u64, step: u32, x: i32, y: i32) -> Event {
    Event { x, y, ..event(at_ms, step, EventKind::Move) }
}

fn stream(events: Vec<Event>) -> Stream {
    let steps = events.last().map_or(0, |event| event.step + 1);
    Stream { path: "r.json".to_owned(), steps, events, ..Stream::default() }
}

struct Outcome {
    done: Result<outputs::Replay, Failure>,
    notes: Vec<String>,
    warnings: Vec<String>,
}

fn given(pairs: &[(&str, Value)]) -> arguments::Replay {
    let mut values = vec![None; Action::Replay.parameters().len()];
    values[0] = Some(Value::String("r.json".to_owned()));
    for (name, value) in pairs {
        values[Action::Replay.parameter(name).unwrap().0] = Some(value.clone());
    }
    arguments::Replay::read(values).unwrap()
}

fn run(stream: &Stream, pairs: &[(&str, Value)]) -> Outcome {
    run_on(Fake::default(), stream, pairs, Interrupt::new().unwrap())
}

fn run_on(mut fake: Fake, stream: &Stream, pairs: &[(&str, Value)], interrupt: Interrupt) -> Outcome {
    let warnings = Warnings::default();
    let call = Call {
        remaining: Duration::from_secs(60),
        interrupt: &interrupt,
        streams: std::slice::from_ref(stream),
        images: &[],
        warnings: &warnings,
        macro_name: "m",
        step: "s",
    };
    let (locator, stop) = (Locator::new(None), Stop::new(&call));
    let mut scene = Scene { desktop: &mut fake, locator: &locator, stop: &stop, call: &call };
    let done = replay(&mut scene, &given(pairs));
    Outcome { done, notes: fake.notes, warnings: warnings.into_list() }
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

#[test]
fn events_go_out_in_order_and_those_of_one_moment_together() {
    let recording = stream(vec![
        at(0, 0, 3, 4),
        Event { button: 1, ..event(0, 0, EventKind::ButtonDown) },
        Event { button: 1, ..event(0, 0, EventKind::ButtonUp) },
        Event { value: 0x41, ..event(5, 1, EventKind::Chord) },
        Event { value: 0x73, modifiers: 1, ..event(5, 1, EventKind::Chord) },
        Event { value: 0xffe3, ..event(5, 2, EventKind::KeyDown) },
        Event { x: 1, y: -2, ..event(5, 3, EventKind::Scroll) },
        event(9, 4, EventKind::Sleep),
    ]);
    let outcome = run(&recording, &[]);
    let expected = [
        "take",
        "rest",
        "move 3 4",
        "Left Down",
        "Left Up",
        "flush",
        "tap A",
        "chord ctrl+s",
        "rest",
        "key ffe3 Down",
        "scroll 1 -2",
        "flush",
        "sync",
        "release",
    ];
    assert_eq!(outcome.notes, expected);
    let done = outcome.done.unwrap();
    assert_eq!((done.steps_executed, done.macro_file.as_str()), (5, "r.json"));
    assert_eq!(done.timing.get("events"), Some(&Value::Integer(7)));
    assert_eq!(outcome.warnings, [""; 0]);
}

#[test]
fn time_is_scaled_and_starts_again_after_a_text() {
    let recording = Stream {
        texts: vec!["hi".to_owned()],
        ..stream(vec![
            Event { text: 1, ..event(200, 0, EventKind::Text) },
            at(300, 1, 1, 1),
            event(400, 2, EventKind::Sleep),
        ])
    };
    let began = Instant::now();
    assert_eq!(run(&recording, &[("speed", Value::Float(4.0))]).done.unwrap().steps_executed, 3);
    assert!(began.elapsed() >= Duration::from_millis(150));
    assert!(began.elapsed() < Duration::from_secs(30));
}

#[test]
fn blanks_are_filled_by_the_step() {
    let recording = Stream {
        texts: vec!["plain".to_owned()],
        blanks: vec!["${a}".to_owned(), "${b}".to_owned()],
        ..stream(vec![
            Event { text: 3, ..event(0, 0, EventKind::Text) },
            Event { text: 1, ..event(0, 1, EventKind::Text) },
            Event { text: 2, ..event(0, 2, EventKind::Text) },
        ])
    };
    let texts = |list: &[&str]| [("texts", Value::List(list.iter().map(|one| text(one)).collect()))];
    assert_eq!(run(&recording, &texts(&["one", "two"])).notes[1..4], ["type two", "type plain", "type one"]);
    let failure = run(&recording, &texts(&["one"])).done.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Corrupt);
    let mut recording = recording;
    recording.events[0].kind = EventKind::WaitWindow;
    let outcome = run(&recording, &texts(&["one", ""]));
    assert_eq!(outcome.done.unwrap_err().message, "step 0 of `r.json`: `title_contains` must not be empty");
    assert_eq!(outcome.notes, [""; 0]);
}

#[test]
fn what_does_not_fit_the_screen_fails_before_the_first_event() {
    let outcome = run(&stream(vec![at(0, 0, 1, 1), at(0, 1, 1280, 799)]), &[]);
    let failure = outcome.done.unwrap_err();
    assert_eq!(failure.message, "step 1 of `r.json`: (1280, 799) is outside of the screen, which has 1280x800 pixels");
    assert_eq!(outcome.notes, [""; 0]);
    let large = Stream { screen: (1920, 1080), ..stream(vec![at(0, 0, 100, 100)]) };
    let outcome = run(&large, &[("layout_strict", Value::Boolean(true))]);
    assert!(outcome.done.unwrap_err().message.contains("1920x1080"));
    assert_eq!((outcome.notes.len(), outcome.warnings.len()), (0, 0));
    let outcome = run(&large, &[]);
    assert!(outcome.done.is_ok() && outcome.warnings[0].contains("places are not scaled"));
    assert_eq!(outcome.notes[1], "move 100 100");
    let outcome =
        run(&Stream { events: vec![at(0, 0, 1919, 1079)], ..large.clone() }, &[("scale", text("proportional"))]);
    assert!(outcome.done.is_ok() && outcome.warnings.is_empty());
    assert_eq!(outcome.notes[1], "move 1279 799");
}

#[test]
fn layouts_are_compared() {
    let with = |hash: &str| Stream { layout_hash: hash.to_owned(), ..stream(vec![at(0, 0, 1, 1)]) };
    let strict = [("layout_strict", Value::Boolean(true))];
    let other = run(&with("abc"), &strict).done.unwrap_err().message;
    let own = other.rsplit('`').nth(1).unwrap().to_owned();
    assert!(own.starts_with("l1-"), "{other}");
    assert!(run(&with(&own), &strict).done.is_ok());
    assert!(run(&with(""), &strict).done.is_ok());
    assert_eq!(run(&with("abc"), &[]).warnings.len(), 0);
    assert_eq!(run(&with("l1-0000000000000000"), &[]).warnings.len(), 1);
}

#[test]
fn a_signal_ends_it_with_nothing_held() {
    let events = (0..100).map(|step| at(u64::from(step), step, 1, 1)).collect();
    let interrupt = Interrupt::new().unwrap();
    let fake = Fake { signal: Some((20, interrupt.clone())), ..Fake::default() };
    let outcome = run_on(fake, &stream(events), &[], interrupt);
    let failure = outcome.done.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Interrupted(15));
    assert_eq!(outcome.notes.last().map(String::as_str), Some("release"));
    assert!(outcome.notes.len() < 40);
    let names: Vec<&str> = failure.partial.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["steps_executed", "timing"]);
}

#[test]
fn a_wait_that_is_not_met_names_its_step() {
    let wait = Event { text: 1, duration_ms: 30, value: 500, ..event(0, 0, EventKind::WaitFile) };
    let recording = Stream { texts: vec!["/nowhere/at/all".to_owned()], ..stream(vec![wait, at(0, 1, 1, 1)]) };
    let outcome = run(&recording, &[]);
    let failure = outcome.done.unwrap_err();
    assert_eq!(
        failure.message,
        "step 0 of `r.json`: timed out after 30 ms: waiting for the file `/nowhere/at/all`, which does not exist"
    );
    assert_eq!(failure.kind, FailureKind::Step);
    assert_eq!(outcome.notes, ["take", "sync", "release"]);
}
