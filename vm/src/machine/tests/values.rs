//! Parameters, secrets, outputs and limits of values in whole runs.

use spec::action::Action;
use spec::artifact::{ParameterRecord, ResultKind, TypeTag};
use spec::op::Op;
use spec::operand::{Count, Slot};
use spec::value::Value;

use crate::failure::{Failure, FailureKind};
use crate::machine::observer::{Observer, Trial};
use crate::machine::tests::assembler::{Assembler, From, Spec, act, parameter, run_step, text};
use crate::machine::tests::{failure, go, go_unverified, go_with, statuses, step, string};
use crate::machine::{Given, Inputs, run};
use crate::process::Interrupt;
use crate::report::{Attempt, Status, StepReport};
use crate::simulated::{Script, Simulated};

#[test]
fn wrong_parameters_are_refused_together_before_anything() {
    let mut assembler = Assembler::default();
    assembler.parameter(parameter("count", TypeTag::Integer));
    assembler.parameter(ParameterRecord { required: true, ..parameter("file", TypeTag::String) });
    assembler.step(run_step("a"));
    let mut world = Simulated::default();
    let report = go_with(assembler, &mut world, &[("count", "0x10")]);
    assert_eq!(
        failure(&report),
        (
            FailureKind::Parameters,
            "parameter `count` must be a whole number of 64 bits in plain decimal, found `0x10`; \
             parameter `file` is required and was not given"
        )
    );
    assert_eq!((report.exit_code(), world.trace().len()), (2, 0));
    assert_eq!(statuses(&report), [("a", Status::NotRun)]);
}

#[test]
fn outputs_reach_later_steps_and_results() {
    let mut assembler = Assembler::default();
    assembler.step(Spec { outputs: vec![(0, 3)], ..run_step("a") });
    assembler.result("code", ResultKind::Value, &From::Slot(3));
    assembler.result("said", ResultKind::Value, &From::Joined(vec![text("n="), From::Slot(3)]));
    let report = go(assembler, &mut Simulated::default());
    assert_eq!(report.results.get("code"), Some(&Value::Integer(0)));
    assert_eq!(report.results.get("said"), Some(&string("n=0")));
    let mut assembler = Assembler::default();
    assembler.step(Spec { outputs: vec![(1, 3)], ..run_step("a") });
    assembler.result("said", ResultKind::Value, &From::Slot(3));
    let report = go(assembler, &mut Simulated::default());
    assert_eq!(
        failure(&report),
        (FailureKind::Evaluation, "`steps.a.stdout` has no value: the step did not produce it")
    );
}

#[derive(Default)]
struct Listener(String);

impl Observer for Listener {
    fn step_started(&mut self, id: &str, iteration: Option<usize>) {
        self.0.push_str(&format!("started {id} {iteration:?}\n"));
    }

    fn routed(&mut self, of: Trial<'_>, action: Action) {
        self.0.push_str(&format!("routed {of:?} {action:?}\n"));
    }

    fn try_failed(&mut self, of: Trial<'_>, attempt: &Attempt) {
        self.0.push_str(&format!("failed {of:?} {attempt:?}\n"));
    }

    fn step_finished(&mut self, step: &StepReport) {
        self.0.push_str(&format!("finished {step:?}\n"));
    }

    fn warned(&mut self, warning: &str) {
        self.0.push_str(&format!("warned {warning}\n"));
    }
}

#[test]
fn secrets_appear_nowhere() {
    let mut assembler = Assembler::default();
    assembler.parameter(ParameterRecord { secret: true, ..parameter("password", TypeTag::String) });
    assembler.parameter(ParameterRecord { secret: true, ..parameter("pin", TypeTag::Integer) });
    assembler.parameter(parameter("token", TypeTag::String));
    let joined = From::Joined(vec![text("--password="), From::Slot(0), text("!"), From::Slot(1), From::Slot(2)]);
    assembler.step(Spec {
        on_failure: spec::artifact::OnFailure::Continue,
        ..act("a", Action::VisualTypeText, vec![("text", joined.clone())])
    });
    assembler.step(act("b", Action::WriteFile, vec![("output_file", joined), ("text", From::Slot(0))]));
    assembler.result("said", ResultKind::Value, &From::Slot(0));
    assembler.result("pin", ResultKind::Value, &From::Slot(1));
    let wrong =
        Failure::step("cannot type `hunter2` with \"4711\"").hint("not hunter2").partial("x", string("hunter2"));
    let mut world = Simulated::default().scripted(Script::default().fail(Action::VisualTypeText, 1, wrong));
    let mut listener = Listener::default();
    let given = [("password", "hunter2"), ("pin", "4711"), ("token", "xy")];
    let given = given.map(|(name, value)| (name.to_owned(), Given::Text(value.to_owned()))).to_vec();
    let inputs = Inputs { given, secrets: vec!["token".to_owned()] };
    let report = run(&assembler.program(), inputs, &mut world, &Interrupt::new().unwrap(), &mut listener);
    assert!(report.success(), "{report:#?}");
    assert!(world.trace()[0].contains("--password=hunter2!4711xy"), "the action itself gets the values");
    for said in [format!("{report:?}"), listener.0] {
        assert!(said.contains("--password=***!******"), "{said}");
        for secret in ["hunter2", "4711", "xy"] {
            assert!(!said.contains(secret), "{secret} in {said}");
        }
    }
    assert_eq!(report.results.get("pin"), Some(&string("***")));
    assert_eq!(step(&report, "b").output.get("path"), Some(&string("--password=***!******")));
}

#[test]
fn secrets_are_not_quoted_when_they_are_wrong() {
    let mut assembler = Assembler::default();
    assembler.parameter(ParameterRecord { secret: true, ..parameter("pin", TypeTag::Integer) });
    let report = go_with(assembler, &mut Simulated::default(), &[("pin", "hunter2"), ("hunter2", "1")]);
    assert!(!format!("{report:?}").contains("hunter2"), "{report:?}");
}

#[test]
fn texts_that_grow_in_a_loop_reach_a_limit() {
    let mut assembler = Assembler::default();
    assembler.value(&text("0123456789abcdef"));
    assembler.push(Op::Store { slot: Slot(1) });
    for _ in 0..40 {
        assembler.value(&From::Joined(vec![From::Slot(1), From::Slot(1)]));
        assembler.push(Op::Store { slot: Slot(1) });
    }
    let report = go(assembler, &mut Simulated::default());
    assert_eq!(failure(&report), (FailureKind::Limit, "a text would be longer than 64 MiB"));
}

#[test]
fn values_do_not_nest_without_end() {
    let mut assembler = Assembler::default();
    assembler.value(&text("x"));
    for _ in 0..200 {
        assembler.push(Op::List { count: Count(1) });
    }
    assembler.push(Op::Store { slot: Slot(1) });
    let report = go(assembler, &mut Simulated::default());
    assert_eq!(failure(&report), (FailureKind::Limit, "a value is nested more than 128 deep"));
}

#[test]
fn broken_programs_fail_as_such() {
    for op in
        [Op::Not {}, Op::Settle {}, Op::EndStep {}, Op::Finally {}, Op::EndFinally {}, Op::Store { slot: Slot(99) }]
    {
        let mut assembler = Assembler::default();
        assembler.push(op);
        let report = go_unverified(assembler, &mut Simulated::default());
        assert_eq!((failure(&report).0, report.exit_code()), (FailureKind::Corrupt, 8), "{op}");
    }
}
