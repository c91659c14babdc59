//! Preconditions, postconditions, promised files and what a dry run makes of them.

use spec::action::Action;
use spec::artifact::ResultKind;
use spec::condition::Condition;
use spec::op::Op;
use spec::operand::Phase;

use crate::failure::{Failure, FailureKind};
use crate::machine::tests::assembler::{Assembler, From, Spec, act, run_step, text};
use crate::machine::tests::{failure, go, looking, statuses, step};
use crate::report::Status;
use crate::simulated::Simulated;

#[test]
fn an_unmet_precondition_says_what_was_seen() {
    let mut assembler = Assembler::default();
    assembler.precondition(Condition::FileExists, &[text("/nope")]);
    assembler.step(run_step("a"));
    let mut world = looking(|_, _| false);
    let report = go(assembler, &mut world);
    assert_eq!(
        failure(&report),
        (FailureKind::Precondition, "precondition `file_exists: /nope` does not hold: not found")
    );
    assert_eq!((report.exit_code(), world.trace().len()), (4, 0));
    assert_eq!(statuses(&report), [("a", Status::NotRun)]);
    let failed = report.failure.unwrap();
    assert_eq!((failed.step, failed.place.unwrap().place.line), (None, 3));
}

#[test]
fn opposites_and_several_conditions_are_told_apart() {
    let mut assembler = Assembler::default();
    assembler.test(Condition::FileExists, &[text("/x")]);
    assembler.push(Op::Not {});
    assembler.push(Op::Demand { phase: Phase::Precondition });
    let report = go(assembler, &mut looking(|_, _| true));
    assert_eq!(failure(&report).1, "precondition `not file_exists: /x` does not hold: 12 bytes");
    let mut assembler = Assembler::default();
    assembler.test(Condition::FileSizeGt, &[text("/x"), From::Value(spec::value::Value::Integer(10))]);
    let hole = assembler.push(Op::Return {});
    assembler.test(Condition::EnvVar, &[text("TOK")]);
    assembler.push(Op::JumpIf { target: spec::operand::Label(hole as u32 + 4) });
    let no = assembler.constant(&spec::value::Value::Boolean(false));
    assembler.push(Op::Const { value: no });
    assembler.push(Op::Demand { phase: Phase::Precondition });
    assembler.artifact.code[hole] = Op::JumpIf { target: spec::operand::Label(hole as u32 + 4) };
    let report = go(assembler, &mut looking(|_, _| false));
    assert_eq!(
        failure(&report).1,
        "precondition does not hold: `file_size_gt: [/x, 10]`: not found; `env_var: TOK`: not found"
    );
}

#[test]
fn what_cannot_be_told_neither_holds_nor_fails_to() {
    let denied = || {
        Simulated::new(Box::new(|_, _, _| Err(Failure::step("cannot look at `/x`: permission denied")))).as_if_real()
    };
    let mut assembler = Assembler::default();
    assembler.test(Condition::FileExists, &[text("/x")]);
    assembler.push(Op::Not {});
    assembler.push(Op::Demand { phase: Phase::Precondition });
    let report = go(assembler, &mut denied());
    assert_eq!(
        failure(&report),
        (
            FailureKind::Precondition,
            "precondition `file_exists: /x` cannot be told: cannot look at `/x`: permission denied"
        )
    );
    let mut assembler = Assembler::default();
    let verify = vec![(Condition::FileExists, vec![text("/x")])];
    assembler.step(Spec { verify, within_us: 1_000_000, ..run_step("a") });
    let report = go(assembler, &mut denied());
    assert_eq!(failure(&report).0, FailureKind::Verification);
    assert_eq!(report.duration_us, 1_000_000);
}

#[test]
fn arguments_of_conditions_are_checked() {
    let mut assembler = Assembler::default();
    assembler.precondition(Condition::FileSizeGt, &[text("/x"), text("big")]);
    let report = go(assembler, &mut Simulated::default());
    assert_eq!(
        failure(&report),
        (FailureKind::BadArgument, "`file_size_gt: [/x, big]`: `bytes` must be a whole number, found `big`")
    );
}

fn promising() -> Assembler {
    let mut assembler = Assembler::default();
    let verify = vec![(Condition::FileContains, vec![text("/o"), text("ok")])];
    assembler
        .step(Spec { verify, ..act("a", Action::WriteFile, vec![("output_file", text("/o")), ("text", text("ok"))]) });
    assembler.postcondition(Condition::FileExists, &[From::Joined(vec![text("/"), text("o")])]);
    assembler.result("file", ResultKind::Path, &text("/o"));
    assembler
}

#[test]
fn a_promised_file_must_be_there() {
    let mut looks = 0;
    let mut world = looking(move |_, _| {
        looks += 1;
        looks < 3
    })
    .as_if_real();
    let report = go(promising(), &mut world);
    assert_eq!(failure(&report), (FailureKind::Postcondition, "declared output `file`: no file at `/o`"));
    assert!(report.results.is_empty());
    assert_eq!(step(&report, "a").status, Status::Ok);
    assert!(go(promising(), &mut looking(|_, _| true).as_if_real()).success());
    let report = go(promising(), &mut looking(|test, _| test.contains("FileContains")).as_if_real());
    assert_eq!(
        failure(&report),
        (FailureKind::Postcondition, "postcondition `file_exists: /o` does not hold: not found")
    );
}

#[test]
fn a_dry_run_notes_what_it_cannot_look_at_and_what_it_would_do() {
    let report = go(promising(), &mut looking(|_, _| false));
    assert!(report.success() && report.simulated, "{report:#?}");
    assert_eq!(
        report.not_evaluated,
        ["verify `file_contains: [/o, ok]` of step `a`", "postcondition `file_exists: /o`"]
    );
    let would = step(&report, "a").would.as_ref().unwrap();
    assert_eq!(would.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["output_file", "text"]);
    assert_eq!(report.results.len(), 1);
}
