//! What a vision model decides, on the pixels of a real window: where it clicks, and what is never done.

use serde_json::{Value, json};

use crate::display::{Art, Display, Hand, Options, Sink};
use crate::harness::Place;
use crate::model::{Model, Play, completion, decides, says};
use crate::witness::eventually;

/// A canvas that fills a screen of 2560x1440, without a window manager, so that its pixels are those of the screen.
fn canvas() -> (Display, Sink) {
    let mut display = Display::with(Options { size: (2560, 1440), window_manager: false, ..Options::default() });
    let sink = Sink::canvas(&mut display, "Canvas", "2560x1440+0+0");
    (display, sink)
}

fn step(params: Value) -> Place {
    let step = json!({"id": "s", "backend": "gui_agent", "action": "instruct", "params": params, "timeout": "40s"});
    Place::new().file("m.yaml", json!({"name": "m", "version": "1", "steps": [step]}).to_string())
}

fn run(display: &Display, model: &Model, place: &Place, status: i32) -> Value {
    model.call(display, place, &["run", "m.yaml", "--json"]).status(status).json()
}

fn done() -> Play {
    decides(json!({"action": "done"}))
}

/// The places of the clicks so far.
fn clicks(sink: &Sink) -> Vec<(i64, i64)> {
    let presses = sink.events(&["ButtonPress"]);
    presses.iter().map(|event| (event["x"].as_i64().unwrap(), event["y"].as_i64().unwrap())).collect()
}

/// Waits for one click more, at this place.
fn clicked(sink: &Sink, before: usize, at: (i64, i64)) {
    let all = eventually("a click", || Some(clicks(sink)).filter(|all| all.len() > before));
    assert_eq!((all.len(), all[before]), (before + 1, at));
}

#[test]
fn places_are_scaled_from_the_image_that_was_sent() {
    let (display, sink) = canvas();
    let place = step(json!({"description": "press the middle"}));
    for (reply, at) in [
        (json!({"action": "click", "x": 640, "y": 360}), (1280, 720)),
        (json!({"action": "click", "x": "512.0", "y": "10"}), (1024, 20)),
        (json!({"action": "click", "x": [10, 20]}), (20, 40)),
        (json!({"action": "click", "x": 1279, "y": 719, "button": null, "text": null}), (2558, 1438)),
    ] {
        let before = clicks(&sink).len();
        let model = Model::playing(vec![decides(reply), done()]);
        let document = run(&display, &model, &place, 0);
        clicked(&sink, before, at);
        let asked = model.asked();
        assert_eq!((asked.len(), asked[0].sizes()), (2, vec![(1280, 720)]));
        assert!(asked[0].words().contains("1280x720 pixels"), "{}", asked[0].words());
        assert!(asked[0].words().contains("press the middle"));
        let output = &document["steps"][0]["output"];
        assert_eq!((&output["done"], output["tries"].as_array().unwrap().len()), (&json!(true), 2));
        assert_eq!(
            output["tries"][0]["action"],
            json!({"action": "click", "x": at.0, "y": at.1, "button": "left", "taken": true})
        );
    }
}

#[test]
fn thousandths_count_only_when_they_are_declared() {
    let (display, sink) = canvas();
    let model = || Model::playing(vec![decides(json!({"action": "click", "x": 500, "y": 250})), done()]);
    run(&display, &model(), &step(json!({"description": "x", "coordinate_space": "normalized_1000"})), 0);
    clicked(&sink, 0, (1280, 360));
    run(&display, &model(), &step(json!({"description": "x"})), 0);
    clicked(&sink, 1, (1000, 500));
    let wrong = step(json!({"description": "x", "coordinate_space": "normalised"}));
    model().call(&display, &wrong, &["run", "m.yaml"]).status(3);
}

#[test]
fn what_is_around_the_answer_does_not_count() {
    let (display, sink) = canvas();
    let click = r#"{"action":"click","x":10,"y":20}"#;
    let tool = json!({"content": null, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "next_action", "arguments": click}}]});
    for play in [
        says(&format!("```json\n{click}\n```")),
        says(&format!("I think {{maybe}} so: {click} ok}}")),
        says(&format!("<think>{{\"action\":\"quit\"}}</think>{click}")),
        says("Here: {\"action\":\"click\",\"x\":10,\"y\":20,\"reason\":\"a } and ``` in it\"} ```"),
        says(&format!("[{click}]")),
        completion(tool, "tool_calls"),
    ] {
        let before = clicks(&sink).len();
        let model = Model::playing(vec![play, done()]);
        run(&display, &model, &step(json!({"description": "x"})), 0);
        clicked(&sink, before, (20, 40));
    }
}

