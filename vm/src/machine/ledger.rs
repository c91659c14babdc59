//! The report under construction: everything passes through here on its way out, and loses its secrets here.

use spec::action::Action;
use spec::artifact::{Artifact, Place};
use spec::value::{Dict, Value};

use crate::failure::Failure;
use crate::machine::observer::{Observer, Pause, Trial};
use crate::machine::secrets::Secrets;
use crate::report::{Attempt, SourcePlace, StepReport};

/// What is known of a run so far.
pub struct Ledger<'a> {
    artifact: &'a Artifact,
    observer: &'a mut dyn Observer,
    secrets: Secrets,
    /// Whether a secret became known after something had been written.
    late: bool,
    steps: Vec<Option<StepReport>>,
    warnings: Vec<String>,
    not_evaluated: Vec<String>,
}

/// The place kept for a step's report.
#[derive(Clone, Copy, Debug)]
pub struct Entry(usize);

/// What is left of a ledger when the run is over.
pub struct Closed {
    /// The steps in the order in which they began.
    pub steps: Vec<StepReport>,
    /// What was forgiven.
    pub warnings: Vec<String>,
    /// What a simulated world did not evaluate.
    pub not_evaluated: Vec<String>,
    /// What must not be shown.
    pub secrets: Secrets,
}

impl<'a> Ledger<'a> {
    /// An empty ledger.
    pub fn new(artifact: &'a Artifact, observer: &'a mut dyn Observer) -> Self {
        let (steps, warnings, not_evaluated) = (Vec::new(), Vec::new(), Vec::new());
        Self { artifact, observer, secrets: Secrets::default(), late: false, steps, warnings, not_evaluated }
    }

    /// Keeps a value from ever being shown.
    pub fn hide(&mut self, value: &Value) {
        self.secrets.add(value);
        self.late |= !self.steps.is_empty() || !self.not_evaluated.is_empty();
    }

    /// Keeps a value that was made of a secret from ever being shown.
    ///
    /// # Errors
    /// [`crate::failure::FailureKind::Limit`]: there are too many of them.
    pub fn hide_made(&mut self, value: &Value) -> Result<(), Failure> {
        self.late |= !self.steps.is_empty() || !self.not_evaluated.is_empty();
        self.secrets.add_made(value)
    }

    /// Keeps a value from being shown that only its name says to be secret.
    pub fn hide_named(&mut self, value: &Value) {
        self.secrets.add_named(value);
        self.late |= !self.steps.is_empty() || !self.not_evaluated.is_empty();
    }

    /// Keeps a place for a step that begins.
    pub fn begin(&mut self, id: &str, iteration: Option<usize>) -> Entry {
        self.observer.step_started(id, iteration);
        self.steps.push(None);
        Entry(self.steps.len() - 1)
    }

    /// Notes by which action a try is done.
    pub fn routed(&mut self, of: Trial<'_>, action: Action) {
        self.observer.routed(of, action);
    }

    /// Notes a try that failed.
    pub fn try_failed(&mut self, of: Trial<'_>, attempt: &Attempt) {
        let error = attempt.error.as_deref().map(|error| self.secrets.text(error));
        self.observer.try_failed(of, &Attempt { error, ..attempt.clone() });
    }

    /// Notes that a step begins to wait, for at most so many microseconds.
    pub fn waiting(&mut self, of: Trial<'_>, pause: Pause, longest_us: u64) {
        self.observer.waiting(of, pause, longest_us);
    }

    /// Files the report of a step.
    pub fn finish(&mut self, Entry(entry): Entry, report: StepReport) {
        let report = self.masked(report);
        self.observer.step_finished(&report);
        if let Some(place) = self.steps.get_mut(entry) {
            *place = Some(report);
        }
    }

    /// Adds a warning.
    pub fn warn(&mut self, warning: &str) {
        let warning = self.secrets.text(warning);
        self.observer.warned(&warning);
        self.warnings.push(warning);
    }

    /// Notes what a simulated world cannot tell.
    pub fn not_evaluated(&mut self, what: &str) {
        let what = self.secrets.text(what);
        self.not_evaluated.push(what);
    }

    /// The ids of the steps that began.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().flatten().map(|step| step.id.as_str())
    }

    /// Where an instruction is written.
    pub fn code_place(&self, instruction: usize) -> Option<SourcePlace> {
        self.source(self.artifact.debug.code.get(instruction))
    }

    /// Where a step is written.
    pub fn step_place(&self, step: usize) -> Option<SourcePlace> {
        self.source(self.artifact.debug.steps.get(step))
    }

    /// The end of the run.
    pub fn close(mut self) -> Closed {
        let mut steps: Vec<StepReport> = std::mem::take(&mut self.steps).into_iter().flatten().collect();
        if self.late {
            steps = steps.into_iter().map(|step| self.masked(step)).collect();
            self.warnings.iter_mut().chain(&mut self.not_evaluated).for_each(|text| *text = self.secrets.text(text));
        }
        Closed { steps, warnings: self.warnings, not_evaluated: self.not_evaluated, secrets: self.secrets }
    }

    fn source(&self, index: Option<&u32>) -> Option<SourcePlace> {
        let place: Place = *self.artifact.debug.places.get(*index? as usize)?;
        let file = self.artifact.debug.files.get(place.file as usize)?.clone();
        Some(SourcePlace { file, place })
    }

    fn masked(&self, report: StepReport) -> StepReport {
        let hide = |failure: Failure| self.secrets.failure(failure);
        let dict = |dict: Dict| self.secrets.dict(dict);
        StepReport {
            output: dict(report.output),
            failure: report.failure.map(hide),
            attempts: report
                .attempts
                .into_iter()
                .map(|attempt| Attempt { error: attempt.error.map(|error| self.secrets.text(&error)), ..attempt })
                .collect(),
            would: report.would.map(dict),
            ..report
        }
    }
}
