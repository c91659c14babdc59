//! Mistakes in a recording, each at its bytes, and not more than anyone reads.

use std::ops::Range;

use spec::span::{FileId, Span};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};

/// Most mistakes shown for one recording.
const MAX_SHOWN: usize = 100;

/// Takes the mistakes of one recording.
pub struct Report<'p> {
    file: FileId,
    source: &'p str,
    problems: &'p mut Diagnostics,
    count: usize,
    last: Range<usize>,
}

impl<'p> Report<'p> {
    /// For the recording `file`, whose text is `source`.
    pub fn new(file: FileId, source: &'p str, problems: &'p mut Diagnostics) -> Self {
        Self { file, source, problems, count: 0, last: 0..0 }
    }

    /// The recording.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The text of the recording.
    pub fn source(&self) -> &'p str {
        self.source
    }

    /// Reports a mistake.
    pub fn add(&mut self, range: Range<usize>, message: impl Into<String>, help: Option<String>) {
        self.add_beside(range, message, help, None);
    }

    /// Reports a mistake that has a code of its own.
    pub fn add_as(&mut self, code: Code, range: Range<usize>, message: impl Into<String>, help: Option<String>) {
        self.push(range.clone(), Diagnostic::new(code, Span::new(self.file, range), message).help_if(help));
    }

    /// Reports a mistake that another place explains.
    pub fn add_beside(
        &mut self,
        range: Range<usize>,
        message: impl Into<String>,
        help: Option<String>,
        beside: Option<(Range<usize>, &str)>,
    ) {
        let problem = Diagnostic::new(Code::BadRecording, Span::new(self.file, range.clone()), message).help_if(help);
        let problem = match beside {
            Some((range, remark)) => problem.label(Span::new(self.file, range), remark),
            None => problem,
        };
        self.push(range, problem);
    }

    /// How many mistakes there were; tells how many were left out.
    pub fn finish(self) -> usize {
        if self.count > MAX_SHOWN {
            let message = format!("{} further mistakes in this recording are not shown", self.count - MAX_SHOWN);
            self.problems.push(Diagnostic::new(Code::BadRecording, Span::new(self.file, self.last), message));
        }
        self.count
    }

    fn push(&mut self, range: Range<usize>, problem: Diagnostic) {
        self.count += 1;
        self.last = range;
        if self.count <= MAX_SHOWN {
            self.problems.push(problem);
        }
    }
}
