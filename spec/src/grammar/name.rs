//! What a name may look like.
//!
//! Parameters, outputs and loop variables are written in expressions, so a name is a letter or `_`, then letters,
//! digits, `_` and `-`, all ASCII, at most 128 characters, and its last character is not `-`. Step ids and macro names
//! may begin with a digit too (`01_open`): an expression reaches a step only behind `steps.`, where no number can stand.

/// The longest name, in characters.
pub const MAX_LENGTH: usize = 128;

/// The words an expression reads as values and operators; a parameter may not be called so.
pub const KEYWORDS: [&str; 6] = ["true", "false", "null", "and", "or", "not"];

/// Whether `text` may name a parameter, an output or a loop variable.
pub fn is_name(text: &str) -> bool {
    is_identifier(text) && !text.starts_with(|first: char| first.is_ascii_digit()) && !is_keyword(text)
}

/// Whether `text` may be a step's id or a macro's name.
pub fn is_id(text: &str) -> bool {
    is_identifier(text)
}

/// Whether an expression reads `text` as a value or an operator.
pub fn is_keyword(text: &str) -> bool {
    KEYWORDS.contains(&text)
}

fn is_identifier(text: &str) -> bool {
    let bytes = text.as_bytes();
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    bytes.len() <= MAX_LENGTH
        && bytes.iter().all(allowed)
        && bytes.first().is_some_and(|first| *first != b'-')
        && bytes.last() != Some(&b'-')
}

#[cfg(test)]
mod tests {
    use super::{is_id, is_name};

    #[test]
    fn names() {
        for good in ["a", "_", "output", "out-file", "a--b", "x1", "_x", &"a".repeat(128)] {
            assert!(is_name(good) && is_id(good), "{good}");
        }
        for bad in ["", "-a", "a-", "a b", "a.b", "é", "a\n", "${a}", &"a".repeat(129)] {
            assert!(!is_name(bad) && !is_id(bad), "{bad}");
        }
        assert!(is_id("01_open") && !is_name("01_open"));
        assert!(is_id("true") && !is_name("true"));
        assert!(is_name("True"));
    }
}
