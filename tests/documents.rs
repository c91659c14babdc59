//! What the documents say is so: commands are run, documents compared with real ones, macros compiled, and paths looked for.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value};

use crate::harness::Place;

/// What differs from run to run.
const VOLATILE: [&str; 9] = [
    "duration_ms",
    "run_id",
    "bytes",
    "stderr_bytes",
    "duration_us",
    "elapsed_us",
    "time",
    "timestamp",
    "avg_duration_ms",
];

/// A fenced block: the comment on the line above it, its language, and its text.
struct Block {
    mark: String,
    language: String,
    text: String,
}

#[test]
fn the_readme_does_what_it_says() {
    let place = Place::new();
    let here =
        |text: &str| text.replace("/tmp/", &format!("{}/", place.path("").to_str().unwrap().trim_end_matches('/')));
    let blocks = blocks("README.md");
    let first = marked(&blocks, "hello.yaml")[0];
    assert!(first.lines().count() <= 10, "the first macro has more than ten lines");
    place.write("hello.yaml", here(first));
    let mut printed = Vec::new();
    for text in marked(&blocks, "run") {
        for command in text.replace("\\\n", " ").lines() {
            // The checkout may itself lie in `/tmp`: its path comes in last.
            let command = here(&command.replace("cargo run --release -- ", "macrocli "));
            printed.push(shell(&place, &command.replace("macro_definitions/", &root("macro_definitions/"))));
        }
    }
    assert_eq!(printed.len(), 6);
    assert_eq!(place.read("c.json"), "{\"settings\": {\"theme\": \"dark\"}}\n");
    assert_eq!(place.read("hello.txt"), "Hello, Ada!\n");
    assert!(place.path("build/hello.mcb").is_file());
    let real = printed[1].replace(&root("macro_definitions/"), "macro_definitions/").replace(&here("/tmp/"), "/tmp/");
    same("README.md", &parse(marked(&blocks, "answer")[0]), &serde_json::from_str(&real).unwrap());
}

#[test]
fn documents_of_the_command_line_are_real() {
    let page = read("spec/cli.md");
    let place = Place::new()
        .file("file", "")
        .file("hello.yaml", "name: hello\nsteps: []\n")
        .file("typo/hello.yaml", "name: hello\nsteps:\n  - id: write\n    backend: file_transform\n    action: make_dir\n    params: {path: x}\n    tiemout: 5s\n")
        .file("before.yaml", "name: hello\nsteps: [{id: list, action: run_command, params: {command: [ls]}}]\n")
        .file("after.yaml", "name: hello\nsteps: [{id: list, action: run_command, timeout: 5s, params: {command: [cat, x]}}]\n")
        .file("broken.yaml", "name: broken\n");
    let calls: [(&str, &[&str]); 19] = [
        ("macrocli.error/1", &["info", "transform_jsn"]),
        ("macrocli.run/1", &["run", "backup_folder", "-p", "folder=file", "-p", "archive=out/x.tgz"]),
        ("macrocli.diagnostics/1", &["check", "typo/hello.yaml"]),
        ("macrocli.build/1", &["build", "hello.yaml"]),
        ("list", &["list"]),
        ("validate", &["validate", "transform_json", "broken.yaml"]),
        ("macrocli.inspect/1", &["inspect", "transform_json"]),
        ("macrocli.diff/1", &["diff", "before.yaml", "after.yaml"]),
        ("backends", &["backends"]),
        ("macrocli.define/1", &["define", "NAME"]),
        ("macrocli.disasm/1", &["disasm", "transform_json"]),
        ("macrocli.explain/1", &["explain", "E0101"]),
        ("macrocli.skill/1", &["skill"]),
        ("status", &["session", "status"]),
        ("sessions", &["session", "list"]),
        ("history", &["session", "history"]),
        ("macrocli.session.run/1", &["session", "show", "last"]),
        ("macrocli.session.save/1", &["session", "save"]),
        ("macrocli.session.prune/1", &["session", "prune", "--keep", "0"]),
    ];
    let other = Place::new().file("hello.yaml", "name: hello\nsteps: []\n");
    let fenced = blocks("spec/cli.md").into_iter().filter(|block| block.language == "json").map(|block| block.text);
    let inline = page.split('`').filter(|text| text.starts_with("{\"schema\"")).map(str::to_owned);
    let shown: Vec<String> = fenced.chain(inline).collect();
    assert_eq!(shown.len(), calls.len());
    for text in shown {
        let document = parse(&text);
        let has = |key: &str| !document[key].is_null() || !document[0][key].is_null();
        let name = match document["schema"].as_str() {
            Some(schema) => schema,
            None if has("native_api") => "backends",
            None if has("success_rate") => "status",
            None if has("artifact_hash") => "history",
            None if has("session_id") => "sessions",
            None if document.is_array() => "list",
            None => "validate",
        };
        let (_, words) = calls.iter().find(|(called, _)| *called == name).unwrap();
        // The examples of sessions are about one run.
        let of_sessions = words[0] == "session";
        if of_sessions && !other.own().join("history.pending").exists() {
            other.call(&["run", "hello.yaml"]).status(0);
        }
        let place = if of_sessions { &other } else { &place };
        let outcome = place.call(&[words, &["--json"][..]].concat()).run();
        let real = outcome.stdout.replace("typo/", "");
        same(name, &document, &serde_json::from_str(&real).unwrap());
    }
}

