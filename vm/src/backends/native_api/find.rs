//! Looking for a program.

use std::env;

use spec::action::{arguments, outputs};

use crate::failure::{Failure, FailureKind};
use crate::process::find_executable;

/// The first candidate that is a program; without candidates the name is the only one.
pub(crate) fn find(arguments: &arguments::FindExecutable) -> Result<outputs::FindExecutable, Failure> {
    let candidates = arguments.candidates.as_deref().unwrap_or_default();
    let Some(name) = arguments.name.as_ref().or(candidates.first()) else {
        let message = "nothing to look for: `name` or `candidates` is required";
        return Err(Failure::new(FailureKind::BadArgument, message));
    };
    let hinted = |failure: Failure| match &arguments.install_hint {
        Some(hint) if !hint.is_empty() => failure.hint(hint.as_str()),
        Some(_) | None => failure,
    };
    let found = find_executable(name, candidates, env::var_os("PATH").as_deref())
        .map_err(|error| hinted(Failure::step(error.to_string())))?;
    let executable = found.into_os_string().into_string().map_err(|path| {
        Failure::step(format!("`{name}` is at `{}`, which is no Unicode text", path.to_string_lossy()))
    })?;
    Ok(outputs::FindExecutable { executable, name: name.clone() })
}
