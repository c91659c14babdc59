//! Plain and quoted scalars.

use std::borrow::Cow;

use granit_parser::ScalarStyle;
use spec::span::Span;

use crate::yaml::quick::{Other, Read, Reader};

/// A scalar that was read.
pub(super) struct Scalar<'a> {
    /// Its text without quotes and escapes.
    pub(super) text: Cow<'a, str>,
    /// How it is written.
    pub(super) style: ScalarStyle,
    /// Its first byte; the quote of a quoted one.
    pub(super) start: usize,
    /// The byte behind it.
    pub(super) end: usize,
}

impl Scalar<'_> {
    /// Whether it has quotes.
    pub(super) fn is_quoted(&self) -> bool {
        matches!(self.style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted)
    }
}

impl<'a> Reader<'a, '_> {
    /// A plain or quoted scalar of a block collection, as far as it goes on this line.
    pub(super) fn scalar(&mut self) -> Read<Scalar<'a>> {
        self.either::<false>()
    }

    /// A plain or quoted scalar inside of brackets, which ends on its line.
    pub(super) fn flow_scalar(&mut self) -> Read<Scalar<'a>> {
        self.either::<true>()
    }

    /// A scalar that is a value of a block collection: goes on in the next lines, when they are its lines, and hands it over.
    pub(super) fn finish_scalar(&mut self, mut scalar: Scalar<'a>) -> Read {
        if scalar.style == ScalarStyle::Plain && self.peek() == b'\n' {
            self.next_lines(&mut scalar)?;
        }
        self.end_line()?;
        self.give(scalar)
    }

    /// Hands a scalar over.
    pub(super) fn give(&mut self, scalar: Scalar<'a>) -> Read {
        let span = Span::new(self.builder.file, scalar.start..scalar.end);
        Ok(self.builder.scalar(scalar.text, scalar.style, 0, None, span)?)
    }

    /// Hands over the value that was left out at `place`.
    pub(super) fn empty(&mut self, place: usize) -> Read {
        self.give(Scalar { text: Cow::Borrowed(""), style: ScalarStyle::Plain, start: place, end: place })
    }

    fn either<const FLOW: bool>(&mut self) -> Read<Scalar<'a>> {
        let next = self.byte(self.at + 1);
        match self.peek() {
            b'"' => self.double_quoted(),
            b'\'' => self.single_quoted(),
            b'-' if matches!(next, b' ' | b'\n') || (FLOW && is_flow(next)) => Err(Other),
            b'?' | b':' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'%' | b'@'
            | b'`' => Err(Other),
            _ => {
                let start = self.at;
                let end = self.plain::<FLOW>()?;
                Ok(Scalar { text: self.slice(start, end).into(), style: ScalarStyle::Plain, start, end })
            }
        }
    }

    /// The part of a plain scalar on this line. Its end; the place is then that of what ends it, behind spaces.
    fn plain<const FLOW: bool>(&mut self) -> Read<usize> {
        let start = self.at;
        let mut at = start;
        let end = loop {
            match self.byte(at) {
                b'\n' => break at,
                b' ' => {
                    let blank = at;
                    while self.byte(at) == b' ' {
                        at += 1;
                    }
                    if matches!(self.byte(at), b'\n' | b'#') || self.ends_plain::<FLOW>(at) {
                        break blank;
                    }
                }
                b':' | b',' | b'[' | b']' | b'{' | b'}' if self.ends_plain::<FLOW>(at) => break at,
                _ => at += 1,
            }
        };
        self.at = at;
        if end > start { Ok(end) } else { Err(Other) }
    }

    /// Whether a plain scalar ends before the indicator at `at`.
    fn ends_plain<const FLOW: bool>(&self, at: usize) -> bool {
        match self.byte(at) {
            b':' => {
                let next = self.byte(at + 1);
                matches!(next, b' ' | b'\n') || (FLOW && is_flow(next))
            }
            byte => FLOW && is_flow(byte),
        }
    }

    /// Further lines of a plain scalar, indented more than its collection: a line break between them is a space, and each empty line
    /// a line break.
    fn next_lines(&mut self, scalar: &mut Scalar<'a>) -> Read {
        let indent = self.level()?.column;
        while self.peek() == b'\n' {
            let end = (self.at, self.line);
            let mut breaks = 0;
            while self.at < self.text.len() && self.peek() == b'\n' {
                self.at += 1;
                self.line = self.at;
                breaks += 1;
                self.spaces();
            }
            if self.at >= self.text.len() || self.peek() == b'#' || self.at - self.line <= indent {
                (self.at, self.line) = end;
                return Ok(());
            }
            let start = self.at;
            scalar.end = self.plain::<false>()?;
            if self.peek() == b':' {
                return Err(Other);
            }
            let text = scalar.text.to_mut();
            match breaks {
                1 => text.push(' '),
                more => text.extend(std::iter::repeat_n('\n', more - 1)),
            }
            text.push_str(self.slice(start, scalar.end));
        }
        Ok(())
    }

    fn single_quoted(&mut self) -> Read<Scalar<'a>> {
        let start = self.at;
        let mut text = Cow::Borrowed("");
        loop {
            let from = self.at + 1;
            let rest = self.text.as_bytes().get(from..).unwrap_or_default();
            let quote = from + memchr::memchr2(b'\'', b'\n', rest).ok_or(Other)?;
            if self.byte(quote) == b'\n' {
                return Err(Other);
            }
            self.at = quote + 1;
            // Two quotes are one, which is the first of the two.
            let doubled = self.byte(self.at) == b'\'';
            text += self.slice(from, if doubled { self.at } else { quote });
            if !doubled {
                return Ok(Scalar { text, style: ScalarStyle::SingleQuoted, start, end: self.at });
            }
        }
    }

    fn double_quoted(&mut self) -> Read<Scalar<'a>> {
        let start = self.at;
        let mut text = Cow::Borrowed("");
        self.at += 1;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let stop = self.at + memchr::memchr3(b'"', b'\\', b'\n', rest).ok_or(Other)?;
            text += self.slice(self.at, stop);
            match self.byte(stop) {
                b'"' => {
                    self.at = stop + 1;
                    return Ok(Scalar { text, style: ScalarStyle::DoubleQuoted, start, end: self.at });
                }
                b'\\' => {
                    text.to_mut().push(escaped(self.byte(stop + 1)).ok_or(Other)?);
                    self.at = stop + 2;
                }
                _ => return Err(Other),
            }
        }
    }
}

/// What a backslash and this mean, of the escapes that are one letter and common.
fn escaped(letter: u8) -> Option<char> {
    match letter {
        b'n' => Some('\n'),
        b't' => Some('\t'),
        b'r' => Some('\r'),
        b'0' => Some('\0'),
        b'e' => Some('\u{1B}'),
        b' ' | b'"' | b'/' | b'\\' => Some(char::from(letter)),
        _ => None,
    }
}

fn is_flow(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}
