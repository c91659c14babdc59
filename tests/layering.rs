//! Which module may use which: the arrows of `ARCHITECTURE.md`, held by a scan of every `crate::` path. Cargo holds the edges between
//! crates. Tests inside modules may use more.

use std::fs;
use std::path::{Path, PathBuf};

/// A module and the modules of its crate it may use besides itself.
type Row = (&'static str, &'static [&'static str]);

const SPEC: &[Row] = &[
    ("span", &[]),
    ("grammar", &[]),
    ("value", &[]),
    ("sensitive", &[]),
    ("danger", &[]),
    ("isa", &[]),
    ("kind", &["grammar", "value"]),
    ("action", &["kind", "value"]),
    ("condition", &["kind", "value"]),
    ("device", &["action", "kind"]),
    ("function", &["value"]),
    ("operand", &["condition", "function"]),
    ("op", &["operand"]),
    ("effect", &["op", "operand"]),
    ("artifact", &["action", "kind", "op", "operand", "value"]),
    ("reference", &["action", "condition", "function", "kind", "op"]),
    ("variable", &["action"]),
];

const COMPILER: &[Row] = &[
    ("source", &[]),
    ("sources", &[]),
    ("diagnostic", &[]),
    ("json", &[]),
    ("expr", &[]),
    ("yaml", &["diagnostic", "source"]),
    ("ast", &["expr"]),
    ("parse", &["ast", "diagnostic", "expr", "source", "yaml"]),
    ("ir", &[]),
    ("assets", &["ast", "diagnostic", "expr", "source", "sources", "yaml"]),
    ("check", &["assets", "ast", "diagnostic", "expr", "ir"]),
    ("manifest", &["assets", "ir"]),
    ("lower", &["assets", "ir", "manifest", "source"]),
    ("link", &["assets", "ast", "check", "diagnostic", "ir", "json", "parse", "source", "sources", "yaml"]),
];

const VM: &[Row] = &[
    ("environment", &[]),
    ("failure", &[]),
    ("json_text", &[]),
    ("program", &[]),
    ("process", &[]),
    ("server", &[]),
    ("report", &["failure"]),
    ("need", &["environment", "failure", "process"]),
    ("policy", &["edit", "need", "process", "server"]),
    ("guard", &["failure", "need", "policy", "process", "world"]),
    ("world", &["failure", "need", "process"]),
    ("verify", &["program"]),
    ("load", &["program", "verify"]),
    ("machine", &["failure", "json_text", "need", "process", "program", "report", "world"]),
    ("edit", &["json_text"]),
    ("files", &["edit"]),
    ("stop", &["failure", "process", "world"]),
    ("recording", &["failure", "world"]),
    ("sight", &[]),
    ("desktop", &["failure", "process", "stop"]),
    ("accessibility", &["failure", "process", "stop"]),
    ("picture", &["desktop"]),
    ("capture", &["desktop", "failure", "picture", "process", "stop"]),
    ("model", &["failure", "json_text", "process", "server", "stop"]),
    ("locate", &["desktop", "failure", "picture", "process", "sight", "stop", "world"]),
    (
        "backends",
        &[
            "accessibility",
            "desktop",
            "edit",
            "environment",
            "failure",
            "files",
            "json_text",
            "locate",
            "model",
            "picture",
            "process",
            "recording",
            "stop",
            "world",
        ],
    ),
    (
        "real",
        &["backends", "desktop", "environment", "failure", "files", "locate", "model", "process", "stop", "world"],
    ),
    ("simulated", &["failure", "json_text", "process", "recording", "world"]),
    ("dry_run", &["backends", "desktop", "environment", "failure", "files", "process", "real", "world"]),
];

const CLI: &[Row] = &[
    ("exit", &[]),
    ("args", &[]),
    ("identity", &[]),
    ("home", &[]),
    ("files", &[]),
    ("engine", &[]),
    ("findings", &[]),
    ("trouble", &["exit", "findings"]),
    ("events", &["args", "engine", "files", "identity"]),
    ("history", &["files", "home", "identity"]),
    ("session", &["args", "trouble"]),
    ("danger", &[]),
    ("diff", &["danger"]),
    ("print", &["args", "diff", "exit", "findings", "history", "identity", "trouble"]),
    ("bug", &["args", "exit", "print", "trouble"]),
    ("progress", &["print"]),
    ("registry", &["args", "engine", "files", "findings", "trouble"]),
    ("compile", &["args", "engine", "findings", "registry"]),
    ("batch", &["compile", "files", "findings", "progress", "registry", "trouble"]),
    ("incremental", &["files", "findings", "registry"]),
    (
        "building",
        &["batch", "compile", "engine", "files", "findings", "incremental", "progress", "registry", "trouble"],
    ),
    ("parameters", &["args", "engine", "files", "trouble"]),
    ("policy", &["args", "danger", "files", "print", "trouble"]),
    (
        "mcp",
        &[
            "args", "batch", "compile", "danger", "engine", "exit", "files", "findings", "identity", "policy", "print",
            "progress", "registry", "trouble",
        ],
    ),
    ("assist", &["compile", "engine", "files", "findings", "registry", "trouble"]),
    (
        "commands",
        &[
            "args",
            "assist",
            "batch",
            "building",
            "bug",
            "compile",
            "diff",
            "engine",
            "events",
            "exit",
            "files",
            "findings",
            "history",
            "home",
            "identity",
            "incremental",
            "mcp",
            "parameters",
            "policy",
            "print",
            "progress",
            "registry",
            "session",
            "trouble",
        ],
    ),
];

#[test]
fn modules_use_only_what_they_may() {
    let mut wrong = Vec::new();
    for (folder, rows) in [("spec/src", SPEC), ("compiler/src", COMPILER), ("vm/src", VM), ("src", CLI)] {
        for (file, text) in sources(folder) {
            let Some(module) = first_part(&file) else { continue };
            let Some((_, allowed)) = rows.iter().find(|(name, _)| *name == module) else {
                wrong.push(format!("{folder}/{file}: `{module}` has no row"));
                continue;
            };
            for used in paths("crate::", &text) {
                // Macros of the table are made for every module.
                let free = used == module || used.starts_with("for_each_") || allowed.contains(&used.as_str());
                if !free {
                    wrong.push(format!("{folder}/{file}: `{module}` may not use `{used}`"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_backend_knows_another() {
    for (file, text) in sources("vm/src/backends") {
        let Some(own) = first_part(&file) else { continue };
        for used in text.split("crate::backends::").skip(1).map(word) {
            assert!(used == own, "{file} uses `backends::{used}`");
        }
    }
}

#[test]
fn only_the_engine_runs_programs() {
    for (file, text) in sources("src") {
        let calls = paths("vm::", &text).iter().any(|module| ["load", "machine", "real"].contains(&module.as_str()));
        assert!(!calls || file == "engine.rs", "{file} calls the machine");
    }
}

#[test]
fn crates_know_only_spec() {
    for (folder, foreign) in [("spec", &["compiler", "vm"][..]), ("compiler", &["vm"]), ("vm", &["compiler"])] {
        let text = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
        for name in foreign {
            assert!(!text.lines().any(|line| line.starts_with(&format!("{name}."))), "{folder} depends on {name}");
            assert!(!text.contains(&format!("macrocli-{name}")) || folder == *name, "{folder} depends on {name}");
        }
    }
}

#[test]
fn the_pure_crates_reach_nothing_outside() {
    let outside = ["env", "fs", "net", "os", "process", "thread", "time"];
    for folder in ["spec/src", "compiler/src"] {
        for (file, text) in sources(folder) {
            let used = paths("std::", &text).into_iter().find(|module| outside.contains(&module.as_str()));
            assert!(used.is_none(), "{folder}/{file} uses `std::{}`", used.unwrap_or_default());
        }
    }
}

#[test]
fn only_the_reader_of_yaml_names_its_crate() {
    for (file, text) in sources("compiler/src") {
        assert!(!text.contains("granit_parser") || first_part(&file) == Some("yaml"), "{file} names the YAML crate");
    }
}

#[test]
fn only_the_verifier_makes_programs() {
    for (file, text) in sources("vm/src") {
        assert!(!text.contains("Program::verified") || first_part(&file) == Some("verify"), "{file} makes a `Program`");
    }
}

/// A path that goes up would pass the scans above unseen, so every use of another module begins with `crate::`.
#[test]
fn no_path_goes_up() {
    // Its macro makes one module for each action, inside the file.
    let makes_modules = "action.rs";
    for folder in ["spec/src", "compiler/src", "vm/src", "src"] {
        for (file, text) in sources(folder) {
            assert!(file == makes_modules || !text.contains("super::"), "{folder}/{file} has a path that goes up");
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The module a file belongs to; none for the root of a crate.
fn first_part(file: &str) -> Option<&str> {
    let part = file.split('/').next()?;
    let module = part.strip_suffix(".rs").unwrap_or(part);
    (!matches!(module, "lib" | "main" | "mod")).then_some(module)
}

/// Every source file below a folder of the project, without what is only there for tests, and without comments.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(&root().join(folder), &mut found);
    let base = root().join(folder);
    let name = |path: &PathBuf| path.strip_prefix(&base).unwrap().to_str().unwrap().to_owned();
    let for_tests = |name: &str| {
        name.split('/')
            .any(|part| matches!(part.trim_end_matches(".rs"), "tests" | "testing" | "sample" | "round_trip"))
    };
    let files = found.iter().map(|path| (name(path), fs::read_to_string(path).unwrap()));
    let files: Vec<_> = files.filter(|(name, _)| !for_tests(name)).map(|(name, text)| (name, product(&text))).collect();
    assert!(!files.is_empty(), "no sources in {folder}");
    files
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// A file's text up to its tests, without comments.
fn product(text: &str) -> String {
    let text = text.split("\nmod tests {").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The parts after the root of every path that begins with it, those in braces too.
fn paths(root: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(root).filter(|(at, _)| !text[..*at].ends_with('$')) {
        let rest = &text[at + root.len()..];
        match rest.strip_prefix('{') {
            None => found.push(word(rest)),
            Some(list) => {
                let (mut depth, mut begin) = (0usize, true);
                for (place, character) in list.char_indices() {
                    match character {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => begin = true,
                        other if begin && depth == 0 && !other.is_whitespace() => {
                            found.push(word(&list[place..]));
                            begin = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    found
}

fn word(text: &str) -> String {
    text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

#[test]
fn paths_are_found() {
    let text = "use crate::a::{b, c}; use crate::{d, e::{f, g}, h}; $crate::no; crate::i";
    assert_eq!(paths("crate::", text), ["a", "d", "e", "h", "i"]);
}
