//! What macros touch, as their manifests say it.

use macrocli_compiler::{Target, compile};
use spec::artifact::Manifest;

use crate::support::{Files, short};

fn manifest(steps: &[&str]) -> Manifest {
    let steps = steps.join(", ");
    // A parameter that nothing reads is a warning.
    let parameters = if steps.contains("${title}") { "parameters: {title: {default: a}}\n" } else { "" };
    let text = format!("name: m\n{parameters}steps: [{steps}]\n");
    let compiled = compile("macro.yaml", text.as_bytes(), &Files::default(), Target::Any);
    assert_eq!(short(&compiled), "", "{text}");
    compiled.artifact.unwrap().manifest
}

fn step(action: &str, params: &str) -> String {
    format!("{{backend: semantic_ui, action: {action}, params: {{{params}}}}}")
}

#[test]
fn what_is_done_through_accessibility_uses_devices() {
    let named = "label: Name, app_name: Editor";
    for (action, params, types, clicks) in [
        ("set_text", format!("{named}, text: x"), true, false),
        ("button_click", named.to_owned(), false, true),
        ("toggle", named.to_owned(), false, true),
        ("select", format!("{named}, item: x"), false, true),
        ("menu_click", "menu_path: [File], app_name: Editor".to_owned(), false, true),
        ("close_window", "title_contains: Editor".to_owned(), false, true),
        ("move_window", "title_contains: Editor, x: 1".to_owned(), false, true),
        ("focus_window", "title_contains: Editor".to_owned(), false, false),
        ("get_text", named.to_owned(), false, false),
    ] {
        let found = manifest(&[&step(action, &params)]);
        assert_eq!((found.types, found.clicks, found.captures), (types, clicks, false), "{action}");
        assert_eq!(found.windows, ["Editor"], "{action}");
    }
}

#[test]
fn variables_of_commands_are_named() {
    let command = "{action: run_command, params: {command: [ls], env: {LD_PRELOAD: x.so, A: '${env.B:-x}', C: null}}}";
    assert_eq!(manifest(&[command]).environment, ["A", "B", "C", "LD_PRELOAD"]);
}

#[test]
fn controls_of_no_window_are_those_of_every_window() {
    for (params, window) in [
        ("", "*"),
        ("window_title: ''", "*"),
        ("window_title: Editor", "Editor"),
        ("window_title: '${title}'", "${title}"),
    ] {
        assert_eq!(manifest(&[&step("get_controls", params)]).windows, [window], "{params}");
    }
}
