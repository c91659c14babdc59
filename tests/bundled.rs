//! The bundled macros do what they say: each is compiled without a warning, and run with real inputs and the real programs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{Call, Outcome, Place};

/// Every bundled macro; each has a test below, or in `display_demo.rs`.
const ALL: [&str; 22] = [
    "backup_folder",
    "build_and_verify",
    "bump_version",
    "convert_document",
    "draw_icon",
    "export_file",
    "extract_audio",
    "gedit_replace",
    "gedit_save_as",
    "gedit_write",
    "json_report",
    "mousepad_replace",
    "mousepad_save_as",
    "mousepad_write",
    "publish_report",
    "resize_images",
    "set_page_background",
    "set_setting",
    "tag_release",
    "transform_json",
    "undo_last",
    "zenity_form",
];

#[test]
fn each_compiles_without_a_warning() {
    let place = Place::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/macro_definitions");
    let document = place.call(&["build", folder, "--deny", "warnings", "--json"]).status(0).json();
    assert_eq!((&document["diagnostics"], &document["failed"]), (&json!([]), &json!([])));
    assert_eq!(names(&document["built"]), ALL.map(str::to_owned).into());
    for name in ALL {
        assert!(place.path(&format!("build/{name}.mcb")).is_file(), "no artifact of {name}");
    }
}

#[test]
fn each_is_part_of_the_binary_and_says_what_it_is_for() {
    let place = Place::new();
    let listed = place.call(&["list", "--json"]).status(0).json();
    assert_eq!(names(&listed), ALL.map(str::to_owned).into());
    for name in ALL {
        let about = place.call(&["info", name, "--json"]).status(0).json();
        assert_eq!(about["source_path"], Value::Null, "{name}");
        for key in ["danger_level", "side_effects", "reversible", "estimated_duration_ms"] {
            assert!(!about["agent_hints"][key].is_null(), "{name} has no `{key}`");
        }
        let parameters = about["parameters"].as_object().unwrap().values();
        for entry in parameters.chain(about["outputs"].as_array().unwrap()).chain([&about]) {
            let described = entry["description"].as_str().is_some_and(|text| text.trim_end().ends_with('.'));
            assert!(described, "{name}: no sentence describes {entry}");
        }
    }
}

#[test]
fn export_file_copies() {
    let place = Place::new().file("-report.odt", "some bytes\n").file("old.odt", "old");
    let run = |words: &[&str], status| run(&place, "export_file", words, status);
    let done = run(&["input=-report.odt", "output=old.odt", "min_bytes=10"], 0);
    assert_eq!(done["output"], json!({"exported_file": "old.odt"}));
    assert_eq!(place.read("old.odt"), "some bytes\n");
    assert_eq!(run(&["input=-report.odt", "output=out", "min_bytes=11"], 1)["error_code"], "postcondition_unmet");
    assert_eq!(run(&["input=none", "output=out"], 4)["error_code"], "precondition_unmet");
    assert_eq!(run(&["input=-report.odt", "output=no/folder"], 1)["error_code"], "step_failed");
}

#[test]
fn transform_json_changes_one_value() {
    let before = "{\r\n  // kept\r\n  \"n\": 1.50,\r\n  \"settings\": {\"theme\": \"light\",},\r\n}\r\n";
    let place = Place::new().file("c.json", before);
    let done = run(&place, "transform_json", &["file=c.json", "key=settings.theme", "value=a \"dark\" one"], 0);
    assert_eq!(done["output"], json!({"file": "c.json"}));
    assert_eq!(place.read("c.json"), before.replace("light", "a \\\"dark\\\" one"));
}

#[test]
fn undo_last_needs_a_display() {
    let place = Place::new();
    let pretended = place.call(&["run", "undo_last", "--dry-run", "--json"]).status(0).json();
    assert_eq!(pretended["output"], json!({"keys": "ctrl+z"}));
    assert_eq!(pretended["steps"][1]["would"], json!({"keys": "ctrl+z"}));
    let refused = run(&place, "undo_last", &[], 7);
    assert_eq!(refused["error_code"], "backend_unavailable");
    assert!(refused["error"].as_str().unwrap().contains("semantic_ui"), "{refused}");
    let hints: Vec<&str> = refused["hint"].as_str().unwrap().split("; ").collect();
    assert_eq!(hints.len(), hints.iter().collect::<BTreeSet<_>>().len(), "a hint is given twice: {hints:?}");
    assert_eq!((&refused["steps"][1]["status"], &refused["telemetry"]["steps_run"]), (&json!("not_run"), &json!(0)));
}

