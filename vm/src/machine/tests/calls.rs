//! Macros that call macros.

use spec::action::Action;
use spec::artifact::{OnFailure, ParameterRecord, ResultKind, TypeTag};
use spec::condition::Condition;
use spec::value::Value;

use crate::failure::FailureKind;
use crate::machine::tests::assembler::{Assembler, From, Spec, act, call, parameter, run_step, text};
use crate::machine::tests::{exit_one, failure, go, looking, statuses, step, string};
use crate::report::Status;
use crate::simulated::{Script, Simulated};

/// A callee with a bounded parameter that makes a folder of that name and gives the name back.
fn program(argument: From) -> Assembler {
    let mut assembler = Assembler::default();
    let max = assembler.constant(&Value::Integer(5)).0;
    assembler.parameter(ParameterRecord { max: Some(max), required: true, ..parameter("n", TypeTag::Integer) });
    assembler.precondition(Condition::FileExists, &[text("/ready")]);
    let name = From::Joined(vec![text("d"), From::Slot(0)]);
    assembler.step(Spec { outputs: vec![(0, 4)], ..act("make", Action::MakeDir, vec![("path", name)]) });
    assembler.step(run_step("after"));
    assembler.result("made", ResultKind::Value, &From::Slot(4));
    let callee = assembler.end("callee");
    assembler.step(Spec { outputs: vec![(0, 7)], ..call("outer", callee, vec![argument]) });
    assembler.step(run_step("last"));
    assembler.result("folder", ResultKind::Value, &From::Slot(7));
    assembler
}

fn ready() -> Simulated<'static> {
    looking(|_, _| true)
}

#[test]
fn results_of_the_callee_are_outputs_of_the_step() {
    let report = go(program(From::Value(Value::Integer(3))), &mut ready());
    assert!(report.success(), "{report:#?}");
    assert_eq!(report.results.get("folder"), Some(&string("d3")));
    assert_eq!(step(&report, "outer").output.get("made"), Some(&string("d3")));
    assert_eq!(step(&report, "outer").backend_used.as_deref(), Some("macro"));
    assert_eq!(statuses(&report), ["outer", "outer/make", "outer/after", "last"].map(|id| (id, Status::Ok)));
    assert_eq!(report.steps_total, 4);
}

#[test]
fn arguments_are_checked_when_they_are_known() {
    let report = go(program(From::Value(Value::Integer(6))), &mut ready());
    assert_eq!(failure(&report), (FailureKind::BadArgument, "parameter `n` must be at most 5, found `6`"));
    assert_eq!(report.failure.as_ref().unwrap().step.as_deref(), Some("outer"));
    assert_eq!(statuses(&report), [("outer", Status::Failed), ("last", Status::NotRun)]);
    let report = go(program(From::Maybe(9)), &mut ready());
    assert_eq!(failure(&report).1, "parameter `n` is required and was not given");
}

#[test]
fn failures_inside_name_the_inner_step() {
    let script = Script::default().fail(Action::RunCommand, 1, exit_one());
    let report = go(program(text("3")), &mut ready().scripted(script));
    assert_eq!(failure(&report), (FailureKind::Step, "exit code 1"));
    assert_eq!(report.failure.as_ref().unwrap().step.as_deref(), Some("outer/after"));
    let outer = step(&report, "outer").failure.as_ref().unwrap();
    assert_eq!(outer.message, "step `outer/after` failed: exit code 1");
    let report = go(program(text("3")), &mut looking(|_, _| false));
    assert_eq!(
        failure(&report),
        (FailureKind::Precondition, "precondition `file_exists: /ready` does not hold: not found")
    );
    assert_eq!(statuses(&report), [("outer", Status::Failed), ("last", Status::NotRun)]);
}

#[test]
fn a_call_is_tried_again_and_forgiven_like_any_step() {
    let program = || {
        let mut assembler = Assembler::default();
        assembler.step(run_step("inner"));
        let callee = assembler.end("callee");
        assembler.step(Spec { retries: 1, on_failure: OnFailure::Skip, ..call("outer", callee, vec![]) });
        assembler
    };
    let script = Script::default().fail(Action::RunCommand, 1, exit_one());
    let report = go(program(), &mut Simulated::default().scripted(script.clone()));
    assert_eq!(
        statuses(&report),
        [("outer", Status::Ok), ("outer/inner", Status::Failed), ("outer/inner", Status::Ok)]
    );
    let report = go(program(), &mut Simulated::default().scripted(script.fail(Action::RunCommand, 2, exit_one())));
    assert!(report.success());
    assert_eq!(step(&report, "outer").status, Status::Skipped);
}

#[test]
fn steps_of_calls_that_were_not_reached_are_listed() {
    let mut assembler = Assembler::default();
    assembler.step(run_step("inner"));
    let callee = assembler.end("callee");
    assembler.step(run_step("first"));
    assembler.step(call("second", callee, vec![]));
    assembler.step(call("third", callee, vec![]));
    let script = Script::default().fail(Action::RunCommand, 1, exit_one());
    let report = go(assembler, &mut Simulated::default().scripted(script));
    let ids: Vec<&str> = report.steps.iter().map(|step| step.id.as_str()).collect();
    assert_eq!(ids, ["first", "second", "second/inner", "third", "third/inner"]);
    assert_eq!(report.steps_total, 5);
}

#[test]
fn macros_do_not_lie_inside_each_other_without_end() {
    let mut assembler = Assembler::default();
    assembler.step(run_step("s"));
    let mut callee = assembler.end("m");
    for _ in 0..100 {
        assembler.step(call("s", callee, vec![]));
        callee = assembler.end("m");
    }
    let report = go(assembler, &mut Simulated::default());
    assert_eq!(failure(&report), (FailureKind::Limit, "more than 64 macros are inside each other"));
}
