//! A text as the keys that type it.

use spec::grammar::keys::Key;

use crate::desktop::error::DesktopError;

const TAB: u32 = 0xff09;
const RETURN: u32 = 0xff0d;

/// The keys of a text: a line end of any kind (`\r\n`, `\n`, `\r`) is one Return, a tab is the Tab key, all others are their characters.
///
/// # Errors
/// The text has another control character, which no key types.
pub fn keys(text: &str) -> Result<Vec<Key>, DesktopError> {
    let mut keys = Vec::with_capacity(text.len());
    let mut before = None;
    for (place, character) in text.chars().enumerate() {
        match character {
            '\n' if before == Some('\r') => {}
            '\r' | '\n' => keys.push(Key::Keysym(RETURN)),
            '\t' => keys.push(Key::Keysym(TAB)),
            control if control.is_control() => return Err(refused(control, place)),
            other => keys.push(Key::Char(other)),
        }
        before = Some(character);
    }
    Ok(keys)
}

fn refused(character: char, place: usize) -> DesktopError {
    let message = format!(
        "the text has the control character U+{:04X} as character {}, and only line ends and tabs can be typed",
        u32::from(character),
        place + 1
    );
    DesktopError::Other { message, hint: Some("remove it, or press keys such as `escape` by name".to_owned()) }
}

#[cfg(test)]
mod tests {
    use spec::grammar::keys::Key;

    use crate::desktop::x11::input::text::keys;

    #[test]
    fn line_ends_are_one_return() {
        let enter = Key::Keysym(0xff0d);
        let tab = Key::Keysym(0xff09);
        let [a, b, c, d] = ['a', 'b', 'c', 'd'].map(Key::Char);
        assert_eq!(keys("a\r\nb\tc\rd\n").unwrap(), [a, enter, b, tab, c, enter, d, enter]);
        assert_eq!(keys("\r\r\n\n").unwrap(), [enter; 3]);
        assert_eq!(keys("").unwrap(), []);
    }

    #[test]
    fn control_characters_are_refused_and_marks_are_not() {
        for text in ["x\u{1b}y", "x\0y", "x\u{7f}", "x\u{85}"] {
            let message = keys(text).unwrap_err().to_string();
            assert!(message.contains("character 2") && message.contains("U+00"), "{message}");
        }
        assert_eq!(keys("e\u{301}\u{200b}").unwrap().len(), 3);
    }
}
