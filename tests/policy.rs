//! What a run may touch: refused before the first step where that is known, and at the step where it is not.

use serde_json::{Value, json};

use crate::harness::{Outcome, Place};
use crate::witness::{statuses, step};

const COPY: &str = "name: m\nparameters: {from: {default: a.txt}, to: {required: true}}\nsteps:\n  \
                    - {id: mark, backend: file_transform, action: write_file, params: {output_file: mark, text: x}}\n  \
                    - {id: copy, backend: file_transform, action: copy_file, params: {src: \"${from}\", dst: \"${to}\"}}\n  \
                    - {id: list, action: run_command, params: {command: [ls, \"${to}\"]}}\n";

fn place(text: &str) -> Place {
    Place::new().file("m.yaml", text).file("a.txt", "a")
}

fn run(place: &Place, words: &[&str], status: i32) -> Value {
    let words: Vec<&str> = ["run", "m.yaml", "--json"].iter().chain(words).copied().collect();
    place.call(&words).status(status).json()
}

fn refused(told: &Value, needs: &[&str]) {
    assert_eq!((&told["error_code"], &told["exit_code"]), (&json!("refused"), &json!(6)), "{told:#}");
    let error = told["error"].as_str().unwrap();
    for need in needs {
        assert!(error.contains(need), "`{need}` is not in: {error}");
    }
    assert!(told["hint"].as_str().unwrap().contains("--allow"), "{told:#}");
}

#[test]
fn what_is_not_allowed_is_refused_before_the_first_step() {
    let place = place(COPY);
    let told = run(&place, &["-p", "to=b.txt", "--allow", "run=cat"], 6);
    refused(&told, &["`run=ls`", "/a.txt`", "/b.txt`", "/mark`", "`read=", "`write=", "the command line"]);
    assert!(statuses(&told).iter().all(|(_, status)| *status == "not_run"), "{told:#}");
    assert!(!place.path("mark").exists() && !place.path("b.txt").exists());
    // The hint is the very thing to add.
    let hint = told["hint"].as_str().unwrap();
    let list = hint.split('\'').nth(1).unwrap();
    let told = run(&place, &["-p", "to=b.txt", "--allow", list], 0);
    assert_eq!(told["success"], true);
    assert_eq!(place.read("b.txt"), "a");
}

#[test]
fn without_a_policy_nothing_is_refused() {
    let place = place(COPY);
    assert_eq!(run(&place, &["-p", "to=b.txt"], 0)["success"], true);
    let outcome = place.call(&["run", "m.yaml", "--json", "-p", "to=c.txt"]).env("MACROCLI_POLICY", "").status(0);
    assert_eq!(outcome.json()["success"], true);
}

#[test]
fn a_file_of_either_kind_allows() {
    let place = place(COPY)
        .file("p.toml", "run = [\"l?\"]\nread = \"*.txt\"\nwrite = [\"./**\"]\n")
        .file("p.yaml", "run: ls\nread: '*.txt'\nwrite: ['mark', 'b.*']\n");
    for policy in ["p.toml", "p.yaml"] {
        run(&place, &["-p", "to=b.txt", "--policy", policy], 0);
        let told = run(&place, &["-p", "to=/dev/../tmp/b.txt", "--policy", policy], 6);
        refused(&told, &["`write=/tmp/b.txt`", policy]);
        run(&place, &["-p", "to=b.txt", "--policy", policy, "--dry-run"], 0);
        refused(&run(&place, &["-p", "to=/x/b.txt", "--policy", policy, "--dry-run"], 6), &["`write=/x/b.txt`"]);
    }
}

