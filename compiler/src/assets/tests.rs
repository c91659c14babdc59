use std::collections::HashMap;

use png::{BitDepth, ColorType};
use spec::span::{FileId, Span};

use crate::assets::{Assets, Packer};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::SourceMap;
use crate::sources::{Found, NotFound, Sources};

/// A PNG file.
pub fn png(width: u32, height: u32, color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    bytes
}

/// Files in memory; paths are relative to one folder.
#[derive(Default)]
struct Files(HashMap<String, Vec<u8>>);

impl Sources for Files {
    fn find_macro(&self, _: &str, _: &str) -> Result<Found, NotFound> {
        Err(NotFound::Unknown(Vec::new()))
    }

    fn read(&self, path: &str, from: &str) -> Result<Vec<u8>, String> {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let key = crate::assets::path::key(folder, path);
        self.0.get(&key).cloned().ok_or_else(|| "no such file".to_owned())
    }
}

struct Bench {
    files: Files,
    assets: Assets,
    texts: SourceMap,
    problems: Diagnostics,
}

impl Bench {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let files = files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect();
        let mut texts = SourceMap::default();
        texts.add("m.yaml", "0123456789");
        Bench { files: Files(files), assets: Assets::default(), texts, problems: Diagnostics::default() }
    }

    fn image(&mut self, from: &str, prefix: &str, path: &str) -> Option<String> {
        let Bench { files, assets, texts, problems } = self;
        Packer { sources: files, from, prefix, assets, texts }.image(path, place(), problems)
    }

    fn recording(&mut self, path: &str) -> Option<String> {
        let Bench { files, assets, texts, problems } = self;
        Packer { sources: files, from: "m.yaml", prefix: "", assets, texts }.recording(path, place(), problems)
    }

    fn problems(self) -> (Vec<Diagnostic>, SourceMap) {
        (self.problems.into_sorted(), self.texts)
    }

    /// The one problem, which is at the macro's place.
    fn problem(self) -> String {
        let (list, _) = self.problems();
        assert_eq!(list.len(), 1, "{list:?}");
        assert_eq!(list[0].span, place());
        format!("{} {}", list[0].code, list[0].message)
    }
}

fn place() -> Span {
    Span::new(FileId(0), 2..5)
}

fn checkered(seed: u8) -> Vec<u8> {
    png(2, 1, ColorType::Grayscale, BitDepth::Eight, &[seed, seed ^ 1])
}

#[test]
fn an_image_is_packed_once_under_its_normal_path() {
    let (a, b) = (checkered(1), checkered(4));
    let mut bench = Bench::new(&[("img/a.png", &a), ("sub/b.png", &b)]);
    assert_eq!(bench.image("m.yaml", "", "./img/a.png").as_deref(), Some("img/a.png"));
    assert_eq!(bench.image("m.yaml", "", "img//x/../a.png").as_deref(), Some("img/a.png"));
    assert_eq!(bench.image("sub/n.yaml", "sub", "b.png").as_deref(), Some("sub/b.png"));
    assert_eq!(bench.image("sub/n.yaml", "sub", "../img/a.png").as_deref(), Some("img/a.png"));
    let paths: Vec<&str> = bench.assets.images.iter().map(|image| image.path.as_str()).collect();
    assert_eq!(paths, ["img/a.png", "sub/b.png"]);
    assert_eq!(bench.assets.images[0].rgba, [1, 1, 1, 255, 0, 0, 0, 255]);
    assert_eq!(bench.problems().0, []);
}

#[test]
fn different_files_never_share_a_name() {
    // A macro from elsewhere is linked without a prefix.
    let (a, b) = (checkered(1), checkered(4));
    let mut bench = Bench::new(&[("a.png", &a), ("far/a.png", &b), ("near/a.png", &a)]);
    assert_eq!(bench.image("m.yaml", "", "a.png").as_deref(), Some("a.png"));
    assert_eq!(bench.image("far/n.yaml", "", "a.png").as_deref(), Some("a.png#2"));
    assert_eq!(bench.image("near/n.yaml", "", "a.png").as_deref(), Some("a.png"));
    assert_eq!(bench.assets.images.len(), 2);
}

#[test]
fn files_that_cannot_be_used_are_told_where_they_are_named() {
    let mut bench = Bench::new(&[("t.png", b"text")]);
    assert_eq!(bench.image("m.yaml", "", "t.png"), None);
    assert_eq!(bench.image("m.yaml", "", "t.png"), None);
    assert_eq!(bench.problem(), "E0603 `t.png` is no PNG image but a text");

    let mut bench = Bench::new(&[]);
    assert_eq!(bench.image("m.yaml", "", "no.png"), None);
    assert_eq!(bench.problem(), "E0601 `no.png`: no such file");

    let mut bench = Bench::new(&[]);
    assert_eq!(bench.recording("no.json"), None);
    assert_eq!(bench.problem(), "E0601 `no.json`: no such file");

    let mut bench = Bench::new(&[]);
    assert_eq!(bench.recording("a\0b"), None);
    assert!(bench.problem().contains("NUL"));
}