#[test]
fn convert_document_makes_documents() {
    needs(&["soffice"]);
    let place = Place::new().file("a note.txt", "The quarterly figures.\n").file("scratch/kept", "");
    let call = |words: &[&str], status| {
        slow(call(&place, "convert_document", words).env("TMPDIR", &text(&place.path("scratch"))), status)
    };
    let done = call(&["input=a note.txt", "output=out/new/note.pdf"], 0);
    assert_eq!(done["output"]["document"], "out/new/note.pdf");
    let pdf = fs::read(place.path("out/new/note.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 1000, "{} bytes", pdf.len());
    // A document can be converted there and back.
    call(&["input=a note.txt", "output=note.odt", "format=odt"], 0);
    assert!(fs::read(place.path("note.odt")).unwrap().starts_with(b"PK\x03\x04"));
    call(&["input=note.odt", "output=back.txt", "format=txt"], 0);
    assert!(place.read("back.txt").contains("The quarterly figures."));
    // LibreOffice does not say that it failed; the macro does, and leaves neither result nor scratch folder behind.
    place.write("page.html", "<p>A page</p>");
    let failed = call(&["input=page.html", "output=page.docx", "format=docx"], 1);
    assert_eq!(failed["error_code"], "verification_failed", "{failed}");
    assert!(!place.path("page.docx").exists());
    assert_eq!(entries(&place.path("scratch")), ["kept"]);
}

#[test]
fn resize_images_fits_into_the_box() {
    assert!(
        ["magick", "convert-im6.q16", "convert"].iter().any(|name| found(name)),
        "ImageMagick is missing: `tests/run` installs it"
    );
    let place = Place::new();
    // A format without compression, which is quickly written: width, height, and three bytes for each pixel.
    for (name, width, height) in [("wide one.ppm", 400, 200), ("tall.ppm", 90, 300), ("small.ppm", 20, 10)] {
        let pixels = (0..width * height).flat_map(|at| [(at % 256) as u8, 80, 120]);
        place.write(name, [format!("P6 {width} {height} 255\n").into_bytes(), pixels.collect()].concat());
    }
    let files = |names: &[&str]| json!({"files": names, "output_dir": "small", "width": 100, "height": 60}).to_string();
    let names = ["wide one.ppm", "tall.ppm", "small.ppm"];
    let originals = names.map(|name| fs::read(place.path(name)).unwrap());
    let done = with(&place, "resize_images", &files(&names), 0);
    assert_eq!(done["output"], json!({"folder": "small", "count": 3}));
    for (name, size) in [("wide one.ppm", "100 50"), ("tall.ppm", "18 60"), ("small.ppm", "20 10")] {
        let header = String::from_utf8_lossy(&fs::read(place.path("small").join(name)).unwrap()[..16]).into_owned();
        assert_eq!(header.split_whitespace().skip(1).take(2).collect::<Vec<_>>().join(" "), size, "{name}");
    }
    assert_eq!(names.map(|name| fs::read(place.path(name)).unwrap()), originals);
    place.write("no.png", "not an image");
    let failed = with(&place, "resize_images", &files(&["small.ppm", "no.png", "tall.ppm"]), 1);
    let states: Vec<&Value> = failed["steps"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|step| step["id"] == "resize")
        .map(|step| &step["status"])
        .collect();
    assert_eq!(states, ["ok", "failed"]);
    assert_eq!(with(&place, "resize_images", &files(&[]), 4)["error_code"], "precondition_unmet");
}

#[test]
fn extract_audio_takes_the_sound_out() {
    needs(&["ffmpeg", "ffprobe"]);
    let place = Place::new();
    let talk = text(&place.path("a talk.mkv"));
    let made = "-v error -nostdin -f lavfi -i testsrc=size=32x32:duration=1 -f lavfi -i sine=duration=1 -c:v mjpeg -c:a pcm_s16le";
    program("ffmpeg", &[&made.split(' ').collect::<Vec<_>>()[..], &[&talk]].concat());
    let files =
        |format: &str, files: &[&str]| json!({"files": files, "output_dir": "out", "format": format}).to_string();
    let done = with(&place, "extract_audio", &files("wav", &["a talk.mkv"]), 0);
    assert_eq!(done["output"]["folder"], "out");
    let seconds: f64 = done["output"]["seconds"][0].as_str().unwrap().parse().unwrap();
    assert!((0.9..1.2).contains(&seconds), "{seconds}");
    let wav = fs::read(place.path("out/a talk.wav")).unwrap();
    assert!(wav.starts_with(b"RIFF") && &wav[8..12] == b"WAVE" && wav.len() > 80_000, "{} bytes", wav.len());
    with(&place, "extract_audio", &files("flac", &["a talk.mkv", "out/a talk.wav"]), 0);
    assert!(fs::read(place.path("out/a talk.flac")).unwrap().starts_with(b"fLaC"));
    place.write("text.mkv", "no sound");
    let failed = with(&place, "extract_audio", &files("wav", &["text.mkv"]), 1);
    assert!(failed["error"].as_str().unwrap().contains("ffmpeg"), "{failed}");
}

#[test]
fn set_page_background_changes_the_attribute_alone() {
    let before = "<mxfile host=\"app\">\r\n  <diagram name='One &amp; only' id=\"a\">\r\n    <mxGraphModel dx=\"1\"   grid='1'><root/></mxGraphModel>\r\n  \
                  </diagram>\r\n  <!-- kept --><diagram name=\"Two\"><mxGraphModel background=\"#ffffff\"/></diagram>\r\n</mxfile>";
    let place = Place::new().file("a.drawio", before);
    let done = run(&place, "set_page_background", &["file=a.drawio", "color=#fffbe6", "page=Two"], 0);
    assert_eq!(done["output"], json!({"file": "a.drawio", "pages": 1}));
    let two = before.replace("#ffffff", "#fffbe6");
    assert_eq!(place.read("a.drawio"), two);
    let done = run(&place, "set_page_background", &["file=a.drawio", "color=none"], 0);
    assert_eq!(done["output"]["pages"], 2);
    let both = two.replace("#fffbe6", "none").replace("grid='1'>", "grid='1' background=\"none\">");
    assert_eq!(place.read("a.drawio"), both);
    assert_eq!(
        run(&place, "set_page_background", &["file=a.drawio", "color=red"], 4)["error_code"],
        "precondition_unmet"
    );
    assert_eq!(
        run(&place, "set_page_background", &["file=a.drawio", "color=#000000", "page=Three"], 1)["error_code"],
        "step_failed"
    );
    place.write("packed.drawio", "<mxfile><diagram>7VpZc9o6FP41zLQPZ</diagram></mxfile>");
    run(&place, "set_page_background", &["file=packed.drawio", "color=#000000"], 1);
    assert_eq!(place.read("a.drawio"), both);
}

#[test]
fn set_setting_keeps_comments_and_tells_what_was() {
    let before = "{\n\t// Size in pixels.\n\t\"editor.fontSize\": 13,\n\t\"editor\": {\"fontSize\": 1},\n\t\"files.autoSave\": \"off\",\n}\n";
    let place = Place::new().file("settings.json", before);
    let run = |words: &[&str], status| run(&place, "set_setting", &[&["file=settings.json"], words].concat(), status);
    let done = run(&["key=editor.fontSize", "value=14", "kind=integer", "backup=yes"], 0);
    assert_eq!(done["output"], json!({"file": "settings.json", "previous": 13}));
    let after = before.replace("13", "14");
    assert_eq!((place.read("settings.json"), place.read("settings.json.bak")), (after.clone(), before.to_owned()));
    assert_eq!(run(&["key=files.autoSave", "value=afterDelay"], 0)["output"]["previous"], "off");
    assert_eq!(place.read("settings.json"), after.replace("off", "afterDelay"));
    assert_eq!(run(&["key=editor.new", "value=TRUE", "kind=boolean"], 0)["output"]["previous"], Value::Null);
    assert!(place.read("settings.json").contains("\"editor.new\": true"));
    run(&["key=editor.zoom", "value=1.25", "kind=float"], 0);
    assert!(place.read("settings.json").contains("\"editor.zoom\": 1.25"));
    let kept = place.read("settings.json");
    assert_eq!(run(&["key=a", "value=perhaps", "kind=boolean"], 4)["error_code"], "precondition_unmet");
    assert_eq!(run(&["key=a", "value=many", "kind=integer"], 1)["error_code"], "evaluation_failed");
    assert_eq!(place.read("settings.json"), kept);
}

#[test]
fn bump_version_changes_one_version() {
    let manifest = "[dependencies]\nlog = { version = \"0.4\" }\n\n[package]\nname = \"p\"\nversion   = \"1.3.9\" # ours\n\n[dependencies.x]\nversion = \"1.3.9\"\n";
    let changes = "# Changelog\n\n## Unreleased\n\n- Faster.\n\n## 1.3.9 - 2024-01-01\n";
    let place = Place::new()
        .file("Cargo.toml", manifest)
        .file("package.json", "{\"version\":\"0.1.0\", \"x\": {\"version\": 1}}")
        .file("CHANGES.md", changes);
    let done = run(&place, "bump_version", &["manifest=Cargo.toml", "version=1.4.0", "changelog=CHANGES.md"], 0);
    assert_eq!(done["output"], json!({"manifest": "Cargo.toml", "version": "1.4.0"}));
    assert_eq!(place.read("Cargo.toml"), manifest.replacen("1.3.9", "1.4.0", 1));
    let dated = place.read("CHANGES.md");
    let heading = dated.lines().nth(4).unwrap();
    let date = heading.strip_prefix("## 1.4.0 - ").unwrap();
    assert!(date.len() == 10 && date.starts_with("20"), "{date}");
    assert_eq!(dated, changes.replace("## Unreleased\n", &format!("## Unreleased\n\n{heading}\n")));
    run(&place, "bump_version", &["manifest=package.json", "version=0.2.0"], 0);
    assert_eq!(place.read("package.json"), "{\"version\":\"0.2.0\", \"x\": {\"version\": 1}}");
    for words in [
        ["manifest=CHANGES.md", "version=1"],
        ["manifest=Cargo.toml", "version=$1"],
        ["manifest=none.toml", "version=1"],
    ] {
        assert_eq!(run(&place, "bump_version", &words, 4)["error_code"], "precondition_unmet", "{words:?}");
    }
}

#[test]
fn tag_release_tags_and_pushes() {
    needs(&["git"]);
    let place = Place::new().file("repo/a", "1").file(".gitconfig", "[user]\nname = Ada\nemail = ada@example.org\n");
    let git = |words: &[&str]| git(&place, words);
    git(&["init", "--quiet", "--bare", "central.git"]);
    git(&["-C", "repo", "init", "--quiet"]);
    git(&["-C", "repo", "add", "a"]);
    git(&["-C", "repo", "commit", "--quiet", "--message", "first"]);
    git(&["-C", "repo", "remote", "add", "origin", "../central.git"]);
    let head = git(&["-C", "repo", "rev-parse", "HEAD"]);
    let done = run(&place, "tag_release", &["repository=repo", "tag=v1"], 0);
    assert_eq!(done["output"], json!({"tag": "v1", "commit": head.trim(), "pushed": false}));
    assert_eq!(git(&["-C", "repo", "cat-file", "-t", "v1"]), "tag\n");
    assert_eq!(git(&["-C", "central.git", "tag"]), "");
    assert_eq!(run(&place, "tag_release", &["repository=repo", "tag=v1"], 1)["error_code"], "step_failed");
    run(&place, "tag_release", &["repository=repo", "tag=v2", "message=Faster: \"$x\"", "push=true"], 0);
    assert_eq!(
        git(&["-C", "central.git", "tag", "--list", "--format=%(refname:short) %(subject)"]),
        "v2 Faster: \"$x\"\n"
    );
    place.write("repo/a", "2");
    assert_eq!(run(&place, "tag_release", &["repository=repo", "tag=v3"], 1)["error_code"], "step_failed");
    assert_eq!(git(&["-C", "repo", "tag"]), "v1\nv2\n");
    assert_eq!(run(&place, "tag_release", &["repository=repo", "tag=--delete"], 4)["error_code"], "precondition_unmet");
}

#[test]
fn build_and_verify_believes_only_what_it_sees() {
    needs(&["make"]);
    let rules = "all:\n\tmkdir -p out\n\ttouch \"$$TMPDIR/used\"\n\tprintf '#!/bin/sh\\necho ok' > out/p\n\tchmod +x out/p\n\
                 nothing:\n\t@true\nbroken:\n\tprintf half > out/p\n\tfalse\n";
    let place = Place::new().file("project/Makefile", rules).file("project/out/p", "old").file("scratch/kept", "");
    let run = |parameters: Value, status: i32| {
        let mut all = json!({"folder": "project", "artifact": "out/p"});
        all.as_object_mut().unwrap().extend(parameters.as_object().unwrap().clone());
        let words = ["run", "build_and_verify", "--json", "--params-json", &all.to_string()];
        let document = place.call(&words).env("TMPDIR", &text(&place.path("scratch"))).status(status).json();
        // The scratch folder is gone, however the run ended.
        assert_eq!(entries(&place.path("scratch")), ["kept"]);
        let last = document["steps"].as_array().unwrap().iter().find(|step| step["id"] == "remove_scratch").unwrap();
        assert_eq!(last["status"], "ok");
        document
    };
    let done = run(json!({"command": ["make", "all"], "min_bytes": 5, "smoke_test": ["out/p"]}), 0);
    assert_eq!(done["output"]["artifact"], "project/out/p");
    assert_eq!(done["output"]["sha256"].as_str().unwrap().len(), 64);
    let failed = run(json!({"command": ["make", "broken"]}), 1);
    assert_eq!(failed["error_code"], "step_failed");
    // A build that says it succeeded and made nothing: what was there before is not taken for its result.
    let failed = run(json!({"command": ["make", "nothing"]}), 1);
    assert_eq!(failed["error_code"], "verification_failed");
    assert!(!place.path("project/out/p").exists());
    let failed = run(json!({"command": ["make", "all"], "smoke_test": ["false"]}), 1);
    assert!(failed["error"].as_str().unwrap().contains("smoke_test"), "{failed}");
}

#[test]
fn backup_folder_packs_and_proves_it() {
    needs(&["tar", "sha256sum"]);
    let place =
        Place::new().file("my project/a.txt", "one").file("my project/sub/b", "two").file("my project/c.tmp", "no");
    let all = json!({"folder": "my project", "archive": "out/p.tar.gz", "exclude": ["*.tmp"]}).to_string();
    let done = with(&place, "backup_folder", &all, 0);
    assert_eq!(done["output"]["archive"], "out/p.tar.gz");
    assert_eq!(entries(&place.path("out")), ["p.tar.gz", "p.tar.gz.sha256"]);
    let out = text(&place.path("out"));
    let mut listed: Vec<String> =
        program("tar", &["-tzf", &format!("{out}/p.tar.gz")]).lines().map(str::to_owned).collect();
    listed.sort();
    assert_eq!(listed, ["./", "./a.txt", "./sub/", "./sub/b"]);
    assert_eq!(program("env", &["-C", &out, "sha256sum", "--check", "p.tar.gz.sha256"]), "p.tar.gz: OK\n");
    // A failure leaves an archive that was there as it was.
    let before = fs::read(place.path("out/p.tar.gz")).unwrap();
    place.write("file", "no folder");
    run(&place, "backup_folder", &["folder=file", "archive=out/p.tar.gz"], 1);
    assert_eq!(fs::read(place.path("out/p.tar.gz")).unwrap(), before);
    assert_eq!(entries(&place.path("out")), ["p.tar.gz", "p.tar.gz.sha256"]);
    run(&place, "backup_folder", &["folder=my project", "archive=my project/x.tar.gz"], 4);
}

const METRICS: &str = r#"{"build": {"metrics": {"time_s": 12.50, "a<b & c": [1, "x"], "ok": true}, "empty": {}}}"#;

#[test]
fn json_report_makes_a_table() {
    let place = Place::new().file("m.json", METRICS);
    let words = ["input=m.json", "section=build.metrics", "output=r.html", "title=A & <b>"];
    let done = run(&place, "json_report", &words, 0);
    assert_eq!(done["output"], json!({"report": "r.html", "rows": 3}));
    let page = place.read("r.html");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("<tr><td>")).collect();
    assert_eq!(
        rows,
        [
            "<tr><td>time_s</td><td>12.5</td></tr>",
            "<tr><td>a&lt;b &amp; c</td><td>[1,\"x\"]</td></tr>",
            "<tr><td>ok</td><td>true</td></tr>",
        ]
    );
    assert!(page.contains("<h1>A &amp; &lt;b></h1>") && page.starts_with("<!DOCTYPE html>\n"), "{page}");
    assert_eq!(
        run(&place, "json_report", &["input=m.json", "section=build.empty", "output=e.html"], 0)["output"]["rows"],
        0
    );
    run(&place, "json_report", &["input=m.json", "section=none", "output=n.html"], 1);
    assert!(!place.path("n.html").exists());
}

#[test]
fn publish_report_composes_the_others() {
    needs(&["soffice", "tar"]);
    let place = Place::new().file("m.json", METRICS);
    let words = ["input=m.json", "section=build.metrics", "folder=pub", "archive=pub.tar.gz"];
    let done = run(&place, "publish_report", &words, 0);
    assert_eq!((&done["output"]["report"], &done["output"]["pdf"]), (&json!("pub/report.html"), &Value::Null));
    assert_eq!(done["output"]["sha256"].as_str().unwrap(), &place.read("pub.tar.gz.sha256")[..64]);
    assert_eq!(entries(&place.path("pub")), ["report.html"]);
    let done = slow(call(&place, "publish_report", &[&words[..], &["pdf=true"]].concat()), 0);
    assert_eq!(done["output"]["pdf"], "pub/report.pdf");
    assert!(fs::read(place.path("pub/report.pdf")).unwrap().starts_with(b"%PDF-"));
    let listed = program("tar", &["-tzf", &text(&place.path("pub.tar.gz"))]);
    assert_eq!(listed.lines().collect::<BTreeSet<_>>(), ["./", "./report.html", "./report.pdf"].into());
    let inner = done["steps"].as_array().unwrap().iter().any(|step| step["id"] == "document/convert");
    assert!(inner, "{done}");
}

/// A run by name, with `name=value` parameters.
fn call<'a>(place: &'a Place, name: &str, parameters: &[&str]) -> Call<'a> {
    let mut words = vec!["run", name, "--json"];
    parameters.iter().for_each(|parameter| words.extend(["--param", parameter]));
    place.call(&words)
}

