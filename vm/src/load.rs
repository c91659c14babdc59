//! From bytes to a program.

use spec::artifact::{Artifact, LoadError};

use crate::program::Program;
use crate::verify::verify;

/// Reads and verifies an artifact.
///
/// # Errors
/// When the bytes are no artifact, are damaged or of another version, or break a rule of `spec/artifact.md`.
pub fn load(bytes: &[u8]) -> Result<Program, LoadError> {
    verify(Artifact::from_bytes(bytes)?)
}
