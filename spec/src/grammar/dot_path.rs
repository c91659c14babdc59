//! Paths into a JSON document: `a.b.0.c`.
//!
//! Segments are separated by dots. A segment names a key, or, where the document has a list, an index in digits; which
//! of the two is known only with the document, so a segment is kept as text. Everything stands for itself, blanks and
//! `$` too, except: `\.` is a dot inside a key, `\\` a backslash, and a segment that is exactly `\e` is the empty key.

use std::fmt;

use chumsky::prelude::*;
use thiserror::Error;

/// The most segments a path may have; no JSON document anyone edits is nested deeper.
pub const MAX_SEGMENTS: usize = 512;

/// A path of at least one segment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DotPath {
    /// The keys or indices from the root on, unescaped.
    pub segments: Vec<String>,
}

/// Why a text is no path.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason} at byte {at} of the path")]
pub struct DotPathError {
    /// The byte of the text the error is about.
    pub at: usize,
    /// What is wrong there.
    pub reason: DotPathReason,
}

/// What may be wrong with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DotPathReason {
    /// The whole path is empty.
    #[error("an empty path")]
    Empty,
    /// Nothing between two dots, before the first or after the last.
    #[error("an empty segment")]
    EmptySegment,
    /// A backslash before something that needs none.
    #[error("an unknown escape `\\`")]
    UnknownEscape,
    /// More than [`MAX_SEGMENTS`].
    #[error("a segment too many (at most {MAX_SEGMENTS})")]
    TooManySegments,
}

impl DotPathError {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self.reason {
            DotPathReason::Empty => "write the keys with dots between them: `a.b.0`",
            DotPathReason::EmptySegment => {
                "write `\\.` for a dot inside a key, and `\\e` as a segment of its own for the empty key"
            }
            DotPathReason::UnknownEscape => {
                "write `\\\\` for a backslash; otherwise only `\\.` and, as a whole segment, `\\e` are escapes"
            }
            DotPathReason::TooManySegments => "split the work over several steps",
        }
    }
}

/// The path `text` spells.
pub fn parse(text: &str) -> Result<DotPath, DotPathError> {
    if text.is_empty() {
        return Err(DotPathError { at: 0, reason: DotPathReason::Empty });
    }
    // The grammar accepts every text and only notes what is wrong, so that the reason below is always the right one.
    let raw = segments().parse(text).into_output();
    let raw = raw.ok_or(DotPathError { at: 0, reason: DotPathReason::UnknownEscape })?;
    let mut segments = Vec::new();
    for (segment, start) in raw {
        if segments.len() == MAX_SEGMENTS {
            return Err(DotPathError { at: start, reason: DotPathReason::TooManySegments });
        }
        segments.push(match segment.as_slice() {
            [] => return Err(DotPathError { at: start, reason: DotPathReason::EmptySegment }),
            [Piece::EmptyKey(_)] => String::new(),
            pieces => joined(pieces)?,
        });
    }
    Ok(DotPath { segments })
}

impl fmt::Display for DotPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.segments.iter().enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            if segment.is_empty() {
                f.write_str("\\e")?;
            }
            for character in segment.chars() {
                if matches!(character, '.' | '\\') {
                    f.write_str("\\")?;
                }
                write!(f, "{character}")?;
            }
        }
        Ok(())
    }
}

enum Piece<'a> {
    Plain(&'a str),
    Escaped(char),
    /// `\e`, with its place: alone it is the empty key, with neighbours it is an error.
    EmptyKey(usize),
    Unknown(usize),
}

fn segments<'a>() -> impl Parser<'a, &'a str, Vec<(Vec<Piece<'a>>, usize)>, extra::Err<EmptyErr>> {
    let plain = none_of("\\.").repeated().at_least(1).to_slice().map(Piece::Plain);
    let escape = just('\\').ignore_then(one_of("\\.")).map(Piece::Escaped);
    let empty_key = just("\\e").map_with(|_, extra| Piece::EmptyKey(start(extra.span())));
    let unknown = just('\\').map_with(|_, extra| Piece::Unknown(start(extra.span())));
    let piece = choice((plain, escape, empty_key, unknown));
    let segment = piece.repeated().collect::<Vec<_>>().map_with(|pieces, extra| (pieces, start(extra.span())));
    segment.separated_by(just('.')).collect().then_ignore(end())
}

fn start(span: SimpleSpan) -> usize {
    span.start
}

fn joined(pieces: &[Piece<'_>]) -> Result<String, DotPathError> {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Plain(plain) => text.push_str(plain),
            Piece::Escaped(character) => text.push(*character),
            Piece::EmptyKey(at) | Piece::Unknown(at) => {
                return Err(DotPathError { at: *at, reason: DotPathReason::UnknownEscape });
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{DotPath, DotPathReason, parse};

    #[test]
    fn reads_segments() {
        let good: [(&str, &[&str]); 9] = [
            ("a", &["a"]),
            ("a.b.0.c", &["a", "b", "0", "c"]),
            ("a\\.b", &["a.b"]),
            ("a\\\\.b", &["a\\", "b"]),
            ("my key.$ref", &["my key", "$ref"]),
            (" a . b ", &[" a ", " b "]),
            ("\\e", &[""]),
            ("a.\\e.b", &["a", "", "b"]),
            ("größe.日本", &["größe", "日本"]),
        ];
        for (text, segments) in good {
            assert_eq!(parse(text).unwrap().segments, segments, "{text}");
        }
    }

    #[test]
    fn refuses_with_the_place() {
        let bad = [
            ("", 0, DotPathReason::Empty),
            (".", 0, DotPathReason::EmptySegment),
            (".a", 0, DotPathReason::EmptySegment),
            ("a.", 2, DotPathReason::EmptySegment),
            ("é..b", 3, DotPathReason::EmptySegment),
            ("a\\n", 1, DotPathReason::UnknownEscape),
            ("a.b\\", 3, DotPathReason::UnknownEscape),
            ("a\\e", 1, DotPathReason::UnknownEscape),
            ("\\e\\e", 0, DotPathReason::UnknownEscape),
        ];
        for (text, at, reason) in bad {
            let error = parse(text).unwrap_err();
            assert_eq!((error.at, error.reason), (at, reason), "{text}");
            assert!(!error.help().is_empty());
        }
        assert_eq!(parse("a..b").unwrap_err().to_string(), "an empty segment at byte 2 of the path");
    }

    #[test]
    fn long_input_is_refused_quickly() {
        for text in ["a.".repeat(500_000), "\\".repeat(1_000_001), ".".repeat(1_000_000)] {
            assert!(parse(&text).is_err());
        }
        assert_eq!(parse(&"a".repeat(1_000_000)).unwrap().segments.len(), 1);
    }

    proptest! {
        #[test]
        fn display_round_trips(segments in proptest::collection::vec("[a-z.\\\\e $]{0,6}|\\PC{0,6}", 1..6)) {
            let path = DotPath { segments };
            prop_assert_eq!(parse(&path.to_string()), Ok(path));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,40}|[a.\\\\e]{0,12}") {
            if let Ok(path) = parse(&text) {
                prop_assert_eq!(path.to_string(), text);
            }
        }
    }
}
