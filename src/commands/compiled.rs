//! An artifact to look into: read from a file, or compiled first.

use spec::artifact::Artifact;

use crate::commands::Context;
use crate::compile;
use crate::engine;
use crate::files::Kind;
use crate::print::human;
use crate::registry::target;
use crate::trouble::Trouble;

/// An artifact and its bytes.
pub struct Compiled {
    /// What it says.
    pub artifact: Artifact,
    /// As it is, or would be, in a file.
    pub bytes: Vec<u8>,
}

/// The artifact of a macro's name or file.
///
/// # Errors
/// When there is none, or the macro has errors.
pub fn compiled(context: &Context<'_>, wanted: &str) -> Result<Compiled, Trouble> {
    let registry = context.registry()?;
    let source = target::resolve(&registry, wanted)?;
    let bytes = source.read().map_err(|reason| Trouble::usage(format!("`{}`: {reason}", source.shown)))?;
    if source.kind == Kind::Artifact || engine::is_artifact(&bytes) {
        let loaded = engine::load(&bytes);
        let program = loaded.map_err(|reason| Trouble::bad_artifact(format!("`{}`: {reason}", source.shown)))?;
        return Ok(Compiled { artifact: engine::contents(&program).clone(), bytes });
    }
    let compiled = compile::text(&registry, &source, &bytes, compiler::Target::Any);
    let Some(artifact) = compiled.artifact else { return Err(Trouble::diagnostics(compiled.findings)) };
    if !compiled.findings.list.is_empty() {
        context.screen.err(&human::short(&compiled.findings));
    }
    let bytes = engine::to_bytes(&artifact);
    Ok(Compiled { artifact, bytes })
}
