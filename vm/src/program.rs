//! A program: an artifact that was verified, so that running it can neither go astray nor read outside its tables.

use spec::artifact::Artifact;

/// A verified artifact. [`crate::verify`] is its only maker.
#[derive(Clone, Debug)]
pub struct Program {
    artifact: Artifact,
}

impl Program {
    /// Takes an artifact the verifier has passed.
    pub(crate) fn verified(artifact: Artifact) -> Self {
        Self { artifact }
    }

    /// What it was made of.
    pub fn artifact(&self) -> &Artifact {
        &self.artifact
    }
}
