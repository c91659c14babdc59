//! Which backend does an action here, and the refusal of a run that has a step nothing can do.

use std::collections::HashSet;

use spec::action::{Action, Backend};
use spec::artifact::StepKind;

use crate::failure::{Failure, FailureKind};
use crate::machine::Machine;
use crate::machine::exec::interrupted;
use crate::machine::frame::{Frame, corrupt};
use crate::machine::ownership::steps_of_macros;
use crate::machine::raised::Raised;
use crate::world::Availability;

impl Machine<'_> {
    /// Before the first step: whether every step that must run can run. A simulated world needs no backend.
    ///
    /// # Errors
    /// The first step that cannot.
    pub(super) fn demand_backends(&mut self, frame: &Frame) -> Result<(), Raised> {
        if self.demanded {
            return Ok(());
        }
        self.demanded = true;
        if self.world.simulated() {
            return Ok(());
        }
        let owned = steps_of_macros(self.artifact);
        let demanded = self.demand_of(frame.unit, &frame.prefix, &owned, &mut HashSet::new());
        match self.interrupt.raised() {
            // What was looked for then is not known to be absent.
            Some(signal) if demanded.is_err() => Err(interrupted(signal).into()),
            Some(_) | None => demanded,
        }
    }

    /// The first action of a route whose backend is available; in a simulated world, else the first.
    ///
    /// # Errors
    /// Why each backend of the route is unavailable.
    pub(super) fn choose(&mut self, route: u32) -> Result<Action, Failure> {
        let record = self.artifact.routes.get(route as usize).ok_or_else(corrupt)?;
        let actions: Option<Vec<Action>> = record.actions.iter().map(|number| Action::by_number(*number)).collect();
        let actions = actions.ok_or_else(corrupt)?;
        let (mut reasons, mut hints) = (Vec::new(), Vec::new());
        for action in &actions {
            match self.availability(action.backend()) {
                Availability::Available => return Ok(*action),
                Availability::Unavailable { reason, install_hint } => {
                    reasons.push(format!("{} unavailable: {reason}", action.backend().name()));
                    // Backends that miss the same thing need to say so only once.
                    hints.extend(install_hint.filter(|hint| !hints.contains(hint)));
                }
            }
        }
        match actions.first() {
            None => Err(corrupt()),
            Some(first) if self.world.simulated() => Ok(*first),
            Some(_) => {
                let failure = Failure::new(FailureKind::Unavailable, reasons.join("; "));
                Err(if hints.is_empty() { failure } else { failure.hint(hints.join("; ")) })
            }
        }
    }

    fn availability(&mut self, backend: Backend) -> Availability {
        if let Some(known) = self.available.get(&backend) {
            return known.clone();
        }
        let found = self.world.availability(backend, self.interrupt);
        self.available.insert(backend, found.clone());
        found
    }

    fn demand_of(
        &mut self,
        unit: usize,
        prefix: &str,
        owned: &[Vec<usize>],
        known: &mut HashSet<usize>,
    ) -> Result<(), Raised> {
        // A macro called twice needs the same backends both times.
        if !known.insert(unit) {
            return Ok(());
        }
        let artifact = self.artifact;
        let steps =
            owned.get(unit).into_iter().flatten().filter_map(|place| Some((*place, artifact.steps.get(*place)?)));
        for (place, step) in steps.filter(|(_, step)| step.must_run) {
            let id = format!("{prefix}{}", step.id);
            let can = match step.kind {
                StepKind::Act { route, fallback } => {
                    let first = self.choose(route);
                    match fallback {
                        Some(fallback) if first.is_err() => self.choose(fallback).or(first),
                        Some(_) | None => first,
                    }
                    .map(drop)
                    .map_err(Raised::from)
                }
                // A macro calls only macros before it, so this ends.
                StepKind::Call { callee } if (callee as usize) < unit => {
                    self.demand_of(callee as usize, &format!("{id}/"), owned, known)
                }
                StepKind::Call { .. } => Err(corrupt().into()),
            };
            can.map_err(|raised| raised.at(Some(&id), self.ledger.step_place(place)))?;
        }
        Ok(())
    }
}
