//! The small grammars both the compiler and the machine read: a value written in a macro is checked when it is built,
//! and one that comes from a parameter is checked by the same code when it runs.

pub mod dot_path;
pub mod duration;
pub mod keys;
pub mod name;
pub mod nearest;
pub mod regex;
pub mod xml_name;
pub mod xpath;

/// `text` for a message: at most 40 characters, control characters escaped.
pub fn shown(text: &str) -> String {
    const LIMIT: usize = 40;
    let mut shown = String::new();
    for (count, character) in text.chars().enumerate() {
        if count == LIMIT {
            shown.push('…');
            break;
        }
        if character.is_control() { shown.extend(character.escape_default()) } else { shown.push(character) }
    }
    shown
}
