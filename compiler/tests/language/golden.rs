//! Pairs of files: `errors/x.yaml` with the diagnostics in `x.stderr`, `lower/x.yaml` with the instructions in `x.code`.
//!
//! `UPDATE=1 cargo test -p macrocli-compiler --test language` writes the second of each pair.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use macrocli_compiler::{Compilation, Target, compile};
use spec::artifact::Artifact;

use crate::support::{Files, folder, short, updating};

#[test]
fn errors() {
    pairs("errors", "stderr", |compiled| {
        assert!(!compiled.diagnostics.is_empty(), "nothing was found");
        short(compiled)
    });
}

#[test]
fn lower() {
    pairs("lower", "code", |compiled| {
        let Some(artifact) = &compiled.artifact else { return short(compiled) };
        let mut out = short(compiled);
        out.push_str(&listing(artifact));
        out
    });
}

/// What macros touch, read off the bundled ones.
#[test]
fn manifests() {
    let root = folder("../macro_definitions");
    let files = macro_files(&root);
    let mut known = Files::default();
    for path in &files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        known = known.with(&format!("{name}.yaml"), fs::read(path).unwrap());
    }
    // Pictures are named relative to their macro's folder.
    for picture in fs::read_dir(root.join("demo/templates")).unwrap() {
        let path = picture.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        known = known.with(&format!("templates/{name}"), fs::read(&path).unwrap());
    }
    let mut out = String::new();
    for path in &files {
        let shown = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        let compiled = compile(&shown, &fs::read(path).unwrap(), &known, Target::Any);
        assert_eq!(short(&compiled), "", "{shown}");
        let manifest = &compiled.artifact.as_ref().unwrap().manifest;
        writeln!(out, "{shown}").unwrap();
        for (name, list) in [
            ("backends", &manifest.backends),
            ("programs", &manifest.programs),
            ("reads", &manifest.reads),
            ("writes", &manifest.writes),
            ("environment", &manifest.environment),
            ("windows", &manifest.windows),
            ("hosts", &manifest.hosts),
        ] {
            if !list.is_empty() {
                writeln!(out, "  {name}: {}", list.join(" | ")).unwrap();
            }
        }
        for (name, does) in [
            ("types", manifest.types),
            ("clicks", manifest.clicks),
            ("captures", manifest.captures),
            ("model", manifest.model),
        ] {
            if does {
                writeln!(out, "  {name}").unwrap();
            }
        }
    }
    expect(&folder("tests/golden/manifests.txt"), &out);
}

fn pairs(kind: &str, extension: &str, made: impl Fn(&Compilation) -> String) {
    let paths = macro_files(&folder("tests/golden").join(kind));
    assert!(!paths.is_empty());
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        let compiled = compile(name, &fs::read(&path).unwrap(), &Files::default(), Target::Any);
        let faults = compiled.diagnostics.iter().filter(|found| found.severity().name() == "error").count();
        assert_eq!(compiled.artifact.is_some(), faults == 0, "{name}");
        expect(&path.with_extension(extension), &made(&compiled));
    }
}

fn expect(path: &Path, found: &str) {
    if updating() {
        fs::write(path, found).unwrap();
        return;
    }
    let wanted = fs::read_to_string(path).unwrap_or_default();
    assert!(wanted == found, "{} differs; UPDATE=1 writes it. Found:\n{found}", path.display());
}

fn macro_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(macro_files(&path));
        } else if path.extension().is_some_and(|found| found == "yaml") && !path.ends_with("manifest.yaml") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn listing(artifact: &Artifact) -> String {
    let mut out = String::new();
    for (index, constant) in artifact.constants.list.iter().enumerate() {
        writeln!(out, "k{index} {constant:?}").unwrap();
    }
    for (index, route) in artifact.routes.iter().enumerate() {
        let names: Vec<String> = route
            .actions
            .iter()
            .filter_map(|number| spec::action::Action::by_number(*number))
            .map(|action| format!("{}.{}", action.backend().name(), action.name()))
            .collect();
        writeln!(out, "route{index} {}", names.join(", ")).unwrap();
    }
    for (index, op) in artifact.code.iter().enumerate() {
        writeln!(out, "{index:4} {op}").unwrap();
    }
    out
}
