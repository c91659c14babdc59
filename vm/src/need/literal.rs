//! Texts as patterns of policies.

/// The pattern that matches a text alone, also in a list: with a backslash before what means something.
pub fn literal(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '*' | '?' | '[' | ']' | '{' | '}' | '\\' | ',') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}
