//! Block collections: keys and dashes in columns.

use crate::yaml::quick::text::is_separator;
use crate::yaml::quick::{Kind, Level, MAX_KEY, Other, Read, Reader};

impl Reader<'_, '_> {
    /// The whole text.
    pub(super) fn document(&mut self) -> Read {
        let column = self.first_line().ok_or(Other)?;
        if self.at_document_marker() {
            return Err(Other);
        }
        self.node(column)?;
        while let Some(column) = self.next_line() {
            self.content(column)?;
        }
        if let Some(place) = self.awaited.take() {
            self.empty(place)?;
        }
        while !self.levels.is_empty() {
            self.close()?;
        }
        Ok(())
    }

    /// The first line with content, behind a `---` that says no more than that the document begins.
    fn first_line(&mut self) -> Option<usize> {
        let column = if self.line_ends() { self.next_line()? } else { self.at };
        if !self.at_document_marker() || self.peek() != b'-' {
            return Some(column);
        }
        self.at += 3;
        if self.line_ends() { self.next_line() } else { None }
    }

    /// A line after the first, from its first character.
    fn content(&mut self, column: usize) -> Read {
        if self.at_document_marker() {
            return Err(Other);
        }
        let level = self.level()?;
        if let Some(place) = self.awaited.take() {
            if column > level.column {
                return self.node(column);
            }
            if level.kind == Kind::Map && level.column == column && self.at_dash() {
                return self.flush_list(column);
            }
            self.empty(place)?;
        }
        self.entry(column)
    }

    /// A key or dash of a collection that is open.
    fn entry(&mut self, column: usize) -> Read {
        let dash = self.at_dash();
        let mut level = self.level()?;
        while level.column > column || (level.column == column && level.kind == Kind::FlushList && !dash) {
            self.close()?;
            level = self.level()?;
        }
        if level.column != column || dash == (level.kind == Kind::Map) {
            return Err(Other);
        }
        match level.kind {
            Kind::Map => self.key(),
            Kind::List | Kind::FlushList if self.dash() => self.node(self.at - self.line),
            Kind::List | Kind::FlushList => Ok(()),
        }
    }

    /// A value that may be a block collection; it begins in `column`.
    fn node(&mut self, mut column: usize) -> Read {
        while self.at_dash() {
            self.open(Kind::List, column, self.at)?;
            if !self.dash() {
                return Ok(());
            }
            column = self.at - self.line;
        }
        if matches!(self.peek(), b'[' | b'{' | b'|' | b'>') {
            return self.bracket_or_block();
        }
        let scalar = self.scalar()?;
        if !self.at_colon() {
            return self.finish_scalar(scalar);
        }
        if self.at - scalar.start > MAX_KEY {
            return Err(Other);
        }
        self.open(Kind::Map, column, scalar.start)?;
        self.give(scalar)?;
        self.value()
    }

    /// A key with what is behind it on its line.
    fn key(&mut self) -> Read {
        let scalar = self.scalar()?;
        if !self.at_colon() || self.at - scalar.start > MAX_KEY {
            return Err(Other);
        }
        self.give(scalar)?;
        self.value()
    }

    /// The colon of a key and what is behind it on its line.
    fn value(&mut self) -> Read {
        let colon = self.at;
        self.at += 1;
        if self.line_ends() {
            self.awaited = Some(colon);
            return Ok(());
        }
        if matches!(self.peek(), b'[' | b'{' | b'|' | b'>') {
            return self.bracket_or_block();
        }
        let scalar = self.scalar()?;
        // A second key on the line is a mistake.
        if self.at_colon() { Err(Other) } else { self.finish_scalar(scalar) }
    }

    /// A flow collection or a block scalar.
    fn bracket_or_block(&mut self) -> Read {
        match self.peek() {
            b'[' | b'{' => {
                self.flow()?;
                self.end_line()
            }
            _ => self.block_scalar(),
        }
    }

    /// A list in the column of its key.
    fn flush_list(&mut self, column: usize) -> Read {
        let more = self.dash();
        // The place the full reader gives to such a list: behind the first dash.
        self.open(Kind::FlushList, column, self.at)?;
        if more { self.node(self.at - self.line) } else { Ok(()) }
    }

    /// Goes past a dash; whether the item begins on its line.
    fn dash(&mut self) -> bool {
        self.at += 1;
        let ends = self.line_ends();
        if ends {
            self.awaited = Some(self.at);
        }
        !ends
    }

    /// Goes past spaces; whether a colon that makes a key of what is before it stands here.
    fn at_colon(&mut self) -> bool {
        let before = self.at;
        self.spaces();
        let found = self.peek() == b':' && is_separator(self.byte(self.at + 1));
        if !found {
            self.at = before;
        }
        found
    }

    /// The innermost collection.
    pub(super) fn level(&self) -> Read<Level> {
        self.levels.last().copied().ok_or(Other)
    }

    fn open(&mut self, kind: Kind, column: usize, start: usize) -> Read {
        self.builder.open(kind.shape(), true, 0, start)?;
        self.levels.push(Level { kind, column });
        Ok(())
    }

    fn close(&mut self) -> Read {
        self.levels.pop();
        Ok(self.builder.close(self.at)?)
    }
}
