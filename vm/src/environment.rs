//! The environment of this process.

use std::env;

/// An environment variable; bytes that are no text become U+FFFD.
pub fn variable(name: &str) -> Option<String> {
    env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}
