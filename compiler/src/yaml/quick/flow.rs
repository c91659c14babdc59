//! Flow collections: `[…]` and `{…}`, on one line or several.

use crate::yaml::build::Shape;
use crate::yaml::quick::{MAX_KEY, Other, Read, Reader};

impl Reader<'_, '_> {
    /// A flow collection, from its bracket to behind its end.
    pub(super) fn flow(&mut self) -> Read {
        let mut open = vec![self.open_bracket()?];
        // Whether a value may come next: not before a comma.
        let mut separated = true;
        while let Some(bracket) = open.last().copied() {
            self.flow_space()?;
            match (bracket, self.peek()) {
                (b'[', b']') | (b'{', b'}') => {
                    open.pop();
                    self.at += 1;
                    self.builder.close(self.at)?;
                    separated = false;
                    continue;
                }
                (_, b',') if !separated => {
                    self.at += 1;
                    separated = true;
                    continue;
                }
                (_, _) if !separated => return Err(Other),
                (_, _) => {}
            }
            if bracket == b'{' {
                self.flow_key()?;
            }
            separated = matches!(self.peek(), b'[' | b'{');
            if separated {
                open.push(self.open_bracket()?);
            } else {
                let scalar = self.flow_scalar()?;
                self.give(scalar)?;
            }
        }
        Ok(())
    }

    /// The bracket that stands here.
    fn open_bracket(&mut self) -> Read<u8> {
        let bracket = self.peek();
        let shape = if bracket == b'[' { Shape::List } else { Shape::Map };
        self.builder.open(shape, false, 0, self.at)?;
        self.at += 1;
        Ok(bracket)
    }

    /// A key and its colon, up to its value.
    fn flow_key(&mut self) -> Read {
        let key = self.flow_scalar()?;
        self.spaces();
        // After a quoted key the value may follow the colon at once, as in JSON.
        let colon = self.peek() == b':' && (key.is_quoted() || matches!(self.byte(self.at + 1), b' ' | b'\n'));
        if !colon || self.at - key.start > MAX_KEY {
            return Err(Other);
        }
        self.give(key)?;
        self.at += 1;
        self.flow_space()
    }

    /// Goes past spaces, line breaks and comments.
    fn flow_space(&mut self) -> Read {
        while self.line_ends() {
            if self.at >= self.text.len() {
                return Err(Other);
            }
            self.at += 1;
            self.line = self.at;
            if self.at_document_marker() {
                return Err(Other);
            }
        }
        Ok(())
    }
}
