//! Tries, pauses and deadlines, exactly by the simulated clock.

use spec::action::Action;

use crate::failure::{Failure, FailureKind};
use crate::machine::tests::assembler::{Assembler, Spec, call, run_step};
use crate::machine::tests::{exit_one, failure, go, looking, step};
use crate::report::Status;
use crate::simulated::{Script, Simulated};

fn scripted(script: Script) -> Simulated<'static> {
    Simulated::default().scripted(script)
}

fn one(spec: Spec) -> Assembler {
    let mut assembler = Assembler::default();
    assembler.step(spec);
    assembler
}

#[test]
fn pauses_follow_the_list_and_its_last_one_repeats() {
    let script = Script::default().take(Action::RunCommand, 10_000).fail(Action::RunCommand, 1, exit_one());
    let script = script.fail(Action::RunCommand, 2, exit_one()).fail(Action::RunCommand, 3, exit_one());
    let mut world = scripted(script);
    let report = go(one(Spec { retries: 5, backoff_us: vec![100_000, 400_000], ..run_step("a") }), &mut world);
    assert!(report.success());
    let begins: Vec<&str> = world.trace().iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(begins, ["t=0.000s", "t=0.110s", "t=0.520s", "t=0.930s"]);
    let step = step(&report, "a");
    let errors: Vec<Option<&str>> = step.attempts.iter().map(|attempt| attempt.error.as_deref()).collect();
    assert_eq!(errors, [Some("exit code 1"), Some("exit code 1"), Some("exit code 1"), None]);
    assert!(step.attempts.iter().all(|attempt| attempt.duration_us == 10_000 && attempt.backend == "native_api"));
    assert_eq!((step.duration_us, report.duration_us), (940_000, 940_000));
    assert_eq!((step.status, step.backend_used.as_deref()), (Status::Ok, Some("native_api")));
}

#[test]
fn no_retries_is_one_try() {
    let mut world = scripted(Script::default().fail_always(Action::RunCommand, exit_one()));
    let report = go(one(run_step("a")), &mut world);
    assert_eq!(failure(&report), (FailureKind::Step, "exit code 1"));
    assert_eq!((world.trace().len(), report.exit_code()), (1, 1));
    let failed = report.failure.as_ref().unwrap();
    assert_eq!(failed.step.as_deref(), Some("a"));
    assert_eq!(failed.place.as_ref().unwrap().file, "main.yaml");
}

#[test]
fn the_timeout_covers_all_tries_and_pauses() {
    let script = Script::default().take(Action::RunCommand, 1_000_000).fail_always(Action::RunCommand, exit_one());
    let mut world = scripted(script);
    let spec = Spec { retries: 10, backoff_us: vec![100_000, 400_000], timeout_us: 2_500_000, ..run_step("a") };
    let report = go(one(spec), &mut world);
    // The second pause would end exactly at the deadline.
    assert_eq!(failure(&report), (FailureKind::Timeout, "timed out after 2500 ms; last error: exit code 1"));
    assert_eq!((report.exit_code(), report.duration_us), (5, 2_100_000));
    assert_eq!(step(&report, "a").attempts.len(), 2);
}

#[test]
fn a_try_that_is_cut_off_is_the_last() {
    let script = Script::default().take(Action::RunCommand, 1_000_000).fail(Action::RunCommand, 1, exit_one());
    let mut world = scripted(script.take_at(Action::RunCommand, 2, 61_000_000));
    let spec = Spec { retries: 10, backoff_us: vec![500_000], timeout_us: 2_000_000, ..run_step("a") };
    let report = go(one(spec), &mut world);
    assert_eq!(failure(&report), (FailureKind::Timeout, "timed out after 2000 ms"));
    let durations: Vec<u64> = step(&report, "a").attempts.iter().map(|attempt| attempt.duration_us).collect();
    assert_eq!((durations, report.duration_us), (vec![1_000_000, 500_000], 2_000_000));
}

