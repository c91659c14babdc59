//! Macros to artifacts in an output folder: in parallel, and only what is not up to date.

mod job;
mod same_names;

use std::fs;
use std::path::Path;

use compiler::Target;
use spec::artifact::FILE_LIMIT;

use crate::batch::{self, Gathered};
use crate::building::job::{Artifact, Job};
use crate::files;
use crate::findings::Findings;
use crate::incremental::{self, Entry, State};
use crate::progress::Progress;
use crate::registry::Registry;
use crate::trouble::Trouble;

/// How artifacts are built.
pub struct Builder<'a> {
    /// Where the macros are that others call.
    pub registry: &'a Registry,
    /// What they are built for.
    pub target: Target,
    /// The folder they are written to.
    pub output: &'a Path,
    /// Whether what is up to date is built too.
    pub force: bool,
    /// Whether a macro with a warning is not built.
    pub deny_warnings: bool,
}

/// What became of the macros.
#[derive(Default)]
pub struct Built {
    /// Each macro, sorted by its path.
    pub macros: Vec<Outcome>,
    /// What is to be told of them, sorted.
    pub findings: Findings,
}

/// What became of one macro.
pub struct Outcome {
    /// The path of its source, as the user knows it.
    pub shown: String,
    /// Its artifact and whether that was built now; `None` when there is none to be had.
    pub artifact: Option<(Entry, Freshness)>,
}

/// Whether an artifact had to be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// It was not there, or not as it should be.
    New,
    /// It was there.
    UpToDate,
}

impl Builder<'_> {
    /// Builds macros, and writes the artifacts and what is known of them.
    ///
    /// # Errors
    /// Something cannot be written; what could be is there.
    pub fn build(&self, gathered: Gathered, progress: &Progress) -> Result<Built, Trouble> {
        let mut findings = gathered.findings();
        let broken = gathered.broken.into_iter().map(|(source, _)| Outcome { shown: source.shown, artifact: None });
        let mut macros: Vec<Outcome> = broken.collect();
        let state = State::load(self.output, self.target.name());
        let mut jobs = batch::each(gathered.sources, progress, |source| self.job(&state, source));
        same_names::refuse(&mut jobs, self.output);
        let denied = |job: &&mut Job| self.deny_warnings && job.findings.warnings() > 0;
        jobs.iter_mut().filter(denied).for_each(|job| job.artifact = None);
        self.keep(state, &jobs)?;
        for job in jobs {
            let Job { source, findings: told, artifact, .. } = job;
            findings.extend(told);
            let artifact = artifact.map(|Artifact { entry, new }| {
                (entry, if new.is_some() { Freshness::New } else { Freshness::UpToDate })
            });
            macros.push(Outcome { shown: source.shown, artifact });
        }
        findings.sort();
        Ok(Built { macros, findings })
    }

    /// Writes the artifacts, then what is known of them. What has warnings about other files is not remembered: it is compiled each time,
    /// so that they are seen each time.
    fn keep(&self, mut state: State, jobs: &[Job]) -> Result<(), Trouble> {
        if jobs.iter().all(|job| job.remembered) {
            return Ok(());
        }
        let folder = self.output.display();
        if jobs.iter().any(|job| job.artifact.is_some()) {
            fs::create_dir_all(self.output)
                .map_err(|error| Trouble::io(format!("folder `{folder}` cannot be made: {error}")))?;
        }
        let written = batch::each(jobs.iter().collect(), &Progress::hidden(), |job: &Job| self.write(job));
        if self.output.is_dir() {
            let entry =
                |job: &Job| job.artifact.as_ref().map(|artifact| artifact.entry.clone()).filter(|_| job.tellable);
            state.update(jobs.iter().map(|job| (job.identity.clone(), entry(job))).collect());
            state
                .save(self.output)
                .map_err(|reason| Trouble::io(format!("the state of `{folder}` cannot be written: {reason}")))?;
        }
        written.into_iter().collect()
    }

    fn write(&self, job: &Job) -> Result<(), Trouble> {
        let Some(Artifact { entry, new: Some(bytes) }) = &job.artifact else { return Ok(()) };
        let path = incremental::output(self.output, &entry.name);
        files::write(&path, bytes)
            .map_err(|reason| Trouble::io(format!("`{}` cannot be written: {reason}", path.display())))
    }

    /// Whether the file in the output folder is the artifact.
    fn is_there(&self, entry: &Entry) -> bool {
        let path = incremental::output(self.output, &entry.name);
        files::read(&path, FILE_LIMIT).is_ok_and(|bytes| incremental::hash(&bytes) == entry.output)
    }
}