#[test]
fn a_policy_that_is_not_understood_refuses_everything() {
    let place = place("name: m\nsteps: []\n")
        .file("p.toml", "run = [\"ls\"]\nwrites = [\"/tmp\"]\n")
        .file("p.yaml", "run: [ls\n");
    for (words, at) in [
        (&["--policy", "p.toml"][..], "p.toml:2:1: `writes` is not a key"),
        (&["--policy", "p.yaml"], "p.yaml:"),
        (&["--policy", "none.toml"], "none.toml"),
        (&["--allow", "wrte=/x"], "did you mean `write`?"),
        (&["--allow", "write=/x/[a"], "is no pattern"),
    ] {
        let told = run(&place, words, 2);
        assert_eq!(told["error_code"], "usage");
        assert!(told["error"].as_str().unwrap().contains(at), "{told:#}");
    }
    let outcome = place.call(&["run", "m.yaml", "--json"]).env("MACROCLI_POLICY", "p.toml").status(2);
    assert!(outcome.json()["error"].as_str().unwrap().contains("p.toml:2:1"), "{outcome:#?}");
}

#[test]
fn the_variable_limits_what_flags_allow() {
    let place = place(COPY).file("limit.toml", "run = true\nread = true\nwrite = [\"mark\"]\n");
    let call = |words: &[&str]| -> Outcome {
        let words: Vec<&str> = ["run", "m.yaml", "--json", "-p", "to=b.txt"].iter().chain(words).copied().collect();
        place.call(&words).env("MACROCLI_POLICY", "limit.toml").run()
    };
    for words in [&[][..], &["--allow", "write,read,run"], &["--policy", "limit.toml", "--allow", "write"]] {
        let outcome = call(words);
        assert_eq!(outcome.status, 6, "{outcome:#?}");
        refused(&outcome.json(), &["/b.txt`", "limit.toml"]);
    }
}

#[test]
fn what_depends_on_the_run_is_judged_at_its_step() {
    let text = "name: m\nparameters: {where: {default: out}}\nsteps:\n  \
                - {id: ask, action: run_command, params: {capture_stdout: true, command: [cat, name]}}\n  \
                - {id: write, backend: file_transform, action: write_file, on_failure: skip, params: {output_file: \"${trim(steps.ask.stdout)}\", text: x}}\n  \
                - {id: never, action: run_command, params: {command: [touch, never]}}\n\
                finally:\n  - {id: tidy, action: run_command, params: {command: [rm, -f, tidied]}}\n  \
                - {id: also, backend: file_transform, action: write_file, params: {output_file: \"${steps.ask.stdout:-x}\", text: x}}\n";
    let place = place(text).file("name", "in/../elsewhere/x\n").file("tidied", "");
    let told = run(&place, &["--allow", "run={cat,touch,rm},write=in/**"], 6);
    refused(&told, &["step `write` failed", "/elsewhere/x`"]);
    // No `skip` forgives it, nothing is touched, and `finally` runs under the same rules.
    assert!(!place.path("elsewhere").exists() && !place.path("never").exists() && !place.path("tidied").exists());
    let found = statuses(&told);
    assert!(
        found.contains(&("tidy", "ok")) && found.contains(&("also", "failed")) && found.contains(&("never", "not_run")),
        "{told:#}"
    );
    std::fs::create_dir(place.path("in")).unwrap();
    place.write("name", "in/x");
    run(&place, &["--allow", "run={cat,touch,rm},write=in/**"], 0);
    assert_eq!(place.read("in/x"), "x");
}

#[cfg(unix)]
#[test]
fn a_link_is_no_way_out() {
    let text = "name: m\nparameters: {to: {required: true}}\nsteps:\n  - {backend: file_transform, action: write_file, params: {output_file: \"${to}\", text: x}}\n";
    let place = place(text);
    std::fs::create_dir(place.path("in")).unwrap();
    std::fs::create_dir(place.path("out")).unwrap();
    std::os::unix::fs::symlink("../out", place.path("in/link")).unwrap();
    for to in ["in/link/x", "in/../out/x", "./in/./link/../out/x", "out/x"] {
        refused(&run(&place, &["-p", &format!("to={to}"), "--allow", "write=in/**"], 6), &["/out/x`"]);
    }
    assert!(!place.path("out/x").exists());
    run(&place, &["-p", "to=out/../in/x", "--allow", "write=in/**"], 0);
    assert_eq!(place.read("in/x"), "x");
}

