//! Input nobody writes: nothing panics, places lie in their files, and an artifact is made exactly when there is no error.

use macrocli_compiler::Compilation;
use macrocli_compiler::diagnostic::Severity;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use serde_yaml::Value;

use crate::support::{alone, bytes, short};

/// Macros with something of everything.
const SOUND: &[&str] = &[
    include_str!("../golden/lower/loop.yaml"),
    include_str!("../golden/lower/recovery.yaml"),
    include_str!("../golden/lower/expressions.yaml"),
    r#"
name: everything
version: 1.10
description: text
tags: [a, b]
composable: true
timeout: 5m
agent_hints: {danger_level: safe, side_effects: [creates_file], reversible: true, estimated_duration_ms: 5, other: [1]}
parameters:
  s: {type: string, default: x, enum: [x, y], description: d, example: y}
  n: {type: integer, default: 3, min: 1, max: 9}
  f: {type: float, default: 0.5}
  b: boolean
  l: {type: list, default: [1, two]}
  d: {type: dict, required: true, example: {a: 1}}
  t: {secret: true, required: true}
preconditions: [{file_exists: "/tmp/${s}"}, {any: [{env_var: HOME}, {not: {process_running: x}}]}]
steps:
  - {id: one, action: run_command, params: {command: "echo ${s} 'a b'", capture_stdout: true, env: {A: "${n}", B: ~}, stdin: "${t}"}, on_failure: continue}
  - {id: two, when: "${steps.one.success}", action: start_process, params: {command: [sleep, "${n * 2}"]}, timeout_ms: 500}
  - {backend: visual_anchor, action: drag_relative, params: {from_x_pct: "${f}", button: right}, retry_policy: {max_retries: 1, backoff_ms: [5]}, verify: {file_exists: /x, within: 1s}}
  - {backend: file_transform, action: json_set, params: {input_file: ~/f, path: 'a\.b.0', value: {k: ["${d}", "${l[0]}", 1.5]}}}
  - {backend: semantic_ui, action: menu_click, params: {menu_path: [File, Save], app_name: editor}, for_each: "${split(s, ',')}"}
postconditions: [{file_size_gt: [/tmp/x, 10]}]
finally:
  - {action: run_command, params: {command: [echo, "${steps.one.stdout:-none}"]}}
outputs:
  - {name: file, path: "/tmp/${s}", description: d}
  - {name: value, value: ["${len(l)}", "${b:-false}", "${upper(s)}"]}
"#,
];

/// What takes the place of a node.
fn junk() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::from(-1)),
        Just(Value::from(u64::MAX)),
        Just(Value::from(1.5)),
        proptest::sample::select(vec![
            "",
            "x",
            "${",
            "${x}",
            "${n}",
            "${s:-}",
            "${steps.one.stdout}",
            "${item}",
            "$${s}",
            "${l}",
            "${d.a.b[0]}",
            "${steps}",
            "${env.HOME}",
            "yes",
            "1e999",
            "recovery",
            "run_command",
            "5s",
            "-5s",
            "é\u{0}",
            "fail",
            "ctrl+",
            "a..b",
            "${n-1}",
            "${len(l) / 0}",
            "0x1F",
            "\u{1F600}",
        ])
        .prop_map(Value::from),
        "[ -~]{0,12}".prop_map(Value::from),
    ];
    scalar.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((key(), inner), 0..4).prop_map(|entries| Value::Mapping(
                entries.into_iter().map(|(key, value)| (Value::from(key), value)).collect()
            )),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    proptest::sample::select(vec![
        "name",
        "steps",
        "id",
        "action",
        "backend",
        "params",
        "when",
        "for_each",
        "verify",
        "within",
        "macro",
        "with",
        "type",
        "default",
        "command",
        "any",
        "not",
        "file_exists",
        "step",
        "fallback_backend",
        "_x",
        "",
        "value",
        "path",
    ])
    .prop_map(str::to_owned)
}

/// How many nodes there are.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Sequence(items) => items.iter().map(count).sum(),
        Value::Mapping(entries) => entries.values().map(count).sum::<usize>(),
        _ => 0,
    }
}

