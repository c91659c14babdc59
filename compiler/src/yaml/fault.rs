//! The parser's errors in our words, placed where the author has to look.

use crate::diagnostic::{Code, Diagnostic};
use crate::yaml::{limits, tab};
use granit_parser::{ErrorKind, ScanError};
use spec::span::{FileId, Span};

/// The report of a syntax error in `text`; `inside` is the place of the bracket that is open there, if any.
pub fn report(file: FileId, text: &str, error: &ScanError, inside: Option<usize>) -> Diagnostic {
    let at = error.marker().byte_offset().unwrap_or(0).min(text.len());
    if let Some(tab) = culprit_tab(text, at, error.kind()) {
        return tab::report(file, tab);
    }
    let (code, message, help) = words(error.kind());
    let problem = Diagnostic::new(code, character(file, text, at), message).help_if(help.map(str::to_owned));
    let bracket = inside.filter(|inside| *inside != at).map(|inside| character(file, text, inside));
    match bracket.map(|bracket| (bracket, text.get(bracket.range()))) {
        Some((bracket, Some("[" | "{"))) => problem.label(bracket, "inside the bracket opened here"),
        Some(_) | None => problem,
    }
}

/// The report of nesting beyond the limit, at byte `at`.
pub fn too_deep(file: FileId, text: &str, at: usize) -> Diagnostic {
    Diagnostic::new(Code::LimitExceeded, character(file, text, at), deep())
}

fn deep() -> String {
    format!("lists and mappings are nested deeper than {} levels", limits::MAX_DEPTH)
}

/// The character at `at`, or nothing at the end of a line.
fn character(file: FileId, text: &str, at: usize) -> Span {
    let start = text.floor_char_boundary(at);
    let next = text.get(start..).and_then(|rest| rest.chars().next()).filter(|next| !matches!(next, '\n' | '\r'));
    Span::new(file, start..start + next.map_or(0, char::len_utf8))
}

/// The tab behind an error: the parser often stops before or after it.
fn culprit_tab(text: &str, at: usize, kind: &ErrorKind) -> Option<usize> {
    let named = matches!(
        kind,
        ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabAtBlockScalarStart
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar
    );
    if named {
        return tab::from_line_of(text, at);
    }
    tab::in_indentation(text, at).or_else(|| tab::among_indicators(text, at))
}

type Words = (Code, String, Option<&'static str>);

// The parser's enum is open, so a last arm has to pass on its own words.
#[allow(clippy::wildcard_enum_match_arm)]
fn words(kind: &ErrorKind) -> Words {
    let (message, help) = match kind {
        ErrorKind::RecursionLimitExceeded => return (Code::LimitExceeded, deep(), None),
        ErrorKind::UndeclaredTagHandle => {
            let help = "remove it, or quote the text when the `!` belongs to it";
            return (Code::UnsupportedTag, "a tag with a handle that is not declared".to_owned(), Some(help));
        }
        ErrorKind::UnclosedQuotedScalar => ("the quote opened here is never closed".to_owned(), None),
        ErrorKind::UnclosedFlowCollection { open } => (format!("the `{open}` opened here is never closed"), None),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            (format!("the `{open}` opened here is closed by `{close}`"), None)
        }
        ErrorKind::MisplacedFlowCollectionEnd => {
            ("a closing bracket without an opening one".to_owned(), Some("put a text that contains brackets in quotes"))
        }
        ErrorKind::MappingValueNotAllowed => (
            "a second `:` where the value of a key already began".to_owned(),
            Some("put a text that contains `: ` in quotes; a nested mapping begins on a line of its own"),
        ),
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => (
            "this is neither a `key: value` nor part of the value above".to_owned(),
            Some("add the `:` that is missing, or indent the line further than the key it belongs to"),
        ),
        ErrorKind::ExpectedBlockMappingKey => {
            ("expected a key in this column".to_owned(), Some("the keys of one mapping all begin in the same column"))
        }
        ErrorKind::ExpectedBlockSequenceEntry => (
            "expected `- ` in this column".to_owned(),
            Some("the items of one list all begin in the same column, each with `- `"),
        ),
        ErrorKind::BlockSequenceEntryNotAllowed => {
            ("a list cannot begin here".to_owned(), Some("a list begins on the line after its key"))
        }
        ErrorKind::ExpectedFlowSequenceSeparator => ("expected `,` or `]` before this".to_owned(), None),
        ErrorKind::ExpectedFlowMappingSeparator => ("expected `,` or `}` before this".to_owned(), None),
        ErrorKind::InvalidColonPlacement => (
            "a `:` that cannot stand between brackets".to_owned(),
            Some("close the bracket before the next key, and put a text that contains `:` in quotes"),
        ),
        ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping
        | ErrorKind::ExpectedNodeContent => ("expected a value before this".to_owned(), None),
        ErrorKind::UnexpectedCharacter { character } => {
            (format!("a text without quotes cannot begin with `{character}`"), Some("put the text in quotes"))
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar => (
            "there is text after the closing quote".to_owned(),
            Some("a quote inside single quotes is written twice: ''"),
        ),
        ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            ("there is text after the closing quote".to_owned(), Some("a quote inside double quotes is written \\\""))
        }
        ErrorKind::UnknownQuotedScalarEscape => (
            "a backslash escape that means nothing in double quotes".to_owned(),
            Some("a backslash is written \\\\ in double quotes, and as it is in single quotes"),
        ),
        ErrorKind::InvalidIndentation | ErrorKind::InvalidQuotedScalarIndent | ErrorKind::InvalidBlockScalarIndent => {
            ("the indentation of this line fits nothing above it".to_owned(), None)
        }
        ErrorKind::ExpectedDocumentStart => ("there is something after the end of the document".to_owned(), None),
        other => (other.to_string(), None),
    };
    (Code::InvalidYaml, message, help)
}
