//! The bundled demonstrations, by their names, with the real applications; what they leave behind is checked byte for byte.

use std::fs;

use serde_json::Value;

use crate::display::Display;
use crate::harness::Place;

/// What no keyboard layout has all of.
const TEXT: &str = "äé€ñß 😀 Привет 日本\n{[1]} ^`~ done";

/// Runs a bundled macro, which must succeed; its outputs. A busy machine is no failure of an editor.
#[track_caller]
fn done(display: &Display, place: &Place, name: &str, parameters: &[(&str, &str)]) -> Value {
    let parameters: Vec<String> = parameters.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let words = ["run", name, "--json"].into_iter().map(str::to_owned);
    let words: Vec<String> = words.chain(parameters.into_iter().flat_map(|one| ["-p".to_owned(), one])).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // Editors keep their settings in the home of the session.
    let home = display.home().to_string_lossy().into_owned();
    let document = display.call(place, &words).env("HOME", &home).status(0).json();
    assert_eq!(document["warnings"].as_array().map(Vec::len), Some(0), "{document:#}");
    document["output"].clone()
}

/// Writes in an editor three times in a row under each layout; `end` is what the editor adds to the last line.
fn writes(editor: &str, layouts: &[&str], end: &str) {
    let display = Display::new();
    let place = Place::new();
    let name = format!("{editor}_write");
    for layout in layouts {
        display.layout(layout);
        let keymap = display.keymap();
        for turn in 0..3 {
            let path = place.path(&format!("{layout}-{turn}.txt"));
            let text = format!("{layout} {turn}: {TEXT}");
            let file = path.to_str().unwrap();
            let output = done(&display, &place, &name, &[("file", file), ("text", &text)]);
            assert_eq!(output["typed"], text.chars().count(), "{output}");
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{text}{end}"), "{layout}");
        }
        assert_eq!(display.keymap(), keymap, "{layout}");
    }
}

#[test]
fn mousepad_writes_under_us_and_german_keys() {
    writes("mousepad", &["us", "de"], "");
}

#[test]
fn mousepad_writes_under_french_and_dvorak_keys() {
    writes("mousepad", &["fr", "us-dvorak"], "");
}

#[test]
fn gedit_writes_under_us_and_german_keys() {
    writes("gedit", &["us", "de"], "\n");
}

#[test]
fn gedit_writes_under_french_and_dvorak_keys() {
    writes("gedit", &["fr", "us-dvorak"], "\n");
}

#[test]
fn editors_save_under_another_name() {
    let display = Display::new();
    let place = Place::new();
    for editor in ["mousepad", "gedit"] {
        for turn in 0..3 {
            let names = ["first", "copy é"].map(|name| place.path(&format!("{editor}-{turn} {name}.txt")));
            let [file, copy] = names.each_ref().map(|path| path.to_str().unwrap());
            fs::write(file, "some text\n").unwrap();
            done(&display, &place, &format!("{editor}_save_as"), &[("file", file), ("copy", copy)]);
            let texts = names.each_ref().map(|path| fs::read_to_string(path).unwrap());
            assert_eq!(texts, ["some text\n", "some text\n"]);
        }
    }
}

#[test]
fn editors_replace_everywhere() {
    let display = Display::with_bus();
    let place = Place::new();
    for editor in ["mousepad", "gedit"] {
        for turn in 0..3 {
            let path = place.path(&format!("{editor}-{turn}.txt"));
            fs::write(&path, "one color, two colors\nColor\n").unwrap();
            let parameters = [("file", path.to_str().unwrap()), ("find", "color"), ("replace", "coloür")];
            done(&display, &place, &format!("{editor}_replace"), &parameters);
            assert_eq!(fs::read_to_string(&path).unwrap(), "one coloür, two coloürs\nColor\n");
        }
    }
}

#[test]
fn a_form_is_filled_by_its_labels() {
    let display = Display::with_bus();
    let place = Place::new();
    for turn in 0..3 {
        let answer = place.path(&format!("answer {turn}"));
        let parameters = [("name", "Ada Lövelace"), ("city", "Łódź 😀"), ("answer", answer.to_str().unwrap())];
        done(&display, &place, "zenity_form", &parameters);
        assert_eq!(fs::read_to_string(&answer).unwrap(), "Ada Lövelace|Łódź 😀\n");
    }
}

#[test]
fn an_icon_is_drawn_by_its_tools() {
    let display = Display::new();
    let place = Place::new();
    for turn in 0..3 {
        let file = place.path(&format!("icon{turn}.xbm"));
        done(&display, &place, "draw_icon", &[("file", file.to_str().unwrap())]);
        let text = fs::read_to_string(&file).unwrap();
        let bytes: Vec<u8> = text
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter_map(|word| u8::from_str_radix(word.strip_prefix("0x")?, 16).ok())
            .collect();
        let row = |bytes: [u8; 2], times| [bytes].repeat(times);
        let rows = [row([0, 0], 4), row([0xf0, 0x0f], 2), row([0x30, 0x0c], 4), row([0xf0, 0x0f], 2), row([0, 0], 4)];
        assert_eq!(bytes, rows.concat().concat(), "{text}");
    }
}
