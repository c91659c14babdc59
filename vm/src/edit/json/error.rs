//! What can be wrong with a JSON document or with a path into it.

use std::fmt;

use thiserror::Error;

/// A place in a document: line and column, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1; `\n`, `\r\n` and a lone `\r` end one.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Position {
    /// The position of byte `offset` of `text`; past the end, or inside a character, the next place before it.
    pub(crate) fn of(text: &str, offset: usize) -> Self {
        let mut end = offset.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let crlf = before.matches("\r\n").count();
        let line = before.matches(['\n', '\r']).count() - crlf + 1;
        let start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        Self { line, column: before[start..].chars().count() + 1 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Why a document was not read or edited. The document is as it was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JsonEditError {
    /// The bytes are not UTF-8.
    #[error("not UTF-8 at byte {offset}: the file looks like {guess}; convert it to UTF-8 first")]
    Encoding {
        /// The first byte that is wrong, from 0.
        offset: usize,
        /// The encoding it looks like.
        guess: &'static str,
    },
    /// The text is not JSON, not even with comments and trailing commas.
    #[error("{position}: {message}")]
    Syntax {
        /// Where.
        position: Position,
        /// What was found and what was expected.
        message: String,
    },
    /// Lists and objects nested deeper than [`crate::edit::json::DEPTH`].
    #[error("{position}: lists and objects are nested deeper than {limit}")]
    TooDeep {
        /// The first bracket too many.
        position: Position,
        /// The deepest nesting allowed.
        limit: usize,
    },
    /// The edited document would nest deeper than [`crate::edit::json::DEPTH`].
    #[error("`{path}` with this value would be nested deeper than {limit}")]
    WouldBeTooDeep {
        /// The path asked for.
        path: String,
        /// The deepest nesting allowed.
        limit: usize,
    },
    /// More values than a run may hold.
    #[error("{position}: more than {limit} values; ask for a smaller part of the document")]
    TooMany {
        /// The first value too many.
        position: Position,
        /// The most values allowed.
        limit: usize,
    },
    /// The document is a single scalar, and the path is not empty.
    #[error("{position}: the document is {kind}, so it has no `{path}`")]
    RootScalar {
        /// Where the scalar begins.
        position: Position,
        /// Its kind with an article: "a number".
        kind: &'static str,
        /// The path asked for.
        path: String,
    },
    /// The path goes through a scalar.
    #[error("`{prefix}` is {kind}, so it has no `{segment}`")]
    Scalar {
        /// The part of the path that exists.
        prefix: String,
        /// The scalar's kind with an article: "a string", "null".
        kind: &'static str,
        /// The next segment.
        segment: String,
    },
    /// An object lacks the key.
    #[error("`{path}` does not exist: {} has no key `{segment}`{}", holder(.prefix), near(.nearest.as_deref()))]
    Missing {
        /// The path asked for.
        path: String,
        /// The longest prefix that exists; empty for the document itself.
        prefix: String,
        /// The key that is missing.
        segment: String,
        /// The key most like it.
        nearest: Option<String>,
    },
    /// A list is indexed by a name.
    #[error("{} is a list: `{segment}` is no index; use 0 to count from the front", holder(.prefix))]
    NotAnIndex {
        /// The list's path.
        prefix: String,
        /// The segment.
        segment: String,
    },
    /// A list is shorter.
    #[error("{} has {length} items: index {segment} is out of range", holder(.prefix))]
    OutOfRange {
        /// The list's path.
        prefix: String,
        /// The index asked for.
        segment: String,
        /// The list's length.
        length: usize,
    },
    /// A string holds half of a surrogate pair, which no text can hold.
    #[error("{position}: the string holds a lone surrogate escape, which is no character")]
    LoneSurrogate {
        /// Where the string begins.
        position: Position,
    },
    /// A delete of a key that is written twice: the earlier one would take its place.
    #[error("{position}: `{path}` is written more than once; remove the duplicate first")]
    Duplicate {
        /// The last of the two.
        position: Position,
        /// The path asked for.
        path: String,
    },
    /// A delete of the whole document.
    #[error("the path is empty: the document itself cannot be deleted")]
    EmptyPath,
}

/// A path for people: segments joined by dots, a dot or backslash inside a segment behind a backslash.
pub(crate) fn show(path: &[String]) -> String {
    let escaped: Vec<String> = path.iter().map(|segment| segment.replace('\\', "\\\\").replace('.', "\\.")).collect();
    escaped.join(".")
}

fn holder(prefix: &str) -> String {
    if prefix.is_empty() { "the document".to_owned() } else { format!("`{prefix}`") }
}

fn near(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use crate::edit::json::error::{Position, show};

    #[test]
    fn positions_count_lines_and_characters() {
        let text = "a\r\né\rx\ny";
        let at = |offset| {
            let position = Position::of(text, offset);
            (position.line, position.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(3), (2, 1));
        assert_eq!(at(5), (2, 2));
        assert_eq!(at(6), (3, 1));
        assert_eq!(at(99), (4, 2));
    }

    #[test]
    fn paths_escape_dots() {
        assert_eq!(show(&["a.b".to_owned(), "c\\".to_owned()]), r"a\.b.c\\");
    }
}
