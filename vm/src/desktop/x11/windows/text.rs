//! Text properties: UTF-8, Latin-1 and what is sensible of compound text.
//!
//! Source: "Compound Text Encoding", version 1.1, of the X Consortium.

use x11rb::protocol::xproto::{AtomEnum, GetPropertyReply};

use crate::desktop::x11::windows::atoms::Atoms;

/// Most bytes that are read of a text.
pub const MAX_BYTES: u32 = 16 << 10;

/// The text of a property, by its type; `None` when there is none. Bytes that are no text become U+FFFD.
pub fn text(reply: &GetPropertyReply, atoms: &Atoms) -> Option<String> {
    if reply.format != 8 || reply.value.is_empty() {
        return None;
    }
    let bytes = whole(&reply.value, reply.bytes_after > 0);
    let text = match reply.type_ {
        kind if kind == u32::from(AtomEnum::STRING) => latin_1(bytes),
        kind if kind == atoms.COMPOUND_TEXT => compound(bytes),
        kind if kind == atoms.UTF8_STRING => String::from_utf8_lossy(bytes).into_owned(),
        // Of an unknown type it is most likely UTF-8.
        _other => String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| latin_1(bytes)),
    };
    // Some programs count the end of a C string.
    Some(text.trim_end_matches('\0').to_owned())
}

/// The two texts of `WM_CLASS`: the instance and the class.
pub fn class(reply: &GetPropertyReply) -> (String, String) {
    let decoded = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| latin_1(bytes));
    let mut parts = reply.value.split(|byte| *byte == 0);
    let instance = parts.next().map(decoded).unwrap_or_default();
    let class = parts.next().map(decoded).unwrap_or_default();
    (instance, class)
}

/// Without the beginning of a character whose end was cut off.
fn whole(bytes: &[u8], cut: bool) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if cut && error.error_len().is_none() => bytes.get(..error.valid_up_to()).unwrap_or(bytes),
        Ok(_) | Err(_) => bytes,
    }
}

fn latin_1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// Latin-1 and UTF-8 segments are read; characters of other sets become U+FFFD.
fn compound(mut bytes: &[u8]) -> String {
    let mut text = String::new();
    // Whether the lower and the upper half are ASCII and Latin-1, as at the start.
    let (mut lower, mut upper) = (true, true);
    while let Some((&byte, rest)) = bytes.split_first() {
        bytes = rest;
        match byte {
            0x1B => {
                let (escape, after) = escape(rest);
                bytes = after;
                match escape {
                    [b'%', b'G'] => {
                        let end = find(after, b"\x1B%@").unwrap_or(after.len());
                        let (segment, after) = after.split_at(end);
                        text.push_str(&String::from_utf8_lossy(segment));
                        bytes = after.strip_prefix(b"\x1B%@").unwrap_or(after);
                    }
                    [b'%', b'/', _] => {
                        // A segment of another encoding, with its length in two bytes.
                        let length = match after {
                            [high, low, ..] => 2 + usize::from(high & 0x7F) * 128 + usize::from(low & 0x7F),
                            [] | [_] => after.len(),
                        };
                        bytes = after.get(length..).unwrap_or_default();
                        text.push(char::REPLACEMENT_CHARACTER);
                    }
                    [b'(', set] => lower = *set == b'B',
                    [b'-', set] => upper = *set == b'A',
                    [b'$', b'(', ..] => lower = false,
                    [b')' | b'$', ..] => upper = false,
                    // Directions and what is unknown.
                    _ => {}
                }
            }
            // Writing directions.
            0x9B => bytes = rest.iter().position(|byte| *byte == b']').map_or(rest, |at| &rest[at + 1..]),
            0..0x80 if lower || byte < 0x20 => text.push(char::from(byte)),
            0xA0.. if upper => text.push(char::from(byte)),
            _ => text.push(char::REPLACEMENT_CHARACTER),
        }
    }
    text
}

/// An escape sequence after its first byte, and what follows: bytes from 0x20 to 0x2F, then one more.
fn escape(bytes: &[u8]) -> (&[u8], &[u8]) {
    let between = bytes.iter().take_while(|byte| (0x20..0x30).contains(*byte)).count();
    bytes.split_at(bytes.len().min(between + 1))
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests {
    use crate::desktop::x11::windows::text::{compound, whole};

    #[test]
    fn compound_text_is_read() {
        assert_eq!(compound(b"caf\xE9"), "café");
        assert_eq!(compound(b"a\x1B%G\xE2\x82\xAC\x1B%@b"), "a€b");
        assert_eq!(compound(b"\x1B-A\xE9\x1B-B\xE9\x1B-A\xE9"), "é\u{FFFD}é");
        assert_eq!(compound(b"\x1B%/1\x80\x83abcd"), "\u{FFFD}d");
        assert_eq!(compound(b"\x1B%/1\xFF\xFFabc"), "\u{FFFD}");
        assert_eq!(compound(b"\x1B$(Bab\x1B(Bc"), "\u{FFFD}\u{FFFD}c");
        assert_eq!(compound(b"\x1B"), "");
        assert_eq!(compound(b"\x1B%G\xE2"), "\u{FFFD}");
        assert_eq!(compound(b"\x9B2]x"), "x");
    }

    #[test]
    fn a_character_that_was_cut_is_left_out() {
        assert_eq!(whole(b"ab\xE2\x82", true), b"ab");
        assert_eq!(whole(b"ab\xE2\x82", false), b"ab\xE2\x82");
        assert_eq!(whole(b"\xFFab", true), b"\xFFab");
    }
}
