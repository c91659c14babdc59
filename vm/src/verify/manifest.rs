//! The capability manifest must not leave out what the code plainly does: a policy decides by it.

use std::collections::HashSet;

use spec::artifact::{Artifact, LoadError, Section, TableFault};
use spec::op::Op;

use crate::verify::steps::requested;

/// Checks that requested backends and read environment variables are named.
pub fn check(artifact: &Artifact) -> Result<(), LoadError> {
    let fail = |index, what, name: &str| {
        LoadError::table(Section::Manifest, index, TableFault::Unclaimed { what, name: name.to_owned() })
    };
    let backends: HashSet<&str> = artifact.manifest.backends.iter().map(String::as_str).collect();
    let environment: HashSet<&str> = artifact.manifest.environment.iter().map(String::as_str).collect();
    for (index, op) in artifact.code.iter().enumerate() {
        if let Op::Act { route, .. } = op
            && let Some(action) = requested(artifact, route.0)
            && !backends.contains(action.backend().name())
        {
            return Err(fail(index, "backend", action.backend().name()));
        }
        if let Op::Env { name } = op
            && let Some(name) = artifact.constants.text(*name)
            && !environment.contains(name)
        {
            return Err(fail(index, "environment variable", name));
        }
    }
    Ok(())
}
