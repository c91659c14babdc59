//! The pointer, on a Tk canvas that keeps what reaches it.

use serde_json::{Value, json};

use crate::display::{Display, Hand, Sink};
use crate::harness::Place;
use crate::witness::eventually;

fn steps(steps: &[(&str, Value)]) -> Place {
    let step = |(number, (action, params)): (usize, &(&str, Value))| json!({"id": format!("s{number}"), "backend": "visual_anchor", "action": action, "params": params});
    let steps: Vec<Value> = steps.iter().enumerate().map(step).collect();
    Place::new().file("m.yaml", json!({"name": "m", "version": "1", "steps": steps}).to_string())
}

fn run(display: &Display, place: &Place, status: i32) -> Value {
    display.call(place, &["run", "m.yaml", "--json"]).status(status).json()
}

/// A canvas at the left top of the screen, without a window manager, so that its pixels are those of the screen.
fn canvas() -> (Display, Sink) {
    let options = crate::display::Options { window_manager: false, ..crate::display::Options::default() };
    let mut display = Display::with(options);
    let sink = Sink::canvas(&mut display, "Canvas", "1000x700+0+0");
    (display, sink)
}

fn drag(button: &str, duration_ms: i64, to: (i64, i64)) -> (&'static str, Value) {
    let params =
        json!({"from_x": 100, "from_y": 100, "to_x": to.0, "to_y": to.1, "button": button, "duration_ms": duration_ms});
    ("drag", params)
}

/// Waits for the release of a button and returns what came since the press: presses, motions in between, releases.
fn gesture(sink: &Sink) -> (Vec<Value>, Vec<Value>, Vec<Value>) {
    eventually("a release", || (!sink.events(&["ButtonRelease"]).is_empty()).then_some(()));
    let all = sink.events(&["ButtonPress", "Motion", "ButtonRelease"]);
    let press = all.iter().position(|event| event["type"] == "ButtonPress").unwrap();
    let release = all.iter().rposition(|event| event["type"] == "ButtonRelease").unwrap();
    let of = |kind: &str| all.iter().filter(|event| event["type"] == kind).cloned().collect::<Vec<Value>>();
    let moves = all[press..release].iter().filter(|event| event["type"] == "Motion").cloned().collect();
    (of("ButtonPress"), moves, of("ButtonRelease"))
}

fn at(event: &Value) -> (i64, i64) {
    (event["x"].as_i64().unwrap(), event["y"].as_i64().unwrap())
}

#[test]
fn a_drag_holds_its_button_all_the_way() {
    let (display, sink) = canvas();
    let document = run(&display, &steps(&[drag("right", 400, (300, 200))]), 0);
    assert_eq!(document["steps"][0]["output"]["dragged_to"], json!([300, 200]));
    let (presses, moves, releases) = gesture(&sink);
    assert_eq!((presses.len(), releases.len()), (1, 1));
    assert_eq!((&presses[0]["button"], &releases[0]["button"]), (&json!(3), &json!(3)));
    assert_eq!((at(&presses[0]), at(&releases[0])), ((100, 100), (300, 200)));
    assert!(moves.len() >= 5, "{moves:?}");
    // X11's mask of button 3.
    assert!(moves.iter().all(|event| event["state"].as_u64().unwrap() & 1024 != 0));
    assert_eq!(at(moves.last().unwrap()), (300, 200));
    let took = releases[0]["time"].as_i64().unwrap() - presses[0]["time"].as_i64().unwrap();
    assert!((395..5000).contains(&took), "{took}");
}

#[test]
fn a_drag_without_a_duration_moves_all_the_same() {
    let (display, sink) = canvas();
    run(&display, &steps(&[drag("left", 0, (300, 200))]), 0);
    let (presses, moves, releases) = gesture(&sink);
    assert_eq!((presses.len(), releases.len()), (1, 1));
    // The canvas may join motions that wait, as toolkits do; the last one stays.
    let far = |event: &Value| (at(event).0 - 100).abs().max((at(event).1 - 100).abs()) > 8;
    assert!(moves.iter().any(far), "{moves:?}");
    assert_eq!(at(moves.last().unwrap()), (300, 200));
}

#[test]
fn a_drag_to_where_it_began() {
    let (display, sink) = canvas();
    run(&display, &steps(&[drag("middle", 0, (100, 100))]), 0);
    let (presses, _, releases) = gesture(&sink);
    assert_eq!((presses.len(), releases.len()), (1, 1));
    assert_eq!((&presses[0]["button"], at(&releases[0])), (&json!(2), (100, 100)));
}

#[test]
fn a_misspelt_button_does_not_compile() {
    let (display, _) = canvas();
    let document = run(&display, &steps(&[drag("midle", 0, (300, 200))]), 3);
    assert!(document.to_string().contains("middle"), "{document:#}");
}

