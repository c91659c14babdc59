//! One macro on its way to an artifact.

use crate::building::Builder;
use crate::compile;
use crate::engine;
use crate::findings::Findings;
use crate::incremental::{self, Entry, State, warning};
use crate::registry::library::Library;
use crate::registry::source::Source;

/// A source and what became of it.
pub struct Job {
    /// Where the macro is.
    pub source: Source,
    /// The path by which it is remembered.
    pub identity: String,
    /// What is to be told of it.
    pub findings: Findings,
    /// The artifact; `None` when there is none to be had.
    pub artifact: Option<Artifact>,
    /// Whether all there is to tell can be told again without compiling.
    pub tellable: bool,
    /// Whether all this was known before.
    pub remembered: bool,
}

/// What a macro was built to.
pub struct Artifact {
    /// What it was made of; kept for the next time.
    pub entry: Entry,
    /// Its bytes; `None` when the file in the output folder is as it should be.
    pub new: Option<Vec<u8>>,
}

impl Builder<'_> {
    /// Compiles a macro, unless its artifact is up to date.
    pub(super) fn job(&self, state: &State, source: Source) -> Job {
        let identity = source.identity();
        let bytes = match source.read() {
            Ok(bytes) => bytes,
            Err(reason) => {
                let findings = compile::unreadable(&source, &reason);
                return Job { source, identity, findings, artifact: None, tellable: false, remembered: false };
            }
        };
        let hash = incremental::hash(&bytes);
        if let Some((entry, findings)) = self.remembered(state, &source, &identity, &bytes, &hash) {
            let artifact = Some(Artifact { entry, new: None });
            return Job { source, identity, findings, artifact, tellable: true, remembered: true };
        }
        let compiled = compile::text(self.registry, &source, &bytes, self.target);
        let warnings = warning::keep(&compiled.findings, &source.shown);
        let tellable = warnings.is_some();
        let artifact = compiled.artifact.map(|artifact| {
            let bytes = engine::to_bytes(&artifact);
            let entry = Entry {
                name: artifact.meta.name,
                source: hash,
                queries: compiled.queries,
                warnings: warnings.unwrap_or_default(),
                output: incremental::hash(&bytes),
                content: engine::content_hash(&bytes),
                bytes: bytes.len() as u64,
            };
            let same = !self.force && self.is_there(&entry);
            Artifact { entry, new: (!same).then_some(bytes) }
        });
        Job { source, identity, findings: compiled.findings, artifact, tellable, remembered: false }
    }

    /// What is known of a macro, when all it was made of is the same, and its artifact is there.
    fn remembered(
        &self,
        state: &State,
        source: &Source,
        identity: &str,
        bytes: &[u8],
        hash: &str,
    ) -> Option<(Entry, Findings)> {
        let entry = state.entry(identity).filter(|entry| !self.force && entry.source == hash)?;
        let library = Library::new(self.registry);
        let same = self.is_there(entry) && entry.queries.iter().all(|query| library.still(query));
        let findings = same.then(|| warning::tell(&entry.warnings, &source.shown, bytes)).flatten()?;
        Some((entry.clone(), findings))
    }
}