#[test]
fn an_answer_that_is_not_clear_does_nothing() {
    let (display, sink) = canvas();
    let hand = Hand::new(&display);
    let pwn = std::env::temp_dir().join(format!("pwn-{}", std::process::id()));
    let pwn = pwn.to_str().unwrap();
    let keys = format!("{{\"action\":\"hotkey\",\"keys\":\"Return; touch {pwn}\"}}");
    let place = step(json!({"description": "x"}));
    let before = hand.pointer();
    for text in [
        r#"{"action":"click","x":10,"y":20} {"action":"click","x":30,"y":40}"#,
        "{“action”: “click”, “x”: 10, “y”: 20}",
        r#"{"action":"cl"#,
        r#"{"actions":[{"action":"click","x":10,"y":20},{"act"#,
        "click at (10, 20)",
        "",
        r#"{"action":"rm"}"#,
        r#"{"action":"click"}"#,
        r#"{"action":"click","x":10}"#,
        r#"{"action":"click","x":-5,"y":20}"#,
        r#"{"action":"click","x":99999,"y":20}"#,
        r#"{"action":"hotkey","keys":"ctrl+foo"}"#,
        &keys,
        r#"{"action":"type","text":null}"#,
        r#"{"action":"click","x":1,"y":1,"end_state_reached":"yes"}"#,
    ] {
        let model = Model::playing(vec![says(text)]);
        let document = run(&display, &model, &place, 1);
        let code = document["error_code"].as_str().unwrap();
        assert_eq!(code, "model_bad_reply", "{text}: {document:#}");
        assert_eq!(model.asked().len(), 1);
    }
    assert_eq!(hand.pointer(), before);
    assert!(sink.events(&["ButtonPress", "KeyPress", "Motion"]).is_empty());
    assert!(!std::path::Path::new(pwn).exists());
}

#[test]
fn every_action_reaches_the_window() {
    let mut display = Display::new();
    let sink = Sink::text_field(&mut display, "A field", "400x300+20+20");
    let place = step(json!({"description": "write", "window_title": "A field"}));
    let model = Model::playing(vec![
        decides(json!({"action": "click", "x": 100, "y": 200})),
        decides(json!({"action": "type", "text": "aé€Z {}"})),
        decides(json!({"action": "hotkey", "keys": "BackSpace"})),
        decides(json!({"action": "scroll", "x": 100, "y": 200, "dy": -2})),
        decides(json!({"action": "drag", "from_x": 60, "from_y": 150, "to_x": 300, "to_y": 250})),
        decides(json!({"action": "right_click", "x": 150, "y": 200})),
        decides(json!({"action": "double_click", "x": 200, "y": 200})),
        done(),
    ]);
    let document = run(&display, &model, &place, 0);
    sink.becomes("aé€Z {");
    let buttons: Vec<i64> = sink.events(&["ButtonPress"]).iter().filter_map(|event| event["button"].as_i64()).collect();
    assert_eq!(buttons, [1, 5, 5, 1, 3, 1], "{document:#}");
    // The second press of a double click is told as such.
    assert_eq!(sink.events(&["Double"]).len(), 1);
    // The screen that is sent is the one after the last action.
    let asked = model.asked();
    assert_ne!(asked[1].images(), asked[2].images());
    assert!(asked[7].words().contains("double_click"), "{}", asked[7].words());
}

#[test]
fn a_window_that_is_not_there_ends_the_step_before_a_question() {
    let display = Display::new();
    let model = Model::playing(vec![done()]);
    let document = run(&display, &model, &step(json!({"description": "x", "window_title": "No such window"})), 1);
    assert!(document["error"].as_str().unwrap().contains("No such window"));
    assert_eq!(model.asked().len(), 0);
}

#[test]
fn the_image_of_the_end_is_sent_with_the_screen() {
    let (display, _) = canvas();
    let place = step(json!({"description": "x", "end_state_snapshot": "end.png"}));
    place.write("end.png", Art::button([0, 120, 200]).png());
    let model = Model::playing(vec![decides(json!({"action": "done", "end_state_reached": true}))]);
    run(&display, &model, &place, 0);
    assert_eq!(model.asked()[0].sizes(), [(60, 24), (1280, 720)]);
}
