//! Finding, listing, showing and starting macros.

use crate::harness::{GOOD, Place};

#[test]
fn earlier_places_shadow_later_ones() {
    let of = |version: &str| {
        format!("name: m\nversion: {version}\nsteps:\n  - {{id: a, action: find_executable, params: {{name: sh}}}}\n")
    };
    let place = Place::new()
        .file("flag/m.yaml", of("flag"))
        .file("env1/sub/m.yml", of("env1"))
        .file("env2/m.yaml", of("env2"))
        .file("macro_definitions/m.yaml", of("here"))
        .file(".local/share/macrocli/macros/m.yaml", of("user"));
    let path = format!("{}:{}", place.path("env1").display(), place.path("env2").display());
    let version = |flags: &[&str], path: &str| {
        let words = [flags, &["info", "m", "--json"]].concat();
        place.call(&words).env("MACROCLI_PATH", path).status(0).json()["version"].as_str().unwrap().to_owned()
    };
    assert_eq!(version(&["--macros", "env2", "--macros", "flag"], &path), "env2");
    assert_eq!(version(&["--macros", "flag"], &path), "flag");
    assert_eq!(version(&[], &path), "env1");
    assert_eq!(version(&[], "nowhere::"), "here");
    std::fs::remove_dir_all(place.path("macro_definitions")).unwrap();
    assert_eq!(version(&[], ""), "user");
    let listed = place.call(&["list", "--json"]).status(0).json();
    assert_eq!(listed.as_array().unwrap().iter().filter(|entry| entry["name"] == "m").count(), 1);
    place.call(&["info", "transform_json"]).status(0).says("bundled");
    place.call(&["run", "transform_jsn"]).status(2).tells("did you mean `transform_json`?");
}

#[test]
fn paths_are_paths_and_names_are_names() {
    let place = Place::new().good("m.yaml", "other").good("plain", "plain").good("macro_definitions/n.yaml", "n");
    for target in ["m.yaml", "./m.yaml", "plain", "./plain", "n", "macro_definitions/n.yaml"] {
        place.call(&["run", target]).status(0);
    }
    place.call(&["macro", "run", "anything", "--macro-file", "m.yaml"]).status(0);
    place.call(&["run", "-"]).stdin(&format!("name: x\n{GOOD}")).status(0).tells("x: ok");
    place.call(&["run", "m"]).status(2).tells("unknown macro `m`");
}

#[cfg(unix)]
#[test]
fn files_that_never_end_are_not_opened() {
    let place = Place::new();
    std::process::Command::new("mkfifo").arg(place.path("p.yaml")).status().unwrap();
    place.call(&["run", "p.yaml"]).status(2).tells("a pipe or device");
    place.call(&["check", "."]).status(3).tells("a pipe or device");
    place.call(&["run", "/dev/zero"]).status(2);
    place.call(&["--macros", ".", "list"]).status(0).tells("p.yaml");
}

#[test]
fn macros_call_their_neighbours_first() {
    let callee = |program: &str| {
        format!(
            "name: callee\ncomposable: true\nsteps:\n  - {{id: {program}, action: find_executable, params: {{name: sh}}}}\n"
        )
    };
    let place = Place::new()
        .file("macro_definitions/callee.yaml", callee("far"))
        .file("here/callee.yaml", callee("near"))
        .file("here/by_name.yaml", "name: by_name\nsteps:\n  - {id: c, macro: callee}\n")
        .file("here/by_path.yaml", "name: by_path\nsteps:\n  - {id: c, macro: ../macro_definitions/callee.yaml}\n")
        .file("else/by_name.yaml", "name: by_name\nsteps:\n  - {id: c, macro: callee}\n")
        .file("else/none.yaml", "name: none\nsteps:\n  - {id: c, macro: calle}\n");
    let step = |path: &str| place.call(&["run", path, "--json"]).status(0).json()["steps"].to_string();
    assert!(step("here/by_name.yaml").contains("c/near"));
    assert!(step("here/by_path.yaml").contains("c/far"));
    assert!(step("else/by_name.yaml").contains("c/far"));
    place.call(&["run", "else/none.yaml"]).status(3).tells("did you mean `callee`?");
}

#[test]
fn a_manifest_is_checked_and_adds_files() {
    let place = Place::new()
        .good("m/a.yaml", "a")
        .good("m/b.yaml", "b")
        .good("aside/c.yaml", "c")
        .file("m/manifest.yaml", "macros:\n  - {name: a, path: a.yaml, version: \"1\"}\n  - ../aside/c.yaml\n");
    for name in ["a", "b", "c"] {
        place.call(&["--macros", "m", "run", name]).status(0);
    }
    place.call(&["check", "m"]).status(0);
    place.write("m/manifest.yaml", "macros:\n  - {name: x, path: a.yaml}\n  - missing.yaml\n");
    place
        .call(&["check", "m", "--message-format", "short"])
        .status(3)
        .tells("m/manifest.yaml:2:12: error[E0111]")
        .tells("m/manifest.yaml:3:5");
    place.call(&["--macros", "m", "run", "a"]).status(0);
    place.call(&["--macros", "m", "list"]).status(0).tells("m/manifest.yaml:3:5");
    place.call(&["--macros", "m", "validate"]).status(3);
}

