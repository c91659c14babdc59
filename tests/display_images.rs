//! Images on the screen: found, waited for, clicked, and told of when they are not there.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::display::{Art, Display, Options, Painter, Shown, Sink};
use crate::harness::{Place, finish};
use crate::witness::{eventually, step, with};

const GREEN: [u8; 3] = [0, 120, 0];
/// As bright as [`GREEN`] is, in grey.
const RED: [u8; 3] = [236, 0, 0];

/// A macro of one action of `visual_anchor` that is called `see`, with one image beside it.
fn see(action: &str, params: &str, art: &Art) -> Place {
    with(&format!(
        "steps:\n  - {{id: see, backend: visual_anchor, action: {action}, params: {{template: t.png, {params}}}}}\n"
    ))
    .file("t.png", art.png())
}

fn bare() -> Display {
    Display::with(Options { window_manager: false, ..Options::default() })
}

/// A display of one colour, with something to see on it.
fn desk(display: &Display) -> Painter {
    let painter = Painter::new(display);
    painter.show(0, 0, &Art::plain(1280, 800, [236, 234, 230]));
    painter
}

/// The document of the run, which exits with `status`.
fn run(display: &Display, place: &Place, status: i32) -> Value {
    display.call(place, &["run", "m.yaml", "--json"]).status(status).json()
}

fn output(document: &Value) -> &Value {
    &step(document, "see")["output"]
}

#[test]
fn an_image_is_found_where_it_is() {
    let display = bare();
    let painter = desk(&display);
    let art = Art::button(GREEN);
    painter.show(700, 411, &art);
    let document = run(&display, &see("wait_image", "timeout_ms: 0, confidence: 1.0", &art), 0);
    assert_eq!(output(&document)["found_at"], json!([730, 423]));
    assert_eq!(output(&document)["match_score"], 1.0);
}

