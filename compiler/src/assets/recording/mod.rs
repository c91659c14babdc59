//! A recording, from JSON to events with absolute times.
//!
//! The file is `{"version": 1, "screen_resolution": "1920x1080", "layout_hash": "…", "steps": […]}`; only `steps` is required. Keys that
//! begin with `_` or `x-` are annotations. A text with `${…}` in it is a blank, which is checked against each macro that replays the recording.

mod content;
mod events;
mod fields;
mod header;
mod report;
mod step;
mod step_type;

use spec::artifact::Stream;
use spec::span::Span;

use crate::assets::json::{self, Member, Node, Shape};
pub use crate::assets::recording::content::{Blank, Purpose};
use crate::assets::recording::events::{Events, Finished};
use crate::assets::recording::fields::Fields;
use crate::assets::recording::header::Header;
use crate::assets::recording::report::Report;
use crate::diagnostic::Diagnostics;
use crate::source::SourceMap;
use crate::yaml::decode;

/// Largest file, in bytes.
pub const MAX_BYTES: usize = 64 << 20;
/// Most steps; fewer in tests, which need not be slow to reach it.
const MAX_STEPS: usize = if cfg!(test) { 10_000 } else { 1_000_000 };

const HEADER_FIELDS: &[&str] = &["version", "screen_resolution", "layout_hash", "steps"];

/// A recording whose images are not packed yet.
#[derive(Debug)]
pub struct Draft {
    /// The recording, without a path.
    pub stream: Stream,
    /// The images it waits for.
    pub templates: Vec<Template>,
    /// Its blanks, in the order of the stream's.
    pub blanks: Vec<Blank>,
}

/// An image a recording waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its place among the texts of the stream.
    pub text: usize,
    /// The path as it is written, relative to the folder of the recording.
    pub path: String,
    /// Where it is written first.
    pub span: Span,
}

/// Reads a recording; its text is added to `texts` under `path`. `None` when it has mistakes: all of them are reported, except that
/// after a syntax error nothing more is looked at.
pub fn read(path: &str, bytes: &[u8], texts: &mut SourceMap, problems: &mut Diagnostics) -> Option<Draft> {
    let decoded = decode::decode(bytes);
    let (text, broken) = match decoded {
        Ok(text) => (text.into_owned(), None),
        Err(error) => (error.valid, Some(error.message)),
    };
    let file = texts.add(path, text);
    let text = texts.get(file).map_or("", |source| source.text.as_str());
    let mut report = Report::new(file, text, problems);
    if let Some(message) = broken {
        report.add(text.len()..text.len(), message, Some(decode::HELP.to_owned()));
        return None;
    }
    if let Err(fault) = json::check(text) {
        report.add(fault.range, format!("the recording is not valid JSON: {}", fault.message), None);
        return None;
    }
    let root = json::root(text)?;
    if root.shape != Shape::Mapping {
        let message = format!("a recording is a mapping, found {}", root.shape.name());
        let help = "write {\"version\": 1, \"steps\": […]}".to_owned();
        report.add(root.range, message, Some(help));
        return None;
    }
    let draft = mapping(text, &root, &mut report);
    (report.finish() == 0).then_some(draft)
}

fn mapping(text: &str, root: &Node<'_>, report: &mut Report<'_>) -> Draft {
    let members: Vec<Member<'_>> = json::members(text, root.range.start).collect();
    // The whole file is no useful place for a key that is missing.
    let mut fields = Fields::new("the recording", members, root.range.start..root.range.start + 1, report);
    fields.known(HEADER_FIELDS);
    let header = Header::read(&mut fields);
    let steps = fields.list("steps");
    let mut events = Events::default();
    let mut count = 0;
    for item in steps.into_iter().flat_map(|steps| json::items(text, steps.range.start)) {
        if count == MAX_STEPS {
            report.add(item.range, format!("a recording may have {MAX_STEPS} steps"), None);
            break;
        }
        events.begin(count);
        step::read(text, &item, count, &header, &mut events, report);
        count += 1;
        if events.is_full() {
            report.add(item.range, events::full(), None);
            break;
        }
    }
    let Finished { list, texts, blanks, templates } = events.finish();
    let stream = Stream {
        path: String::new(),
        screen: header.screen,
        layout_hash: header.layout_hash,
        steps: u32::try_from(count).unwrap_or(u32::MAX),
        events: list,
        texts,
        blanks: blanks.iter().map(|blank| blank.text.clone()).collect(),
    };
    let templates = templates
        .into_iter()
        .map(|(text, path, range)| Template { text, path, span: Span::new(report.file(), range) })
        .collect();
    Draft { stream, templates, blanks }
}

#[cfg(test)]
mod tests;
