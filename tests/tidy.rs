//! Rules every file keeps.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a source file, tests at its end not counted.
const LONGEST: usize = 400;
/// The table of everything there is stays one file.
const TABLE: &str = "spec/src/isa.rs";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file of the project, by its path in the project.
fn rust_files() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in ["src", "spec", "compiler", "vm", "tests", "benches"] {
        collect(&root().join(folder), &mut found);
    }
    let name = |path: &PathBuf| path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
    found.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            collect(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_map_is_short_and_names_what_is_there() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert!(map.lines().count() <= 150, "the map has {} lines", map.lines().count());
    let mut base = String::new();
    let mut checked = 0;
    for line in map.lines() {
        if let Some(heading) = line.strip_prefix('#') {
            // The sections of a crate name files relative to its sources.
            let named = heading.split('`').nth(1).unwrap_or_default();
            base = if root().join(named).is_dir() { named.to_owned() } else { String::new() };
        }
        for name in line.split('`').skip(1).step_by(2) {
            let name = name.trim_end_matches('/');
            let is_path =
                name.contains('/') || name.ends_with(".rs") || name.ends_with(".md") || name.ends_with(".toml");
            if is_path && !name.contains(['<', '*', ' ', '$', ':', '{', '(']) {
                let near = format!("{base}/..");
                let bases = ["", &base, &near, "compiler/src", "spec/src", "vm/src"];
                let mut places = bases.iter().map(|base| root().join(base).join(name));
                assert!(places.any(|place| place.exists()), "ARCHITECTURE.md names `{name}`, which is not there");
                checked += 1;
            }
        }
    }
    assert!(checked > 10, "only {checked} paths were found in the map");
}

#[test]
fn nothing_is_left_unfinished() {
    let marks = [
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("db", "g!("),
        concat!("FIX", "ME"),
        concat!("STAND", "-IN"),
    ];
    for (file, text) in rust_files() {
        for mark in marks {
            assert!(!text.contains(mark), "{file} has `{mark}`");
        }
    }
}

#[test]
fn pages_are_whole_and_their_sections_numbered_once() {
    let mut pages = vec![root().join("README.md"), root().join("ARCHITECTURE.md")];
    let entries = fs::read_dir(root().join("spec")).unwrap().map(|entry| entry.unwrap().path());
    pages.extend(entries.filter(|path| path.extension().is_some_and(|end| end == "md")));
    let mut numbered = 0;
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let mut seen = HashSet::new();
        for line in text.lines() {
            let merge = line.starts_with("<<<<<<<") || line.starts_with(">>>>>>>");
            assert!(!merge, "{}: `{line}` is the mark of a merge", page.display());
            let heading = line.strip_prefix('#').map(|rest| rest.trim_start_matches(['#', ' ']));
            let number = heading.and_then(|heading| heading.split(' ').next());
            if let Some(number) = number.filter(|number| number.starts_with(|first: char| first.is_ascii_digit())) {
                assert!(seen.insert(number), "{}: two sections are number {number}", page.display());
                numbered += 1;
            }
        }
    }
    assert!(numbered > 10, "only {numbered} sections were found");
}

/// Whether a file is there only for tests.
fn is_test(file: &str) -> bool {
    file.split('/').any(|part| part.trim_end_matches(".rs") == "tests")
}

#[test]
fn files_are_short() {
    for (file, text) in rust_files() {
        let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().lines().count();
        assert!(
            is_test(&file) || file == TABLE || product <= LONGEST,
            "{file} has {product} lines: split it by concept"
        );
    }
}

#[test]
fn every_file_says_what_it_is() {
    for (file, text) in rust_files().into_iter().filter(|(file, _)| file.starts_with("tests/") || !is_test(file)) {
        let first = text.lines().find(|line| !line.starts_with("#![")).unwrap_or_default();
        assert!(first.starts_with("//!"), "{file} has no first line that says what it is");
    }
}

#[test]
fn no_wildcard_imports_and_no_escapes_upwards() {
    for (file, text) in rust_files() {
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        for line in product.lines().map(str::trim) {
            let wildcard = line.starts_with("use ") && line.ends_with("::*;") && !line.ends_with("prelude::*;");
            assert!(!wildcard, "{file}: {line}");
            assert!(!line.contains(concat!("super::", "super::")), "{file}: {line}");
        }
    }
}

#[test]
fn every_dependency_has_a_reason() {
    for manifest in ["Cargo.toml", "spec/Cargo.toml", "compiler/Cargo.toml", "vm/Cargo.toml"] {
        let text = fs::read_to_string(root().join(manifest)).unwrap();
        let mut section = "";
        let mut before = "";
        for line in text.lines() {
            if line.starts_with('[') {
                section = line;
            }
            let listed = section.contains("dependencies") && !section.contains("workspace") && line.contains('=');
            let ours = line.contains("workspace = true");
            if listed && !line.starts_with('[') && !line.starts_with('#') && !ours {
                assert!(before.starts_with('#'), "{manifest}: no reason above `{line}`");
            }
            before = line;
        }
    }
}

#[test]
fn every_dependency_is_used() {
    for (manifest, sources) in
        [("spec/Cargo.toml", "spec/"), ("compiler/Cargo.toml", "compiler/"), ("vm/Cargo.toml", "vm/")]
    {
        let text = fs::read_to_string(root().join(manifest)).unwrap();
        let code: String =
            rust_files().into_iter().filter(|(file, _)| file.starts_with(sources)).map(|(_, text)| text).collect();
        let (_, listed) = text.split_once("dependencies]").unwrap();
        for line in listed.lines().filter(|line| !line.starts_with(['#', '[']) && line.contains('=')) {
            let name = line.split([' ', '.']).next().unwrap_or_default().replace('-', "_");
            assert!(code.contains(&format!("{name}::")), "{manifest}: nothing uses `{name}`");
        }
    }
}
