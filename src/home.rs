//! The folder that is macrocli's own: its history, and what sessions save.

use std::path::PathBuf;

/// `MACROCLI_HOME`, else `macrocli` in the user's data folder; `None` where there is neither. It need not exist yet.
pub fn folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(own) = set("MACROCLI_HOME") {
        return std::path::absolute(own).ok();
    }
    let absolute = |name: &str| set(name).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| {
        if cfg!(windows) {
            absolute("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            Some(absolute("HOME")?.join("Library/Application Support"))
        } else {
            Some(absolute("HOME")?.join(".local/share"))
        }
    });
    Some(data?.join("macrocli"))
}
