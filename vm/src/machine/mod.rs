//! The machine: runs a verified program in a world and says what came of it.
//!
//! # Order of a run
//! 1. The given values are checked against the parameters, all of them, and refused together.
//!    Then, in a world that restricts, everything the macro is known to touch is asked for, and refused together; what depends on the run
//!    is asked for again when it is touched.
//! 2. Preconditions.
//! 3. Every step that must run has an available backend, through calls; otherwise the run is refused before its first step. A simulated
//!    world demands none.
//! 4. The steps; then postconditions and results; then `finally`, which also runs when something before it has failed; at the very
//!    end the promised files are looked for.
//!
//! # Time
//! A step's timeout covers the step with all its tries, their pauses, its `verify` and its fallback; the report has each try's own
//! duration beside the step's. A pause that would outlast the step is not waited for: the step fails at once as timed out, with its
//! last error. `verify` has its own time in each try, within the step's. A called macro lives within the step that calls it.
//!
//! # Failure
//! A failed try is repeated only when its failure is of a kind that may end otherwise, or when an action's own timeout was over before the
//! step's. When no try is left, `on_failure` says what the failure means: `fail` ends the macro, `skip` forgives it (status `skipped`, with
//! its failure), `continue` goes on with a warning (status `failed`). Signals, limits of the machine and deadlines around the step are
//! never forgiven by it.
//!
//! After a failure, all `finally` blocks on the way out share 60 s. The signal that ended the run does not disturb them; another one
//! ends them. A failing step does not keep the others of its block from running; the first failure stays the run's, later ones are
//! warnings.
//!
//! # Secrets
//! Values of secret parameters are replaced by `***` in everything a report or an observer gets, also as parts of longer texts and in
//! other spellings; and so is what expressions make of them, and what a parameter with a name like `password` holds.

mod admission;
mod attempt;
mod availability;
mod budget;
mod check;
mod deadline;
mod eval;
mod exec;
mod frame;
mod functions;
mod ledger;
pub mod limits;
mod mask;
mod not_run;
mod observer;
mod ownership;
mod parameters;
mod policy;
mod raised;
mod reading;
mod secrets;
mod spellings;
mod text;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use spec::action::Backend;
use spec::artifact::{Artifact, ParameterRecord};
use spec::sensitive::is_sensitive_name;
use spec::value::{Dict, Value};

use crate::failure::{Failure, FailureKind};
use crate::machine::budget::Budget;
use crate::machine::deadline::Deadline;
use crate::machine::frame::{Frame, Guard, Held, corrupt};
use crate::machine::ledger::{Closed, Ledger};
use crate::machine::raised::Raised;
use crate::process::Interrupt;
use crate::program::Program;
use crate::report::{Report, RunFailure, Status};
use crate::world::{Availability, World};

pub use observer::{Beginning, Observer, Pause, Silent, Trial};
pub use parameters::{Given, Inputs};

/// Runs a program in a world.
///
/// The interrupt may be raised at any time by a signal; every wait ends then, and so does the run.
pub fn run(
    program: &Program,
    inputs: Inputs,
    world: &mut dyn World,
    interrupt: &Interrupt,
    observer: &mut dyn Observer,
) -> Report {
    let artifact = program.artifact();
    let began_us = world.now_us();
    let steps_total = not_run::total(artifact);
    observer.run_started(Beginning { macro_name: &artifact.meta.name, steps_total, simulated: world.simulated() });
    let mut machine = Machine {
        artifact,
        world,
        interrupt,
        ledger: Ledger::new(artifact, observer),
        budget: Budget::new(),
        constants: vec![None; artifact.constants.list.len()],
        available: HashMap::new(),
        demanded: false,
        depth: 1,
        grace: None,
        finallies: 0,
        insisted: false,
    };
    let outcome = machine.main(&inputs);
    let duration_us = machine.world.now_us().saturating_sub(began_us);
    let simulated = machine.world.simulated();
    let missing = if outcome.is_err() { machine.missing() } else { Vec::new() };
    let Closed { mut steps, warnings, not_evaluated, secrets } = machine.ledger.close();
    steps.extend(missing);
    let (results, failure) = match outcome {
        Ok(results) => (secrets.dict(results), None),
        Err(raised) => {
            let (step, place) = raised.origin.map(|origin| (origin.step, origin.place)).unwrap_or_default();
            (Dict::new(), Some(RunFailure { failure: secrets.failure(raised.failure), step, place }))
        }
    };
    Report {
        macro_name: artifact.meta.name.clone(),
        failure,
        results,
        warnings,
        steps,
        not_evaluated,
        duration_us,
        steps_total,
        simulated,
    }
}

