//! Macros as people write them, decided by a number alone: the same shape as `benches/peers/gen_macros.py` writes.

use std::fmt::Write;

const APPLICATIONS: [&str; 8] = ["gedit", "inkscape", "gimp", "mousepad", "blender", "audacity", "kdenlive", "drawio"];
const SUBJECTS: [&str; 6] = ["poster", "banner", "report", "sketch", "track", "scene"];

/// A macro without errors and warnings: three parameters, two conditions, and `steps` steps (at least one). With four steps it has about
/// 1.7 KB.
pub fn text(number: u64, steps: usize) -> String {
    let mut dice = Dice(number);
    let application = *dice.one_of(&APPLICATIONS);
    let subject = *dice.one_of(&SUBJECTS);
    let timeout = *dice.one_of(&[2000, 5000, 10000, 30000]);
    let quality = *dice.one_of(&[72, 96, 150, 300]);
    let mut text = format!(
        r#"name: macro_{number:05}
version: "1.{minor}"
description: >
  Export the current {application} document as {subject}.
  Sets the mode, runs the export and checks the file it wrote.
tags: [{application}, export, generated]

parameters:
  output:
    type: string
    required: true
    description: Where the exported file goes.
    example: /tmp/{subject}_{number}.png
  quality:
    type: integer
    default: {quality}
    min: 1
    max: 600
    description: Resolution in dots per inch.
    example: 300
  mode:
    type: string
    default: plain
    enum: [plain, fast, best]
    description: How the export is done.

preconditions:
  - process_running: {application}

steps:
  - id: export_0
    backend: native_api
    action: run_command
    params:
      command: [{application}, "--export-filename", "${{output}}", "--dpi", "${{quality}}", "--mode=${{mode}}"]
      capture_stdout: true
    timeout_ms: {timeout}
    on_failure: fail
"#,
        minor = dice.below(10),
    );
    for place in 1..steps {
        step(&mut text, &mut dice, place, application, subject, timeout);
    }
    let size = *dice.one_of(&[0, 64, 1024]);
    let tail = format!(
        r#"
postconditions:
  - file_size_gt: ["${{output}}", {size}]

outputs:
  - name: exported_file
    path: "${{output}}"
    description: The exported file.

agent_hints:
  danger_level: safe
  side_effects: [creates_file]
  reversible: true
  estimated_duration_ms: {timeout}
"#
    );
    text + &tail
}

fn step(text: &mut String, dice: &mut Dice, place: usize, application: &str, subject: &str, timeout: u64) {
    let letter = *dice.one_of(&['e', 'g', 'p', 's']);
    let (x, y) = (dice.below(90) + 5, dice.below(90) + 5);
    let (name, backend, action, params, end) = match dice.below(6) {
        0 => (
            "set",
            "file_transform",
            "json_set",
            format!(
                "input_file: /tmp/{application}/config.json\n      path: \"settings.export.{subject}\"\n      value: \"${{mode}}\""
            ),
            format!("timeout_ms: {timeout}\n    on_failure: continue"),
        ),
        1 => (
            "focus",
            "semantic_ui",
            "focus_window",
            format!("title_contains: \"{application}\""),
            "on_failure: fail".to_owned(),
        ),
        2 => (
            "chord",
            "visual_anchor",
            "hotkey",
            format!("keys: \"ctrl+shift+{letter}\""),
            format!("timeout_ms: {timeout}\n    on_failure: skip"),
        ),
        3 => (
            "wait",
            "semantic_ui",
            "wait_for_window",
            format!("title_contains: \"Export {subject}\"\n      timeout_ms: {timeout}"),
            "retry_policy:\n      max_retries: 2\n      backoff_ms: [250, 1000]\n    on_failure: fail".to_owned(),
        ),
        4 => (
            "click",
            "visual_anchor",
            "click_relative",
            format!(
                "window_title: \"{application}\"\n      x_pct: 0.{x:02}\n      y_pct: 0.{y:02}\n      button: left"
            ),
            "on_failure: fail".to_owned(),
        ),
        _ => (
            "type",
            "visual_anchor",
            "type_text",
            "text: \"${output}\"\n      interval_ms: 10".to_owned(),
            "on_failure: fail".to_owned(),
        ),
    };
    // Writing to a `String` cannot fail.
    let _ = write!(
        text,
        r#"
  - id: {name}_{place}
    backend: {backend}
    action: {action}
    params:
      {params}
    {end}
"#
    );
}

/// Numbers that look random and are the same on every machine (SplitMix64, <https://prng.di.unimi.it/splitmix64.c>).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len() as u64) as usize]
    }
}
