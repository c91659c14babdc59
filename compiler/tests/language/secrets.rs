//! Where secrets may flow, decided when a macro is built.

use macrocli_compiler::{Compilation, Target, compile};

use crate::support::{Files, alone, codes, pointed, short};

/// The names of the parameters of every macro here.
const HEAD: &str = "name: m\nparameters:\n  p: {secret: true, required: true}\n  n: {type: integer, secret: true, required: true}\n  \
                    l: {type: list, secret: true, required: true}\n  b: {type: boolean, secret: true, required: true}\n  o: {required: true}\n";

/// A macro with these keys after its parameters; all of them are read, so that no warning is in the way.
fn with(rest: &str) -> Compilation {
    let uses =
        "  - {id: uses, action: run_command, params: {command: [cat], stdin: \"${p}${n}${join(l, '')}${b}${o}\"}}\n";
    alone(&format!("{HEAD}{}", rest.replacen("steps:\n", &format!("steps:\n{uses}"), 1)))
}

fn step(step: &str) -> Compilation {
    with(&format!("steps:\n  - {step}\n"))
}

fn allowed(compiled: &Compilation, what: &str) {
    assert_eq!(short(compiled), "", "{what}");
}

fn shown(compiled: &Compilation, at: &str, words: &[&str]) {
    assert_eq!(codes(compiled), ["E0702"], "{}", short(compiled));
    assert_eq!(pointed(&compiled.diagnostics[0], compiled), at);
    for word in words {
        assert!(short(compiled).contains(word), "`{word}` is not in {}", short(compiled));
    }
}

#[test]
fn a_secret_may_be_typed_and_handed_over() {
    for params in [
        "{action: run_command, params: {command: [cat], stdin: \"x${upper(p)}\"}}",
        "{action: run_command, params: {command: [env], env: {T: \"${p}\", N: \"${n + 1}\"}}}",
        "{action: start_process, params: {command: [env], env: {T: \"${p:-none}\"}}}",
        "{backend: semantic_ui, action: type_text, params: {text: \"${p}\"}}",
        "{backend: visual_anchor, action: type_text, params: {text: \"${l[0]}\"}}",
        "{backend: semantic_ui, action: set_text, params: {app_name: a, label: b, text: \"${p}\"}}",
        "{backend: gui_agent, action: instruct, params: {description: look, api_key: \"${p}\"}}",
        "{action: run_command, for_each: \"${l}\", params: {command: [cat], stdin: \"${item}\"}}",
        "{action: run_command, when: \"${p != '' and len(p) > 3 and b}\", params: {command: [ls]}}",
    ] {
        allowed(&step(params), params);
    }
}

#[test]
fn what_is_asked_about_a_secret_is_none() {
    for asked in [
        "len(p)",
        "p == o",
        "contains(p, 'x')",
        "starts_with(p, 'x')",
        "ends_with(p, 'x')",
        "not b",
        "b and b",
        "n > 3",
    ] {
        allowed(
            &with(&format!("steps:\n  - {{action: run_command, params: {{command: [echo, \"${{{asked}}}\"]}}}}\n")),
            asked,
        );
    }
}

#[test]
fn what_is_made_of_a_secret_is_one() {
    for (made, at) in [
        ("p", "p"),
        ("upper(p)", "p"),
        ("o:-${p}", "p"),
        ("l[0]", "l"),
        ("n + 1", "n"),
        ("-n", "n"),
        ("b", "b"),
        ("json([o, p])", "p"),
        ("replace(o, 'x', trim(p))", "p"),
        ("join(split(p, ','), '')", "p"),
        ("string(int(p))", "p"),
    ] {
        let compiled = step(&format!("{{action: run_command, params: {{command: [echo, \"a ${{{made}}}\"]}}}}"));
        shown(&compiled, at, &["`command`", "`env` or `stdin`"]);
    }
}

#[test]
fn no_other_place_takes_a_secret() {
    for (params, name) in [
        ("{action: run_command, params: {command: \"echo ${p}\"}}", "command"),
        ("{action: run_command, params: {command: [ls], cwd: \"/x/${p}\"}}", "cwd"),
        ("{action: start_process, params: {command: [ls], log_file: \"/x/${p}\"}}", "log_file"),
        ("{action: find_executable, params: {name: \"${p}\"}}", "name"),
        (
            "{backend: file_transform, action: json_set, params: {input_file: a, path: b, value: {c: [\"${p}\"]}}}",
            "value",
        ),
        ("{backend: gui_agent, action: instruct, params: {description: \"log in as ${p}\"}}", "description"),
        ("{backend: semantic_ui, action: wait_for_window, params: {title_contains: \"${p}\"}}", "title_contains"),
        ("{backend: semantic_ui, action: set_text, params: {app_name: a, label: \"${p}\", text: b}}", "label"),
        ("{action: run_command, timeout: \"${p}s\", params: {command: [ls]}}", "timeout"),
        ("{action: find_executable, retry_max: \"${int(p)}\", params: {name: ls}}", "max_retries"),
        ("{action: run_command, params: {command: [ls]}, verify: [{file_exists: \"/${p}\"}]}", "file_exists: path"),
        (
            "{action: run_command, params: {command: [ls]}, verify: [{not: {any: [{env_var: \"${p}\"}]}}]}",
            "env_var: name",
        ),
    ] {
        shown(&step(params), "p", &[&format!("could be seen in `{name}`"), "`expose: [p]`"]);
        let exposed = params.strip_suffix('}').unwrap();
        allowed(&step(&format!("{exposed}, expose: [p]}}")), params);
        allowed(&step(&format!("{exposed}, expose: p}}")), params);
    }
    shown(
        &with("steps:\npreconditions: [{file_exists: \"/${p}\"}]\n"),
        "p",
        &["the `verify` of a step that has `expose: [p]`"],
    );
    shown(&with("steps:\npostconditions: [{file_contains: [\"/x\", \"${p}\"]}]\n"), "p", &[]);
    shown(&with("steps:\ntimeout: \"${n}s\"\n"), "n", &[]);
    shown(&with("steps:\noutputs: [{name: x, value: \"<${p}>\"}]\n"), "p", &["the output `x`"]);
    shown(&with("steps:\noutputs: [{name: x, path: \"/${p}\"}]\n"), "p", &[]);
    allowed(&with("steps:\noutputs: [{name: x, value: \"<${p}>\", expose: [p]}]\n"), "output");
    let looped = "{action: run_command, for_each: \"${l}\", params: {command: [echo, \"${index}\", \"${item}\"]}}";
    shown(&step(looped), "item", &["the secret `l`"]);
}

