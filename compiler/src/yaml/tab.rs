//! Tabs where YAML wants spaces.

use crate::diagnostic::{Code, Diagnostic};
use spec::span::{FileId, Span};

/// The report of a tab at byte `at`.
pub fn report(file: FileId, at: usize) -> Diagnostic {
    Diagnostic::new(Code::TabIndent, Span::new(file, at..at + 1), "a tab is used as indentation")
        .help("indent with spaces; a tab inside a text is written `\\t` in double quotes")
}

/// The first tab in the indentation of the line `at` is on.
pub fn in_indentation(text: &str, at: usize) -> Option<usize> {
    let start = line_start(text, at);
    let line = text.as_bytes().get(start..).unwrap_or_default();
    let tab = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).position(|byte| *byte == b'\t')?;
    Some(start + tab)
}

/// The first tab before `at` on its line, when nothing but indentation and indicators (`-`, `?`, `:`) stands there.
pub fn among_indicators(text: &str, at: usize) -> Option<usize> {
    let start = line_start(text, at);
    let before = text.as_bytes().get(start..at)?;
    let indicators = before.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'?' | b':'));
    let tab = before.iter().position(|byte| *byte == b'\t').filter(|_| indicators)?;
    Some(start + tab)
}

/// The first tab that indents the line of `at` or one of the next lines.
pub fn from_line_of(text: &str, at: usize) -> Option<usize> {
    let mut start = line_start(text, at);
    loop {
        if let Some(tab) = in_indentation(text, start) {
            return Some(tab);
        }
        start += memchr::memchr(b'\n', text.as_bytes().get(start..)?)? + 1;
    }
}

fn line_start(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr::memrchr(b'\n', before).map_or(0, |at| at + 1)
}