#[test]
fn called_macros_conditions_and_variables_are_judged() {
    let inner = "name: inner\ncomposable: true\nparameters: {to: {required: true}}\nsteps:\n  \
                 - {id: w, backend: file_transform, action: write_file, params: {output_file: \"${to}/x\", text: x}}\n";
    let outer =
        "name: m\nparameters: {to: {default: fine}}\nsteps: [{id: c, macro: inner, with: {to: \"bad/${to}\"}}]\n";
    let place = place(outer).file("inner.yaml", inner);
    let told = run(&place, &["--allow", "write=fine/**"], 6);
    refused(&told, &["/bad/fine/x`", "step `c/w`"]);
    assert!(!place.path("bad").exists());
    let told = run(&place, &["--allow", "write=bad/**"], 1);
    assert_eq!(told["error_code"], "step_failed", "the folder is missing, which no policy minds: {told:#}");
    place.write("m.yaml", "name: m\npreconditions: [{file_exists: /etc/passwd}]\nsteps: []\n");
    refused(&run(&place, &["--allow", "read=/tmp/**"], 6), &["`read=/etc/passwd`"]);
    place.write(
        "m.yaml",
        "name: m\nsteps:\n  - {id: s, action: run_command, params: {command: [echo, \"${env.HOME:-x}\"]}}\n",
    );
    refused(&run(&place, &["--allow", "run=echo"], 6), &["`env=HOME`"]);
    run(&place, &["--allow", "run=echo,env=HO*"], 0);
}

