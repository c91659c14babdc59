//! The code under construction: instructions, the span of each, and holes for jumps whose target comes later.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use spec::artifact::Place;
use spec::op::Op;
use spec::operand::Label;
use spec::span::{FileId, Span};

use crate::lower::UNKNOWN;
use crate::source::SourceMap;

/// Instructions with their spans.
#[derive(Default)]
pub struct Code {
    ops: Vec<Op>,
    spans: Vec<Span>,
}

/// An instruction to be written when its target is known.
#[must_use]
pub struct Hole(usize);

/// Finished code.
pub struct Finished {
    /// The instructions.
    pub ops: Vec<Op>,
    /// For each, an index into the places.
    pub places: Vec<u32>,
}

/// The places of all spans, each once.
pub struct Places {
    /// Source files by path.
    pub files: Vec<String>,
    /// The places.
    pub list: Vec<Place>,
    known: HashMap<Span, u32>,
    /// The span asked for last: instructions in a row often come from the same one.
    last: Option<(Span, u32)>,
}

impl Code {
    /// Where the next instruction will be.
    pub fn here(&self) -> Label {
        Label(self.ops.len() as u32)
    }

    /// Adds an instruction.
    pub fn push(&mut self, op: Op, span: Span) {
        self.ops.push(op);
        self.spans.push(span);
    }

    /// Leaves room for one instruction.
    pub fn hole(&mut self, span: Span) -> Hole {
        self.push(Op::Jump { target: UNKNOWN }, span);
        Hole(self.ops.len() - 1)
    }

    /// Fills a hole.
    pub fn fill(&mut self, hole: Hole, op: Op) {
        self.ops[hole.0] = op;
    }

    /// Fills a hole with a jump to here.
    pub fn jump_here(&mut self, hole: Hole) {
        let target = self.here();
        self.fill(hole, Op::Jump { target });
    }

    /// The instructions, and where in `sources` each was written.
    pub fn finish(self, sources: &SourceMap, places: &mut Places) -> Finished {
        places.known.reserve(self.spans.len());
        let list = self.spans.iter().map(|span| places.of(*span, sources)).collect();
        Finished { ops: self.ops, places: list }
    }
}

impl Places {
    /// No places yet, in the files of `sources`.
    pub fn new(sources: &SourceMap) -> Self {
        let files = sources.files().map(|(_, file)| file.path.clone()).collect();
        Self { files, list: Vec::new(), known: HashMap::new(), last: None }
    }

    /// The index of a span's place.
    pub fn of(&mut self, span: Span, sources: &SourceMap) -> u32 {
        if let Some((last, index)) = self.last
            && last == span
        {
            return index;
        }
        let index = match self.known.entry(span) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.list.push(place(span, sources));
                *new.insert(self.list.len() as u32 - 1)
            }
        };
        self.last = Some((span, index));
        index
    }
}

fn place(span: Span, sources: &SourceMap) -> Place {
    let FileId(file) = span.file;
    let (start, end) =
        sources.get(span.file).map(|source| (source.place(span.start), source.place(span.end))).unwrap_or_default();
    Place { file, line: start.line, column: start.column, end_line: end.line, end_column: end.column }
}
