//! The `finally` block after success, failure, signals and timeouts, through calls.

use spec::action::Action;
use spec::artifact::OnFailure;

use crate::failure::{Failure, FailureKind};
use crate::machine::tests::assembler::{Assembler, Spec, act, call, run_step, text};
use crate::machine::tests::{exit_one, failure, go, statuses};
use crate::report::Status;
use crate::simulated::{Script, Simulated};

fn clean(id: &'static str) -> Spec {
    act(id, Action::DeleteFile, vec![("path", text("/tmp/x"))])
}

fn guarded() -> Assembler {
    let mut assembler = Assembler::default();
    assembler.guard();
    assembler.step(run_step("work"));
    assembler.finally(&[clean("one"), clean("two")]);
    assembler
}

fn scripted(script: Script) -> Simulated<'static> {
    Simulated::default().scripted(script)
}

#[test]
fn it_runs_after_success_and_after_failure() {
    let report = go(guarded(), &mut Simulated::default());
    assert!(report.success());
    assert_eq!(report.steps.len(), 3);
    let report = go(guarded(), &mut scripted(Script::default().fail_always(Action::RunCommand, exit_one())));
    assert_eq!(failure(&report), (FailureKind::Step, "exit code 1"));
    assert_eq!(statuses(&report), [("work", Status::Failed), ("one", Status::Ok), ("two", Status::Ok)]);
}

#[test]
fn its_failures_do_not_hide_the_first_one_nor_stop_its_other_steps() {
    let script = Script::default().fail(Action::DeleteFile, 1, Failure::step("busy"));
    let report = go(guarded(), &mut scripted(script.clone().fail_always(Action::RunCommand, exit_one())));
    assert_eq!(failure(&report), (FailureKind::Step, "exit code 1"));
    assert_eq!(statuses(&report), [("work", Status::Failed), ("one", Status::Failed), ("two", Status::Ok)]);
    assert_eq!(report.warnings, ["in `finally`: step `one` failed: busy"]);
    let report = go(guarded(), &mut scripted(script));
    assert_eq!(failure(&report), (FailureKind::Step, "busy"));
    assert_eq!(statuses(&report), [("work", Status::Ok), ("one", Status::Failed), ("two", Status::Ok)]);
}

#[test]
fn the_signal_that_ended_the_run_does_not_disturb_it_and_another_one_ends_it() {
    let script = Script::default().signal(Action::RunCommand, 1, 15);
    let report = go(guarded(), &mut scripted(script.clone()));
    assert_eq!((failure(&report).0, report.exit_code()), (FailureKind::Interrupted(15), 143));
    assert_eq!(statuses(&report), [("work", Status::Failed), ("one", Status::Ok), ("two", Status::Ok)]);
    let report = go(guarded(), &mut scripted(script.signal(Action::DeleteFile, 1, 2)));
    assert_eq!(failure(&report).0, FailureKind::Interrupted(15));
    assert_eq!(statuses(&report), [("work", Status::Failed), ("one", Status::Failed), ("two", Status::NotRun)]);
    assert_eq!(report.warnings, ["in `finally`: step `one` failed: interrupted by signal 2"]);
}

#[test]
fn it_has_its_own_time_after_a_timeout() {
    let mut assembler = guarded();
    assembler.timeout_us = Some(1_000_000);
    let script = Script::default().take(Action::RunCommand, 9_000_000).take(Action::DeleteFile, 29_000_000);
    let report = go(assembler, &mut scripted(script));
    assert_eq!(failure(&report), (FailureKind::Timeout, "timed out after 1000 ms, the limit of macro `main`"));
    assert_eq!(statuses(&report), [("work", Status::Failed), ("one", Status::Ok), ("two", Status::Ok)]);
    assert_eq!(report.duration_us, 59_000_000);
}

#[test]
fn all_blocks_together_have_sixty_seconds() {
    let mut assembler = Assembler::default();
    assembler.guard();
    assembler.step(run_step("work"));
    assembler.finally(&[Spec { timeout_us: 90_000_000, ..clean("inner") }]);
    let callee = assembler.end("callee");
    assembler.guard();
    assembler.step(call("call", callee, vec![]));
    assembler.finally(&[Spec { timeout_us: 90_000_000, ..clean("outer") }]);
    let script = Script::default().fail_always(Action::RunCommand, exit_one()).take(Action::DeleteFile, 40_000_000);
    let report = go(assembler, &mut scripted(script));
    assert_eq!(failure(&report), (FailureKind::Step, "exit code 1"));
    assert_eq!(report.duration_us, 60_000_000);
    assert_eq!(
        statuses(&report),
        [
            ("call", Status::Failed),
            ("call/work", Status::Failed),
            ("call/inner", Status::Ok),
            ("outer", Status::Failed)
        ]
    );
    assert_eq!(
        report.warnings,
        ["in `finally`: step `outer` failed: timed out after 60000 ms, the limit of `finally`"]
    );
}

#[test]
fn a_second_signal_skips_the_blocks_further_out() {
    let mut assembler = guarded();
    let callee = assembler.end("callee");
    assembler.guard();
    assembler.step(Spec { on_failure: OnFailure::Continue, ..call("call", callee, vec![]) });
    assembler.finally(&[clean("outer")]);
    let script = Script::default().signal(Action::RunCommand, 1, 2).signal(Action::DeleteFile, 1, 2);
    let report = go(assembler, &mut scripted(script));
    assert_eq!(failure(&report).0, FailureKind::Interrupted(2));
    let last = report.steps.iter().map(|step| (step.id.as_str(), step.status)).skip(3).collect::<Vec<_>>();
    assert_eq!(last, [("call/two", Status::NotRun), ("outer", Status::NotRun)]);
    assert!(report.warnings[1].contains("did not run"), "{:?}", report.warnings);
}

#[test]
fn the_first_signal_inside_it_lets_its_other_steps_run() {
    let report = go(guarded(), &mut scripted(Script::default().signal(Action::DeleteFile, 1, 2)));
    assert_eq!(failure(&report).0, FailureKind::Interrupted(2));
    assert_eq!(statuses(&report), [("work", Status::Ok), ("one", Status::Failed), ("two", Status::Ok)]);
}
