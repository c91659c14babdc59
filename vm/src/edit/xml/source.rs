//! Bytes to a text that may be edited: UTF-8 only, a byte order mark apart.

use std::borrow::Cow;

use crate::edit::xml::error::XmlEditError;
use crate::edit::xml::tag;

/// The length of a UTF-8 byte order mark.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The text of a document and how many bytes stand before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source<'b> {
    /// The text without a byte order mark.
    pub text: &'b str,
    /// The bytes before it: 3 or 0.
    pub skipped: usize,
}

/// Reads `bytes`, refusing every encoding but UTF-8, whether declared or seen.
pub fn read(bytes: &[u8]) -> Result<Source<'_>, XmlEditError> {
    if let Some(encoding) = wide_encoding(bytes) {
        return Err(XmlEditError::Encoding { encoding: encoding.to_owned(), offset: 0 });
    }
    let skipped = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let body = &bytes[skipped..];
    if let Some((encoding, offset)) = declared_encoding(body) {
        let known = ["utf-8", "utf8", "us-ascii", "ascii"];
        if !known.iter().any(|name| encoding.eq_ignore_ascii_case(name)) {
            return Err(XmlEditError::Encoding { encoding: format!("`{encoding}`"), offset: skipped + offset });
        }
    }
    match std::str::from_utf8(body) {
        Ok(text) => Ok(Source { text, skipped }),
        Err(error) => Err(XmlEditError::NotUtf8 { offset: skipped + error.valid_up_to() }),
    }
}

fn wide_encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] | [b'<', 0, 0, 0, ..] | [0, 0, 0, b'<', ..] => Some("UTF-32"),
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => Some("UTF-16 (little-endian)"),
        [0xFE, 0xFF, ..] | [0, b'<', ..] => Some("UTF-16 (big-endian)"),
        _ => None,
    }
}

/// The encoding of the XML declaration and its offset. Reads bytes, since the text may not be UTF-8.
fn declared_encoding(body: &[u8]) -> Option<(Cow<'_, str>, usize)> {
    let length = body.windows(2).take(1024).position(|pair| pair == b"?>")?;
    let declaration = &body[..length];
    if !declaration.starts_with(b"<?xml") || !declaration.get(5).copied().is_some_and(tag::is_space) {
        return None;
    }
    let name = declaration.windows(8).position(|window| window == b"encoding")?;
    let open = name + declaration[name..].iter().position(|b| matches!(b, b'"' | b'\''))?;
    let start = open + 1;
    let length = declaration[start..].iter().position(|b| *b == declaration[open])?;
    Some((String::from_utf8_lossy(&declaration[start..start + length]), start))
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::edit::xml::error::XmlEditError;

    #[test]
    fn utf8_is_read_with_or_without_mark_and_declaration() {
        for (bytes, skipped) in [
            (&b"<r/>"[..], 0),
            (b"\xEF\xBB\xBF<r/>", 3),
            (b"<?xml version='1.0' encoding='Utf-8'?><r/>", 0),
            (b"<?xml version=\"1.0\" encoding = \"US-ASCII\" ?><r/>", 0),
            (b"<?xml version='1.0'?><r encoding='x'/>", 0),
            (b"", 0),
        ] {
            assert_eq!(read(bytes).unwrap().skipped, skipped);
        }
    }

    #[test]
    fn other_encodings_are_named_with_their_place() {
        let refused = |bytes: &[u8]| {
            let Err(XmlEditError::Encoding { encoding, offset }) = read(bytes) else { panic!("{:?}", read(bytes)) };
            (encoding, offset)
        };
        assert_eq!(refused(b"\xFF\xFE<\0r\0"), ("UTF-16 (little-endian)".to_owned(), 0));
        assert_eq!(refused(b"\0<\0r"), ("UTF-16 (big-endian)".to_owned(), 0));
        assert_eq!(
            refused(b"<?xml version='1.0' encoding='ISO-8859-1'?><r a='\xE9'/>"),
            ("`ISO-8859-1`".to_owned(), 30)
        );
        assert_eq!(read(b"\xEF\xBB\xBF<r a='\xE9'/>"), Err(XmlEditError::NotUtf8 { offset: 9 }));
    }
}
