//! Kinds of mistakes and of good macros, decided when a macro is built.

use macrocli_compiler::Compilation;
use macrocli_compiler::diagnostic::Severity;
use spec::artifact::{Artifact, Constant};
use spec::value::Value;

use crate::support::{Files, alone, bytes, codes, line, pointed, short};

fn artifact(text: &str) -> Artifact {
    let compiled = alone(text);
    assert_eq!(short(&compiled), "", "{text}");
    compiled.artifact.unwrap()
}

/// The step `body` in a macro of its own.
fn step(body: &str) -> String {
    format!("name: m\nsteps:\n  - {}\n", body.replace('\n', "\n    "))
}

/// The only diagnostic: its code, the text it points at, its message and help.
fn only(text: &str) -> (String, String, String) {
    let compiled = alone(text);
    assert_eq!(compiled.diagnostics.len(), 1, "{text}\n{}", short(&compiled));
    let found = &compiled.diagnostics[0];
    let words = format!("{} {}", found.message, found.help.clone().unwrap_or_default());
    (found.code.text().to_owned(), pointed(found, &compiled), words)
}

fn fails(text: &str, code: &str, at: &str, words: &[&str]) {
    let (found, pointed, message) = only(text);
    assert_eq!((found.as_str(), pointed.as_str()), (code, at), "{text}\n{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` is not in: {message}");
    }
}

fn errors(compiled: &Compilation) -> usize {
    compiled.diagnostics.iter().filter(|found| found.severity() == Severity::Error).count()
}

fn texts(artifact: &Artifact) -> Vec<&str> {
    let mut found = Vec::new();
    for constant in &artifact.constants.list {
        if let Constant::String(text) = constant {
            found.push(text.as_str());
        }
    }
    found
}

#[test]
fn text_positions_keep_the_spelling_of_the_source() {
    let made = artifact(
        "name: m\nversion: 1.10\nsteps:\n  - action: run_command\n    params: {command: [echo, no, yes, on, off, false, y, 007, 1e3, 0x1f, ~], env: {A: 010, B: True}}\n  \
         - {backend: semantic_ui, action: type_text, params: {text: no}}\n  - {action: run_command, params: {command: echo 1.10 007}}\n",
    );
    assert_eq!(made.meta.version, "1.10");
    for word in ["no", "yes", "on", "off", "false", "y", "007", "1e3", "0x1f", "~", "010", "True", "1.10"] {
        assert!(texts(&made).contains(&word), "{word}");
    }
    assert!(!made.constants.list.contains(&Constant::Boolean(false)));
}

#[test]
fn values_have_the_types_of_the_core_schema() {
    for (written, wanted) in [
        ("no", Value::String("no".into())),
        ("false", Value::Boolean(false)),
        ("\"false\"", Value::String("false".into())),
        ("007", Value::Integer(7)),
        ("1.50", Value::Float(1.5)),
        ("~", Value::Null),
        ("+0009223372036854775808", Value::Number("9223372036854775808".into())),
        ("0xFFFFFFFFFFFFFFFFFF", Value::String("0xFFFFFFFFFFFFFFFFFF".into())),
        (".inf", Value::String(".inf".into())),
        (
            "[1, {a: no}]",
            Value::List(vec![
                Value::Integer(1),
                Value::Dict([("a".into(), Value::String("no".into()))].into_iter().collect()),
            ]),
        ),
    ] {
        let made = artifact(&step(&format!(
            "backend: file_transform\naction: json_set\nparams: {{input_file: /f, path: a, value: {written}}}"
        )));
        let constants = &made.constants;
        let found = (0..constants.list.len() as u32)
            .any(|at| constants.value(spec::operand::Const(at)).as_ref() == Some(&wanted));
        assert!(found, "{written}: {:?}", constants.list);
    }
}

