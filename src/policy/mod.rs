//! What macros may touch, as the command line and files say it. The rules themselves are [`vm::policy`].

mod consent;
mod document;
mod toml;
mod yaml;

use std::ffi::OsString;
use std::path::Path;

pub use vm::policy::Policy;
use vm::policy::Rules;

use crate::args::PolicyArgs;
use crate::files;
use crate::trouble::Trouble;

pub use consent::consent;

/// The variable that names a policy which no flag can widen.
const VARIABLE: &str = "MACROCLI_POLICY";

/// The most bytes of a policy.
const LIMIT: u64 = 1 << 20;

/// The policy of a command: what `--policy` and `--allow` allow together, and of that only what the file of `MACROCLI_POLICY` allows too.
/// `None` when nothing restricts.
///
/// # Errors
/// [`Trouble::usage`]: something of it cannot be read. Nothing may run then.
pub fn read(args: &PolicyArgs) -> Result<Option<Policy>, Trouble> {
    read_with(args, std::env::var_os(VARIABLE))
}

fn read_with(args: &PolicyArgs, variable: Option<OsString>) -> Result<Option<Policy>, Trouble> {
    let mut all = Vec::new();
    if args.policy.is_some() || !args.allow.is_empty() {
        let mut rules = match &args.policy {
            Some(path) => file(path)?,
            None => Rules::new("the command line (`--allow`)"),
        };
        for list in &args.allow {
            rules.allow_list(list).map_err(|error| {
                Trouble::usage(format!("`--allow`: {error}"))
                    .hint("for instance `--allow 'run=inkscape,write=/tmp/**,type'`")
            })?;
        }
        all.push(rules);
    }
    if let Some(path) = variable.filter(|path| !path.is_empty()) {
        all.push(file(Path::new(&path))?);
    }
    Ok(if all.is_empty() { None } else { Some(Policy::new(all)) })
}

/// The rules of a file: TOML when its name ends so, otherwise YAML.
fn file(path: &Path) -> Result<Rules, Trouble> {
    let shown = path.display().to_string();
    let bytes = files::read(path, LIMIT)
        .map_err(|reason| Trouble::usage(format!("the policy `{shown}` cannot be read: {reason}")))?;
    let is_toml = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    let read = if is_toml { toml::read(&shown, &bytes) } else { yaml::read(&shown, &bytes) };
    let mut rules = Rules::new(format!("the policy `{shown}`"));
    // A run that could write it would widen what the next may do.
    rules.keep(path);
    read.and_then(|document| document.apply(&mut rules)).map_err(|problem| {
        Trouble::usage(format!("the policy cannot be used: {problem}"))
            .hint("nothing runs under a policy that is not understood; `spec/cli.md` has its keys")
    })?;
    Ok(rules)
}

#[cfg(test)]
mod tests;
