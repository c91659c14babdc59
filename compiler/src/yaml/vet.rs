//! Characters that may not stand in a YAML text at all.

use crate::diagnostic::{Code, Diagnostic};
use spec::span::{FileId, Span};

/// Reports the first character outside YAML 1.2's `c-printable` (production 1), quoted or not.
pub fn control_character(file: FileId, text: &str) -> Option<Diagnostic> {
    let mut at = 0;
    // Blocks without a suspicious byte are skipped at memory speed; almost every block is one.
    for block in text.as_bytes().chunks(64) {
        if block.iter().fold(false, |found, byte| found | suspicious(*byte)) {
            let start = text.floor_char_boundary(at);
            let end = text.ceil_char_boundary(at + block.len());
            let found = text.get(start..end).unwrap_or_default().char_indices().find(|(_, found)| !printable(*found));
            if let Some((offset, found)) = found {
                return Some(report(file, start + offset, found));
            }
        }
        at += block.len();
    }
    None
}

/// Whether a byte is, or begins, a character that may not be printable.
fn suspicious(byte: u8) -> bool {
    (byte < 0x20 && byte != b'\n' && byte != b'\r' && byte != b'\t') || byte == 0x7F || byte == 0xC2 || byte == 0xEF
}

fn printable(found: char) -> bool {
    matches!(found, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{A0}'..='\u{FFFD}' | '\u{10000}'..)
}

fn report(file: FileId, at: usize, found: char) -> Diagnostic {
    let message = format!("the control character U+{:04X} may not stand in a YAML text", u32::from(found));
    Diagnostic::new(Code::ControlCharacter, Span::new(file, at..at + found.len_utf8()), message)
        .help(format!("write it as an escape in double quotes: \"\\u{:04X}\"", u32::from(found)))
}

#[cfg(test)]
mod tests {
    use super::control_character;
    use spec::span::FileId;

    fn found(text: &str) -> Option<(u32, String)> {
        control_character(FileId(0), text).map(|problem| (problem.span.start, problem.message))
    }

    #[test]
    fn printable_text_passes() {
        assert_eq!(found(""), None);
        assert_eq!(found("a: \"é\u{A0}\u{85}\u{FEFF}\u{FFFD}\u{1F600}\t\"\r\n"), None);
        assert_eq!(found(&"é".repeat(200)), None);
    }

    #[test]
    fn the_first_control_character_is_placed_and_named() {
        for (character, name) in
            [('\0', "U+0000"), ('\u{1B}', "U+001B"), ('\u{7F}', "U+007F"), ('\u{9F}', "U+009F"), ('\u{FFFE}', "U+FFFE")]
        {
            for before in 0..130 {
                let text = format!("{}{character}{}", "é".repeat(before), "x".repeat(70));
                let (at, message) = found(&text).unwrap();
                assert_eq!(at as usize, before * 2);
                assert!(message.contains(name), "{message}");
            }
        }
    }
}