#[test]
fn programs_are_judged_by_what_is_run() {
    let place = Place::new().file("bin/ls", "#!/bin/sh\necho fake\n");
    #[cfg(unix)]
    std::fs::set_permissions(place.path("bin/ls"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let step = |params: &str| format!("name: m\nsteps: [{{id: s, action: run_command, params: {{{params}}}}}]\n");
    let bin = place.path("bin").display().to_string();
    for params in [
        "command: [./bin/ls]".to_owned(),
        "command: [./ls], cwd: bin".to_owned(),
        format!("command: ['{bin}/ls']"),
        format!("command: [ls], env: {{PATH: '{bin}:/usr/bin:/bin'}}"),
    ] {
        place.write("m.yaml", step(&params));
        refused(&run(&place, &["--allow", "run=ls,env=PATH"], 6), &["/bin/ls`"]);
        run(&place, &["--allow", "run=bin/*,run=ls,env=PATH"], 0);
    }
    place.write("m.yaml", step("command: [ls], env: {LD_PRELOAD: ./x.so, LANG: C}"));
    refused(&run(&place, &["--allow", "run=ls,env=LANG"], 6), &["`env=LD_PRELOAD`"]);
    place.write("m.yaml", step("command: [ls], env: {LANG: C}"));
    run(&place, &["--allow", "run=ls,env=LANG"], 0);
    place.write("m.yaml", step("command: [ls]"));
    run(&place, &["--allow", "run=ls"], 0);
}

#[test]
fn devices_and_windows_are_judged_before_a_display_is_looked_for() {
    let place = place(
        "name: m\nsteps: [{backend: semantic_ui, action: type_text, params: {text: x}}, {backend: semantic_ui, action: focus_window, params: {title_contains: Editor}}]\n",
    );
    refused(&run(&place, &["--allow", "run"], 6), &["`type`", "`window=Editor`"]);
    assert_eq!(run(&place, &["--allow", "type,window=edit*"], 7)["error_code"], "backend_unavailable");
}

#[test]
fn what_is_done_through_accessibility_needs_what_a_hand_would() {
    let steps = [
        "{backend: semantic_ui, action: set_text, params: {label: Name, app_name: Editor, text: x}}",
        "{backend: semantic_ui, action: close_window, params: {title_contains: Editor}}",
        "{backend: semantic_ui, action: get_controls}",
    ];
    let place = place(&format!("name: m\nsteps: [{}]\n", steps.join(", ")));
    let told = run(&place, &["--allow", "window=Editor"], 6);
    refused(&told, &["`type`", "`click`", "`every window`"]);
    for list in ["type,click,window", "type,click,window=editor,capture"] {
        assert_eq!(run(&place, &["--allow", list], 7)["error_code"], "backend_unavailable", "{list}");
    }
    let seen = place.call(&["inspect", "m.yaml", "--json"]).status(0).json();
    let found = &seen["capabilities"];
    assert_eq!(
        (&found["types"], &found["clicks"], &found["windows"]),
        (&json!(true), &json!(true), &json!(["*", "Editor"])),
        "{seen:#}"
    );
}

#[test]
fn a_run_does_not_write_its_own_policy() {
    let place = place(
        "name: m\nparameters: {to: {required: true}}\nsteps: [{backend: file_transform, action: write_file, params: {output_file: \"${to}\", text: \"run: true\"}}]\n",
    )
    .file("p.yaml", "write: true\n")
    .file("limit.yaml", "write: true\n");
    for (to, by) in [("p.yaml", "p.yaml"), ("./limit.yaml", "limit.yaml")] {
        let to = format!("to={to}");
        let words = ["run", "m.yaml", "--json", "-p", &to, "--policy", "p.yaml", "--allow", "write"];
        let told = place.call(&words).env("MACROCLI_POLICY", "limit.yaml").status(6).json();
        assert_eq!(told["error_code"], "refused", "{told:#}");
        assert!(told["error"].as_str().unwrap().contains(by), "{told:#}");
        assert!(told["hint"].as_str().unwrap().contains("its own policy"), "{told:#}");
        assert_eq!(place.read(by), "write: true\n");
    }
    run(&place, &["-p", "to=other.yaml", "--policy", "p.yaml"], 0);
}

#[test]
fn a_secret_in_what_is_refused_is_masked() {
    let place = place(
        "name: m\nparameters: {p: {secret: true, required: true}}\nsteps: [{action: run_command, params: {command: [\"${p}\"]}, expose: [p]}]\n",
    );
    for mode in [&["--json"][..], &[]] {
        let words: Vec<&str> =
            ["run", "m.yaml", "--secret", "p=env:PW", "--allow", "run=ls"].iter().chain(mode).copied().collect();
        let outcome = place.call(&words).env("PW", "hunter2!,*{x}").status(6);
        assert!(!format!("{outcome:?}").contains("hunter2"), "{outcome:#?}");
    }
}

#[test]
fn what_calls_itself_dangerous_needs_consent() {
    let text = "name: m\ncomposable: true\nagent_hints: {danger_level: dangerous}\nsteps: [{id: s, action: run_command, params: {command: [touch, done]}}]\n";
    let place = place(text)
        .file("yes.toml", "run = true\ndangerous = true\n")
        .file("no.toml", "run = true\ndangerous = false\n")
        .file("outer.yaml", "name: outer\nsteps: [{macro: m}]\n");
    let told = run(&place, &[], 6);
    assert_eq!((&told["error_code"], &told["macro_name"]), (&json!("refused"), &json!("m")));
    assert!(told["hint"].as_str().unwrap().contains("--yes"), "{told:#}");
    place.call(&["run", "m.yaml"]).status(6).tells("--yes");
    place.call(&["run", "outer.yaml"]).status(6).tells("dangerous");
    run(&place, &["--allow", "run"], 6);
    run(&place, &["--yes", "--policy", "no.toml"], 6);
    assert!(!place.path("done").exists());
    run(&place, &["--dry-run"], 0);
    assert!(!place.path("done").exists());
    for words in [&["--yes"][..], &["-y"], &["--policy", "yes.toml"], &["--allow", "run=touch,dangerous"]] {
        let told = run(&place, words, 0);
        assert_eq!(step(&told, "s")["status"], "ok");
        std::fs::remove_file(place.path("done")).unwrap();
    }
    place.call(&["build", "m.yaml", "-o", "out"]).status(0);
    place.call(&["run", "out/m.mcb"]).status(6);
}
