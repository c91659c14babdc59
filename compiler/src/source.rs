//! The texts of one compilation, and what turns byte offsets into lines and columns.

use spec::span::{FileId, Span};

/// The source texts of one compilation; a `FileId` is an index into it.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

/// One source text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path as the user knows it; shown in messages and never opened.
    pub path: String,
    /// The decoded text.
    pub text: String,
    line_starts: Vec<u32>,
    /// Every character is one byte, as in nearly every macro: then columns need no counting.
    ascii: bool,
}

/// A place for people: both 1-based, the column in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// 1-based line.
    pub line: u32,
    /// 1-based column, in characters.
    pub column: u32,
}

impl SourceMap {
    /// Adds a text and returns its id.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let starts = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1);
        let line_starts = std::iter::once(0).chain(starts).collect();
        let ascii = text.is_ascii();
        self.files.push(SourceFile { path: path.into(), text, line_starts, ascii });
        FileId(self.files.len() as u32 - 1)
    }

    /// The file `id` names, when this map made it.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The text of `span`, empty when it lies outside.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|file| file.text.get(span.range())).unwrap_or("")
    }

    /// Every file, in the order of their ids.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(index as u32), file))
    }
}

impl SourceFile {
    /// Line and column of the byte `offset`; an offset past the end is the end.
    pub fn place(&self, offset: u32) -> Place {
        let offset = offset.min(self.text.len() as u32);
        let line = self.line_starts.partition_point(|start| *start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let before = self.text.as_bytes().get(start..offset as usize).unwrap_or_default();
        // Continuation bytes do not start a character, so this counts characters even inside a cut one.
        let counted = || before.iter().filter(|byte| (**byte & 0xC0) != 0x80).count();
        let column = if self.ascii { before.len() } else { counted() } as u32;
        Place { line: line as u32 + 1, column: column + 1 }
    }
}
