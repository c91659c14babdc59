//! The faults of one file, as many as anybody reads.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::yaml::limits;

/// Keeps the first [`limits::MAX_REPORTS`] faults.
#[derive(Debug, Default, PartialEq)]
pub struct Reports {
    list: Vec<Diagnostic>,
}

impl Reports {
    /// Takes one report.
    pub fn push(&mut self, problem: Diagnostic) {
        if self.list.len() < limits::MAX_REPORTS {
            self.list.push(problem);
        }
    }

    /// Takes the reason why reading stops, which is never left out.
    pub fn push_last(&mut self, problem: Diagnostic) {
        self.list.push(problem);
    }

    /// Hands all on.
    pub fn hand_to(self, problems: &mut Diagnostics) {
        self.list.into_iter().for_each(|problem| problems.push(problem));
    }
}