/// The result of a run that must end with this exit code.
fn run(place: &Place, name: &str, parameters: &[&str], status: i32) -> Value {
    call(place, name, parameters).status(status).json()
}

/// The same with parameters as JSON.
fn with(place: &Place, name: &str, parameters: &str, status: i32) -> Value {
    place.call(&["run", name, "--json", "--params-json", parameters]).status(status).json()
}

/// The same for LibreOffice, which takes its time; the macro's own time limit bounds it.
fn slow(call: Call<'_>, status: i32) -> Value {
    let output = call.start().wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap_or(-1);
    let outcome = Outcome { status: code, stdout: text(output.stdout), stderr: text(output.stderr) };
    assert_eq!(outcome.status, status, "{outcome:#?}");
    outcome.json()
}

/// Fails when a program is not there: a macro that is not run is not tested.
fn needs(programs: &[&str]) {
    for name in programs {
        assert!(found(name), "`{name}` is missing: `tests/run` installs it");
    }
}

fn found(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// Runs a program that must succeed, and gives what it prints.
fn program(name: &str, words: &[&str]) -> String {
    printed(Command::new(name).args(words))
}

/// The same for git, which must not see the configuration of whoever runs the tests.
fn git(place: &Place, words: &[&str]) -> String {
    let mut command = Command::new("git");
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", place.path(""));
    printed(command.env("GIT_CONFIG_NOSYSTEM", "1").args(words).current_dir(place.path("")))
}

fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn names(list: &Value) -> BTreeSet<String> {
    list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}
