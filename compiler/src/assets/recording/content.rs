//! A text of a recording: plain, or a blank that the macro fills in.

use std::ops::Range;

use spec::span::{FileId, Span};
use spec::value::Value;

use crate::assets::recording::report::Report;
use crate::ast::Scalar;
use crate::diagnostic::Code;
use crate::expr::template::{self, Part};

/// What a text is for, which decides what may fill a blank in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// `text` of a `type` step: any text.
    Typed,
    /// `path` of a `wait_file` step.
    File,
    /// `title_contains` of a `wait_window` step: a text that is not empty.
    Window,
}

/// A text with expressions in it.
#[derive(Clone, Debug)]
pub struct Blank {
    /// What it is for.
    pub purpose: Purpose,
    /// The text as it is written, escapes of JSON undone.
    pub text: String,
    /// Its parts, with their places in the recording.
    pub scalar: Scalar,
}

/// A text of a recording.
#[derive(Clone, Debug)]
pub enum Content {
    /// Always the same, with `$${` already turned into `${`.
    Plain(String),
    /// With expressions in it.
    Blank(Blank),
}

impl Purpose {
    /// The field it is written in.
    pub fn field(self) -> &'static str {
        match self {
            Purpose::Typed => "text",
            Purpose::File => "path",
            Purpose::Window => "title_contains",
        }
    }
}

/// Reads the text of the JSON string at `range`. `None` when an expression in it cannot be read, which is reported.
pub fn read(purpose: Purpose, text: String, range: Range<usize>, report: &mut Report<'_>) -> Option<Content> {
    if !text.contains("${") {
        return Some(Content::Plain(text));
    }
    let (template, errors) = template::parse(&text);
    let place = Place { source: report.source(), quotes: range.clone(), file: report.file() };
    if !errors.is_empty() {
        for error in errors {
            let range = place.of(&error.range).range();
            report.add_as(Code::BadExpression, range, error.message, error.help);
        }
        return None;
    }
    if let Some(plain) = template.as_text() {
        return Some(Content::Plain(plain.to_owned()));
    }
    let part = |part: &Part| match part {
        Part::Text(_) => place.whole(),
        Part::Expr { range, .. } => place.of(range),
    };
    let parts = template.parts.iter().map(part).collect();
    let literal = Value::String(text.clone());
    let scalar = Scalar { template, literal, start: None, parts, sound: true, span: place.whole() };
    Some(Content::Blank(Blank { purpose, text, scalar }))
}

/// Where the characters of a decoded JSON string are in its source.
struct Place<'a> {
    source: &'a str,
    /// The string with its quotes.
    quotes: Range<usize>,
    file: FileId,
}

impl Place<'_> {
    fn whole(&self) -> Span {
        Span::new(self.file, self.quotes.clone())
    }

    /// The place of a range of the decoded text.
    fn of(&self, range: &Range<usize>) -> Span {
        match (self.source_of(range.start), self.source_of(range.end)) {
            (Some(start), Some(end)) => Span::new(self.file, start..end),
            (None, _) | (_, None) => self.whole(),
        }
    }

    /// The byte of the source that a byte of the decoded text comes from.
    fn source_of(&self, wanted: usize) -> Option<usize> {
        let source = self.source.as_bytes();
        let (mut at, mut decoded) = (self.quotes.start + 1, 0);
        while decoded < wanted {
            let (read, made) = match (source.get(at)?, source.get(at + 1)) {
                (b'\\', Some(b'u')) => unicode(self.source.get(at..)?)?,
                (b'\\', _) => (2, 1),
                (_, _) => (1, 1),
            };
            at += read;
            decoded += made;
        }
        (decoded == wanted).then_some(at)
    }
}

/// How many bytes `\uXXXX`, or a pair of them for one character, takes and makes.
fn unicode(source: &str) -> Option<(usize, usize)> {
    let unit = |at: usize| u16::from_str_radix(source.get(at..at + 4)?, 16).ok();
    let first = unit(2)?;
    if let Some(character) = char::from_u32(first.into()) {
        return Some((6, character.len_utf8()));
    }
    let pair = char::decode_utf16([first, unit(8)?]).next()?.ok()?;
    Some((12, pair.len_utf8()))
}
