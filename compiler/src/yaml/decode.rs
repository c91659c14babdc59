//! The bytes of a file as text: UTF-8, or UTF-16 as some editors save it.

use std::borrow::Cow;

/// What to do about a file that is not text in a known encoding.
pub const HELP: &str = "save the file as UTF-8";

/// Why bytes are not a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// One sentence in the style of a diagnostic; names the byte offset.
    pub message: String,
    /// Where in the file the first wrong byte is, counted from 0 with any byte order mark included.
    pub offset: usize,
    /// The text before it.
    pub valid: String,
}

/// Decodes UTF-8 (with or without a byte order mark) or UTF-16 of either byte order (told by its mark, or by the zero
/// byte beside a first ASCII character). The mark is not part of the text; line breaks stay as they are.
///
/// # Errors
/// Anything else: Latin-1, UTF-32, a cut or unpaired UTF-16 unit. Nothing is replaced or guessed.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, DecodeError> {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest, 3).map(Cow::Borrowed),
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] | [0, 0, 0, _, ..] | [_, 0, 0, 0, ..] => Err(DecodeError {
            message: "the file is UTF-32 text, which is not supported".to_owned(),
            offset: 0,
            valid: String::new(),
        }),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, 2, u16::from_le_bytes, "UTF-16LE").map(Cow::Owned),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, 2, u16::from_be_bytes, "UTF-16BE").map(Cow::Owned),
        [_, 0, ..] => utf16(bytes, 0, u16::from_le_bytes, "UTF-16LE").map(Cow::Owned),
        [0, _, ..] => utf16(bytes, 0, u16::from_be_bytes, "UTF-16BE").map(Cow::Owned),
        rest => utf8(rest, 0).map(Cow::Borrowed),
    }
}

fn utf8(bytes: &[u8], skipped: usize) -> Result<&str, DecodeError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let good = error.valid_up_to();
        let offset = skipped + good;
        let byte = bytes.get(good).copied().unwrap_or_default();
        DecodeError {
            message: format!(
                "the file is not UTF-8 text: byte 0x{byte:02X} at offset {offset} is not part of a character"
            ),
            offset,
            valid: String::from_utf8_lossy(bytes.get(..good).unwrap_or_default()).into_owned(),
        }
    })
}

fn utf16(bytes: &[u8], skipped: usize, unit: fn([u8; 2]) -> u16, name: &str) -> Result<String, DecodeError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len());
    let mut offset = skipped;
    for found in char::decode_utf16(pairs.iter().copied().map(unit)) {
        match found {
            Ok(found) => {
                offset += found.len_utf16() * 2;
                text.push(found);
            }
            Err(error) => {
                let unit = error.unpaired_surrogate();
                let message = format!("the {name} text has half a character (0x{unit:04X}) at byte offset {offset}");
                return Err(DecodeError { message, offset, valid: text });
            }
        }
    }
    if !rest.is_empty() {
        let message = format!("the {name} text is cut inside a character at byte offset {offset}");
        return Err(DecodeError { message, offset, valid: text });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{DecodeError, decode};

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn the_byte_order_mark_goes_and_line_breaks_stay() {
        assert_eq!(decode(b"a: 1\r\n").unwrap(), "a: 1\r\n");
        assert_eq!(decode(b"\xEF\xBB\xBFa: 1\r\n").unwrap(), "a: 1\r\n");
        assert_eq!(decode(b"").unwrap(), "");
        assert_eq!(decode(b"\xEF\xBB\xBF").unwrap(), "");
    }

    #[test]
    fn utf16_is_told_by_its_mark_or_by_zero_bytes() {
        let text = "name: héllo \u{1F600}\n";
        let marked = format!("\u{FEFF}{text}");
        assert_eq!(decode(&utf16(&marked, u16::to_le_bytes)).unwrap(), text);
        assert_eq!(decode(&utf16(&marked, u16::to_be_bytes)).unwrap(), text);
        assert_eq!(decode(&utf16(text, u16::to_le_bytes)).unwrap(), text);
        assert_eq!(decode(&utf16(text, u16::to_be_bytes)).unwrap(), text);
    }

    #[test]
    fn other_encodings_name_the_offset() {
        let DecodeError { message, offset, valid } = decode(b"\xEF\xBB\xBFa: caf\xE9\n").unwrap_err();
        assert_eq!((offset, valid.as_str()), (9, "a: caf"));
        assert!(message.contains("byte 0xE9 at offset 9"), "{message}");

        let half = [0xFF, 0xFE, b'a', 0, 0x00, 0xD8, b'b', 0];
        let error = decode(&half).unwrap_err();
        assert_eq!((error.offset, error.valid.as_str()), (4, "a"));
        assert!(error.message.contains("UTF-16LE") && error.message.contains("0xD800"), "{}", error.message);

        let cut = decode(&[0xFE, 0xFF, 0, b'a', 0]).unwrap_err();
        assert_eq!(cut.offset, 4);
        assert!(decode(b"a\0\0\0b\0\0\0").unwrap_err().message.contains("UTF-32"));
        assert!(decode(b"\0\0\0a").unwrap_err().message.contains("UTF-32"));
    }
}
