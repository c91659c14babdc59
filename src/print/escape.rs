//! Text from files, made harmless for a terminal: control characters and characters that change the direction of writing.

/// `text` on one line: whatever a terminal would act on is spelled out.
pub fn line(text: &str) -> String {
    if !text.chars().any(acts) {
        return text.to_owned();
    }
    text.chars().fold(String::with_capacity(text.len() + 16), |mut out, character| {
        match character {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            other if acts(other) => out.push_str(&format!("\\u{{{:x}}}", other as u32)),
            other => out.push(other),
        }
        out
    })
}

/// `text` with its lines: other characters a terminal would act on are spelled out.
pub fn lines(text: &str) -> String {
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// `text` with stand-ins of the same length in bytes, so that places in it stay right. Line ends and tabs are kept.
pub fn same_length(text: &str) -> String {
    let stand_in = |character: char| match (character, character.len_utf8()) {
        ('\n' | '\r' | '\t', _) => character,
        (other, _) if !acts(other) => other,
        (_, 1) => '?',
        (_, 2) => '¿',
        (_, 3) => '\u{FFFD}',
        // Four bytes, as the characters themselves: none of this length acts.
        (other, _) => other,
    };
    text.chars().map(stand_in).collect()
}

/// Whether a terminal does something else with a character than show it.
fn acts(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use crate::print::escape;

    #[test]
    fn nothing_acts_on_a_terminal() {
        assert_eq!(escape::line("a\u{1b}[31m\n\u{202e}é"), "a\\u{1b}[31m\\n\\u{202e}é");
        assert_eq!(escape::lines("a\nb\u{7}"), "a\nb\\u{7}");
        let text = "a\u{1b}\u{9b}\u{202e}\té\n";
        let safe = escape::same_length(text);
        assert_eq!((safe.as_str(), safe.len()), ("a?¿\u{FFFD}\té\n", text.len()));
    }
}
