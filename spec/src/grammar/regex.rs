//! Regular expressions: the syntax of the `regex` crate, checked without compiling one.
//!
//! The crate's own parser decides. A pattern matches bytes, so that files of any encoding can be edited: `(?-u)` may turn Unicode off.

use std::fmt;

use regex_syntax::{Error, ParserBuilder};

/// The longest pattern in bytes. A class like `\w` grows to some kilobytes when it is read; this bounds them all together.
pub const MAX_BYTES: usize = 4096;

/// A text that is no regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    /// Where in the pattern, in characters, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
    unsupported: bool,
}

/// Whether `pattern` is a regular expression.
///
/// # Errors
/// It is not, or it is longer than [`MAX_BYTES`].
pub fn check(pattern: &str) -> Result<(), RegexError> {
    if pattern.len() > MAX_BYTES {
        let message = format!("the pattern has {} bytes; at most {MAX_BYTES} are allowed", pattern.len());
        return Err(RegexError { column: 1, message, unsupported: false });
    }
    match ParserBuilder::new().utf8(false).build().parse(pattern) {
        Ok(_) => Ok(()),
        Err(error) => Err(told(pattern, &error)),
    }
}

impl RegexError {
    /// What to do, where that is not plain.
    pub fn help(&self) -> Option<String> {
        let help = "look-around and back-references are not supported: matching takes linear time";
        self.unsupported.then(|| help.to_owned())
    }
}

impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at column {}", self.message, self.column)
    }
}

impl std::error::Error for RegexError {}

fn told(pattern: &str, error: &Error) -> RegexError {
    use regex_syntax::ast::ErrorKind;
    let (message, offset, unsupported) = match error {
        Error::Parse(error) => {
            let unsupported =
                matches!(error.kind(), ErrorKind::UnsupportedLookAround | ErrorKind::UnsupportedBackreference);
            (error.kind().to_string(), error.span().start.offset, unsupported)
        }
        Error::Translate(error) => (error.kind().to_string(), error.span().start.offset, false),
        // The enum may grow; any new kind has a sentence of its own.
        other => (other.to_string(), 0, false),
    };
    let column = pattern.char_indices().take_while(|(at, _)| *at < offset).count() + 1;
    RegexError { column, message, unsupported }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, check};

    #[test]
    fn patterns_of_the_crate_are_accepted() {
        for pattern in ["a", r"(?P<year>\d{4})-(?<month>\d\d)", r"(?-u)\xFF", r"(?im)^\s*$", r"\p{Greek}"] {
            assert_eq!(check(pattern), Ok(()), "{pattern}");
        }
    }

    #[test]
    fn errors_carry_the_column_in_characters() {
        for (pattern, column) in [("é(b", 2), ("a**b[", 5), (r"\p{Nope}", 1), ("x{3,1}", 2)] {
            assert_eq!(check(pattern).unwrap_err().column, column, "{pattern}");
        }
    }

    #[test]
    fn what_would_not_be_linear_is_refused_with_a_reason() {
        for pattern in [r"(a)\1", "(?=a)", "(?<!a)b"] {
            assert!(check(pattern).unwrap_err().help().is_some(), "{pattern}");
        }
    }

    #[test]
    fn length_and_nesting_are_bounded() {
        assert!(check(&"a".repeat(MAX_BYTES)).is_ok());
        assert!(check(&"a".repeat(MAX_BYTES + 1)).is_err());
        assert!(check(&format!("{}a{}", "(".repeat(2000), ")".repeat(2000))).is_err());
    }
}
