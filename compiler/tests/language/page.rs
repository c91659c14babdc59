//! `spec/checks.md`: every diagnostic code has a section whose examples are run.
//!
//! A section has blocks of YAML. A comment before a block says what it is: `<!-- fails -->` gives the code of the section and no other
//! in this file,
//! `<!-- fails: linux-headless -->` does so for that target, `<!-- works -->` gives no diagnostic at all, `<!-- file: lib.yaml -->` is a
//! file the examples of the section may name. A `text` block after a failing example holds its diagnostics; `UPDATE=1` rewrites it.

use std::collections::BTreeSet;
use std::fs;

use macrocli_compiler::diagnostic::Code;
use macrocli_compiler::{Target, compile};
use spec::span::FileId;

use crate::support::{Files, folder, short, updating};

/// Codes the command line reports: their sections have no examples.
const OUTSIDE: &[Code] = &[Code::UnreadableMacro, Code::BadManifest];

#[test]
fn every_code_has_a_section_and_its_examples_hold() {
    let path = folder("../spec/checks.md");
    let page = fs::read_to_string(&path).unwrap();
    let mut updated = String::new();
    let mut seen = BTreeSet::new();
    let mut faults = Vec::new();
    for section in sections(&page) {
        let Some(title) = section.strip_prefix("## ").and_then(|rest| rest.lines().next()) else {
            updated.push_str(section);
            continue;
        };
        let Some(code) = Code::ALL.iter().copied().find(|code| title.starts_with(code.text())) else {
            assert!(!looks_like_a_code(title), "no code is called `{title}`");
            updated.push_str(section);
            continue;
        };
        assert_eq!(title, format!("{} {}", code.text(), code.title()), "the title of the code");
        assert!(seen.insert(code), "two sections for {code}");
        updated.push_str(&run(code, section, &mut faults));
    }
    let missing: Vec<&str> = Code::ALL.iter().filter(|code| !seen.contains(code)).map(|code| code.text()).collect();
    assert!(missing.is_empty(), "no section for {missing:?}");
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    if updating() {
        fs::write(&path, updated).unwrap();
    } else {
        assert!(page == updated, "the diagnostics of the page differ; UPDATE=1 writes them");
    }
}

fn looks_like_a_code(title: &str) -> bool {
    let mut chars = title.chars();
    matches!(chars.next(), Some('E' | 'W')) && chars.next().is_some_and(|second| second.is_ascii_digit())
}

fn sections(page: &str) -> Vec<&str> {
    let starts: Vec<usize> = std::iter::once(0).chain(page.match_indices("\n## ").map(|(at, _)| at + 1)).collect();
    let ends = starts.iter().skip(1).copied().chain([page.len()]);
    starts.iter().zip(ends).map(|(start, end)| &page[*start..end]).collect()
}

/// Runs the examples of a section; returns it with the diagnostics as they are.
fn run(code: Code, section: &str, faults: &mut Vec<String>) -> String {
    let blocks = blocks(section);
    let files = blocks.iter().filter_map(|block| Some((block.what.strip_prefix("file: ")?, block)));
    let files = files.fold(Files::default(), |files, (path, block)| files.with(path, block.bytes()));
    let mut out = String::new();
    let (mut fails, mut works) = (0, 0);
    let mut rendered: Option<String> = None;
    let mut from = 0;
    for block in &blocks {
        if block.language == "text" {
            if let Some(text) = rendered.take() {
                out.push_str(&section[from..block.start]);
                out.push_str(&text);
                from = block.end;
            }
            continue;
        }
        let (what, target) = block.what.split_once(": ").unwrap_or((block.what, "any"));
        if what == "file" {
            continue;
        }
        let target = Target::by_name(target).unwrap();
        let bytes = block.bytes();
        let compiled = compile("macro.yaml", &bytes, &files.clone().with("macro.yaml", bytes.clone()), target);
        match what {
            "fails" => {
                fails += 1;
                let codes: BTreeSet<Code> = compiled.diagnostics.iter().map(|found| found.code).collect();
                let here = compiled.diagnostics.iter().filter(|found| found.span.file == FileId(0));
                let sound = codes.contains(&code) && here.map(|found| found.code).all(|found| found == code);
                if !sound {
                    faults.push(format!("{code}: a failing example gives {codes:?}:\n{}", short(&compiled)));
                }
                rendered = Some(short(&compiled));
            }
            "works" => {
                works += 1;
                if !compiled.diagnostics.is_empty() || compiled.artifact.is_none() {
                    faults.push(format!("{code}: a working example gives\n{}", short(&compiled)));
                }
            }
            other => panic!("{code}: what is `{other}`?"),
        }
    }
    if !OUTSIDE.contains(&code) && (fails == 0 || works == 0) {
        faults.push(format!("{code}: {fails} failing and {works} working examples"));
    }
    out.push_str(&section[from..]);
    out
}

struct Block<'a> {
    what: &'a str,
    language: &'a str,
    text: &'a str,
    start: usize,
    end: usize,
}

impl Block<'_> {
    /// The file it stands for: `pixels` is a PNG file of black (`#`) and white pixels.
    fn bytes(&self) -> Vec<u8> {
        if self.language != "pixels" {
            return content(self.text);
        }
        let rows: Vec<&str> = self.text.lines().collect();
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, rows[0].len() as u32, rows.len() as u32);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Eight);
        let pixels: Vec<u8> = rows.concat().bytes().map(|pixel| if pixel == b'#' { 0 } else { 255 }).collect();
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        bytes
    }
}

/// The fenced blocks of a section; `start` and `end` are of the text inside.
fn blocks(section: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut what = "";
    let mut open: Option<(&str, usize)> = None;
    for line in section.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim_end();
        match open {
            None => {
                if let Some(comment) = trimmed.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) {
                    what = comment;
                } else if let Some(language) = trimmed.strip_prefix("```") {
                    open = Some((language, at));
                }
            }
            Some((language, from)) if trimmed == "```" => {
                let text = &section[from..start];
                found.push(Block { what, language, text, start: from, end: start });
                open = None;
            }
            Some(_) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    found
}

/// The bytes of an example: `‹1B›` stands for a byte, `‹text*n›` for a text n times, so that the page itself stays plain text.
fn content(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('‹') {
        let (inside, behind) = after.split_once('›').expect("a closing mark");
        bytes.extend_from_slice(before.as_bytes());
        match inside.rsplit_once('*') {
            Some((repeated, times)) => bytes.extend(repeated.repeat(times.parse().unwrap()).into_bytes()),
            None => bytes.push(u8::from_str_radix(inside, 16).unwrap()),
        }
        rest = behind;
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}
