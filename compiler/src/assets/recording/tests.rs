use proptest::prelude::*;
use spec::artifact::{Event, EventKind, FILE_ANY_AGE, FILE_NEWER, Stream};

use crate::assets::recording::read;
use crate::assets::recording::step_type::StepType;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::SourceMap;

fn run(bytes: &[u8]) -> (Option<Stream>, Vec<Diagnostic>, SourceMap) {
    let (mut texts, mut problems) = (SourceMap::default(), Diagnostics::default());
    texts.add("other", "text");
    let draft = read("r.json", bytes, &mut texts, &mut problems);
    (draft.map(|draft| draft.stream), problems.into_sorted(), texts)
}

fn stream(steps: &str) -> Stream {
    let (stream, problems, _) = run(format!("{{\"version\": 1, \"steps\": [{steps}]}}").as_bytes());
    assert_eq!(problems, []);
    stream.unwrap()
}

/// Time, kind, and the numbers a kind uses.
fn events(steps: &str) -> Vec<(u64, EventKind, i32, i32)> {
    let event = |event: &Event| match event.kind {
        EventKind::ButtonDown | EventKind::ButtonUp => (event.at_us, event.kind, i32::from(event.button), 0),
        EventKind::Chord | EventKind::KeyDown | EventKind::KeyUp => {
            (event.at_us, event.kind, event.value as i32, i32::from(event.modifiers))
        }
        EventKind::Move | EventKind::Scroll => (event.at_us, event.kind, event.x, event.y),
        EventKind::Text | EventKind::WaitFile | EventKind::WaitWindow | EventKind::WaitImage | EventKind::Sleep => {
            (event.at_us, event.kind, event.text as i32, event.duration_ms as i32)
        }
    };
    stream(steps).events.iter().map(event).collect()
}

/// What the mistakes say, each with the bytes it is about.
fn mistakes(text: &str) -> Vec<(String, String)> {
    let (stream, problems, texts) = run(text.as_bytes());
    assert_eq!(stream, None, "{text}");
    assert!(problems.iter().all(|problem| problem.code == Code::BadRecording), "{problems:?}");
    let shown = |problem: &Diagnostic| (texts.text(problem.span).to_owned(), problem.message.clone());
    problems.iter().map(shown).collect()
}

/// The one mistake in a step.
fn mistake(step: &str) -> (String, String) {
    let list = mistakes(&format!("{{\"screen_resolution\": \"1920x1080\", \"steps\": [{step}]}}"));
    assert_eq!(list.len(), 1, "{step}: {list:?}");
    list[0].clone()
}

#[test]
fn a_click_is_three_events_at_once_and_a_pause() {
    use EventKind::{ButtonDown, ButtonUp, Move, Sleep};
    assert_eq!(
        events(
            r#"{"type": "click", "x": 3, "y": 4}, {"type": "double_click", "x": 5, "y": 6.0, "button": "right", "delay_ms": 7},
               {"type": "down", "button": "middle", "delay_ms": 0}, {"type": "up"}"#
        ),
        [
            (0, Move, 3, 4),
            (0, ButtonDown, 1, 0),
            (0, ButtonUp, 1, 0),
            (100_000, Move, 5, 6),
            (100_000, ButtonDown, 3, 0),
            (100_000, ButtonUp, 3, 0),
            (100_000, ButtonDown, 3, 0),
            (100_000, ButtonUp, 3, 0),
            (107_000, ButtonDown, 2, 0),
            (107_000, ButtonUp, 1, 0),
            (207_000, Sleep, 0, 0),
        ]
    );
}