#[test]
fn an_action_s_own_timeout_is_tried_again() {
    let timeout = Failure::new(FailureKind::Timeout, "not found within 5000 ms");
    let mut world = scripted(Script::default().fail(Action::RunCommand, 1, timeout));
    let report = go(one(Spec { retries: 1, ..run_step("a") }), &mut world);
    assert!(report.success());
}

#[test]
fn what_cannot_end_otherwise_is_not_tried_again() {
    for kind in [FailureKind::BadArgument, FailureKind::Uncertain, FailureKind::Unavailable] {
        let mut world = scripted(Script::default().fail_always(Action::RunCommand, Failure::new(kind, "no")));
        let report = go(one(Spec { retries: 3, ..run_step("a") }), &mut world);
        assert_eq!((failure(&report), world.trace().len()), ((kind, "no"), 1));
    }
}

#[test]
fn limits_around_a_step_cut_it_off_and_are_not_forgiven_by_it() {
    let inner = Spec { on_failure: spec::artifact::OnFailure::Continue, ..run_step("inner") };
    let program = |macro_us, step_us| {
        let mut assembler = Assembler::default();
        assembler.step(inner.clone());
        assembler.step(Spec { id: "next", ..inner.clone() });
        assembler.timeout_us = macro_us;
        let callee = assembler.end("callee");
        assembler.step(Spec { timeout_us: step_us, ..call("outer", callee, vec![]) });
        assembler
    };
    let slow = || scripted(Script::default().take(Action::RunCommand, 5_000_000));
    let report = go(program(Some(1_000_000), 30_000_000), &mut slow());
    assert_eq!(failure(&report), (FailureKind::Timeout, "timed out after 1000 ms, the limit of macro `callee`"));
    let report = go(program(None, 2_000_000), &mut slow());
    assert_eq!(failure(&report), (FailureKind::Timeout, "timed out after 2000 ms, the limit of step `outer`"));
    assert_eq!(report.duration_us, 2_000_000);
    assert_eq!(report.failure.unwrap().step.as_deref(), Some("outer/inner"));
}

#[test]
fn the_limit_of_the_run_holds_between_steps() {
    let mut assembler = Assembler::default();
    for id in ["a", "b", "c"] {
        assembler.step(run_step(id));
    }
    assembler.timeout_us = Some(1_500_000);
    let report = go(assembler, &mut scripted(Script::default().take(Action::RunCommand, 1_000_000)));
    assert_eq!(failure(&report), (FailureKind::Timeout, "timed out after 1500 ms, the limit of macro `main`"));
    assert_eq!(step(&report, "c").status, Status::NotRun);
}

#[test]
fn verify_waits_until_it_holds() {
    use spec::condition::Condition;

    use crate::machine::tests::assembler::text;
    let spec = Spec { verify: vec![(Condition::FileExists, vec![text("/x")])], within_us: 5_000_000, ..run_step("a") };
    let mut world = looking(|_, now_us| now_us >= 600_000).as_if_real();
    let report = go(one(spec.clone()), &mut world);
    assert!(report.success());
    // 50, 100, 200 ms, then every 250 ms.
    assert_eq!(report.duration_us, 600_000);
    let report = go(one(spec.clone()), &mut looking(|_, _| false).as_if_real());
    let message = "verify `file_exists: /x` does not hold: not found (waited 5000 ms)";
    assert_eq!(failure(&report), (FailureKind::Verification, message));
    assert_eq!(report.duration_us, 5_000_000);
    let spec = Spec { within_us: 0, retries: 1, ..spec };
    let mut world = looking(|_, now_us| now_us >= 600_000).as_if_real();
    let report = go(one(spec.clone()), &mut world);
    assert!(report.success(), "{report:#?}");
    assert_eq!(step(&report, "a").attempts.len(), 2);
    let spec = Spec { within_us: 5_000_000, retries: 0, timeout_us: 1_000_000, ..spec };
    let report = go(one(spec), &mut looking(|_, _| false).as_if_real());
    let message = "verify `file_exists: /x` does not hold: not found (waited 1000 ms)";
    assert_eq!((failure(&report), report.duration_us), ((FailureKind::Verification, message), 1_000_000));
}
