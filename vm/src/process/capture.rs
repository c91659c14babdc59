//! What is kept of an output stream.

/// The bytes kept of a stream unless a command says otherwise: 16 MiB.
pub const DEFAULT_LIMIT: usize = 16 << 20;

/// The beginning of an output stream, and how long the stream was.
///
/// The first bytes are kept up to the limit of the command; the rest is read and counted but not kept, so that the
/// writer never blocks and memory stays bounded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The bytes kept.
    pub bytes: Vec<u8>,
    /// How many bytes were written in all.
    pub total: u64,
    /// Whether bytes were left out.
    pub truncated: bool,
}

impl Captured {
    /// Takes the next bytes of the stream, of which at most `limit` in all are kept.
    pub(crate) fn push(&mut self, chunk: &[u8], limit: usize) {
        self.total = self.total.saturating_add(chunk.len() as u64);
        let room = limit.saturating_sub(self.bytes.len());
        let kept = chunk.get(..room).unwrap_or(chunk);
        self.bytes.extend_from_slice(kept);
        self.truncated |= kept.len() < chunk.len();
    }

    /// The text: UTF-8, with U+FFFD for each sequence that is none. A character that the limit cut in two is left out.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes[..self.whole()]).into_owned()
    }

    /// The same text, without a copy when the bytes are UTF-8 throughout.
    pub fn into_text(mut self) -> String {
        self.bytes.truncate(self.whole());
        match String::from_utf8(self.bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }
    }

    /// The length without a character that was cut in two at the end. A character has at most four bytes, so its
    /// beginning is within the last three.
    fn whole(&self) -> usize {
        let length = self.bytes.len();
        if !self.truncated {
            return length;
        }
        for start in (length.saturating_sub(3)..length).rev() {
            let tail = &self.bytes[start..];
            if tail[0] & 0xC0 == 0x80 {
                continue;
            }
            let cut = std::str::from_utf8(tail).is_err_and(|e| e.valid_up_to() == 0 && e.error_len().is_none());
            return if cut { start } else { length };
        }
        length
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop, proptest};

    use crate::process::capture::Captured;

    fn capture(chunks: &[&[u8]], limit: usize) -> Captured {
        let mut captured = Captured::default();
        chunks.iter().for_each(|chunk| captured.push(chunk, limit));
        captured
    }

    #[test]
    fn a_character_across_chunks_survives() {
        let captured = capture(&[b"caf\xC3", b"\xA9"], 100);
        assert_eq!(captured.text(), "café");
        assert_eq!((captured.total, captured.truncated), (5, false));
    }

    #[test]
    fn bad_bytes_become_replacement_characters() {
        let captured = capture(&[b"\xFF\xFEcaf\xE9\n\xC3"], 100);
        assert_eq!(captured.text(), "\u{FFFD}\u{FFFD}caf\u{FFFD}\n\u{FFFD}");
        assert_eq!(captured.clone().into_text(), captured.text());
    }

    #[test]
    fn truncation_drops_only_a_character_cut_in_two() {
        assert_eq!(capture(&["aé".as_bytes()], 2).text(), "a");
        assert_eq!(capture(&["é€😀".as_bytes()], 8).text(), "é€");
        assert_eq!(capture(&["é€😀".as_bytes()], 5).text(), "é€");
        let bad = capture(&[b"ab\xFFcd"], 3);
        assert_eq!((bad.text().as_str(), bad.total, bad.truncated), ("ab\u{FFFD}", 5, true));
    }

    #[test]
    fn a_limit_reached_exactly_is_no_truncation() {
        assert!(!capture(&[b"abc"], 3).truncated);
        let over = capture(&[b"abc", b"d"], 3);
        assert_eq!((over.truncated, over.total), (true, 4));
        assert!(capture(&[b"abc"], 0).bytes.is_empty());
    }

    proptest! {
        #[test]
        fn truncated_text_is_a_prefix(text in any::<String>(), limit in 0usize..40, size in 1usize..9) {
            let chunks: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            let captured = capture(&chunks, limit);
            assert!(text.starts_with(&captured.text()));
            assert!(captured.text().len() + 4 > limit.min(text.len()));
            assert_eq!(captured.total, text.len() as u64);
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..40), limit in 0usize..40) {
            let captured = capture(&[&bytes], limit);
            assert_eq!(captured.clone().into_text(), captured.text());
        }
    }
}