#[test]
fn waits_start_the_clock_again() {
    use EventKind::{Move, Sleep, WaitFile, WaitWindow};
    assert_eq!(
        events(
            r#"{"type": "move", "x": 0, "y": 0}, {"type": "wait_file", "path": "/a"}, {"type": "move", "x": 1, "y": 1},
               {"type": "sleep"}, {"type": "sleep", "ms": 20, "delay_ms": 5},
               {"type": "wait_window", "title_contains": "T", "timeout_ms": 9, "delay_ms": 30}"#
        ),
        [
            (0, Move, 0, 0),
            (100_000, WaitFile, 1, 5000),
            (0, Move, 1, 1),
            (600_000, Sleep, 0, 0),
            (620_000, Sleep, 0, 0),
            (625_000, WaitWindow, 2, 9),
            (30_000, Sleep, 0, 0),
        ]
    );
    assert_eq!(events(r#"{"type": "wait_file", "path": "/a"}"#), [(0, WaitFile, 1, 5000)]);
    assert_eq!(events(""), []);
}

#[test]
fn keys_are_keysyms_and_texts_stay() {
    use EventKind::{Chord, KeyDown, KeyUp, Sleep, Text};
    let found = events(
        r#"{"type": "key", "keys": "ctrl+shift+S", "delay_ms": 0}, {"type": "key", "key": "A", "delay_ms": 0},
           {"type": "key_down", "key": "ctrl", "delay_ms": 0}, {"type": "key_up", "key": "ctrl", "delay_ms": 0},
           {"type": "type", "text": "00420", "delay_ms": 0}, {"type": "type", "text": "${x} é\n", "delay_ms": 0},
           {"type": "type", "text": "00420", "delay_ms": 1}"#,
    );
    assert_eq!(
        found,
        [
            (0, Chord, 0x73, 9),
            (0, Chord, 0x41, 0),
            (0, KeyDown, 0xffe3, 0),
            (0, KeyUp, 0xffe3, 0),
            (0, Text, 1, 0),
            (0, Text, 2, 0),
            (0, Text, 1, 0),
            (1000, Sleep, 0, 0),
        ]
    );
}

#[test]
fn texts_with_expressions_are_blanks() {
    let found = stream(
        r#"{"type": "type", "text": "a ${x} \u00e9\n"}, {"type": "wait_file", "path": "${x}"}, {"type": "type", "text": "$${x}"},
           {"type": "wait_window", "title_contains": "${x}"}, {"type": "type", "text": "a ${x} é\n"}, {"type": "type", "text": "b"}"#,
    );
    assert_eq!(found.texts, ["${x}", "b"]);
    assert_eq!(found.blanks, ["a ${x} é\n", "${x}", "${x}"]);
    let texts: Vec<u32> = found.events.iter().map(|event| event.text).filter(|text| *text > 0).collect();
    assert_eq!(texts, [3, 4, 1, 5, 3, 2]);
}

#[test]
fn an_expression_has_its_place_whatever_is_escaped_before_it() {
    let text = r#"{"steps": [{"type": "type", "text": "\ud83d\ude00 é\t\u00e9 ${ 1 ? } b ${y"}]}"#;
    let (found, problems, texts) = run(text.as_bytes());
    assert_eq!(found, None);
    let shown = problems.iter().map(|problem| (problem.code, texts.text(problem.span)));
    assert_eq!(shown.collect::<Vec<_>>(), [(Code::BadExpression, "?"), (Code::BadExpression, "${")]);
}

#[test]
fn a_wait_for_a_file_says_when_it_is_done() {
    let wait = |more: &str| {
        let list = stream(&format!(r#"{{"type": "wait_file", "path": "/a"{more}}}"#)).events;
        (list[0].value, list[0].modifiers)
    };
    assert_eq!(wait(""), (500, 0));
    assert_eq!(wait(r#", "stable_ms": 0"#), (0, 0));
    assert_eq!(wait(r#", "newer_than_start": true"#), (500, FILE_NEWER));
    assert_eq!(wait(r#", "newer_than_start": false, "stable_ms": 9"#), (9, FILE_ANY_AGE));
}

#[test]
fn the_clock_starts_again_after_a_text() {
    use EventKind::{Move, Sleep, Text};
    let steps = r#"{"type": "move", "x": 0, "y": 0}, {"type": "type", "text": "a"}, {"type": "move", "x": 1, "y": 1}"#;
    assert_eq!(events(steps), [(0, Move, 0, 0), (100_000, Text, 1, 0), (100_000, Move, 1, 1), (200_000, Sleep, 0, 0)]);
}

#[test]
fn a_drag_moves_every_ten_milliseconds() {
    use EventKind::{ButtonDown, ButtonUp, Move, Scroll, Sleep};
    let drag = |to: i32, ms: u32| {
        events(&format!(
            r#"{{"type": "drag", "from_x": 10, "from_y": 20, "to_x": {to}, "to_y": 0, "duration_ms": {ms}, "delay_ms": 0}}"#
        ))
    };
    assert_eq!(
        drag(13, 25),
        [
            (0, Move, 10, 20),
            (0, ButtonDown, 1, 0),
            (10_000, Move, 11, 12),
            (20_000, Move, 12, 4),
            (25_000, Move, 13, 0),
            (25_000, ButtonUp, 1, 0),
        ]
    );
    for (ms, middle) in [(0, 0), (1, 500), (10, 5000)] {
        let end = u64::from(ms) * 1000;
        let moves = [(0, Move, 10, 20), (0, ButtonDown, 1, 0), (middle, Move, 8, 10), (end, Move, 6, 0)];
        assert_eq!(drag(6, ms)[..4], moves, "{ms}");
    }
    assert_eq!(drag(13, 20).len(), 5);
    assert!(drag(13, 86_400_000).len() <= 1_004);
    let found =
        stream(r#"{"type": "drag", "from_x": 0, "from_y": 0, "to_x": 9, "to_y": 9}, {"type": "scroll", "dy": -3}"#);
    assert_eq!((found.events[1].kind, found.events[1].duration_ms), (ButtonDown, 200));
    let last = &found.events[found.events.len() - 2..];
    assert_eq!((last[0].at_us, last[0].kind, last[0].x, last[0].y), (300_000, Scroll, 0, -3));
    assert_eq!((last[1].at_us, last[1].kind, last[1].step, found.steps), (400_000, Sleep, 1, 2));
}

#[test]
fn the_header_is_kept() {
    let text = "\u{feff}{\"version\": 1, \"screen_resolution\": \"1920x1080\", \"layout_hash\": \"h\", \"_by\": [1], \"x-a\": 2,
        \"steps\": [{\"type\": \"move\", \"x\": 1919, \"y\": 1079, \"_note\": null}]}";
    let (found, problems, _) = run(text.as_bytes());
    let found = found.unwrap();
    assert_eq!(problems, []);
    assert_eq!((found.screen, found.layout_hash.as_str(), found.steps), ((1920, 1080), "h", 1));
    assert_eq!(stream("").screen, (0, 0));
}

#[test]
fn the_file_must_be_a_recording() {
    let cases: [(&str, &str, &str); 14] = [
        ("", "", "the file is empty"),
        ("{\"steps\": [}", "}", "not valid JSON"),
        ("[]", "[]", "a recording is a mapping, found a list"),
        ("3", "3", "found a number"),
        ("{}", "{", "the recording: `steps` is missing"),
        ("{\"steps\": {}}", "{}", "`steps` must be a list, found a mapping"),
        ("{\"steps\": [], \"stps\": 1}", "\"stps\"", "unknown field `stps`"),
        ("{\"steps\": [], \"steps\": []}", "\"steps\"", "`steps` is there twice"),
        ("{\"steps\": [], \"version\": 2}", "2", "version `2` of recordings is not supported"),
        ("{\"steps\": [], \"version\": \"1\"}", "\"1\"", "`version` must be a whole number, found a text"),
        ("{\"steps\": [], \"screen_resolution\": \"1920\"}", "\"1920\"", "a width and a height, found `1920`"),
        ("{\"steps\": [], \"screen_resolution\": \"0x9\"}", "\"0x9\"", "a width and a height"),
        ("{\"steps\": [], \"layout_hash\": null}", "null", "`layout_hash` must be text, found null"),
        ("{\"steps\": [7]}", "7", "step 0 must be a mapping with `type`, found a number"),
    ];
    for (text, place, message) in cases {
        let list = mistakes(text);
        assert_eq!((list.len(), list[0].0.as_str()), (1, place), "{text}: {list:?}");
        assert!(list[0].1.contains(message), "{text}: {list:?}");
    }
    let (found, problems, _) = run(b"{\"steps\": [\xFF]}");
    assert_eq!((found, problems[0].span.start), (None, 11));
    assert!(problems[0].message.contains("not UTF-8"));
}

#[test]
fn every_mistake_in_a_step_has_its_place() {
    let cases: [(&str, &str, &str); 33] = [
        (r#"{"type": "clik"}"#, "\"clik\"", "unknown step type `clik`"),
        (r#"{"x": 1}"#, r#"{"x": 1}"#, "step 0: `type` is missing"),
        (r#"{"type": 3}"#, "3", "`type` must be text, found a number"),
        (r#"{"type": "click", "x": 10}"#, r#"{"type": "click", "x": 10}"#, "step 0 (`click`): `y` is missing"),
        (r#"{"type": "move", "x": 1, "y": 2, "z": 3}"#, "\"z\"", "unknown field `z`"),
        (r#"{"type": "move", "x": 1, "y": 2, "x": 3}"#, "\"x\"", "`x` is there twice"),
        (r#"{"type": "move", "x": "1", "y": 2}"#, "\"1\"", "`x` must be a whole number, found a text"),
        (r#"{"type": "move", "x": 1.5, "y": 2}"#, "1.5", "`x` must be a whole number, found `1.5`"),
        (r#"{"type": "move", "x": 1e999, "y": 2}"#, "1e999", "must be a whole number"),
        (r#"{"type": "move", "x": -1, "y": 2}"#, "-1", "`x` must be at least 0 pixels, found `-1`"),
        (
            r#"{"type": "move", "x": 1920, "y": 2}"#,
            "1920",
            "outside the screen of the recording, which is 1920 pixels wide",
        ),
        (r#"{"type": "move", "x": 1, "y": 1080}"#, "1080", "1080 pixels high"),
        (r#"{"type": "move", "x": 1, "y": null}"#, "null", "found null"),
        (r#"{"type": "click", "x": 1, "y": 2, "button": "lef"}"#, "\"lef\"", "`button` must be one of"),
        (r#"{"type": "up", "delay_ms": -5}"#, "-5", "`delay_ms` must be at least 0 milliseconds, found `-5`"),
        (r#"{"type": "sleep", "ms": 86400001}"#, "86400001", "at most 86400000"),
        (r#"{"type": "key"}"#, r#"{"type": "key"}"#, "`keys` is missing"),
        (r#"{"type": "key", "keys": "ctlr+s"}"#, "\"ctlr+s\"", "`keys`: unknown key `ctlr`"),
        (r#"{"type": "key", "keys": 4}"#, "4", "`keys` must be text"),
        (r#"{"type": "key", "keys": "a", "key": "b"}"#, "\"key\"", "`key` and `keys` mean the same"),
        (r#"{"type": "key_down", "key": "ctrl+s"}"#, "\"ctrl+s\"", "must be one key, found the chord `ctrl+s`"),
        (r#"{"type": "type"}"#, r#"{"type": "type"}"#, "`text` is missing"),
        (r#"{"type": "type", "text": "a\u0000"}"#, r#""a\u0000""#, "found U+0000 as character 2"),
        (r#"{"type": "type", "text": 420}"#, "420", "`text` must be text, found a number"),
        (r#"{"type": "scroll"}"#, r#"{"type": "scroll"}"#, "`dy` is missing"),
        (r#"{"type": "scroll", "dy": 10001}"#, "10001", "must be at most 10000 notches"),
        (r#"{"type": "wait_file"}"#, r#"{"type": "wait_file"}"#, "`path` is missing"),
        (r#"{"type": "wait_file", "path": ""}"#, "\"\"", "`path` must not be empty"),
        (
            r#"{"type": "wait_file", "path": "/a", "newer_than_start": "yes"}"#,
            "\"yes\"",
            "must be true or false, found a text",
        ),
        (r#"{"type": "wait_file", "path": "/a", "stable_ms": -1}"#, "-1", "`stable_ms` must be at least 0"),
        (r#"{"type": "wait_window", "title_contains": ""}"#, "\"\"", "`title_contains` must not be empty"),
        (r#"{"type": "wait_image", "template": "a", "confidence": 95}"#, "95", "above 0 and at most 1"),
        (r#"{"type": "wait_image", "template": "a", "confidence": 0}"#, "0", "above 0 and at most 1"),
    ];
    for (step, place, message) in cases {
        let found = mistake(step);
        assert_eq!(found.0, place, "{step}: {found:?}");
        assert!(found.1.contains(message), "{step}: {found:?}");
    }
}

#[test]
fn all_mistakes_come_in_one_run_and_with_help() {
    let text =
        r#"{"version": 3, "steps": [{"type": "clik"}, {"type": "drag", "to_x": -1, "button": 3}, [], {"typ": "up"}]}"#;
    let (_, problems, texts) = run(text.as_bytes());
    let places: Vec<&str> = problems.iter().map(|problem| texts.text(problem.span)).collect();
    let drag = r#"{"type": "drag", "to_x": -1, "button": 3}"#;
    assert_eq!(places, ["3", "\"clik\"", drag, drag, drag, "-1", "3", "[]", r#"{"typ": "up"}"#]);
    let help = problems[1].help.as_deref().unwrap();
    assert!(help.starts_with("did you mean `click`? allowed: `click`, `double_click`"), "{help}");
}

#[test]
fn a_coordinate_is_checked_against_a_screen_written_later() {
    let text = r#"{"steps": [{"type": "move", "x": 9, "y": 1}], "screen_resolution": "8x8"}"#;
    let (_, problems, texts) = run(text.as_bytes());
    assert_eq!(texts.text(problems[0].span), "9");
    assert_eq!(texts.text(problems[0].labels[0].span), "\"8x8\"");
}

#[test]
fn hostile_lengths_are_refused() {
    let steps = |step: &str, count: usize| format!("{{\"steps\": [{}]}}", vec![step; count].join(","));
    let list = mistakes(&steps("{}", 300));
    assert_eq!(list.len(), 101);
    assert_eq!(list[100].1, "200 further mistakes in this recording are not shown");
    let list = mistakes(&steps(r#"{"type":"sleep","ms":86400000}"#, 1_001));
    assert!(list[0].1.contains("1000 days"), "{list:?}");
    let list = mistakes(&steps(r#"{"type":"up"}"#, 10_001));
    assert_eq!(list[0].1, "a recording may have 10000 steps");
    let drag = r#"{"type":"drag","from_x":0,"from_y":0,"to_x":1,"to_y":1,"duration_ms":10000}"#;
    assert!(mistakes(&steps(drag, 50))[0].1.contains("40000 events"));
    let deep = format!("{{\"steps\": {}", "[".repeat(100_000));
    assert!(mistakes(&deep)[0].1.contains("deeper"));
}

fn json() -> impl Strategy<Value = String> {
    let fields = prop::sample::select(vec![
        "x",
        "y",
        "from_x",
        "from_y",
        "to_x",
        "to_y",
        "button",
        "keys",
        "key",
        "text",
        "ms",
        "path",
        "dx",
        "dy",
        "delay_ms",
        "timeout_ms",
        "duration_ms",
        "template",
        "title_contains",
        "confidence",
    ]);
    let values = prop_oneof![
        (-3i64..2_000_000).prop_map(|number| number.to_string()),
        prop::sample::select(vec![
            "\"left\"",
            "\"a\"",
            "\"ctrl+s\"",
            "0.5",
            "null",
            "[]",
            "1e400",
            "99999999999999999999"
        ])
        .prop_map(str::to_owned),
    ];
    let member = (fields, values).prop_map(|(field, value)| format!("\"{field}\": {value}"));
    let step =
        (prop::sample::select(StepType::NAMES), prop::collection::vec(member, 0..6)).prop_map(|(kind, members)| {
            let members: String = members.iter().map(|member| format!(", {member}")).collect();
            format!("{{\"type\": \"{kind}\"{members}}}")
        });
    prop::collection::vec(step, 0..8).prop_map(|steps| format!("{{\"steps\": [{}]}}", steps.join(", ")))
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let (found, problems, _) = run(&bytes);
        prop_assert_eq!(found.is_some(), problems.is_empty());
    }

    #[test]
    fn a_recording_has_either_mistakes_or_events_in_order(text in json()) {
        let (found, problems, texts) = run(text.as_bytes());
        prop_assert_eq!(found.is_some(), problems.is_empty(), "{:?}", problems);
        for problem in &problems {
            prop_assert!(!texts.text(problem.span).is_empty(), "{:?}", problem);
        }
        let mut last = (0, 0);
        for event in found.iter().flat_map(|stream| &stream.events) {
            prop_assert!(event.at_us >= last.0 && event.step >= last.1);
            last = (if event.kind.restarts_clock() { 0 } else { event.at_us }, event.step);
        }
    }
}
