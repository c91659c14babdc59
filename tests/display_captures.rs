//! `capture_region`: what the screen shows, at every depth, and nothing else.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::display::{Art, Display, Options, Painter};
use crate::harness::Place;
use crate::witness::{step, with};

/// A macro of one capture.
fn capture(params: &str) -> Place {
    with(&format!("steps:\n  - {{id: shot, backend: visual_anchor, action: capture_region, params: {{{params}}}}}\n"))
}

fn bare(depth: u32) -> Display {
    Display::with(Options { size: (800, 600), depth, window_manager: false, bus: false })
}

#[test]
fn a_capture_is_what_is_shown() {
    let display = bare(24);
    let painter = Painter::new(&display);
    let art = Art::noise(64, 33, 1);
    painter.show(100, 50, &art);
    let place = capture("output: shot.png, x: 100, y: 50, width: 64, height: 33");
    let document = display.call(&place, &["run", "m.yaml", "--json"]).status(0).json();
    assert_eq!(Art::read(&place.path("shot.png")), art);
    let output = &step(&document, "shot")["output"];
    assert_eq!(output["region"], serde_json::json!([100, 50, 64, 33]));
    assert_eq!(output["file_size"], fs::metadata(place.path("shot.png")).unwrap().len());
    assert_eq!(output["saved"], "shot.png");
}

#[test]
fn the_ending_decides_the_format() {
    let display = bare(24);
    let place = capture("output: shot.JPG, width: 800, height: 600");
    display.call(&place, &["run", "m.yaml"]).status(0);
    assert!(fs::read(place.path("shot.JPG")).unwrap().starts_with(&[0xFF, 0xD8, 0xFF]));
    let place = capture("output: shot.gif");
    let outcome = display.call(&place, &["run", "m.yaml"]).status(3);
    outcome.tells("m.yaml:3:").tells("`.png`, `.jpg` or `.jpeg`").tells("shot.gif");
    let place = with(
        "parameters: {file: string}\nsteps:\n  - {id: shot, backend: visual_anchor, action: capture_region, params: {output: \"${file:-x}\"}}\n",
    );
    let document = display.call(&place, &["run", "m.yaml", "--json", "-p", "file=shot"]).status(1).json();
    assert_eq!(document["error_code"], "bad_argument");
}

#[test]
fn a_region_that_is_not_on_the_screen_is_refused() {
    let display = Display::with(Options { window_manager: false, ..Options::default() });
    for (region, size) in [
        ("x: 1200, y: 700, width: 200, height: 200", "200x200"),
        ("x: -10, y: 0, width: 50, height: 51", "50x51"),
        ("x: 5000, y: 0, width: 10, height: 10", "10x10"),
        ("x: 0, y: 0, width: 1281, height: 1", "1281x1"),
        ("x: 999999, y: 999999, width: 1000000, height: 1000000", "1000000x1000000"),
    ] {
        let place = capture(&format!("output: shot.png, {region}"));
        let document = display.call(&place, &["run", "m.yaml", "--json"]).status(1).json();
        let error = document["error"].as_str().unwrap();
        assert!(error.contains(size) && error.contains("1280x800") && error.contains("`shot`"), "{error}");
        assert!(!place.path("shot.png").exists());
    }
    for size in ["width: 0", "width: -5", "height: 0"] {
        let place = capture(&format!("output: shot.png, {size}"));
        display.call(&place, &["run", "m.yaml"]).status(3).tells("must be at least 1 pixels");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_left_alone() {
    let display = bare(24);
    let place = capture("output: missing/shot.png");
    let document = display.call(&place, &["run", "m.yaml", "--json"]).status(1).json();
    assert!(document["error"].as_str().unwrap().contains("missing"), "{document:#}");
    assert!(!place.path("missing").exists());
    let place = capture("output: shot.png").file("shot.png", "mine");
    fs::set_permissions(place.path("shot.png"), fs::Permissions::from_mode(0o444)).unwrap();
    let document = display.call(&place, &["run", "m.yaml", "--json"]).status(1).json();
    assert!(document["error"].as_str().unwrap().contains("read-only"), "{document:#}");
    assert_eq!(place.read("shot.png"), "mine");
    assert_eq!(fs::read_dir(place.path(".")).unwrap().count(), 2);
}

#[test]
fn a_screen_that_changes_its_size_is_followed() {
    let display = Display::with(Options { window_manager: false, ..Options::default() });
    let xrandr = |words: &[&str]| display.output("xrandr", words);
    xrandr(&["--newmode", "small", "25", "640", "656", "752", "800", "480", "490", "492", "525"]);
    xrandr(&["--addmode", "screen", "small"]);
    let action = "backend: visual_anchor, action: capture_region";
    let place = with(&format!(
        "steps:\n\
         \x20 - {{{action}, params: {{output: large.png, width: 1280, height: 800}}}}\n\
         \x20 - {{action: run_command, params: {{command: [xrandr, --output, screen, --mode, small]}}}}\n\
         \x20 - {{{action}, params: {{output: small.png, width: 640, height: 480}}}}\n\
         \x20 - {{id: edge, {action}, on_failure: continue, params: {{output: edge.png, x: 600, width: 41, height: 41}}}}\n\
         \x20 - {{action: run_command, params: {{command: [xrandr, --output, screen, --mode, 1280x800]}}}}\n\
         \x20 - {{{action}, params: {{output: again.png, width: 1280, height: 800}}}}\n"
    ));
    let document = display.call(&place, &["run", "m.yaml", "--json"]).status(0).json();
    let error = step(&document, "edge")["error"].as_str().unwrap();
    assert!(error.contains("41x41") && error.contains("640x480"), "{error}");
    let size = |file: &str| {
        let art = Art::read(&place.path(file));
        (art.width, art.height)
    };
    assert_eq!([size("large.png"), size("small.png"), size("again.png")], [(1280, 800), (640, 480), (1280, 800)]);
}

/// Pure colours and steps of grey, four pixels wide.
fn card() -> Art {
    let colors = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [255, 255, 255], [0, 0, 0]];
    Art::new(4 * 22, 8, |x, _| {
        let column = (x / 4) as usize;
        let grey = u8::try_from(column.saturating_sub(colors.len()) * 17).unwrap_or(255);
        colors.get(column).copied().unwrap_or([grey; 3])
    })
}

#[test]
fn colors_are_right_at_every_depth() {
    for (depth, precision) in [(24, 0), (30, 0), (16, 8), (8, 0)] {
        let display = bare(depth);
        let painter = Painter::new(&display);
        painter.show(13, 17, &card());
        let place = capture("output: shot.png, x: 13, y: 17, width: 88, height: 8");
        display.call(&place, &["run", "m.yaml", "--json"]).status(0);
        let found = Art::read(&place.path("shot.png"));
        let distance = found.distance(&card());
        assert!(distance <= precision, "depth {depth}: {distance}, {:?}", found.pixels);
    }
}
