//! The steps a failed run did not reach, and how many steps there are.

use std::collections::HashSet;

use spec::artifact::{Artifact, StepKind};

use crate::machine::limits;

/// A step a run did not reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// Its record's place.
    pub step: usize,
    /// Its id with everything before it.
    pub id: String,
}

/// How many steps the macro has that runs: its own and, for each call, those of the called macro.
pub fn total(artifact: &Artifact) -> usize {
    // A macro calls only macros before it, so one pass is enough.
    let mut totals = vec![0usize; artifact.macros.len()];
    for unit in 0..totals.len() {
        totals[unit] = owned(artifact, unit).fold(0usize, |total, (_, kind)| match kind {
            StepKind::Act { .. } => total.saturating_add(1),
            StepKind::Call { callee } if (callee as usize) < unit => {
                total.saturating_add(1).saturating_add(totals[callee as usize])
            }
            StepKind::Call { .. } => total.saturating_add(1),
        });
    }
    totals.last().copied().unwrap_or(0)
}

/// The steps that are not among those reached, in the order of the program, each once and at most as many as a run may begin.
///
/// A call that was not reached is followed by the steps of its macro; one that was reached is so only when its macro had begun, for
/// the steps of a call that was skipped are no more missing than those of any other skipped step.
pub fn unreached(artifact: &Artifact, reached: &HashSet<&str>) -> Vec<Unreached> {
    let mut list = Vec::new();
    if let Some(main) = artifact.macros.len().checked_sub(1) {
        let mut walk = Walk { artifact, reached, list: &mut list };
        walk.unit(main, "", 0);
    }
    list
}

struct Walk<'a> {
    artifact: &'a Artifact,
    reached: &'a HashSet<&'a str>,
    list: &'a mut Vec<Unreached>,
}

impl Walk<'_> {
    fn unit(&mut self, unit: usize, prefix: &str, depth: usize) {
        for (step, kind) in owned(self.artifact, unit) {
            if self.list.len() >= limits::STEPS {
                return;
            }
            let Some(record) = self.artifact.steps.get(step) else { continue };
            let id = format!("{prefix}{}", record.id);
            let was_reached = self.reached.contains(id.as_str());
            let inner = format!("{id}/");
            if !was_reached {
                self.list.push(Unreached { step, id });
            }
            if let StepKind::Call { callee } = kind
                && (callee as usize) < unit
                && depth < limits::CALL_DEPTH
                && (!was_reached || self.reached.iter().any(|id| id.starts_with(&inner)))
            {
                self.unit(callee as usize, &inner, depth + 1);
            }
        }
    }
}

fn owned(artifact: &Artifact, unit: usize) -> impl Iterator<Item = (usize, StepKind)> {
    let steps = artifact.steps.iter().enumerate();
    steps.filter(move |(_, step)| step.owner as usize == unit).map(|(place, step)| (place, step.kind.clone()))
}