#[test]
fn flags_and_commands_are_described() {
    let place = Place::new();
    let (page, readme) = (read("spec/cli.md"), read("README.md"));
    let help = place.call(&["--help"]).status(0).stdout;
    let commands: Vec<&str> = listed(&help).into_iter().filter(|name| *name != "macro").collect();
    assert!(commands.len() >= 12, "{help}");
    let mut known = BTreeSet::from(["--param".to_owned(), "--version".to_owned()]);
    for command in commands {
        let begins =
            |text: &str| text.split('`').skip(1).step_by(2).any(|code| code.split(' ').next() == Some(command));
        assert!(begins(&page), "spec/cli.md does not tell of `{command}`");
        assert!(begins(&readme), "README.md does not tell of `{command}`");
        let help = place.call(&[command, "--help"]).status(0).stdout;
        known.extend(flags(&help));
        for verb in listed(&help) {
            known.extend(flags(&place.call(&[command, verb, "--help"]).status(0).stdout));
        }
    }
    let told = flags(&page);
    let unknown = told.difference(&known).cloned().collect::<Vec<_>>();
    assert!(unknown.is_empty(), "spec/cli.md tells of {unknown:?}");
    let untold = known.difference(&told).cloned().collect::<Vec<_>>();
    assert!(untold.is_empty(), "spec/cli.md does not tell of {untold:?}");
    let foreign = flags(&readme).into_iter().filter(|flag| {
        !known.contains(flag) && !matches!(&**flag, "--release" | "--path" | "--features" | "--manifest-path")
    });
    assert_eq!(foreign.collect::<Vec<_>>(), Vec::<String>::new());
    assert_eq!(exit_codes(&readme), exit_codes(&page));
}

#[test]
fn macros_in_documents_compile() {
    let place = Place::new();
    let mut count = 0;
    for page in ["README.md", "spec/language.md", "spec/cli.md"] {
        for block in blocks(page).iter().filter(|block| block.language == "yaml" && block.text.starts_with("name:")) {
            place.call(&["check", "-", "--deny", "warnings"]).stdin(&block.text).status(0);
            count += 1;
        }
    }
    assert!(count >= 2, "only {count} macros were found");
}

#[test]
fn paths_in_documents_exist() {
    let mut count = 0;
    for page in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "spec/cli.md", "spec/language.md", "build/README.md"] {
        let text = prose(page);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let folder = Path::new(page).parent().unwrap();
        for link in links.filter(|link| !link.contains("://")) {
            assert!(Path::new(&root("")).join(folder).join(link).exists(), "{page} links `{link}`");
            count += 1;
        }
        for name in text.split('`').skip(1).step_by(2).filter(|name| is_ours(name)) {
            assert!(Path::new(&root(name)).exists(), "{page} names `{name}`");
            count += 1;
        }
    }
    assert!(count > 10, "only {count} paths were found");
}

/// Whether a text names a file or folder of the project.
fn is_ours(name: &str) -> bool {
    let folders = ["spec/", "compiler/", "vm/", "src/", "tests/", "benches/", "macro_definitions/", "build/"];
    let first = name.split(' ').next().unwrap_or_default();
    let plain = first == name && !name.contains(['*', '<', '$']);
    plain
        && (folders.iter().any(|folder| name.starts_with(folder))
            || !name.contains('/') && Path::new(&root(name)).extension().is_some_and(|end| end == "toml"))
        && !name.ends_with(".mcb")
}

