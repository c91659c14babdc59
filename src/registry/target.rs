//! What a command is given to work on: a name, a path, or standard input.

use std::path::Path;

use compiler::diagnostic::suggest;
use spec::grammar::nearest::nearest;

use crate::files::Kind;
use crate::registry::source::Source;
use crate::registry::{Lookup, Registry};
use crate::trouble::Trouble;

/// The macro a user means: `-` is standard input; what has a path separator, ends like a macro's file or is a file is a path; all else
/// is a name.
///
/// # Errors
/// When there is none, or several.
pub fn resolve(registry: &Registry, target: &str) -> Result<Source, Trouble> {
    let path = Path::new(target);
    if target == "-" {
        return Ok(Source::stdin());
    }
    if is_path(target) {
        return Ok(Source::file(path));
    }
    match registry.find(target) {
        Lookup::Found(source) => Ok(source),
        Lookup::Ambiguous(paths) => {
            let message = format!("several files define `{target}`: {}", and(&paths));
            Err(Trouble::usage(message).hint("rename one of them, or give the path of the one you mean").about(target))
        }
        Lookup::Unreadable(path, reason) => {
            Err(Trouble::usage(format!("macro `{target}` in `{path}`: {reason}")).about(target))
        }
        Lookup::Unknown(known) => {
            let near = nearest(target, known.iter().map(String::as_str));
            let hint = near.map(|near| format!("did you mean `{near}`?"));
            let hint =
                hint.unwrap_or_else(|| "`macrocli list` shows the macros there are; a file needs its path".to_owned());
            Err(Trouble::usage(format!("unknown macro `{target}`")).hint(hint).about(target))
        }
    }
}

/// Whether a target is a path, not a name.
pub fn is_path(target: &str) -> bool {
    let path = Path::new(target);
    target.contains(std::path::is_separator) || Kind::of(path).is_some() || path.is_file()
}

/// "`a`, `b` and `c`".
pub fn and(paths: &[String]) -> String {
    suggest::list(&paths.iter().map(String::as_str).collect::<Vec<_>>())
}
