//! What a failure means: `on_failure`, statuses, interrupts and limits.

use spec::action::Action;
use spec::artifact::{OnFailure, Stream};
use spec::value::Value;

use crate::failure::{Failure, FailureKind};
use crate::machine::tests::assembler::{Assembler, From, Spec, act, run_step, text};
use crate::machine::tests::{exit_one, failure, go, statuses, step};
use crate::report::Status;
use crate::simulated::{Script, Simulated};

fn three(on_failure: OnFailure) -> Assembler {
    let mut assembler = Assembler::default();
    assembler.step(Spec { on_failure, retries: 2, backoff_us: vec![0], ..run_step("a") });
    for id in ["b", "c"] {
        assembler.step(act(id, Action::MakeDir, vec![("path", text("/d"))]));
    }
    assembler
}

fn failing() -> Simulated<'static> {
    Simulated::default().scripted(Script::default().fail_always(Action::RunCommand, exit_one()))
}

#[test]
fn fail_stops_and_the_rest_is_not_run() {
    let report = go(three(OnFailure::Fail), &mut failing());
    assert_eq!(statuses(&report), [("a", Status::Failed), ("b", Status::NotRun), ("c", Status::NotRun)]);
    assert_eq!(step(&report, "a").attempts.len(), 3);
    assert_eq!((report.success(), report.exit_code(), report.steps_total), (false, 1, 3));
}

#[test]
fn skip_forgives_and_keeps_the_failure() {
    let report = go(three(OnFailure::Skip), &mut failing());
    assert_eq!(statuses(&report), [("a", Status::Skipped), ("b", Status::Ok), ("c", Status::Ok)]);
    assert_eq!(step(&report, "a").failure, Some(exit_one()));
    assert!(report.success() && report.warnings.is_empty());
}

#[test]
fn continue_goes_on_with_a_warning() {
    let report = go(three(OnFailure::Continue), &mut failing());
    assert_eq!(statuses(&report), [("a", Status::Failed), ("b", Status::Ok), ("c", Status::Ok)]);
    assert_eq!(report.warnings, ["step `a` failed and the macro went on: exit code 1"]);
    assert!(report.success());
}

#[test]
fn partial_outputs_of_a_failed_step_are_reported() {
    let failure = exit_one().partial("stdout", Value::String("part\n".to_owned()));
    let mut world = Simulated::default().scripted(Script::default().fail_always(Action::RunCommand, failure));
    let report = go(three(OnFailure::Fail), &mut world);
    assert_eq!(step(&report, "a").output.get("stdout"), Some(&Value::String("part\n".to_owned())));
}

#[test]
fn when_decides_and_may_itself_fail() {
    let program = |when, on_failure| {
        let mut assembler = Assembler::default();
        assembler.step(Spec { when: Some(when), on_failure, ..run_step("a") });
        assembler.step(run_step("b"));
        assembler
    };
    let mut world = Simulated::default();
    let report = go(program(From::Value(Value::Boolean(false)), OnFailure::Fail), &mut world);
    assert_eq!(statuses(&report), [("a", Status::Skipped), ("b", Status::Ok)]);
    assert_eq!(step(&report, "a").failure, None);
    assert!(report.success());
    let report = go(program(text("yes"), OnFailure::Fail), &mut world);
    assert_eq!(failure(&report), (FailureKind::Evaluation, "needs `true` or `false`, found `yes` (string)"));
    assert_eq!(statuses(&report), [("a", Status::Failed), ("b", Status::NotRun)]);
    let report = go(program(text("yes"), OnFailure::Skip), &mut world);
    assert_eq!(statuses(&report), [("a", Status::Skipped), ("b", Status::Ok)]);
}

#[test]
fn a_signal_ends_the_run_whatever_the_step_forgives() {
    let mut assembler = Assembler::default();
    assembler.step(Spec { on_failure: OnFailure::Continue, retries: 5, ..run_step("a") });
    assembler.step(run_step("b"));
    let mut world = Simulated::default().scripted(Script::default().signal(Action::RunCommand, 1, 2));
    let report = go(assembler, &mut world);
    assert_eq!(failure(&report).0, FailureKind::Interrupted(2));
    assert_eq!(statuses(&report), [("a", Status::Failed), ("b", Status::NotRun)]);
    assert_eq!((report.exit_code(), world.trace().len()), (130, 1));
}