#[test]
fn every_secret_is_named_for_itself() {
    let both = "{action: run_command, params: {command: [echo, \"${p}${n}\"]}, expose: [p]}";
    shown(&step(both), "n", &["the secret `n`"]);
    allowed(&step(&both.replace("[p]}", "[p, n]}")), both);
}

#[test]
fn an_expose_without_effect_is_told() {
    for (expose, why) in [("[p]", "would not be seen in this step"), ("[o]", "`o` is no secret")] {
        let compiled = step(&format!("{{action: run_command, params: {{command: [ls]}}, expose: {expose}}}"));
        assert_eq!(codes(&compiled), ["W0110"], "{}", short(&compiled));
        assert!(short(&compiled).contains(why), "{}", short(&compiled));
    }
    let compiled = step("{action: run_command, params: {command: [echo, \"${p}\"]}, expose: [q]}");
    assert_eq!(codes(&compiled), ["E0702", "E0202"], "{}", short(&compiled));
}

#[test]
fn secrets_go_through_calls() {
    let inner = "name: inner\ncomposable: true\nparameters: {key: {secret: true, required: true}, open: {required: true}}\n\
                 outputs: [{name: made, value: \"<${key}>\", expose: [key]}, {name: plain, value: \"${open}\"}]\n\
                 steps: [{action: run_command, params: {command: [cat], stdin: \"${key}${open}\"}}]\n";
    let outer = |with: &str, after: &str| {
        let text = format!(
            "name: m\nparameters: {{p: {{secret: true, required: true}}, o: {{required: true}}}}\nsteps:\n  - {{id: c, macro: inner, with: {with}}}\n\
             \x20 - {{action: run_command, params: {{command: [cat], stdin: \"${{p}}${{o}}\"}}}}\n{after}"
        );
        let files = Files::default().with("inner.yaml", inner);
        compile("macro.yaml", text.as_bytes(), &files, Target::Any)
    };
    let right = "{key: \"${p}\", open: \"${o}\"}";
    allowed(&outer(right, ""), right);
    shown(&outer("{key: x, open: \"${p}\"}", ""), "p", &["`open` of macro `inner`", "`secret: true`"]);
    // What comes back is a secret exactly when the caller's is in it.
    shown(&outer(right, "outputs: [{name: x, value: \"${steps.c.made}\"}]\n"), "steps.c.made", &["the secret `p`"]);
    allowed(&outer(right, "outputs: [{name: x, value: \"${steps.c.plain}\"}]\n"), "plain");
    allowed(
        &outer("{key: \"${o}\", open: x}", "outputs: [{name: x, value: \"${steps.c.made}\"}]\n"),
        "not secret here",
    );
}

#[test]
fn a_recording_may_type_a_secret_and_no_more() {
    let recording = |step: &str| {
        let files = Files::default().with("r.json", format!("{{\"version\": 1, \"steps\": [{step}]}}"));
        let text = "name: m\nparameters: {p: {secret: true, required: true}}\nsteps:\n  - {backend: gui_macro, action: replay, params: {macro_file: r.json}}\n";
        compile("macro.yaml", text.as_bytes(), &files, Target::Any)
    };
    allowed(&recording("{\"type\": \"type\", \"text\": \"${p}\"}"), "type");
    shown(&recording("{\"type\": \"wait_file\", \"path\": \"/x/${p}\"}"), "p", &["`path` of the recording"]);
    shown(&recording("{\"type\": \"wait_window\", \"title_contains\": \"${p}\"}"), "p", &["`title_contains`"]);
}

#[test]
fn names_like_secrets_are_told() {
    let named = |declared: &str| {
        codes(&alone(&format!(
            "name: m\nparameters: {{{declared}}}\nsteps: [{{action: run_command, params: {{command: [cat], stdin: \"${{password}}\"}}}}]\n"
        )))
    };
    assert_eq!(named("password: {required: true}"), ["W0701"]);
    assert_eq!(named("password: {type: boolean, default: true}"), [""; 0]);
    assert_eq!(named("password: {required: true, secret: false}"), [""; 0]);
    assert_eq!(named("password: {required: true, secret: true}"), [""; 0]);
}
