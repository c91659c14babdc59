//! Values as XML text: what a parser reads back is exactly the value.

use crate::edit::xml::error::XmlEditError;

/// Refuses what XML 1.0 cannot represent, not even as a reference (production 2, `Char`).
pub fn check_chars(value: &str) -> Result<(), XmlEditError> {
    let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..);
    match value.chars().enumerate().find(|(_, c)| !allowed(*c)) {
        Some((index, c)) => Err(XmlEditError::Character { code: u32::from(c), index: index + 1 }),
        None => Ok(()),
    }
}

/// `value` for the inside of an attribute written with `quote`.
///
/// White space other than the blank is written as references, because a parser turns it into blanks otherwise.
pub fn attribute(value: &str, quote: u8) -> String {
    escape(value, |c| match c {
        '"' if quote == b'"' => Some("&quot;"),
        '\'' if quote == b'\'' => Some("&apos;"),
        '\n' => Some("&#10;"),
        '\t' => Some("&#9;"),
        _ => None,
    })
}

/// `value` for the content of an element; line feeds stay line feeds.
pub fn content(value: &str) -> String {
    escape(value, |_| None)
}

fn escape(value: &str, more: impl Fn(char) -> Option<&'static str>) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        match (c, more(c)) {
            (_, Some(reference)) => out.push_str(reference),
            ('&', None) => out.push_str("&amp;"),
            ('<', None) => out.push_str("&lt;"),
            ('>', None) if out.ends_with("]]") => out.push_str("&gt;"),
            ('\r', None) => out.push_str("&#13;"),
            (other, None) => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{attribute, check_chars, content};

    #[test]
    fn only_what_would_read_back_differently_is_escaped() {
        assert_eq!(
            attribute("a<b & \"c\" 'd'\n\t\ré]]>>", b'\''),
            "a&lt;b &amp; \"c\" &apos;d&apos;&#10;&#9;&#13;é]]&gt;>"
        );
        assert_eq!(attribute("\"'", b'"'), "&quot;'");
        assert_eq!(content("a<b&\"c\"\n\t\r]]>"), "a&lt;b&amp;\"c\"\n\t&#13;]]&gt;");
    }

    #[test]
    fn characters_without_a_spelling_are_named() {
        for (value, code, index) in [("\u{1}", 1, 1), ("é\0", 0, 2), ("ab\u{FFFE}", 0xFFFE, 3), ("\u{FFFF}", 0xFFFF, 1)]
        {
            let error = check_chars(value).unwrap_err();
            assert_eq!(error, super::XmlEditError::Character { code, index });
        }
        assert_eq!(check_chars("\t\r\n ~\u{7F}\u{85}\u{FFFD}😀"), Ok(()));
    }
}