#[test]
fn an_image_too_large_for_the_screen_fails_at_once() {
    let display = bare();
    for (width, height) in [(1300, 10), (10, 900)] {
        let began = Instant::now();
        let place = see("wait_image", "timeout_ms: 20000", &Art::noise(width, height, 1));
        let document = run(&display, &place, 1);
        let error = document["error"].as_str().unwrap();
        assert!(error.contains(&format!("{width}x{height}")) && error.contains("1280x800"), "{error}");
        assert!(began.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn what_is_no_image_is_told_when_the_macro_is_built() {
    let mut huge = Art::plain(1, 1, GREEN).png();
    huge[16..24].copy_from_slice(&[0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60]);
    for bytes in [Vec::new(), b"hello".to_vec(), huge] {
        let place = see("click_image", "timeout_ms: 20000", &Art::plain(1, 1, GREEN)).file("t.png", bytes);
        place.call(&["check", "m.yaml"]).status(3).tells("`t.png`");
    }
}

#[test]
fn an_image_of_one_color_is_not_found_on_others() {
    let display = bare();
    let painter = desk(&display);
    let blue = Art::plain(20, 20, [0, 0, 255]);
    let place = see("wait_image", "timeout_ms: 0", &blue);
    let document = run(&display, &place, 1);
    assert!(document["error"].as_str().unwrap().contains("not on the screen"), "{document:#}");
    let square = painter.show(300, 200, &blue);
    let document = run(&display, &place, 0);
    assert_eq!(output(&document)["found_at"], json!([310, 210]));
    painter.hide(square);
    let odd = blue.with(7, 9, [255, 255, 255]);
    painter.show(500, 600, &odd);
    let document = run(&display, &see("wait_image", "timeout_ms: 0, confidence: 1.0", &odd), 0);
    assert_eq!(output(&document)["found_at"], json!([510, 610]));
}

#[test]
fn colors_are_told_apart() {
    let display = bare();
    let painter = desk(&display);
    painter.show(200, 300, &Art::button(RED));
    painter.show(600, 300, &Art::button([110, 110, 110]));
    let place = see("wait_image", "timeout_ms: 0, confidence: 0.9", &Art::button(GREEN));
    run(&display, &place, 1);
    painter.show(900, 300, &Art::button(GREEN));
    let document = run(&display, &place, 0);
    assert_eq!(output(&document)["found_at"], json!([930, 312]));
}

#[test]
fn a_confidence_of_one_takes_copies_only() {
    let display = bare();
    let painter = desk(&display);
    let art = Art::button(GREEN);
    let [red, green, blue] = art.at(30, 4);
    let near = painter.show(200, 300, &art.clone().with(30, 4, [red, green + 1, blue]));
    let place = see("wait_image", "timeout_ms: 0, confidence: 1.0", &art);
    run(&display, &place, 1);
    painter.hide(near);
    painter.show(200, 300, &art);
    let document = run(&display, &place, 0);
    assert_eq!(output(&document)["match_score"], 1.0);
}

#[test]
fn a_confidence_out_of_range_is_an_error_of_the_macro() {
    let art = Art::button(GREEN);
    for (confidence, told) in [
        ("95", "write 0.95"),
        ("\"95\"", "write 0.95"),
        ("0", "above 0"),
        ("-1", "above 0"),
        (".nan", "a number"),
        ("nan", "a number"),
        ("\"0,9\"", "write `0.9`"),
        ("1.0000001", "at most 1"),
    ] {
        let place = see("click_image", &format!("confidence: {confidence}"), &art);
        place.call(&["check", "m.yaml"]).status(3).tells("confidence").tells(told);
    }
    for confidence in ["\"0.9\"", "1", "1.0", "0.0001"] {
        see("click_image", &format!("confidence: {confidence}"), &art).call(&["check", "m.yaml"]).status(0);
    }
}

#[test]
fn an_image_is_found_at_every_depth() {
    for (depth, confidence) in [(16, 0.9), (30, 0.99), (8, 0.9)] {
        let display = Display::with(Options { size: (800, 600), depth, window_manager: false, bus: false });
        let painter = Painter::new(&display);
        let art = Art::button([200, 30, 90]);
        painter.show(401, 303, &art);
        let place = see("wait_image", &format!("timeout_ms: 0, confidence: {confidence}"), &art);
        let document = run(&display, &place, 0);
        assert_eq!(output(&document)["found_at"], json!([431, 315]), "depth {depth}");
    }
}

#[test]
fn an_image_of_another_scale_is_not_found_and_the_best_place_told() {
    let display = bare();
    let painter = desk(&display);
    let art = Art::button([200, 30, 90]);
    painter.show(600, 400, &art.scaled(2));
    let document = run(&display, &see("wait_image", "timeout_ms: 0", &art), 1);
    let (error, hint) = (document["error"].as_str().unwrap(), document["hint"].as_str().unwrap_or_default());
    assert!(error.contains("the best place, around (") && error.contains("0.85 is needed"), "{error}");
    assert!(hint.contains("scale") && hint.contains("1280x800"), "{document:#}");
    let best = output(&document);
    assert!(best["best_score"].as_f64().unwrap() < 0.85, "{best}");
    let x = best["best_at"][0].as_i64().unwrap();
    assert!((560..760).contains(&x), "{best}");
    let document = run(&display, &see("wait_image", "timeout_ms: 0", &art.scaled(2)), 0);
    assert_eq!(output(&document)["found_at"], json!([660, 424]));
}

/// Does something when the run has been waiting for a while.
fn meanwhile(display: &Display, place: &Place, status: i32, act: impl FnOnce()) -> Value {
    let child = display.call(place, &["run", "m.yaml", "--json"]).start();
    let pid = child.id();
    // It sleeps, so it waits; whatever it is at before that, the result is the same.
    let mut quiet = 0;
    eventually("a run that waits", || {
        thread::sleep(Duration::from_millis(20));
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        quiet = if stat.contains(") S ") { quiet + 1 } else { 0 };
        (quiet > 5).then_some(())
    });
    act();
    let outcome = finish(child);
    assert_eq!(outcome.status, status, "{outcome:#?}");
    outcome.json()
}

#[test]
fn a_wait_ends_when_the_image_comes() {
    let display = bare();
    let painter = desk(&display);
    let art = Art::button(GREEN);
    let place = see("wait_image", "timeout_ms: 60000", &art);
    let document = meanwhile(&display, &place, 0, || {
        // First a part of it, then the rest.
        painter.show(600, 500, &art.part(0, 0, 30, 24));
        painter.show(630, 500, &art.part(30, 0, 30, 24));
    });
    assert_eq!(output(&document)["found_at"], json!([630, 512]));
}

#[test]
fn a_wait_goes_on_while_the_screen_is_busy() {
    let display = bare();
    let painter = desk(&display);
    let art = Art::button(GREEN);
    let busy = painter.show(0, 0, &Art::noise(100, 100, 3));
    let place = see("wait_image", "timeout_ms: 60000", &art);
    let document = meanwhile(&display, &place, 0, || {
        for turn in 0..100 {
            painter.place(busy, turn % 50, turn % 40);
            thread::sleep(Duration::from_millis(2));
        }
        painter.show(1220, 776, &art);
    });
    assert_eq!(output(&document)["found_at"], json!([1250, 788]));
}

#[test]
fn a_wait_ends_when_the_image_goes() {
    let display = bare();
    let painter = desk(&display);
    let art = Art::button(GREEN);
    let shown: Shown = painter.show(100, 100, &art);
    let place = see("wait_gone", "timeout_ms: 60000", &art);
    let document = meanwhile(&display, &place, 0, || {
        // To another place, beside it, and away.
        painter.place(shown, 640, 400);
        painter.show(10, 10, &Art::noise(30, 30, 9));
        painter.hide(shown);
    });
    assert_eq!(output(&document)["gone"], true);
    assert!(output(&document)["waited_ms"].as_i64().unwrap() > 0);
    let document = run(&display, &place, 0);
    assert_eq!(output(&document)["gone"], true);
    painter.show(100, 100, &art);
    let document = run(&display, &see("wait_gone", "timeout_ms: 300", &art), 1);
    assert!(document["error"].as_str().unwrap().contains("still on the screen"), "{document:#}");
}

#[test]
fn a_timeout_is_kept_and_told_apart() {
    let display = bare();
    let _painter = desk(&display);
    let art = Art::noise(80, 30, 5);
    let began = Instant::now();
    let document = run(&display, &see("wait_image", "timeout_ms: 1000", &art), 1);
    assert_eq!(document["error_code"], "step_failed");
    assert!(began.elapsed() > Duration::from_millis(1000));
    let place = with(
        "steps:\n  - {id: see, backend: visual_anchor, action: wait_image, timeout: 1s, params: {template: t.png, timeout_ms: 60000}}\n",
    )
    .file("t.png", art.png());
    let document = run(&display, &place, 5);
    assert_eq!(document["error_code"], "timeout");
    assert!(document["error"].as_str().unwrap().contains("best place"), "{document:#}");
    assert!(began.elapsed() < Duration::from_secs(30));
}

/// User and system time of a process so far, in ticks of 10 ms.
fn ticks(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[test]
fn a_wait_costs_nothing_while_nothing_happens() {
    let display = bare();
    let painter = desk(&display);
    let art = Art::noise(80, 30, 5);
    let place = see("wait_image", "timeout_ms: 60000", &art);
    let child = display.call(&place, &["run", "m.yaml", "--json"]).start();
    thread::sleep(Duration::from_millis(1500));
    let before = ticks(child.id());
    thread::sleep(Duration::from_millis(3500));
    let spent = ticks(child.id()) - before;
    painter.show(300, 300, &art);
    assert_eq!(finish(child).status, 0);
    assert!(spent < 35, "{spent} ticks of 10 ms");
}

#[test]
fn what_no_monitor_shows_is_not_looked_at() {
    let display = bare();
    let painter = desk(&display);
    let art = Art::button(GREEN);
    painter.show(900, 100, &art);
    let place = see("wait_image", "timeout_ms: 0", &art);
    display.output("xrandr", &["--setmonitor", "L", "640/170x800/210+0+0", "screen"]);
    run(&display, &place, 1);
    display.output("xrandr", &["--setmonitor", "R", "640/170x800/210+640+0", "none"]);
    let document = run(&display, &place, 0);
    assert_eq!(output(&document)["found_at"], json!([930, 112]));
    // Across both.
    painter.show(610, 700, &Art::button(RED));
    let document = run(&display, &see("wait_image", "timeout_ms: 0", &Art::button(RED)), 0);
    assert_eq!(output(&document)["found_at"], json!([640, 712]));
}

#[test]
fn a_screen_may_change_its_size_during_a_wait() {
    let display = bare();
    let painter = desk(&display);
    let art = Art::button(GREEN);
    let xrandr = |words: &[&str]| display.output("xrandr", words);
    xrandr(&["--newmode", "small", "25", "640", "656", "752", "800", "480", "490", "492", "525"]);
    xrandr(&["--addmode", "screen", "small"]);
    let place = see("wait_image", "timeout_ms: 60000", &art);
    let document = meanwhile(&display, &place, 0, || {
        xrandr(&["--output", "screen", "--mode", "small"]);
        thread::sleep(Duration::from_millis(100));
        xrandr(&["--output", "screen", "--mode", "1280x800"]);
        painter.show(1200, 770, &art);
    });
    assert_eq!(output(&document)["found_at"], json!([1230, 782]));
}

#[test]
fn the_screen_of_a_failure_is_saved_with_the_best_place_drawn_in() {
    let display = bare();
    let painter = desk(&display);
    let art = Art::noise(40, 20, 5);
    let shown = Art::new(40, 20, |x, y| if x < 20 { art.at(x, y) } else { [90, 90, 90] });
    painter.show(500, 300, &shown);
    let place = see("wait_image", "timeout_ms: 0", &art);
    let call = || {
        let words = ["run", "m.yaml", "--json", "--save-failures", "seen/here"];
        display.call(&place, &words).status(1).json()
    };
    let document = call();
    let path = output(&document)["screenshot"].as_str().unwrap().to_owned();
    assert!(path.starts_with("seen/here/m-see-") && path.ends_with(".png"), "{path}");
    assert!(document["hint"].as_str().unwrap().contains(&path), "{document:#}");
    let picture = Art::read(&place.path(&path));
    assert_eq!((picture.width, picture.height), (1280, 800));
    assert_eq!(picture.at(500, 300), art.at(0, 0));
    assert_eq!([picture.at(498, 298), picture.at(541, 321)], [[255, 0, 0]; 2]);
    call();
    assert_eq!(fs::read_dir(place.path("seen/here")).unwrap().count(), 2);
    painter.show(700, 300, &art);
    display.call(&place, &["run", "m.yaml", "--save-failures", "seen/none"]).status(0);
    assert!(!place.path("seen/none").exists());
    painter.show(700, 300, &shown);
    place.write("blocked", "a file");
    let document = display.call(&place, &["run", "m.yaml", "--json", "--save-failures", "blocked"]).status(1).json();
    assert!(document["hint"].as_str().unwrap().contains("could not be saved"), "{document:#}");
}

#[test]
fn a_computed_image_must_be_a_packed_one() {
    let display = bare();
    let painter = desk(&display);
    let art = Art::button(GREEN);
    painter.show(200, 200, &art);
    let place = with(
        "parameters: {image: string}\n\
         steps:\n\
         \x20 - {backend: visual_anchor, action: wait_image, params: {template: t.png, timeout_ms: 0}}\n\
         \x20 - {id: see, backend: visual_anchor, action: wait_image, params: {template: \"${image:-t.png}\", timeout_ms: 0}}\n",
    )
    .file("t.png", art.png())
    .file("u.png", art.png());
    run(&display, &place, 0);
    let words = ["run", "m.yaml", "--json", "-p", "image=u.png"];
    let document = display.call(&place, &words).status(1).json();
    assert_eq!(document["error_code"], "bad_argument");
    assert!(document["error"].as_str().unwrap().contains("`u.png`"), "{document:#}");
    assert_eq!(document["hint"], "it has `t.png`");
}

#[test]
fn a_click_hits_the_middle_of_the_image() {
    let mut display = Display::new();
    let sink = Sink::canvas(&mut display, "Target", "400x300+50+60");
    // An image that lets clicks through is part of the canvas: what it shows is cut from the screen itself.
    let area = sink.state();
    assert!(area["events"].as_array().unwrap().is_empty());
}
