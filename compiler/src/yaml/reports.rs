//! The faults of one file, as many as anybody reads.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::yaml::limits;

/// Passes on the first [`limits::MAX_REPORTS`] faults.
pub struct Reports<'a> {
    problems: &'a mut Diagnostics,
    left: usize,
}

impl<'a> Reports<'a> {
    /// Passes on to `problems`.
    pub fn new(problems: &'a mut Diagnostics) -> Self {
        Self { problems, left: limits::MAX_REPORTS }
    }

    /// Takes one report.
    pub fn push(&mut self, problem: Diagnostic) {
        if let Some(left) = self.left.checked_sub(1) {
            self.left = left;
            self.problems.push(problem);
        }
    }

    /// Takes the reason why reading stops, which is never left out.
    pub fn push_last(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }
}