fn root(path: &str) -> String {
    format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))
}

fn read(page: &str) -> String {
    fs::read_to_string(root(page)).unwrap()
}

/// A page without its fenced blocks.
fn prose(page: &str) -> String {
    read(page).split("```").step_by(2).collect()
}

/// The fenced blocks of a page in that language.
pub fn fenced(page: &str, language: &str) -> Vec<String> {
    blocks(page).into_iter().filter(|block| block.language == language).map(|block| block.text).collect()
}

fn blocks(page: &str) -> Vec<Block> {
    let text = read(page);
    let parts: Vec<&str> = text.split("```").collect();
    let mark = |before: &str| {
        let last = before.trim_end().lines().last().unwrap_or_default();
        last.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")).unwrap_or_default().to_owned()
    };
    let block = |pair: &[&str]| {
        let (language, text) = pair[1].split_once('\n').unwrap();
        Block { mark: mark(pair[0]), language: language.to_owned(), text: text.to_owned() }
    };
    parts.chunks_exact(2).map(block).collect()
}

fn marked<'a>(blocks: &'a [Block], mark: &str) -> Vec<&'a str> {
    let found: Vec<&str> = blocks.iter().filter(|block| block.mark == mark).map(|block| block.text.as_str()).collect();
    assert!(!found.is_empty(), "no block is marked `{mark}`");
    found
}

/// Runs a line as a reader would, with macrocli on the path; it must succeed.
fn shell(place: &Place, line: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_macrocli")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(place.path("")).env_clear();
    command.env("PATH", format!("{}:{path}", binary.display())).env("HOME", place.path(""));
    command.env("MACROCLI_HOME", place.own());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A document as a page shows it, in which `…` stands for what was left out.
pub fn parse(text: &str) -> Value {
    let text = text.replace("[…]", "[]").replace("}, …\n", "}\n").replace(", …}", ", \"…\": null}");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Compares what is shown with what is real: keys must be the same, and values too, up to a `…`; of a list, some elements may be shown.
pub fn same(place: &str, shown: &Value, real: &Value) {
    match (shown, real) {
        (Value::Object(shown), Value::Object(real)) => {
            let whole = !shown.contains_key("…");
            let keys =
                |map: &Map<String, Value>| map.keys().filter(|key| *key != "…").cloned().collect::<BTreeSet<_>>();
            assert!(
                if whole { keys(shown) == keys(real) } else { keys(shown).is_subset(&keys(real)) },
                "{place}: {:?} is shown, {:?} is real",
                keys(shown),
                keys(real)
            );
            for (key, value) in shown.iter().filter(|(key, _)| *key != "…" && !VOLATILE.contains(&key.as_str())) {
                same(&format!("{place}.{key}"), value, &real[key]);
            }
        }
        (Value::Array(shown), Value::Array(real)) => {
            for (nth, value) in shown.iter().enumerate() {
                let named = |key: &str| real.iter().find(|other| !value[key].is_null() && other[key] == value[key]);
                let other = named("id").or_else(|| named("name")).or_else(|| real.get(nth));
                same(&format!("{place}[{nth}]"), value, other.unwrap_or(&Value::Null));
            }
        }
        (Value::String(shown), Value::String(real)) => {
            let begin = shown.split('…').next().unwrap_or_default();
            assert!(
                shown == real || shown.contains('…') && real.starts_with(begin),
                "{place}: {shown:?} is shown, {real:?} is real"
            );
        }
        (shown, real) => assert_eq!(shown, real, "{place}"),
    }
}

/// The commands that a help lists.
fn listed(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    lines.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect()
}

/// The long flags in a text.
fn flags(text: &str) -> BTreeSet<String> {
    let part = |character: char| character.is_ascii_lowercase() || character == '-';
    let words = text.split(|character| !part(character)).filter(|word| word.starts_with("--") && word.len() > 3);
    words.map(str::to_owned).collect()
}

/// The first column of the table of exit codes.
fn exit_codes(text: &str) -> Vec<String> {
    let rows =
        text.lines().skip_while(|line| !line.starts_with("| exit code") && !line.starts_with("| code |")).skip(2);
    let codes: Vec<String> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('|').nth(1).unwrap().trim().to_owned())
        .collect();
    assert!(codes.len() > 10, "{codes:?}");
    codes
}
