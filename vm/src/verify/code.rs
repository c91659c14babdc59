//! The code of all macros.

use spec::artifact::{Artifact, LoadError, Section, StepKind, TableFault};
use spec::op::Op;

use crate::verify::{flow, operand};

/// Checks every instruction, then every way through each macro, then that every step is begun once.
pub fn check(artifact: &Artifact) -> Result<(), LoadError> {
    for (index, record) in artifact.macros.iter().enumerate() {
        operand::check(artifact, index, record)?;
        flow::check(artifact, record)?;
    }
    let mut uses = vec![0u32; artifact.steps.len()];
    let mut fallbacks = vec![false; artifact.steps.len()];
    let mut current = None;
    for op in &artifact.code {
        if let Op::Step { step, .. } = op {
            current = Some(step.index());
            if let Some(uses) = uses.get_mut(step.index()) {
                *uses += 1;
            }
        }
        if let Op::Fallback { .. } = op
            && let Some(begun) = current.and_then(|step| fallbacks.get_mut(step))
        {
            *begun = true;
        }
    }
    for (index, step) in artifact.steps.iter().enumerate() {
        if uses[index] != 1 {
            return Err(LoadError::table(Section::Steps, index, TableFault::StepUses { found: uses[index] }));
        }
        if let StepKind::Act { fallback: Some(_), .. } = step.kind
            && !fallbacks[index]
        {
            return Err(LoadError::table(Section::Steps, index, TableFault::NoFallback));
        }
    }
    Ok(())
}
