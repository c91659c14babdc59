//! Which steps belong to which macro.

use spec::artifact::Artifact;

/// For each macro, the places of its steps in the order of the program.
pub fn steps_of_macros(artifact: &Artifact) -> Vec<Vec<usize>> {
    let mut owned = vec![Vec::new(); artifact.macros.len()];
    for (place, step) in artifact.steps.iter().enumerate() {
        if let Some(steps) = owned.get_mut(step.owner as usize) {
            steps.push(place);
        }
    }
    owned
}
