//! `backend: recovery`: tries and a fallback, and how the report names them.

use spec::action::Action;

use crate::failure::{Failure, FailureKind};
use crate::machine::tests::assembler::{Assembler, Spec, act, text};
use crate::machine::tests::{exit_one, failure, go, step};
use crate::report::Status;
use crate::simulated::{Script, Simulated};

fn recovering() -> Assembler {
    let mut assembler = Assembler::default();
    assembler.step(Spec {
        recovery: true,
        retries: 1,
        backoff_us: vec![1_000_000],
        must_run: true,
        fallback: Some((Action::CopyFile, vec![("src", text("a")), ("dst", text("b"))])),
        ..act("r", Action::RunCommand, vec![("command", text("cp"))])
    });
    assembler
}

fn ran(script: Script) -> (crate::report::Report, Vec<String>) {
    let mut world = Simulated::default().scripted(script);
    let report = go(recovering(), &mut world);
    (report, world.trace().to_vec())
}

#[test]
fn a_try_that_succeeds_is_named_with_its_number() {
    let (report, _) = ran(Script::default());
    assert_eq!(step(&report, "r").backend_used.as_deref(), Some("recovery(native_api, attempt=1)"));
    let (report, trace) = ran(Script::default().fail(Action::RunCommand, 1, exit_one()));
    assert_eq!(step(&report, "r").backend_used.as_deref(), Some("recovery(native_api, attempt=2)"));
    assert!(trace[1].starts_with("t=1.000s native_api.run_command"));
}

#[test]
fn the_fallback_comes_when_no_try_is_left() {
    let (report, trace) = ran(Script::default().fail_always(Action::RunCommand, exit_one()));
    assert!(report.success());
    let step = step(&report, "r");
    assert_eq!(step.backend_used.as_deref(), Some("recovery(fallback=file_transform)"));
    let attempts: Vec<(&str, Option<&str>)> =
        step.attempts.iter().map(|attempt| (attempt.backend.as_str(), attempt.error.as_deref())).collect();
    assert_eq!(
        attempts,
        [("native_api", Some("exit code 1")), ("native_api", Some("exit code 1")), ("file_transform", None)]
    );
    assert_eq!((step.status, step.failure.as_ref(), trace.len()), (Status::Ok, None, 3));
    assert_eq!(step.output.get("dst"), Some(&spec::value::Value::String("b".to_owned())));
}

#[test]
fn when_both_fail_the_fallback_s_failure_counts() {
    let script = Script::default().fail_always(Action::RunCommand, exit_one());
    let (report, _) = ran(script.fail_always(Action::CopyFile, Failure::step("`a` not found")));
    assert_eq!(failure(&report), (FailureKind::Step, "`a` not found"));
    assert_eq!(step(&report, "r").backend_used.as_deref(), Some("recovery(fallback=file_transform)"));
    assert_eq!(step(&report, "r").attempts.len(), 3);
}

#[test]
fn what_may_have_happened_is_not_done_in_another_way() {
    let uncertain = Failure::new(FailureKind::Uncertain, "the connection broke");
    let (report, trace) = ran(Script::default().fail_always(Action::RunCommand, uncertain));
    assert_eq!((failure(&report), trace.len()), ((FailureKind::Uncertain, "the connection broke"), 1));
    assert_eq!(report.exit_code(), 9);
}

#[test]
fn without_time_there_is_no_fallback() {
    let script = Script::default().take(Action::RunCommand, 29_500_000).fail_always(Action::RunCommand, exit_one());
    let (report, trace) = ran(script);
    assert_eq!(failure(&report), (FailureKind::Timeout, "timed out after 30000 ms; last error: exit code 1"));
    assert_eq!(trace.len(), 1);
}

#[test]
fn an_unavailable_primary_leaves_the_step_to_its_fallback() {
    let mut world = Simulated::default().without(spec::action::Backend::NativeApi, "no system").as_if_real();
    let report = go(recovering(), &mut world);
    assert!(report.success(), "{report:#?}");
    let errors: Vec<Option<&str>> =
        step(&report, "r").attempts.iter().map(|attempt| attempt.error.as_deref()).collect();
    assert_eq!(errors, [Some("native_api unavailable: no system"), None]);
}
