//! Steps and routes.

use std::collections::HashSet;

use spec::action::Action;
use spec::artifact::{Artifact, LoadError, OnFailure, RouteRecord, Section, StepKind, StepRecord, TableFault};

use crate::verify::{RETRY_LIMIT, TIME_LIMIT_US, at_most, in_range};

/// Checks every route and every step.
pub fn check(artifact: &Artifact) -> Result<(), LoadError> {
    for (index, record) in artifact.routes.iter().enumerate() {
        route(record).map_err(|fault| LoadError::table(Section::Routes, index, fault))?;
    }
    let mut ids = HashSet::with_capacity(artifact.steps.len());
    for (index, record) in artifact.steps.iter().enumerate() {
        let fail = |fault| LoadError::table(Section::Steps, index, fault);
        step(artifact, record).map_err(fail)?;
        if !ids.insert((record.owner, record.id.as_str())) {
            return Err(fail(TableFault::Duplicate { what: "step", name: record.id.clone() }));
        }
    }
    Ok(())
}

/// The action a verified route was written for.
pub fn requested(artifact: &Artifact, route: u32) -> Option<Action> {
    artifact.routes.get(route as usize)?.actions.first().copied().and_then(Action::by_number)
}

fn route(record: &RouteRecord) -> Result<(), TableFault> {
    let Some((first, others)) = record.actions.split_first() else {
        return Err(TableFault::Empty { what: "action" });
    };
    let first = action(*first)?;
    let mut backends = vec![first.backend()];
    for other in others {
        let other = action(*other)?;
        if !first.equivalents().contains(&other) || backends.contains(&other.backend()) {
            return Err(TableFault::NotEquivalent { first: first.name(), other: other.name() });
        }
        backends.push(other.backend());
    }
    Ok(())
}

fn action(number: u8) -> Result<Action, TableFault> {
    Action::by_number(number).ok_or(TableFault::UnknownAction(number))
}

fn step(artifact: &Artifact, record: &StepRecord) -> Result<(), TableFault> {
    in_range("macro", record.owner, artifact.macros.len())?;
    at_most("microseconds of timeout", record.timeout_us, TIME_LIMIT_US)?;
    at_most("microseconds of verification", record.within_us, TIME_LIMIT_US)?;
    at_most("retries", u64::from(record.retries), u64::from(RETRY_LIMIT))?;
    record.backoff_us.iter().try_for_each(|pause| at_most("microseconds of backoff", *pause, TIME_LIMIT_US))?;
    if record.must_run && record.on_failure != OnFailure::Fail {
        return Err(TableFault::MustRun);
    }
    if has_outputs(artifact, record)? { Ok(()) } else { Err(TableFault::Outputs) }
}

/// Whether the step names the outputs of what it does.
fn has_outputs(artifact: &Artifact, record: &StepRecord) -> Result<bool, TableFault> {
    let named = record.outputs.iter().map(String::as_str);
    match record.kind {
        StepKind::Act { route, fallback } => {
            in_range("route", route, artifact.routes.len())?;
            fallback.map_or(Ok(()), |route| in_range("route", route, artifact.routes.len()))?;
            let outputs = requested(artifact, route).map(Action::outputs).unwrap_or_default();
            Ok(named.eq(outputs.iter().map(|output| output.name)))
        }
        StepKind::Call { callee } => {
            in_range("macro", callee, artifact.macros.len())?;
            if callee >= record.owner {
                return Err(TableFault::CallOrder);
            }
            let results =
                artifact.macros.get(callee as usize).map(|callee| callee.results.as_slice()).unwrap_or_default();
            Ok(named.eq(results.iter().map(|result| result.name.as_str())))
        }
    }
}
