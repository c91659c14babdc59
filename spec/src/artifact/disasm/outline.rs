//! An artifact's code taken apart by steps, for comparing two artifacts: without places, and with all labels alike.

use crate::artifact::Artifact;
use crate::artifact::disasm::{labels, operand};
use crate::op::Op;

/// The code of a step, or of what is outside of the steps of a macro: conditions, loops, results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The macro.
    pub owner: String,
    /// The step; none outside of steps.
    pub step: Option<String>,
    /// The instructions.
    pub code: Vec<String>,
}

impl Artifact {
    /// The code of every macro: what is outside of its steps, then each step in order.
    pub fn outline(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        for record in &self.macros {
            let code = self.code.get(record.start as usize..record.end as usize).unwrap_or_default();
            let mut labels = labels(code);
            labels.values_mut().for_each(|label| *label = 0);
            let mut names = operand::Names::new(self, record, &labels);
            let part = |step: Option<String>| Part { owner: record.name.clone(), step, code: Vec::new() };
            let (mut outside, mut steps, mut open) = (part(None), Vec::new(), None);
            for op in code {
                if let Op::Step { step, .. } = op {
                    let id = self.steps.get(step.index()).map_or(String::new(), |step| step.id.clone());
                    steps.extend(open.replace(part(Some(id))));
                }
                let line = names.instruction(op);
                open.as_mut().unwrap_or(&mut outside).code.push(line);
                if let Op::EndStep {} = op {
                    steps.extend(open.take());
                }
            }
            steps.extend(open);
            parts.push(outside);
            parts.extend(steps);
        }
        parts
    }
}
