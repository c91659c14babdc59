//! Whole runs of programs put together by hand, in the simulated world and by its clock.

mod assembler;
mod calls;
mod conditions;
mod crafted;
mod failures;
mod finally;
mod recovery;
mod retries;
mod values;

use spec::value::Value;

use crate::failure::{Failure, FailureKind};
use crate::machine::tests::assembler::Assembler;
use crate::machine::{Given, Inputs, Silent, run};
use crate::process::Interrupt;
use crate::report::{Report, Status, StepReport};
use crate::simulated::Simulated;
use crate::world::Observation;

/// Runs a program that is given nothing.
fn go(assembler: Assembler, world: &mut Simulated<'_>) -> Report {
    go_with(assembler, world, &[])
}

/// Runs what no verifier passes.
fn go_unverified(assembler: Assembler, world: &mut Simulated<'_>) -> Report {
    let given = vec![("p".to_owned(), Given::Text("given".to_owned()))];
    let given = if assembler.has_parameters() { given } else { Vec::new() };
    let inputs = Inputs { given, secrets: Vec::new() };
    run(&assembler.unverified(), inputs, world, &Interrupt::new().unwrap(), &mut Silent)
}

fn go_with(assembler: Assembler, world: &mut Simulated<'_>, given: &[(&str, &str)]) -> Report {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), Given::Text((*value).to_owned()))).collect();
    let inputs = Inputs { given, secrets: Vec::new() };
    run(&assembler.program(), inputs, world, &Interrupt::new().unwrap(), &mut Silent)
}

/// A world in which conditions hold by what `look` says of the time and of the condition as text.
fn looking<'a>(mut look: impl FnMut(&str, u64) -> bool + 'a) -> Simulated<'a> {
    Simulated::new(Box::new(move |test, now_us, _| {
        let holds = look(&format!("{test:?}"), now_us);
        Ok(Observation { holds, seen: if holds { "12 bytes" } else { "not found" }.to_owned() })
    }))
}

fn step<'a>(report: &'a Report, id: &str) -> &'a StepReport {
    report.steps.iter().find(|step| step.id == id).unwrap_or_else(|| panic!("no step `{id}`: {report:#?}"))
}

fn statuses(report: &Report) -> Vec<(&str, Status)> {
    report.steps.iter().map(|step| (step.id.as_str(), step.status)).collect()
}

fn failure(report: &Report) -> (FailureKind, &str) {
    let failed = report.failure.as_ref().unwrap_or_else(|| panic!("succeeded: {report:#?}"));
    (failed.failure.kind, failed.failure.message.as_str())
}

fn exit_one() -> Failure {
    Failure::step("exit code 1")
}

fn string(text: &str) -> Value {
    Value::String(text.to_owned())
}
