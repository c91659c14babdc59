//! Block scalars: `|` and `>`.

use std::borrow::Cow;

use granit_parser::ScalarStyle;

use crate::yaml::quick::scalar::Scalar;
use crate::yaml::quick::{Other, Read, Reader};

/// What becomes of the line breaks at the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

impl Reader<'_, '_> {
    /// A block scalar that has text and tells its indentation by its first line.
    pub(super) fn block_scalar(&mut self) -> Read {
        let outer = self.level()?.column;
        let folded = self.peek() == b'>';
        self.at += 1;
        let chomping = match self.peek() {
            b'-' => Chomping::Strip,
            b'+' => Chomping::Keep,
            _ => Chomping::Clip,
        };
        self.at += usize::from(chomping != Chomping::Clip);
        self.spaces();
        if self.peek() != b'\n' {
            return Err(Other);
        }
        let (mut breaks, indent) = self.first_text()?;
        if indent <= outer {
            return Err(Other);
        }
        let start = self.at;
        let mut text = String::new();
        // Whether the line before began with a space: such lines are not folded.
        let mut spaced = false;
        let end = loop {
            let end = self.end_of_line(self.at);
            let line = self.slice(self.at, end);
            let space = line.starts_with(' ');
            if self.at == start {
                push_breaks(&mut text, breaks);
            } else if folded && !spaced && !space && breaks == 0 {
                text.push(' ');
            } else {
                push_breaks(&mut text, breaks + usize::from(!folded || spaced || space));
            }
            text.push_str(line);
            spaced = space;
            self.at = end;
            if end >= self.text.len() {
                breaks = 0;
                break end;
            }
            let more;
            (breaks, more) = self.further_text(indent);
            if !more {
                if chomping != Chomping::Strip {
                    text.push('\n');
                }
                break end;
            }
        };
        if chomping == Chomping::Keep {
            push_breaks(&mut text, breaks);
        }
        let style = if folded { ScalarStyle::Folded } else { ScalarStyle::Literal };
        self.give(Scalar { text: Cow::Owned(text), style, start, end })
    }

    /// From the end of the line with the indicator to the first character of the text: how many empty lines are before it, and its
    /// column.
    fn first_text(&mut self) -> Read<(usize, usize)> {
        let (mut breaks, mut widest) = (0, 0);
        loop {
            self.at += 1;
            self.line = self.at;
            self.spaces();
            let column = self.at - self.line;
            if self.at >= self.text.len() || column < widest {
                return Err(Other);
            }
            if self.peek() != b'\n' {
                return Ok((breaks, column));
            }
            widest = column;
            breaks += 1;
        }
    }

    /// From the end of a line of the text to the next line of it: how many empty lines are between them. Without a next one the place is
    /// the end of the last empty line.
    fn further_text(&mut self, indent: usize) -> (usize, bool) {
        let mut breaks = 0;
        loop {
            let line = self.at + 1;
            let mut at = line;
            while at - line < indent && self.byte(at) == b' ' {
                at += 1;
            }
            if at >= self.text.len() {
                return (breaks, false);
            }
            if self.byte(at) != b'\n' {
                if at - line < indent {
                    return (breaks, false);
                }
                (self.at, self.line) = (at, line);
                return (breaks, true);
            }
            breaks += 1;
            self.at = at;
        }
    }
}

fn push_breaks(text: &mut String, count: usize) {
    text.extend(std::iter::repeat_n('\n', count));
}
