//! Which session a command belongs to.

use crate::args::{Globals, session_id};
use crate::trouble::Trouble;

/// The session that `--session-id`, else `MACROCLI_SESSION`, names.
///
/// # Errors
/// When the variable holds what cannot be an id; the flag was looked at with the command line.
pub fn named(globals: &Globals) -> Result<Option<String>, Trouble> {
    if globals.session_id.is_some() {
        return Ok(globals.session_id.clone());
    }
    let Some(value) = std::env::var_os("MACROCLI_SESSION").filter(|value| !value.is_empty()) else { return Ok(None) };
    let found = session_id(&value.to_string_lossy());
    found.map(Some).map_err(|reason| Trouble::usage(format!("`MACROCLI_SESSION` is no session's id: {reason}")))
}