/// Replaces the node with the number `at`, counted from the root.
fn replace(value: &mut Value, at: &mut usize, with: &Value) {
    if *at == 0 {
        *value = with.clone();
        *at = usize::MAX;
        return;
    }
    *at -= 1;
    match value {
        Value::Sequence(items) => items.iter_mut().for_each(|item| replace_once(item, at, with)),
        Value::Mapping(entries) => entries.iter_mut().for_each(|(_, item)| replace_once(item, at, with)),
        _ => {}
    }
}

fn replace_once(value: &mut Value, at: &mut usize, with: &Value) {
    if *at != usize::MAX {
        replace(value, at, with);
    }
}

fn judge(compiled: &Compilation) -> Result<(), String> {
    let errors = compiled.diagnostics.iter().filter(|found| found.severity() == Severity::Error).count();
    if (errors == 0) != compiled.artifact.is_some() {
        return Err(format!("{errors} errors, artifact: {}", compiled.artifact.is_some()));
    }
    for found in &compiled.diagnostics {
        for span in std::iter::once(found.span).chain(found.labels.iter().map(|label| label.span)) {
            let file = compiled.sources.get(span.file).ok_or("a file that is not there")?;
            if span.start > span.end || file.text.get(span.range()).is_none() {
                return Err(format!("a place that cuts a character or lies outside: {span:?} of {found:?}"));
            }
        }
        if found.message.ends_with('.') || found.message.is_empty() || found.message.contains('\n') {
            return Err(format!("an odd message: {}", found.message));
        }
    }
    // Rendering looks up every place.
    short(compiled);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn mutated_macros(which in 0..SOUND.len(), changes in proptest::collection::vec((any::<proptest::sample::Index>(), junk()), 1..4)) {
        let mut tree: Value = serde_yaml::from_str(SOUND[which]).unwrap();
        for (at, junk) in &changes {
            let mut at = at.index(count(&tree));
            replace(&mut tree, &mut at, junk);
        }
        let text = serde_yaml::to_string(&tree).unwrap();
        let judged = judge(&alone(&text));
        prop_assert!(judged.is_ok(), "{}\n{text}", judged.unwrap_err());
    }

    #[test]
    fn cut_and_stained_macros(which in 0..SOUND.len(), at in any::<proptest::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut text = SOUND[which].as_bytes().to_vec();
        let at = at.index(text.len());
        if cut { text.truncate(at) } else { text[at] = byte }
        let compiled = bytes(&text);
        prop_assert_eq!(judge(&compiled), Ok(()));
    }
}

#[test]
fn sound_macros_are_sound() {
    for text in SOUND {
        let compiled = alone(text);
        let errors: Vec<_> = compiled.diagnostics.iter().filter(|found| found.severity() == Severity::Error).collect();
        assert!(errors.is_empty(), "{}", short(&compiled));
        judge(&compiled).unwrap();
    }
}

#[test]
fn large_deep_and_many() {
    let many = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let texts = [
        format!("name: m\nsteps: [{}]\n", vec!["null"; 5_000].join(",")),
        format!("name: m\nsteps: []\npreconditions: [{}{{always: true}}{}]\n", "{not: ".repeat(60), "}".repeat(60)),
        format!("name: m\nsteps: []\npreconditions: [{}{{always: true}}{}]\n", "{any: [".repeat(200), "]}".repeat(200)),
        format!(
            "name: m\nsteps: []\noutputs: [{{name: o, value: \"${{{}1{}}}\"}}]\n",
            "(".repeat(3_000),
            ")".repeat(3_000)
        ),
        format!("name: m\nsteps: []\noutputs: [{{name: o, value: \"${{{}\"}}]\n", "1+".repeat(4_000)),
        format!("name: m\nparameters:\n{}steps: []\n", many(70_000, &|at| format!("  p{at}:\n"))),
        format!(
            "name: m\nsteps:\n{}",
            many(1_500, &|at| format!("  - {{id: s{at}, action: run, params: {{a: \"${{q{at}}}\"}}}}\n"))
        ),
        format!("name: m\nsteps:\n{}", many(1_500, &|at| format!("  - {{macro: q{}, with: {{a: 1}}}}\n", at % 7))),
        format!("name: m\n{}steps: []\n", many(1_500, &|at| format!("k{at}: 1\n"))),
    ];
    for text in texts {
        let compiled = alone(&text);
        judge(&compiled).unwrap();
        assert!(!compiled.diagnostics.is_empty(), "{}", &text[..80]);
    }
}