/// A run in progress.
struct Machine<'a> {
    artifact: &'a Artifact,
    world: &'a mut dyn World,
    interrupt: &'a Interrupt,
    ledger: Ledger<'a>,
    budget: Budget,
    /// Constants that were used, unfolded.
    constants: Vec<Option<Rc<Value>>>,
    /// Backends that were asked for.
    available: HashMap<Backend, Availability>,
    /// Whether the steps that must run were looked at.
    demanded: bool,
    /// How many macros are inside each other.
    depth: usize,
    /// Until when `finally` blocks may run after the failure at hand.
    grace: Option<Deadline>,
    /// How many `finally` blocks are running because of a failure.
    finallies: usize,
    /// Whether a signal came while a `finally` block ran.
    insisted: bool,
}

impl Machine<'_> {
    fn main(&mut self, inputs: &Inputs) -> Result<Dict, Raised> {
        let place = self.artifact.macros.len().checked_sub(1).ok_or_else(corrupt)?;
        let unit = &self.artifact.macros[place];
        let named: HashSet<&str> = inputs.secrets.iter().map(String::as_str).collect();
        for (name, given) in &inputs.given {
            let text;
            let value = match given {
                Given::Text(given) => {
                    text = Value::String(given.clone());
                    &text
                }
                Given::Json(value) => value,
            };
            let secret = unit.parameters.iter().any(|record| record.secret && record.name == *name);
            if secret || named.contains(name.as_str()) {
                self.ledger.hide(value);
            } else if is_sensitive_name(name) {
                self.ledger.hide_named(value);
            }
        }
        let values = parameters::bind(&unit.parameters, &self.artifact.constants, inputs, &mut self.budget)
            .map_err(|problems| Failure::new(FailureKind::Parameters, problems.join("; ")))?;
        let secret = |record: &ParameterRecord| record.secret || named.contains(record.name.as_str());
        for (record, value) in unit.parameters.iter().zip(&values) {
            if let Some(value) = value
                && secret(record)
            {
                self.ledger.hide(value);
            }
        }
        self.admit(unit, &values)?;
        let secrets = unit.parameters.iter().map(secret).collect();
        let mut frame = self.enter(place, values, secrets, None)?;
        self.run_frame(&mut frame)?;
        let results = unit.results.iter().zip(frame.results);
        Ok(results.filter_map(|(record, result)| Some((record.name.clone(), result?.0))).collect())
    }

    /// A macro about to begin, within `around`; `secrets` says of each value whether it is one.
    fn enter(
        &mut self,
        unit: usize,
        values: Vec<Option<Value>>,
        secrets: Vec<bool>,
        around: Option<Deadline>,
    ) -> Result<Frame, Failure> {
        let record = self.artifact.macros.get(unit).ok_or_else(corrupt)?;
        let mut slots = Vec::with_capacity(usize::from(record.slots).max(values.len()));
        for (value, secret) in values.into_iter().zip(secrets) {
            if let Some(value) = &value {
                self.budget.value(value)?;
            }
            slots.push(value.map(|value| Held::new(value, secret)));
        }
        if slots.len() < usize::from(record.slots) {
            slots.resize(record.slots.into(), None);
        }
        let own = record
            .timeout_us
            .map(|after_us| Deadline::new(self.world.now_us(), after_us, Some(format!("macro `{}`", record.name))));
        Ok(Frame {
            unit,
            at: record.start as usize,
            next: record.start as usize,
            slots,
            stack: Vec::new(),
            loops: Vec::new(),
            open: None,
            left: None,
            limit: own.map(|own| own.or_sooner(around.as_ref())).or(around),
            guard: Guard::None,
            results: vec![None; record.results.len()],
            seen: Vec::new(),
            prefix: String::new(),
            outer_turn: None,
        })
    }

    fn missing(&self) -> Vec<crate::report::StepReport> {
        let reached: HashSet<&str> = self.ledger.ids().collect();
        let unreached = not_run::unreached(self.artifact, &reached);
        unreached.into_iter().map(|step| self.empty_report(step.step, step.id, None, Status::NotRun)).collect()
    }
}
