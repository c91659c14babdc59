//! How a text can be spelled where it is shown: with the escapes of JSON, XML, addresses and messages, in Base64, in another case.

use spec::value::Value;

use crate::machine::text::json;
use crate::need::literal;

/// Texts beyond this length in bytes are looked for only as they are and with escapes.
const LONG: usize = 64 << 10;

/// The least bytes of a text that is looked for in Base64 and in another case.
const LEAST: usize = 4;

/// The least characters of Base64 that are taken for a part of a longer encoding.
const LEAST_BASE64: usize = 8;

/// The text itself and its other spellings; some may be the same, and none is empty unless the text is.
pub fn spellings(text: &str) -> Vec<String> {
    // Inside JSON text and quoted messages, a text can be spelled with escapes.
    let quoted = json(&Value::String(text.to_owned()));
    let escaped = quoted[1..quoted.len() - 1].to_owned();
    let control = text.chars().map(|character| match character.is_control() {
        true => character.escape_default().to_string(),
        false => character.to_string(),
    });
    let mut all = vec![text.to_owned(), escaped, control.collect(), text.escape_debug().to_string()];
    if text.len() > LONG {
        return all;
    }
    all.extend([
        xml(text),
        // As refusals have it.
        literal(text),
        percent(text, false, false),
        percent(text, true, false),
        percent(text, false, true),
    ]);
    if text.len() >= LEAST {
        all.extend([text.to_lowercase(), text.to_uppercase(), text.to_ascii_lowercase(), text.to_ascii_uppercase()]);
        for (plus, slash) in [('+', '/'), ('-', '_')] {
            all.push(base64(text.as_bytes(), plus, slash));
            all.extend((0..3).filter_map(|before| inside_base64(text.as_bytes(), before, plus, slash)));
        }
    }
    all
}

fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}

/// Percent-encoded as RFC 3986 has it, with small or capital digits; a blank is `+` in forms.
fn percent(text: &str, small: bool, form: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            b' ' if form => out.push('+'),
            _ if small => out.push_str(&format!("%{byte:02x}")),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Base64 (RFC 4648) without padding, with these as the last two digits.
fn base64(bytes: &[u8], plus: char, slash: char) -> String {
    const DIGITS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let digit = |value: u32| match value & 63 {
        62 => plus,
        63 => slash,
        value => DIGITS.get(value as usize).map_or(plus, |digit| char::from(*digit)),
    };
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let value = (0..3).fold(0_u32, |value, place| (value << 8) | u32::from(chunk.get(place).copied().unwrap_or(0)));
        out.extend([18, 12, 6, 0].iter().take(chunk.len() + 1).map(|shift| digit(value >> shift)));
    }
    out
}

/// What is sure to stand in the Base64 of a longer text that has these bytes in it, `before` of the others in their group of three.
fn inside_base64(bytes: &[u8], before: usize, plus: char, slash: char) -> Option<String> {
    let mut padded = vec![0; before];
    padded.extend_from_slice(bytes);
    let encoded = base64(&padded, plus, slash);
    // Digits that hold bits of neighbours are not sure.
    let (first, last) = ((before * 8).div_ceil(6), padded.len() * 8 / 6);
    encoded.get(first..last).filter(|sure| sure.len() >= LEAST_BASE64).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{base64, inside_base64, spellings};

    #[test]
    fn spellings_are_those_of_other_tools() {
        let found = spellings("a b&\"ü/");
        for spelled in [
            "a b&\"ü/",
            "a b&\\\"ü/",
            "a%20b%26%22%C3%BC%2F",
            "a%20b%26%22%c3%bc%2f",
            "a+b%26%22%C3%BC%2F",
            "a b&amp;&quot;ü/",
        ] {
            assert!(found.iter().any(|found| found == spelled), "{spelled}");
        }
        assert_eq!(base64(b"hunter2!", '+', '/'), "aHVudGVyMiE");
        assert_eq!(base64(&[0xfb, 0xff, 0xbf], '-', '_'), "-_-_");
        assert_eq!(base64(b"", '+', '/'), "");
    }

    proptest! {
        #[test]
        fn a_part_of_base64_is_in_the_whole(before in prop::collection::vec(any::<u8>(), 0..9), text in "\\PC{6,30}", after in prop::collection::vec(any::<u8>(), 0..9)) {
            let whole = [&before, text.as_bytes(), &after].concat();
            let whole = base64(&whole, '+', '/');
            if let Some(part) = inside_base64(text.as_bytes(), before.len() % 3, '+', '/') {
                prop_assert!(whole.contains(&part), "{part} in {whole}");
            }
        }
    }
}
