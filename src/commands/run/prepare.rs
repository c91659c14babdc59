//! From a command line to a program that can be run.

use crate::args::Run;
use crate::commands::Context;
use crate::compile;
use crate::engine::{self, Program};
use crate::files::Kind;
use crate::findings::Findings;
use crate::parameters::Parameters;
use crate::policy::{self, Policy};
use crate::registry::source::Source;
use crate::registry::target;
use crate::trouble::Trouble;

/// All that is needed before the first step.
pub struct Prepared {
    /// Where the macro is from.
    pub source: Source,
    /// What is run.
    pub program: Program,
    /// The content hash that the artifact file has; none of what was compiled just now.
    pub hash: Option<String>,
    /// Warnings of the compiler.
    pub findings: Findings,
    /// What it is given.
    pub parameters: Parameters,
    /// What it may touch; everything without one.
    pub policy: Option<Policy>,
}

/// Finds, compiles and verifies a macro.
///
/// # Errors
/// Why it cannot be run; with the macro's name as soon as that is known.
pub fn prepare(context: &Context<'_>, args: &Run) -> Result<Prepared, Trouble> {
    // A policy that cannot be read allows nothing: neither is a secret read.
    let policy = policy::read(&args.policy)?;
    let parameters = Parameters::read(args)?;
    let registry = context.registry()?;
    let source = match (&args.macro_file, &args.target) {
        (Some(file), _) => Source::file(file),
        (None, Some(name)) => target::resolve(&registry, name)?,
        // The declaration of the command line demands one of them.
        (None, None) => return Err(Trouble::usage("a macro's name or file is missing")),
    };
    let bytes = source.open()?;
    let artifact_file = source.kind == Kind::Artifact || engine::is_artifact(&bytes);
    if artifact_file {
        let program =
            engine::load(&bytes).map_err(|reason| Trouble::bad_artifact(format!("`{}`: {reason}", source.shown)))?;
        // It was compared with the content when the program was loaded.
        let hash = Some(engine::content_hash(&bytes));
        return Ok(Prepared { source, program, hash, findings: Findings::default(), parameters, policy });
    }
    let compiled = compile::text(&registry, &source, &bytes, compiler::Target::Any);
    let name = compiled.definition.as_ref().map(|definition| definition.name.node.clone());
    let Some(artifact) = compiled.artifact else {
        let trouble = Trouble::diagnostics(compiled.findings);
        return Err(name.into_iter().fold(trouble, Trouble::about));
    };
    let program =
        engine::verify(artifact).map_err(|reason| Trouble::bug(&format!("a compiled macro is refused: {reason}")))?;
    Ok(Prepared { source, program, hash: None, findings: compiled.findings, parameters, policy })
}