#[test]
fn off_screen_fails_and_moves_nothing() {
    let (display, sink) = canvas();
    let hand = Hand::new(&display);
    run(&display, &steps(&[("move_to", json!({"x": 40, "y": 50}))]), 0);
    for (x, y) in [(5000, 10), (-1, 5), (1280, 0), (0, 800)] {
        for place in [
            steps(&[("move_to", json!({"x": x, "y": y}))]),
            steps(&[("drag", json!({"from_x": 10, "from_y": 10, "to_x": x, "to_y": y}))]),
        ] {
            let document = run(&display, &place, 1);
            let error = document["error"].as_str().unwrap();
            assert!(error.contains("outside") && error.contains("1280x800"), "{error}");
            assert_eq!(hand.pointer(), (40, 50));
        }
    }
    run(&display, &steps(&[("move_to", json!({"x": 1279, "y": 799}))]), 0);
    assert_eq!(hand.pointer(), (1279, 799));
    assert!(sink.events(&["ButtonPress"]).is_empty());
}

#[test]
fn what_no_monitor_shows_is_off_screen() {
    let options = crate::display::Options { window_manager: false, ..crate::display::Options::default() };
    let display = Display::with(options);
    for (name, area, output) in [("L", "640/170x500/130+0+0", "screen"), ("R", "640/170x800/210+640+0", "none")] {
        let status = display.command("xrandr").args(["--setmonitor", name, area, output]).status().unwrap();
        assert!(status.success());
    }
    let hand = Hand::new(&display);
    run(&display, &steps(&[("move_to", json!({"x": 1000, "y": 700}))]), 0);
    let document = run(&display, &steps(&[("move_to", json!({"x": 100, "y": 700}))]), 1);
    assert!(document["error"].as_str().unwrap().contains("outside"), "{document:#}");
    assert_eq!(hand.pointer(), (1000, 700));
}

#[test]
fn the_wheel_turns_both_ways() {
    let (display, sink) = canvas();
    let place = steps(&[
        ("move_to", json!({"x": 50, "y": 60})),
        ("scroll", json!({"dx": 2, "dy": -3})),
        ("scroll", json!({"dx": -1, "dy": 1})),
    ]);
    let document = run(&display, &place, 0);
    assert_eq!(document["steps"][1]["output"]["scrolled_at"], json!([50, 60]));
    let all = eventually("notches", || Some(sink.events(&["ButtonPress"])).filter(|all| all.len() >= 7));
    // Tk shows the wheel to the sides as the other one with Shift.
    let notch = |event: &Value| (event["button"].as_u64().unwrap(), event["state"].as_u64().unwrap() & 1 == 1);
    let (up, down, left, right) = ((4, false), (5, false), (4, true), (5, true));
    assert_eq!(all.iter().map(notch).collect::<Vec<_>>(), [down, down, down, right, right, up, left]);
}

#[test]
fn exchanged_buttons_are_found() {
    let (display, sink) = canvas();
    let mapped = display.command("xmodmap").args(["-e", "pointer = 3 2 1"]).status().unwrap();
    assert!(mapped.success());
    run(&display, &steps(&[drag("left", 0, (300, 200))]), 0);
    let (presses, _, _) = gesture(&sink);
    assert_eq!(presses[0]["button"], 1);
}

fn click(double: bool) -> (&'static str, Value) {
    ("click_relative", json!({"window_title": "", "x_pct": 0.25, "y_pct": 0.25, "double": double}))
}

#[test]
fn clicks_of_two_runs_stay_apart_too() {
    let (display, sink) = canvas();
    run(&display, &steps(&[click(false)]), 0);
    run(&display, &steps(&[click(true)]), 0);
    run(&display, &steps(&[click(false)]), 0);
    assert_eq!(clicks(&sink, 4), (1, 0));
}

/// How many double and triple clicks the canvas has seen, when it has seen this many presses.
fn clicks(sink: &Sink, presses: usize) -> (usize, usize) {
    eventually("presses", || (sink.events(&["ButtonRelease"]).len() >= presses).then_some(()));
    // Tk tells of each press as the most that it is.
    let [single, double, triple] = ["ButtonPress", "Double", "Triple"].map(|kind| sink.events(&[kind]).len());
    assert_eq!(single + double + triple, presses);
    (double, triple)
}

#[test]
fn a_double_click_is_one_and_clicks_stay_apart() {
    let (display, sink) = canvas();
    run(&display, &steps(&[click(true)]), 0);
    assert_eq!(clicks(&sink, 2), (1, 0));
    // Another button ends what the canvas could go on counting.
    run(&display, &steps(&[drag("right", 0, (300, 200)), click(false), click(false), click(false)]), 0);
    assert_eq!(clicks(&sink, 6), (1, 0));
    run(&display, &steps(&[drag("right", 0, (300, 200)), click(false), click(true), click(false)]), 0);
    assert_eq!(clicks(&sink, 11), (2, 0));
}
