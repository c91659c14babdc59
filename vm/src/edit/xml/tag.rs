//! One start tag, cut into byte ranges. The parser has accepted the tag, so this only finds where its parts are.

use std::ops::Range;

/// The parts of a start tag or empty-element tag; ranges count from the start of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The element's name.
    pub name: Range<usize>,
    /// The attributes as written, namespace declarations included.
    pub attributes: Vec<Written>,
    /// One past the `>`.
    pub end: usize,
    /// Whether it ends with `/>`.
    pub is_empty: bool,
}

/// One attribute as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its name.
    pub name: Range<usize>,
    /// Its value without the quotes.
    pub value: Range<usize>,
}

impl Tag {
    /// Where a further attribute belongs: after the last one, or after the element's name.
    pub fn insertion(&self) -> usize {
        self.attributes.last().map_or(self.name.end, |last| last.value.end + 1)
    }
}

/// Cuts the tag whose `<` is at `start`; total for any text, meaningful for a well-formed one.
pub fn cut(text: &str, start: usize) -> Tag {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied();
    let skip = |mut at: usize, keep: &dyn Fn(u8) -> bool| {
        while byte(at).is_some_and(keep) {
            at += 1;
        }
        at
    };
    let is_name = |b: u8| !is_space(b) && !matches!(b, b'=' | b'>' | b'/' | b'"' | b'\'');
    let name = start + 1..skip(start + 1, &is_name);
    let mut tag = Tag { name: name.clone(), attributes: Vec::new(), end: name.end, is_empty: false };
    let mut at = name.end;
    loop {
        at = skip(at, &is_space);
        match byte(at) {
            None => break,
            Some(b'>') => {
                at += 1;
                break;
            }
            Some(b'/') => {
                tag.is_empty = true;
                at += 1;
            }
            Some(_) => {
                let name = at..skip(at, &is_name);
                let open = skip(name.end, &|b| is_space(b) || b == b'=');
                let quote = byte(open);
                // A text that ends early leaves ranges at its end.
                let first = (open + 1).min(bytes.len());
                let value = first..skip(first, &|b| Some(b) != quote);
                at = value.end + 1;
                tag.attributes.push(Written { name, value });
            }
        }
    }
    tag.end = at.min(bytes.len());
    tag
}

/// White space of XML 1.0 (production 3).
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn the_parts_are_found_whatever_the_spacing() {
        let text = "é<p:c\r\n xmlns:p = 'u>'\tx\n=\n\"a'/b\"  />z";
        let tag = cut(text, 2);
        let parts: Vec<_> = tag.attributes.iter().map(|a| (&text[a.name.clone()], &text[a.value.clone()])).collect();
        assert_eq!(&text[tag.name.clone()], "p:c");
        assert_eq!(parts, [("xmlns:p", "u>"), ("x", "a'/b")]);
        assert_eq!((&text[tag.end..], tag.is_empty, &text[tag.insertion()..]), ("z", true, "  />z"));
    }

    #[test]
    fn any_text_is_cut_without_a_panic() {
        for text in ["<", "<a", "<a b", "<a b=", "<a b='", "<a b='c", "<a b='c'", "<a /", "<//", "<='", ""] {
            assert!(cut(text, 0).end <= text.len());
        }
    }
}