#[test]
fn info_shows_a_macro_in_full_form() {
    let text = r#"name: i
version: 1.10
parameters:
  size: {type: integer, default: 3, min: 1}
  key: string
preconditions:
  - file_exists: /tmp
  - not: {file_size_gt: ["${key:-x}", 5]}
steps:
  - {id: a, action: run_command, params: {command: [echo, "${size}", 5]}, timeout: 1.5s, retry_max: 2}
postconditions:
  - always: true
outputs:
  - {name: n, value: "${steps.a.returncode}"}
tags: [x]
"#;
    let place = Place::new().file("i.yaml", text);
    let info = place.call(&["macro", "info", "./i.yaml", "--json"]).status(0).json();
    let keys: Vec<&str> = info.as_object().unwrap().keys().map(String::as_str).collect();
    let wanted = [
        "name",
        "version",
        "description",
        "parameters",
        "preconditions",
        "steps",
        "postconditions",
        "outputs",
        "tags",
        "composable",
        "agent_hints",
        "source_path",
    ];
    assert_eq!(keys, wanted);
    assert_eq!(info["version"], "1.10");
    assert_eq!(info["preconditions"][0], serde_json::json!({"type": "file_exists", "args": "/tmp"}));
    assert_eq!(info["preconditions"][1]["args"]["type"], "file_size_gt");
    assert_eq!(info["steps"][0]["params"], serde_json::json!({"command": ["echo", "${size}", 5]}));
    assert_eq!((&info["steps"][0]["timeout_ms"], &info["steps"][0]["backend"]), (&1500.into(), &"native_api".into()));
    assert_eq!(info["parameters"]["size"]["min"], 1);
    assert!(info["source_path"].as_str().unwrap().ends_with("/i.yaml"));
    place.call(&["info", "i.yaml"]).status(0).says("i 1.10").says("file_exists  /tmp");
}

#[test]
fn a_defined_macro_compiles_and_runs() {
    let place = Place::new();
    place.call(&["define", "mine"]).status(0).stdout("mine.yaml\n");
    place.call(&["define", "mine"]).status(1).tells("exists already");
    place.call(&["define", "mine", "--force", "--json"]).status(0);
    place.call(&["macro", "define", "other", "-o", "sub.yaml"]).status(0);
    place.call(&["define", "mine", "-o", "none/x.yaml"]).status(1);
    place.call(&["check", "mine.yaml", "sub.yaml", "--deny", "warnings"]).status(0);
    place.call(&["run", "mine.yaml", "-p", "file=out.txt"]).status(0).stdout("file: out.txt\n");
    assert_eq!(place.read("out.txt"), "hello\n");
}

#[test]
fn an_artifact_says_what_it_is() {
    let place = Place::new().good("a.yaml", "a");
    let build = place.call(&["build", "a.yaml", "--json"]).status(0).json();
    let inspected = place.call(&["inspect", "build/a.mcb", "--json"]).status(0).json();
    assert_eq!(inspected["content_hash"], build["built"][0]["hash"]);
    assert_eq!(inspected["steps"][0]["route"], serde_json::json!(["native_api.find_executable"]));
    assert_eq!(place.call(&["inspect", "a.yaml", "--json"]).status(0).json(), inspected);
    let text = place.call(&["disasm", "build/a.mcb"]).status(0).stdout;
    place.call(&["disasm", "a.yaml"]).status(0).stdout(&text);
    place.call(&["inspect", "build/a.mcb"]).status(0).says("native_api.find_executable");
    place.call(&["--macros", "build", "list", "--json"]).status(0).says("\"a\"");
    place.call(&["--macros", "build", "run", "a"]).status(0);
    place.call(&["info", "build/a.mcb", "--json"]).status(0).says("\"a\"");
}

#[test]
fn backends_have_the_documented_keys() {
    let document = Place::new().call(&["--json", "backends"]).status(0).json();
    let order: Vec<&str> = document.as_object().unwrap().keys().map(String::as_str).collect();
    let wanted = ["native_api", "gui_macro", "visual_anchor", "file_transform", "gui_agent", "semantic_ui", "recovery"];
    assert_eq!(order, wanted);
    assert_eq!(
        (&document["native_api"]["priority"], &document["native_api"]["available"]),
        (&100.into(), &true.into())
    );
    for (name, entry) in document.as_object().unwrap() {
        assert_eq!(entry["name"], name.as_str());
        assert!(entry["available"].as_bool().unwrap() || entry["reason"].is_string());
        assert!(!entry["actions"].as_array().unwrap().is_empty());
    }
}
