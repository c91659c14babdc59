//! Output of programs, made safe to show on a terminal.

use std::borrow::Cow;
use std::fmt::Write;

/// Shows control characters as escapes, so that text of unknown origin cannot drive a terminal.
///
/// Line feeds and tabs stay. All other control characters (C0, DEL, C1) and the characters that reorder the text around
/// them (U+202A to U+202E, U+2066 to U+2069) are written as in Rust: `\r`, `\x1b`, `\u{9b}`. A backslash stays as it is:
/// this is for reading, not for parsing back.
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(is_unsafe) else {
        return Cow::Borrowed(text);
    };
    let (clean, rest) = text.split_at(first);
    let mut shown = String::with_capacity(text.len() + 16);
    shown.push_str(clean);
    for character in rest.chars() {
        if character == '\r' {
            shown.push_str("\\r");
        } else if !is_unsafe(character) {
            shown.push(character);
        } else {
            let code = u32::from(character);
            // Writing to a string cannot fail.
            let _ =
                if character.is_ascii() { write!(shown, "\\x{code:02x}") } else { write!(shown, "\\u{{{code:x}}}") };
        }
    }
    Cow::Owned(shown)
}

fn is_unsafe(character: char) -> bool {
    let reorders = matches!(character, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    reorders || (character.is_control() && character != '\n' && character != '\t')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};

    use super::*;

    #[test]
    fn plain_text_is_borrowed() {
        assert!(matches!(for_terminal("a\tb\nçé€ \\x1b"), Cow::Borrowed(_)));
    }

    #[test]
    fn controls_are_shown() {
        assert_eq!(for_terminal("é\x1b[31m\r\0\x7f\u{9b}\u{202e}\n"), "é\\x1b[31m\\r\\x00\\x7f\\u{9b}\\u{202e}\n");
    }

    proptest! {
        #[test]
        fn nothing_unsafe_is_left(text in any::<String>()) {
            let shown = for_terminal(&text);
            assert!(!shown.contains(is_unsafe));
            assert_eq!(for_terminal(&shown), shown);
        }
    }
}