#[test]
fn byte_order_marks_and_line_ends_change_nothing() {
    let text = "name: m\nsteps:\n  - backend: semantic_ui\n    action: type_text\n    params:\n      text: |\n        one\n        two\n";
    let windows = format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
    let plain = artifact(text);
    assert_eq!(plain, artifact(&windows));
    assert!(texts(&plain).contains(&"one\ntwo\n"));
    let wide: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(windows[3..].encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let compiled = bytes(&wide);
    assert_eq!(compiled.artifact.as_ref(), Some(&plain), "{}", short(&compiled));
    let wrong =
        format!("{}{}", windows.replace("name: m", "name: m\r\ndescription: x\r\ntags: [a]"), "    nonsense: 1\r\n");
    let compiled = alone(&wrong);
    assert_eq!(codes(&compiled), ["E0101"]);
    assert_eq!(line(&compiled.diagnostics[0], &compiled.sources), 11);
    let tab = windows.replace("    action", "\taction");
    let compiled = alone(&tab);
    assert_eq!(codes(&compiled), ["E0013"]);
    assert!(compiled.diagnostics[0].message.contains("tab"));
    assert_eq!(line(&compiled.diagnostics[0], &compiled.sources), 4);
}

#[test]
fn misspelt_keys_are_found_in_one_run() {
    let compiled = alone(
        "name: m\nprecondition: [{file_exists: /tmp}]\nsteps:\n  - action: run_command\n    tiemout_ms: 10\n    on_fail: skip\n    params: {comand: [ls]}\n    \
         retry_policy: {max_retry: 3}\n",
    );
    let found: Vec<(String, bool)> = compiled
        .diagnostics
        .iter()
        .map(|found| (pointed(found, &compiled), found.help.as_ref().unwrap().contains("did you mean")))
        .collect();
    let wanted = ["precondition", "tiemout_ms", "on_fail", "comand", "max_retry"];
    let nearest = [true; 5];
    assert_eq!(found, wanted.into_iter().map(str::to_owned).zip(nearest).collect::<Vec<_>>(), "{}", short(&compiled));
    assert!(compiled.diagnostics[2].help.as_ref().unwrap().contains("`on_failure`"));
}

#[test]
fn wrong_shapes_are_errors_and_harmless_ones_are_not() {
    for good in [
        step("{action: run_command, params: {command: [ls]}, id: a, retry_policy: {max_retries: 0, backoff_ms: []}}"),
        step("{backend: semantic_ui, action: get_controls, params: }"),
        step("{action: find_executable, params: {name: x}, retry_policy: {max_retries: 2, backoff_ms: 200}}"),
        "name: m\nsteps: []\npreconditions: [{file_exists: /tmp}]\n".to_owned(),
        "name: m\nsteps: []\ndescription:\nparameters:\npreconditions: ~\npostconditions:\noutputs: null\ntags:\nagent_hints:\n".to_owned(),
    ] {
        artifact(&good);
    }
    fails("name: m\nsteps: {}\n", "E0102", "{}", &["`steps` must be a list"]);
    fails("name: m\nsteps: [null]\n", "E0102", "null", &["a step must be a mapping"]);
    fails("name: m\n", "E0103", "name", &["a macro needs `steps`"]);
    fails("[1]\n", "E0102", "[1]", &["a macro must be a mapping"]);
    fails("", "E0006", "", &[]);
    assert_eq!(codes(&alone("---\nname: m\nsteps: []\n---\nname: n\nsteps: []\n")), ["E0005"]);
    fails(
        &step("{action: run_comand, params: {command: x}}"),
        "E0302",
        "run_comand",
        &["`run_command`", "`start_process`", "`find_executable`"],
    );
    fails(&step("{backend: native, action: run_command}"), "E0301", "native", &["`native_api`"]);
    let retried =
        |policy: &str| step(&format!("{{action: find_executable, params: {{name: x}}, retry_policy: {policy}}}"));
    fails(&retried("{max_retries: -1}"), "E0110", "-1", &["from 0 to 1000"]);
    fails(&retried("{backoff_ms: {}}"), "E0102", "{}", &["`backoff_ms`"]);
    fails(&retried("5"), "E0102", "5", &["`retry_policy` must be a mapping"]);
    let failing = |word: &str| step(&format!("{{action: find_executable, params: {{name: x}}, on_failure: {word}}}"));
    fails(&failing("Skip"), "E0106", "Skip", &["`fail`, `skip` and `continue`", "did you mean `skip`"]);
    let twice = "name: m\nsteps:\n  - {id: a, action: find_executable, params: {name: x}}\n  - {id: a, action: find_executable, params: {name: x}}\n";
    fails(twice, "E0105", "a", &["two steps have the id `a`"]);
    fails(&step("{id: a, action: run_command, params: [ls]}"), "E0102", "[ls]", &["`params` must be a mapping"]);
    fails(&step("{macro: [a]}"), "E0102", "[a]", &["`macro` must be the name of a macro"]);
}

#[test]
fn durations() {
    let timed = |text: &str| step(&format!("{{action: find_executable, params: {{name: x}}, {text}}}"));
    for (written, micros) in [
        ("timeout: 500ms", 500_000),
        ("timeout: 1.5s", 1_500_000),
        ("timeout: 2m", 120_000_000),
        ("timeout: 1m30s", 90_000_000),
        ("timeout_ms: 300", 300_000),
        ("timeout_ms: \"300\"", 300_000),
    ] {
        assert_eq!(artifact(&timed(written)).steps[0].timeout_us, micros, "{written}");
    }
    for (written, code) in [
        ("timeout: 1", "E0107"),
        ("timeout: -5s", "E0107"),
        ("timeout: 0", "E0107"),
        ("timeout: 0s", "E0107"),
        ("timeout: 5 parsecs", "E0107"),
        ("timeout: 1e400s", "E0107"),
        ("timeout: 99999999999999999999ms", "E0107"),
        ("timeout: [1]", "E0102"),
        ("timeout:", "E0107"),
        ("timeout: \"${x}\"", "E0202"),
        ("timeout_ms: 0", "E0110"),
        ("timeout_ms: -1", "E0110"),
        ("timeout_ms: 1.5", "E0102"),
        ("timeout: 1s, timeout_ms: 5", "E0108"),
    ] {
        assert_eq!(only(&timed(written)).0, code, "{written}");
    }
}

#[test]
fn placeholders() {
    let typed = |text: &str| {
        format!(
            "name: m\nparameters: {{output: {{default: x}}}}\nsteps:\n  - {{backend: semantic_ui, action: type_text, params: {{text: \"{text}\"}}}}\n  - {{action: run_command, params: {{command: [touch, \"${{output}}\"]}}}}\n"
        )
    };
    fails(&typed("${outptu}"), "E0202", "outptu", &["did you mean `output`"]);
    for (text, kept) in [("$${HOME}", "${HOME}"), ("$x", "$x"), ("100$", "100$"), ("$$", "$$")] {
        assert!(texts(&artifact(&typed(text))).contains(&kept), "{text}");
    }
    for text in ["${", "${}", "${a b}", "${output", "a ${} b"] {
        let compiled = alone(&typed(text));
        assert_eq!(codes(&compiled), ["E0201"], "{text}\n{}", short(&compiled));
    }
    let optional = "name: m\nparameters: {x: string}\nsteps:\n  - {backend: semantic_ui, action: type_text, params: {text: \"${x}\"}}\n";
    assert_eq!(only(optional).0, "W0106");
    assert!(alone(optional).artifact.unwrap().macros[0].parameters[0].needed);
    let backed = optional.replace("${x}", "${x:-none}");
    assert!(!artifact(&backed).macros[0].parameters[0].needed);
}

#[test]
fn a_minus_in_a_name_is_explained() {
    let with = |text: &str| {
        format!(
            "name: m\nparameters: {{count: {{type: integer, default: 1}}}}\nsteps:\n  - {{id: a, action: run_command, params: {{command: [echo, \"${{count}}\", \"{text}\"]}}}}\n  - {{action: run_command, params: {{command: [echo, \"${{steps.a.returncode-1}}\"]}}}}\n"
        )
    };
    let compiled = alone(&with("${count-1}"));
    assert_eq!(codes(&compiled), ["E0202", "E0208"]);
    assert!(compiled.diagnostics[0].help.as_ref().unwrap().contains("`count - 1`"));
    assert!(compiled.diagnostics[1].help.as_ref().unwrap().contains("`steps.a.returncode - 1`"));
}

#[test]
fn types_survive_where_a_value_stands_alone() {
    let declared = "parameters: {l: {type: list, default: [a]}, n: {type: integer, default: 1}}";
    let with = |command: &str| {
        format!(
            "name: m\n{declared}\nsteps:\n  - {{action: run_command, params: {{command: {command}}}}}\n  - {{backend: file_transform, action: json_set, params: {{input_file: /f, path: a, value: \"${{n}}\"}}}}\n  - {{action: find_executable, params: {{candidates: \"${{l}}\"}}}}\n"
        )
    };
    artifact(&with("\"${l}\""));
    fails(&with("[echo, \"${l}\"]"), "E0205", "l", &["list"]);
    fails(&with("[echo, \"x${l}\"]"), "E0205", "l", &["join"]);
    fails(&with("\"${n}\""), "E0205", "n", &["must be a list of texts"]);
}

#[test]
fn parameters_agree_with_themselves() {
    let with = |declaration: &str| {
        format!(
            "name: m\nparameters: {{p: {declaration}}}\nsteps:\n  - {{backend: file_transform, action: json_set, params: {{input_file: /f, path: a, value: \"${{p}}\"}}}}\n"
        )
    };
    for good in [
        "{type: integer, default: 007}",
        "{type: integer, enum: [1, 2, 3], default: 2}",
        "{type: float, default: 1e-3, min: 0}",
        "{type: string, default: 00420}",
        "{type: boolean, default: no}",
        "{type: list, default: [], example: [1]}",
        "{type: integer, required: true, example: 3, max: 5}",
    ] {
        artifact(&with(good));
    }
    let text = artifact(&with("{type: string, default: 00420}"));
    assert!(texts(&text).contains(&"00420"));
    for (bad, at) in [
        ("{type: integer, default: 9, max: 5}", "9"),
        ("{type: integer, default: 5, min: 5, max: 1, }", "1"),
        ("{type: string, enum: [a, b], default: c}", "c"),
        ("{type: string, enum: [a, b], example: c, required: true}", "c"),
        ("{type: integer, enum: [1, 9], max: 5, required: true}", "9"),
        ("{type: integer, default: 1.5}", "1.5"),
        ("{type: integer, default: 9223372036854775808}", "9223372036854775808"),
        ("{type: integer, default: true}", "true"),
        ("{type: float, default: .nan}", ".nan"),
        ("{type: float, default: nan}", "nan"),
        ("{type: float, default: \"1,5\"}", "\"1,5\""),
        ("{type: boolean, default: maybe}", "maybe"),
        ("{type: list, default: a}", "a"),
        ("{type: string, default: a, min: 1}", "1"),
    ] {
        let compiled = alone(&with(bad));
        assert!(codes(&compiled).contains(&"E0109"), "{bad}\n{}", short(&compiled));
        assert!(compiled.diagnostics.iter().all(|found| found.code.text() == "E0109"), "{bad}\n{}", short(&compiled));
        assert!(
            compiled.diagnostics.iter().any(|found| pointed(found, &compiled) == at),
            "{bad}\n{}",
            short(&compiled)
        );
    }
    fails(&with("{type: int, default: x}"), "E0106", "int", &["`integer`"]);
}

#[test]
fn malformed_conditions() {
    let with = |condition: &str| format!("name: m\nsteps: []\npreconditions: [{condition}]\n");
    fails(&with("{file_exist: /nope}"), "E0402", "file_exist", &["did you mean `file_exists`", "`process_running`"]);
    fails(&with("{file_size_gt: [/x]}"), "E0403", "[/x]", &["takes 2 values", "`file_size_gt: [path, bytes]`"]);
    fails(&with("{file_size_gt: [/x, big]}"), "E0305", "big", &["whole number"]);
    fails(&with("{file_size_gt: [/x, -1]}"), "E0305", "-1", &["at least 0"]);
    fails(&with("{file_exists: /a, env_var: B}"), "E0401", "env_var", &["one key"]);
    fails(&with("file_exists"), "E0401", "file_exists", &["a mapping with one key"]);
    fails(&with("{env_var: \"A=B\"}"), "E0305", "\"A=B\"", &["environment variable"]);
    fails(&with("{env_var: \"\"}"), "E0305", "\"\"", &["environment variable"]);
    fails(&with("{file_exists: [/a]}"), "E0403", "[/a]", &["one value"]);
    fails(&with("{any: []}"), "E0401", "[]", &["without conditions"]);
    fails(&with("{not: {file_exist: x}}"), "E0402", "file_exist", &[]);
    fails(&with("{always: maybe}"), "E0305", "maybe", &["true, yes, on"]);
    fails(&with("{always: \"false\"}"), "W0103", "always: \"false\"", &["never holds"]);
    fails(&with("{not: {always: true}}"), "W0103", "not: {always: true}", &["never holds"]);
    fails(
        &with("{any: [{always: yes}, {file_exists: /a}]}"),
        "W0103",
        "any: [{always: yes}, {file_exists: /a}]",
        &["always holds"],
    );
    assert!(texts(&artifact(&with("{file_exists: \"/tmp/a \"}"))).contains(&"/tmp/a "));
    artifact(&with("{all: [{always: true}, {file_exists: /a}]}"));
}

#[test]
fn commands_as_one_text() {
    let with = |command: &str| {
        format!(
            "name: m\nparameters: {{src: {{default: a}}}}\nsteps:\n  - action: run_command\n    params:\n      env: {{S: \"${{src}}\"}}\n      command: {command}\n"
        )
    };
    let words = artifact(&with("\"printf '%s|' 'a b' \\\"c d\\\" e\\\\ f ''\""));
    let list = (0..words.constants.list.len() as u32)
        .filter_map(|at| words.constants.value(spec::operand::Const(at)))
        .find_map(|value| value.into_list().ok())
        .unwrap();
    let wanted = ["printf", "%s|", "a b", "c d", "e f", ""];
    assert_eq!(list, wanted.map(|word| Value::String(word.to_owned())));
    artifact(&with("cp ${src} ${src}.bak"));
    for bad in ["\"echo 'oops\"", "\"echo hi > /tmp/o | wc\"", "\"\"", "\"FOO=1 env\""] {
        assert_eq!(only(&with(bad)).0, "E0306", "{bad}");
    }
    fails(&with("[]"), "E0305", "[]", &["must name a program"]);
}

#[test]
fn constants_of_actions() {
    let keys = |keys: &str| step(&format!("{{backend: semantic_ui, action: shortcut, params: {{keys: {keys}}}}}"));
    for good in [
        "ctrl++",
        "ctrl+plus",
        "+",
        "ctrl+-",
        "\"ctrl+=\"",
        "Ctrl + Shift + S",
        "page_down",
        "pgdn",
        "Next",
        "esc",
        "return",
        "del",
        "cmd",
        "f13",
        "space",
        "kp_add",
        "print_screen",
        "menu",
        "[ctrl, \"+\"]",
    ] {
        artifact(&keys(good));
    }
    for bad in ["ctrl+", "+ctrl+", "\"\"", "ctrl+shfit+s", "f36", "[]"] {
        assert_eq!(only(&keys(bad)).0, "E0305", "{bad}");
    }
    assert!(only(&keys("ctrl+shfit+s")).2.contains("`shift`"));
    let drag = |text: &str| step(&format!("{{backend: visual_anchor, action: drag, params: {{{text}}}}}"));
    artifact(&drag("from_x: 100, from_y: 100, to_x: \"512.0\", to_y: 200, button: right, duration_ms: 0"));
    fails(&drag("button: midle"), "E0305", "midle", &["did you mean `middle`"]);
    for bad in ["from_x: 12.5", "from_x: 1e3s", "from_x: .nan", "from_x: 99999999999"] {
        assert_eq!(only(&drag(bad)).0, "E0305", "{bad}");
    }
    let relative =
        |x: &str| step(&format!("{{backend: visual_anchor, action: click_relative, params: {{x_pct: {x}}}}}"));
    artifact(&relative("1.0"));
    for (bad, help) in [("1.01", ""), ("-0.1", ""), ("50", "0.5"), ("\"0,9\"", "")] {
        let (code, _, words) = only(&relative(bad));
        assert!(code == "E0305" && words.contains(help), "{bad}: {words}");
    }
    let scroll = |confidence: &str| {
        step(&format!("{{backend: visual_anchor, action: scroll, params: {{confidence: {confidence}}}}}"))
    };
    for good in ["1.0", "\"0.9\"", "0.01"] {
        artifact(&scroll(good));
    }
    for (bad, help) in [("95", "0.95"), ("0", ""), ("-1", ""), (".nan", ""), ("\"0,9\"", ""), ("1.0000001", "")] {
        let (code, _, words) = only(&scroll(bad));
        assert!(code == "E0305" && words.contains(help), "{bad}: {words}");
    }
    let get = |path: &str| {
        step(&format!("{{backend: file_transform, action: json_get, params: {{input_file: /f, path: {path}}}}}"))
    };
    for good in ["'a\\.b'", "a.b", "sp ace", "$x", "'\\e'", "__proto__"] {
        artifact(&get(good));
    }
    for bad in ["a..b", ".a", "a.", "\"\""] {
        assert_eq!(only(&get(bad)).0, "E0305", "{bad}");
    }
}

#[test]
fn recovery_needs_backends_that_can() {
    let with = |nested: &str, rest: &str| {
        step(&format!(
            "backend: recovery\naction: retry_with_fallback\nverify: [{{file_exists: /x}}]\nparams:\n  step: {nested}\n  {rest}"
        ))
    };
    artifact(&with("{backend: visual_anchor, action: type_text, params: {text: x}}", "fallback_backend: semantic_ui"));
    fails(
        &with("{backend: visual_anchor, action: move_to, params: {x: 1}}", "fallback_backend: native_api"),
        "E0308",
        "native_api",
        &["`move_to`"],
    );
    fails(
        &with("{backend: visual_anchor, action: move_to}", "fallback_backend: visual_anchor"),
        "E0308",
        "visual_anchor",
        &["its own fallback"],
    );
    fails(&with("{backend: recovery, action: retry}", "fallback_backend: native_api"), "E0309", "recovery", &[]);
    fails(
        &with("{action: find_executable, params: {name: x}}", "max_retries: 1"),
        "E0103",
        "retry_with_fallback",
        &["`fallback_backend`"],
    );
    fails(
        &step(
            "backend: recovery\naction: retry\nparams: {step: {action: find_executable, params: {name: x}}, fallback_backend: gui_agent}",
        ),
        "W0110",
        "fallback_backend",
        &[],
    );
    fails(
        &step("backend: recovery\naction: retri\nparams: {step: {action: find_executable, params: {name: x}}}"),
        "E0302",
        "retri",
        &["`retry`"],
    );
}

#[test]
fn a_computed_timeout_is_a_duration_or_milliseconds() {
    let with = |ty: &str, timeout: &str| {
        let step = format!("{{action: find_executable, params: {{name: x}}, {timeout}}}");
        format!("name: m\nparameters:\n  t: {{type: {ty}, required: true}}\nsteps:\n  - {step}\n")
    };
    artifact(&with("integer", "timeout_ms: \"${t * 1000}\""));
    artifact(&with("integer", "timeout: \"${t}s\""));
    fails(&with("integer", "timeout: \"${t}\""), "E0205", "t", &["a string", "`timeout_ms`"]);
    fails(&with("boolean", "timeout_ms: \"${t}\""), "E0205", "t", &["an integer", "a boolean"]);
    fails(&with("integer", "timeout_ms: \"${u}\", x-u: \"${t}\""), "E0202", "u", &["`t`"]);
}

#[test]
fn a_program_to_find_has_a_name_or_candidates() {
    artifact(&step("{action: find_executable, params: {name: x}}"));
    artifact(&step("{action: find_executable, params: {candidates: [x, y]}}"));
    let hint = step("{action: find_executable, params: {install_hint: x}}");
    fails(&hint, "E0304", "params", &["`name` or `candidates`"]);
    fails(&step("{action: find_executable, params: {nme: x}}"), "E0303", "nme", &["`name`"]);
}

#[test]
fn environment_variables_need_a_guard_or_a_fallback() {
    let with = |before: &str, text: &str| {
        format!(
            "name: m\npreconditions: [{before}]\nsteps:\n  - {{action: run_command, params: {{command: [echo, \"{text}\"]}}}}\n"
        )
    };
    artifact(&with("{env_var: TOKEN}", "${env.TOKEN}"));
    artifact(&with("{all: [{env_var: TOKEN}, {file_exists: /x}]}", "${env.TOKEN}"));
    artifact(&with("", "${env.TOKEN:-none}"));
    artifact(&with("{env_var: TOKEN}, {file_exists: \"${env.TOKEN}\"}", "x"));
    fails(&with("", "${env.TOKEN}"), "E0209", "env.TOKEN", &["`env_var: TOKEN`", ":-fallback"]);
    fails(&with("{any: [{env_var: TOKEN}, {file_exists: /x}]}", "${env.TOKEN}"), "E0209", "env.TOKEN", &[]);
    fails(&with("{file_exists: \"${env.TOKEN}\"}, {env_var: TOKEN}", "x"), "E0209", "env.TOKEN", &[]);
}

#[test]
fn outputs_are_read_where_they_are_there() {
    let with = |first: &str, second: &str, rest: &str| {
        format!(
            "name: m\nparameters: {{go: {{type: boolean, default: true}}}}\nsteps:\n  - {{id: a, {first}action: find_executable, params: {{name: \"x${{go}}\"}}}}\n  - {{id: b, {second}action: run_command, params: {{command: [echo, \"${{steps.a.name}}\"]}}}}\n{rest}"
        )
    };
    artifact(&with("", "", ""));
    for first in ["when: \"${go}\", ", "on_failure: skip, ", "on_failure: continue, "] {
        fails(&with(first, "", ""), "E0209", "steps.a.name", &["steps.a.success"]);
        artifact(&with(first, "when: \"${steps.a.success}\", ", ""));
        artifact(&with(first, "when: \"${steps.a.success and go}\", ", ""));
        artifact(&with(first, "when: \"${steps.a.success and steps.a.name == 'x'}\", ", ""));
        fails(&with(first, "when: \"${steps.a.success or go}\", ", ""), "E0209", "steps.a.name", &[]);
    }
    artifact(&with("when: \"${go}\", ", "when: \"${go}\", ", ""));
    fails(&with("when: \"${go}\", on_failure: skip, ", "when: \"${go}\", ", ""), "E0209", "steps.a.name", &[]);
    let last = |text: &str| {
        format!(
            "finally:\n  - {{id: z, action: run_command, params: {{command: [echo, \"{text}\"]}}}}\n  - {{action: run_command, params: {{command: [echo, \"${{steps.z.stderr}}\"]}}}}\n"
        )
    };
    artifact(&with("", "", &last("${steps.b.stderr:-none}")));
    artifact(&with("", "", &last("${steps.a.success}")));
    fails(&with("", "", &last("${steps.b.stderr}")), "E0209", "steps.b.stderr", &[]);
    fails(
        &with("", "", &format!("{}outputs: [{{name: o, value: \"${{steps.z.stderr}}\"}}]\n", last("x"))),
        "E0207",
        "z",
        &[],
    );
    fails(&with("", "verify: [{always: \"${steps.b.returncode == 0 and steps.c.x}\"}], ", ""), "E0206", "c", &["`a`"]);
    fails(
        &step("{id: a, action: run_command, params: {command: [echo, \"${steps.a.stderr}\"]}}"),
        "E0207",
        "a",
        &["has not run yet"],
    );
    artifact(&step(
        "{id: a, action: run_command, params: {command: [ls]}, verify: [{always: \"${steps.a.stderr == ''}\"}]}",
    ));
    fails(
        &step("{id: a, action: run_command, params: {command: [ls]}, verify: [{always: \"${steps.a.stdout == ''}\"}]}"),
        "E0210",
        "steps.a.stdout",
        &["capture_stdout"],
    );
}

#[test]
fn a_verify_cannot_ask_whether_its_step_succeeded() {
    let text =
        step("{id: a, action: run_command, params: {command: [ls]}, verify: [{always: \"${steps.a.success}\"}]}");
    fails(&text, "E0207", "steps.a.success", &["has not ended"]);
}

#[test]
fn called_macros_are_checked_with_their_arguments() {
    let library = "name: lib\ncomposable: true\nparameters: {n: {type: integer, max: 5}, l: {type: list, default: [1]}, s: {required: true}, o: string}\n\
                   steps:\n  - {id: a, action: run_command, params: {command: [echo, \"${n:-1}\", \"${join(l, '')}\", \"${s}\", \"${o:-}\"]}}\n\
                   outputs: [{name: code, value: \"${steps.a.returncode}\"}]\n";
    let call = |with: &str, more: &str| {
        let text = format!("name: m\nsteps:\n  - {{id: c, macro: lib, with: {with}}}\n{more}");
        let files = Files::default().with("lib.yaml", library);
        macrocli_compiler::compile("m.yaml", text.as_bytes(), &files, macrocli_compiler::Target::Any)
    };
    let read = "  - {action: run_command, params: {command: [echo, \"${steps.c.code + 1}\"]}}\n";
    for (with, more, wanted) in [
        ("{s: x}", read, &[] as &[&str]),
        ("{s: 007, n: 5, l: [a], o: }", "", &[]),
        ("{s: x, n: null, l: ~}", "", &[]),
        ("{}", "", &["E0304"]),
        ("{s: }", "", &["E0304"]),
        ("{n: 9, s: x}", "", &["E0305"]),
        ("{n: many, s: x}", "", &["E0305"]),
        ("{l: text, s: x}", "", &["E0305"]),
        ("{l: \"${env.A:-x}\", s: x}", "", &["E0205"]),
        ("{s: [a]}", "", &["E0205"]),
        ("{t: x}", "", &["E0304", "E0303"]),
        ("{q: 1, s: x}", "", &["E0303"]),
        ("{s: x}", "  - {action: run_command, params: {command: [echo, \"${steps.c.cod}\"]}}\n", &["E0208"]),
    ] {
        let compiled = call(with, more);
        assert_eq!(codes(&compiled), wanted, "{with}\n{}", short(&compiled));
    }
    let made = call("{s: x}", read).artifact.unwrap();
    assert_eq!(made.macros.len(), 2);
    assert_eq!((made.meta.name.as_str(), made.macros[1].name.as_str()), ("m", "m"));
}

#[test]
fn macros_that_call_each_other() {
    let macro_text = |name: &str, calls: &str| format!("name: {name}\ncomposable: true\nsteps: [{{macro: {calls}}}]\n");
    let files = Files::default()
        .with("a.yaml", macro_text("a", "b"))
        .with("b.yaml", macro_text("b", "c"))
        .with("c.yaml", macro_text("c", "b"));
    let compiled =
        macrocli_compiler::compile("a.yaml", macro_text("a", "b").as_bytes(), &files, macrocli_compiler::Target::Any);
    assert!(codes(&compiled).contains(&"E0502"), "{}", short(&compiled));
    assert!(short(&compiled).contains("b -> c -> b"), "{}", short(&compiled));
    // A chain as deep as may be, and one deeper.
    let chain = |length: usize| {
        let mut files = Files::default().with("m0.yaml", "name: m0\ncomposable: true\nsteps: []\n");
        for at in 1..length {
            files = files.with(&format!("m{at}.yaml"), macro_text(&format!("m{at}"), &format!("m{}", at - 1)));
        }
        let text = macro_text("top", &format!("m{}", length - 1));
        macrocli_compiler::compile("top.yaml", text.as_bytes(), &files, macrocli_compiler::Target::Any)
    };
    assert_eq!(codes(&chain(63)), [] as [&str; 0]);
    assert!(codes(&chain(80)).contains(&"E0004"));
}

#[test]
fn one_mistake_is_one_diagnostic() {
    let later =
        "  - {action: run_command, params: {command: [echo, \"${steps.a.stdout}\", \"${steps.a.anything.at[0]}\"]}}\n";
    for (broken, code) in [
        ("{id: a, action: run_comand, params: {command: [ls]}}", "E0302"),
        ("{id: a, backend: native, action: run_command, params: {command: [ls]}}", "E0301"),
        ("{id: a, params: {command: [ls]}}", "E0103"),
        ("{id: a, macro: nowhere}", "E0501"),
        ("{id: a, action: run_command, params: {command: \"${\", capture_stdout: true}}", "E0201"),
        ("{id: a, action: run_command, params: {command: [ls], capture_stdout: maybe}}", "E0305"),
        ("{id: a, for_each: 5, action: run_command, params: {command: [\"${item}\"], capture_stdout: true}}", "E0205"),
    ] {
        let text = format!("name: m\nsteps:\n  - {broken}\n{later}");
        let text = if broken.contains("capture") { text.replace(", \"${steps.a.anything.at[0]}\"", "") } else { text };
        let text = if broken.contains("for_each") {
            text.replace("${steps.a.stdout}", "${len(steps.a.stdout)}")
        } else {
            text
        };
        assert_eq!(only(&text).0, code, "{text}");
    }
    let broken_type = "name: m\nparameters: {p: {type: bool, default: 1}, q: {type: integer, default: x}}\nsteps:\n  - {when: \"${p}\", backend: visual_anchor, action: scroll, params: {dx: \"${q}\"}}\n";
    assert_eq!(codes(&alone(broken_type)), ["E0106", "E0109"]);
}

#[test]
fn what_is_used_anywhere_is_used() {
    let text = "name: m\nparameters:\n  a: {type: boolean, default: true}\n  b: {type: list, default: [1]}\n  c: {default: x}\n  d: {default: x}\n  e: {default: x}\n  f: {secret: true, required: true}\n\
                preconditions: [{not: {file_exists: \"${c}\"}}]\nsteps:\n  - when: ${a}\n    for_each: ${b}\n    action: run_command\n    params: {command: [cat], stdin: \"${f}\"}\n    verify: [{file_exists: \"${d}\"}]\n\
                outputs: [{name: o, value: [\"${e}\"]}]\n";
    artifact(text);
    let compiled = alone(&text.replace("[\"${e}\"]", "[]"));
    assert_eq!(codes(&compiled), ["W0101"]);
    assert_eq!(pointed(&compiled.diagnostics[0], &compiled), "e");
}

#[test]
fn too_much_is_refused_not_cut() {
    let long = |items: usize| {
        let list = vec!["${p}"; items].join("\", \"");
        format!(
            "name: m\nparameters: {{p: {{default: x}}}}\nsteps:\n  - {{action: run_command, params: {{command: [\"{list}\"]}}}}\n"
        )
    };
    artifact(&long(3_000));
    assert_eq!(codes(&alone(&long(70_000))), ["E0004"]);
    let constant = format!(
        "name: m\nsteps:\n  - {{backend: file_transform, action: json_set, params: {{input_file: /f, path: a, value: [{}]}}}}\n",
        vec!["1"; 70_000].join(",")
    );
    artifact(&constant);
    let parameters = |count: usize| {
        let declared: String = (0..count).map(|at| format!("  p{at}: {{default: x}}\n")).collect();
        let used: String = (0..count).map(|at| format!("${{p{at}}}")).collect();
        format!(
            "name: lib\ncomposable: true\nparameters:\n{declared}steps:\n  - {{action: run_command, params: {{command: [echo, \"{used}\"]}}}}\n"
        )
    };
    artifact(&parameters(256));
    assert_eq!(codes(&alone(&parameters(257))), ["E0004"]);
    let call = |count: usize| {
        let files = Files::default().with("lib.yaml", parameters(count));
        macrocli_compiler::compile(
            "m.yaml",
            b"name: m\nsteps:\n  - {macro: lib, with: {p1: a}}\n",
            &files,
            macrocli_compiler::Target::Any,
        )
    };
    assert_eq!(codes(&call(64)), [] as [&str; 0]);
    assert_eq!(codes(&call(65)), ["E0004"]);
    assert_eq!(errors(&call(65)), 1);
}
