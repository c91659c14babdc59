//! Artifacts of macros that must compile.
// A bench that cannot do its work has nothing to measure.
#![allow(clippy::panic)]

use compiler::Target;
use compiler::sources::NoSources;
use spec::artifact::Artifact;

/// The artifact of a macro that needs no other file.
///
/// # Errors
/// What is wrong with the macro.
pub fn of(text: &str) -> Result<Artifact, String> {
    let compiled = compiler::compile("bench.yaml", text.as_bytes(), &NoSources, Target::Any);
    compiled.artifact.ok_or_else(|| format!("{:?}\n{text}", compiled.diagnostics))
}