#[test]
fn a_flat_image_is_packed_with_a_warning() {
    let flat = png(2, 1, ColorType::Grayscale, BitDepth::Eight, &[7, 7]);
    let mut bench = Bench::new(&[("f.png", &flat)]);
    assert_eq!(bench.image("m.yaml", "", "f.png").as_deref(), Some("f.png"));
    assert_eq!(bench.problems.errors(), 0);
    assert!(bench.problem().starts_with("W0601 `f.png` has one colour only"));
}

#[test]
fn a_recording_brings_its_images() {
    let recording = br#"{"steps": [
        {"type": "wait_file", "path": "a.png"},
        {"type": "wait_image", "template": "a.png", "confidence": 0.5},
        {"type": "wait_image", "template": "a.png"},
        {"type": "wait_image", "template": "../b.png"}]}"#;
    let (a, b) = (checkered(1), checkered(4));
    let mut bench = Bench::new(&[("rec/r.json", recording), ("rec/a.png", &a), ("b.png", &b)]);
    assert_eq!(bench.recording("./rec/r.json").as_deref(), Some("rec/r.json"));
    assert_eq!(bench.recording("rec/r.json").as_deref(), Some("rec/r.json"));
    let stream = &bench.assets.streams[0];
    assert_eq!(bench.assets.streams.len(), 1);
    assert_eq!(stream.path, "rec/r.json");
    assert_eq!(stream.texts, ["a.png", "rec/a.png", "b.png"]);
    let waits: Vec<_> = stream.events.iter().map(|event| (event.text, event.value, event.duration_ms)).collect();
    assert_eq!(waits, [(1, 500, 5000), (2, 500_000, 10_000), (2, 850_000, 10_000), (3, 850_000, 10_000)]);
    assert_eq!(bench.assets.images.len(), 2);
}

#[test]
fn mistakes_in_a_recording_are_told_once_in_the_recording() {
    let recording = br#"{"steps": [{"type": "wait_image", "template": "no.png"}, {"type": "clik"}]}"#;
    let mut bench = Bench::new(&[("r.json", recording)]);
    assert_eq!(bench.recording("r.json"), None);
    assert_eq!(bench.recording("r.json"), None);
    let (list, texts) = bench.problems();
    assert_eq!(list.len(), 1, "{list:?}");
    assert_eq!(texts.text(list[0].span), "\"clik\"");

    let recording = br#"{"steps": [{"type": "wait_image", "template": "no.png"}]}"#;
    let mut bench = Bench::new(&[("r.json", recording)]);
    assert_eq!(bench.recording("r.json"), None);
    assert!(bench.assets.streams.is_empty());
    let (list, texts) = bench.problems();
    assert_eq!((list.len(), texts.text(list[0].span)), (1, "\"no.png\""));
    assert_eq!(texts.get(list[0].span.file).unwrap().path, "r.json");
}

#[test]
fn a_compiled_macro_carries_its_files() {
    let text = br#"
name: m
steps:
  - {id: r, backend: gui_macro, action: replay, params: {macro_file: ./r.json}}
  - {id: c, backend: visual_anchor, action: click_image, params: {template: a.png}}
"#;
    let a = checkered(1);
    let files =
        Bench::new(&[("r.json", br#"{"steps": [{"type": "wait_image", "template": "a.png"}]}"#), ("a.png", &a)]).files;
    let target = crate::Target::by_name("any").unwrap();
    let artifact = crate::compile("m.yaml", text, &files, target).artifact.unwrap();
    assert_eq!(artifact.streams.iter().map(|stream| stream.path.as_str()).collect::<Vec<_>>(), ["r.json"]);
    assert_eq!(artifact.images.iter().map(|image| image.path.as_str()).collect::<Vec<_>>(), ["a.png"]);

    let files = Bench::new(&[("r.json", br#"{"steps": [{"type": "clik"}]}"#)]).files;
    let compilation = crate::compile("m.yaml", text, &files, target);
    assert!(compilation.artifact.is_none());
    let texts =
        compilation.diagnostics.iter().map(|problem| (problem.code.text(), compilation.sources.text(problem.span)));
    assert_eq!(texts.collect::<Vec<_>>(), [("E0601", "a.png"), ("E0602", "\"clik\"")]);
}
