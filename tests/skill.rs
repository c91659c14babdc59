//! The page for agents is what the command prints, short, and true.

use std::fs;

use serde_json::{Value, json};

use crate::harness::Place;

fn path(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    Place::new().call(&["skill"]).status(0).silent().stdout
}

/// `UPDATE=1 cargo test --test main skill` writes it anew.
#[test]
fn the_page_is_what_the_command_prints() {
    let printed = page();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path("SKILL.md"), &printed).unwrap();
    }
    let kept = fs::read_to_string(path("SKILL.md")).unwrap();
    assert_eq!(printed, kept, "SKILL.md is out of date: UPDATE=1 cargo test --test main skill");
    let told = Place::new().call(&["skill", "--json"]).status(0).json();
    assert_eq!(told, json!({"schema": "macrocli.skill/1", "text": printed}));
    assert!(printed.lines().count() <= 150, "{} lines are too many for a prompt", printed.lines().count());
    assert!(printed.len() < 16_000, "{} bytes are too many for a prompt", printed.len());
}

#[test]
fn the_macro_on_the_page_does_what_it_says() {
    let page = page();
    let text = page.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let place = Place::new().file("m.yaml", text).file("s.json", "{\"ui\": {\"theme\": \"light\"}}");
    place.call(&["check", "m.yaml", "--deny", "warnings"]).status(0);
    let told = place.call(&["--dry-run", "run", "m.yaml", "-p", "file=s.json", "--json"]).status(0).json();
    assert_eq!(told["steps"][0]["would"]["value"], "dark");
    place.call(&["run", "m.yaml", "-p", "file=s.json", "--json"]).status(0);
    assert_eq!(place.read("s.json"), "{\"ui\": {\"theme\": \"dark\"}}");
}

#[test]
fn codes_keys_and_flags_on_the_page_are_real() {
    let page = page();
    let cli = fs::read_to_string(path("spec/cli.md")).unwrap();
    let codes = |text: &str| -> Vec<String> {
        let rows = text.lines().skip_while(|line| !line.starts_with("| exit code") && !line.starts_with("| code |"));
        let rows = rows.skip(2).take_while(|line| line.starts_with('|'));
        rows.map(|row| row.split('|').nth(1).unwrap().trim().to_owned()).collect()
    };
    assert_eq!(codes(&page), codes(&cli));
    // Every key of the result that it names.
    let place = Place::new().good("m.yaml", "m");
    let told = place.call(&["--dry-run", "run", "m.yaml", "--json"]).status(0).json();
    let shape = page.split("## The result of `run`").nth(1).unwrap().split('`').nth(1).unwrap();
    let words = shape.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    let mut keys = Vec::new();
    collect(&told, &mut keys);
    let of_values = ["ok", "failed", "skipped", "not_run", "hint"];
    for word in words.filter(|word| !word.is_empty() && !of_values.contains(word)) {
        assert!(keys.iter().any(|key| key == word), "no key `{word}` is in {told:#}");
    }
    let flags = page.split(|character: char| !character.is_ascii_lowercase() && character != '-');
    for flag in flags.filter(|word| word.starts_with("--") && word.len() > 3) {
        assert!(cli.contains(flag), "no flag `{flag}`");
    }
}

fn collect(value: &Value, keys: &mut Vec<String>) {
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, value)| {
            keys.push(key.clone());
            collect(value, keys);
        }),
        Value::Array(items) => items.iter().for_each(|item| collect(item, keys)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
