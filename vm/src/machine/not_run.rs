//! The steps a failed run did not reach, and how many steps there are.

use std::collections::HashSet;

use spec::artifact::{Artifact, StepKind};

use crate::machine::limits;
use crate::machine::ownership::steps_of_macros;

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
    let mut totals: Vec<usize> = Vec::with_capacity(artifact.macros.len());
    for steps in steps_of_macros(artifact) {
        let inner = |place: &usize| match artifact.steps.get(*place).map(|step| &step.kind) {
            Some(StepKind::Call { callee }) => totals.get(*callee as usize).copied().unwrap_or(0),
            Some(StepKind::Act { .. }) | None => 0,
        };
        totals.push(steps.iter().fold(steps.len(), |total, place| total.saturating_add(inner(place))));
    }
    totals.last().copied().unwrap_or(0)
}

/// The steps that are not among those reached, in the order of the program, each once and at most as many as a run may begin.
///
/// A call that was not reached is followed by the steps of its macro; one that was reached is so only when its macro had begun, for
/// the steps of a call that was skipped are no more missing than those of any other skipped step.
pub fn unreached(artifact: &Artifact, reached: &HashSet<&str>) -> Vec<Unreached> {
    let begun = reached.iter().flat_map(|id| id.match_indices('/').map(|(end, _)| &id[..=end])).collect();
    let mut walk = Walk { artifact, owned: steps_of_macros(artifact), reached, begun, list: Vec::new() };
    if let Some(main) = artifact.macros.len().checked_sub(1) {
        walk.unit(main, "", 0);
    }
    walk.list
}

struct Walk<'a> {
    artifact: &'a Artifact,
    owned: Vec<Vec<usize>>,
    reached: &'a HashSet<&'a str>,
    /// What stands before the ids of the steps of calls that began.
    begun: HashSet<&'a str>,
    list: Vec<Unreached>,
}

impl Walk<'_> {
    fn unit(&mut self, unit: usize, prefix: &str, depth: usize) {
        for place in 0..self.owned.get(unit).map_or(0, Vec::len) {
            if self.list.len() >= limits::STEPS {
                return;
            }
            let step = self.owned[unit][place];
            let Some(record) = self.artifact.steps.get(step) else { continue };
            let id = format!("{prefix}{}", record.id);
            let inner = format!("{id}/");
            let was_reached = self.reached.contains(id.as_str());
            if !was_reached {
                self.list.push(Unreached { step, id });
            }
            if let StepKind::Call { callee } = record.kind
                && (callee as usize) < unit
                && depth < limits::CALL_DEPTH
                && (!was_reached || self.begun.contains(inner.as_str()))
            {
                self.unit(callee as usize, &inner, depth + 1);
            }
        }
    }
}