#[test]
fn loops_report_each_turn() {
    let list = Value::List(["x", "y"].map(|text| Value::String(text.to_owned())).to_vec());
    let program = |list: Value| {
        let mut assembler = Assembler::default();
        let path = From::Joined(vec![From::Slot(1), text("-"), From::Slot(2)]);
        assembler
            .step(Spec { each: Some((From::Value(list), 1, 2)), ..act("a", Action::MakeDir, vec![("path", path)]) });
        assembler.step(run_step("b"));
        assembler
    };
    let mut world = Simulated::default();
    let report = go(program(list.clone()), &mut world);
    assert_eq!(
        world.trace()[..2],
        ["t=0.000s file_transform.make_dir path=\"x-0\"", "t=0.000s file_transform.make_dir path=\"y-1\""]
    );
    let turns: Vec<Option<usize>> = report.steps.iter().map(|step| step.iteration).collect();
    assert_eq!((turns, report.steps_total), (vec![Some(0), Some(1), None], 2));
    let script = Script::default().fail(Action::MakeDir, 2, exit_one());
    let report = go(program(list), &mut Simulated::default().scripted(script));
    assert_eq!(statuses(&report), [("a", Status::Ok), ("a", Status::Failed), ("b", Status::NotRun)]);
    let report = go(program(Value::List(vec![])), &mut world);
    assert_eq!(statuses(&report), [("a", Status::Skipped), ("b", Status::Ok)]);
    let report = go(program(Value::List(vec![Value::Null; 10_001])), &mut world);
    assert_eq!(failure(&report), (FailureKind::Limit, "`for_each` over 10001 elements: at most 10000 are allowed"));
    let report = go(program(Value::Integer(1)), &mut world);
    assert_eq!(failure(&report), (FailureKind::Evaluation, "`for_each` needs a list, found `1` (integer)"));
}

#[test]
fn a_run_begins_a_bounded_number_of_steps() {
    let list = From::Value(Value::List(vec![Value::Null; 10_000]));
    let mut assembler = Assembler::default();
    for id in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"] {
        assembler.step(Spec {
            each: Some((list.clone(), 1, 2)),
            when: Some(From::Value(Value::Boolean(false))),
            ..run_step(id)
        });
    }
    let report = go(assembler, &mut Simulated::default());
    assert_eq!(failure(&report), (FailureKind::Limit, "the run began more than 100000 steps"));
}

#[test]
fn unavailable_backends_are_told_before_the_first_step() {
    let program = |must_run| {
        let mut assembler = Assembler::default();
        assembler.artifact.streams.push(Stream { path: "m.json".to_owned(), ..Stream::default() });
        assembler.step(run_step("first"));
        assembler.guard();
        assembler.step(Spec { must_run, ..act("gui", Action::Replay, vec![("macro_file", text("m.json"))]) });
        assembler.finally(&[run_step("clean")]);
        assembler
    };
    let world = || Simulated::default().without(spec::action::Backend::GuiMacro, "no DISPLAY");
    let mut real = world().as_if_real();
    let report = go(program(true), &mut real);
    assert_eq!(failure(&report), (FailureKind::Unavailable, "gui_macro unavailable: no DISPLAY"));
    assert_eq!((report.exit_code(), real.trace().len()), (7, 0));
    assert_eq!(report.failure.as_ref().unwrap().step.as_deref(), Some("gui"));
    assert!(report.steps.iter().all(|step| step.status == Status::NotRun) && report.steps.len() == 3);
    let mut real = world().as_if_real();
    let report = go(program(false), &mut real);
    assert_eq!(failure(&report), (FailureKind::Unavailable, "gui_macro unavailable: no DISPLAY"));
    assert_eq!(real.trace().len(), 2);
    let mut dry = world();
    assert!(go(program(true), &mut dry).success());
    assert!(dry.trace()[1].contains("gui_macro.replay"));
}

#[test]
fn an_equivalent_action_stands_in_for_an_unavailable_backend_only() {
    let spec = Spec {
        does: crate::machine::tests::assembler::Does::Act(
            vec![Action::Hotkey, Action::Shortcut],
            vec![("keys", text("ctrl+s"))],
        ),
        must_run: true,
        outputs: vec![(0, 5)],
        ..run_step("keys")
    };
    let program = || {
        let mut assembler = Assembler::default();
        assembler.step(spec.clone());
        assembler.result("pressed", spec::artifact::ResultKind::Value, &From::Slot(5));
        assembler
    };
    let mut world = Simulated::default().without(spec::action::Backend::VisualAnchor, "no DISPLAY").as_if_real();
    let report = go(program(), &mut world);
    assert_eq!(step(&report, "keys").backend_used.as_deref(), Some("semantic_ui"));
    assert_eq!(report.results.get("pressed"), Some(&Value::String("ctrl+s".to_owned())));
    let script = Script::default().fail_always(Action::Hotkey, Failure::step("no focus"));
    let report = go(program(), &mut Simulated::default().scripted(script).as_if_real());
    assert_eq!(failure(&report), (FailureKind::Step, "no focus"));
}
