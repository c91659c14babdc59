//! Artifacts of macros that must compile.
// A bench that cannot do its work has nothing to measure.
#![allow(clippy::panic)]

use compiler::Target;
use compiler::sources::NoSources;
use spec::artifact::Artifact;

/// The artifact of a macro that needs no other file.
pub fn of(text: &str) -> Artifact {
    let compiled = compiler::compile("bench.yaml", text.as_bytes(), &NoSources, Target::Any);
    match compiled.artifact {
        Some(artifact) => artifact,
        None => panic!("{:?}\n{text}", compiled.diagnostics),
    }
}
