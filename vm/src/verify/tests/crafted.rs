//! Each rule, broken on its own.

use spec::action::Action;
use spec::artifact::{
    Artifact, CodeFault, Constant, EventKind, LoadError, LoadErrorKind, OnFailure, ResultKind, ResultRecord,
    RouteRecord, StepKind, TableFault,
};
use spec::op::Op;
use spec::operand::{Callee, Const, Count, Index, Label, Mask, Phase, Route, Slot, Step};

use crate::load::load;
use crate::verify::tests::sample::{empty, event, full};
use crate::verify::{PARAMETER_LIMIT, STACK_LIMIT, verify};

/// The error of the full sample after a change, the same with and without a way through bytes.
fn broken(change: impl FnOnce(&mut Artifact)) -> LoadError {
    let mut artifact = full();
    change(&mut artifact);
    let loaded = load(&artifact.to_bytes()).expect_err("an error");
    match verify(artifact) {
        Err(error) => assert_eq!(error, loaded),
        Ok(_) => panic!("the verifier passed what the loader refused"),
    }
    assert!(loaded.to_string().chars().next().is_some_and(|first| !first.is_uppercase()), "{loaded}");
    loaded
}

fn table(change: impl FnOnce(&mut Artifact)) -> TableFault {
    let error = broken(change);
    let LoadErrorKind::Table { fault, .. } = error.reason else { panic!("{error}") };
    fault
}

fn code(change: impl FnOnce(&mut Artifact)) -> CodeFault {
    let error = broken(change);
    let LoadErrorKind::Code { fault, .. } = error.reason else { panic!("{error}") };
    fault
}

/// The place of the `nth` instruction with this mnemonic.
fn place(artifact: &Artifact, mnemonic: &str, nth: usize) -> usize {
    let mut places = artifact.code.iter().enumerate().filter(|(_, op)| op.mnemonic() == mnemonic);
    places.nth(nth).expect("an instruction").0
}

/// The error after one instruction was replaced.
fn replaced(mnemonic: &str, nth: usize, op: Op) -> CodeFault {
    code(|artifact| {
        let place = place(artifact, mnemonic, nth);
        artifact.code[place] = op;
    })
}

fn misplaced(fault: &CodeFault) -> bool {
    matches!(fault, CodeFault::Misplaced { .. })
}

fn out_of_range(fault: &CodeFault, wanted: &str) -> bool {
    matches!(fault, CodeFault::OutOfRange { what, .. } if *what == wanted)
}

#[test]
fn the_samples_are_right() {
    load(&empty().to_bytes()).unwrap();
    let artifact = full();
    let program = load(&artifact.to_bytes()).unwrap();
    assert_eq!(program.artifact(), &artifact);
}

#[test]
fn operands_name_something() {
    assert!(out_of_range(&replaced("const", 0, Op::Const { value: Const(6) }), "constant"));
    assert!(out_of_range(&replaced("const", 0, Op::Const { value: Const(u32::MAX) }), "constant"));
    assert!(out_of_range(&replaced("store", 0, Op::Store { slot: Slot(10) }), "slot"));
    assert!(out_of_range(&replaced("load", 0, Op::Load { slot: Slot(3) }), "slot"));
    assert!(out_of_range(&replaced("step", 0, Op::Step { step: Step(4), end: Label(12) }), "step"));
    assert!(out_of_range(&replaced("act", 0, Op::Act { route: Route(2), given: Mask(1) }), "route"));
    assert!(out_of_range(&replaced("call", 0, Op::Call { callee: Callee(2), given: Mask(1) }), "macro"));
    assert!(out_of_range(&replaced("result", 0, Op::Result { index: Index(1) }), "result"));
    assert!(out_of_range(&replaced("output", 0, Op::Output { index: Index(6), slot: Slot(1) }), "output"));
    assert!(out_of_range(&replaced("output", 1, Op::Output { index: Index(1), slot: Slot(5) }), "output"));
    assert!(out_of_range(&replaced("output", 2, Op::Output { index: Index(1), slot: Slot(5) }), "output"));
    assert!(out_of_range(&replaced("output", 3, Op::Output { index: Index(1), slot: Slot(5) }), "output"));
    assert_eq!(replaced("env", 0, Op::Env { name: Const(3) }), CodeFault::NotText);
    assert_eq!(replaced("field", 0, Op::Field { name: Const(2) }), CodeFault::NotText);
    assert_eq!(replaced("step", 0, Op::Step { step: Step(1), end: Label(12) }), CodeFault::ForeignStep);
    assert_eq!(replaced("call", 0, Op::Call { callee: Callee(1), given: Mask(0) }), CodeFault::CallOrder);
}

#[test]
fn arguments_fit() {
    let last = Action::RunCommand.parameters().len() as u32;
    let act = |given| Op::Act { route: Route(0), given: Mask(given) };
    assert_eq!(replaced("act", 0, act(1 | 1 << last)), CodeFault::UnknownParameter { place: last });
    assert_eq!(replaced("act", 0, act(1 | 1 << 63)), CodeFault::UnknownParameter { place: 63 });
    assert_eq!(replaced("act", 0, act(2)), CodeFault::MissingParameter { name: "command".to_owned() });
    let call = |given| Op::Call { callee: Callee(0), given: Mask(given) };
    assert_eq!(replaced("call", 0, call(0)), CodeFault::MissingParameter { name: "who".to_owned() });
    assert_eq!(replaced("call", 0, call(3)), CodeFault::UnknownParameter { place: 1 });
    assert_eq!(replaced("act", 0, act(3)), CodeFault::Underflow { found: 1, needed: 2 });
    assert_eq!(replaced("act", 1, act(1)), CodeFault::WrongAction);
    assert_eq!(replaced("act", 2, Op::Act { route: Route(1), given: Mask(1) }), CodeFault::WrongAction);
    assert_eq!(replaced("act", 0, Op::Act { route: Route(1), given: Mask(1) }), CodeFault::WrongAction);
}

#[test]
fn labels_stay_and_lead_the_right_way() {
    let end = full().code.len() as u32;
    let middle = full().macros[1].start;
    for target in [end, u32::MAX, 0, middle - 1] {
        assert_eq!(replaced("jump", 1, Op::Jump { target: Label(target) }), CodeFault::LabelOutside, "{target}");
    }
    assert_eq!(replaced("jump", 0, Op::Jump { target: Label(middle) }), CodeFault::LabelOutside);
    assert_eq!(replaced("jump", 0, Op::Jump { target: Label(1) }), CodeFault::BackwardLabel);
    let itself = place(&full(), "jump", 0) as u32;
    assert_eq!(replaced("jump", 0, Op::Jump { target: Label(itself) }), CodeFault::BackwardLabel);
    assert_eq!(replaced("try", 0, Op::Try { handler: Label(0) }), CodeFault::BackwardLabel);
    assert_eq!(
        replaced("guard", 0, Op::Guard { finally: Label(end - 1) }),
        CodeFault::WrongTarget { expected: "`finally`" }
    );
    let verify = place(&full(), "verify", 0) as u32;
    assert_eq!(replaced("verify", 0, Op::Verify { again: Label(verify) }), CodeFault::ForwardLabel);
    assert_eq!(replaced("verify", 0, Op::Verify { again: Label(verify + 1) }), CodeFault::ForwardLabel);
    let act = place(&full(), "act", 1) as u32;
    assert_eq!(replaced("verify", 0, Op::Verify { again: Label(act) }), CodeFault::Join);
    assert_eq!(replaced("verify", 0, Op::Verify { again: Label(verify - 1) }), CodeFault::Join);
    assert!(misplaced(&replaced("retry", 0, Op::Retry { again: Label(0) })));
    let next = place(&full(), "next", 0) as u32;
    assert!(misplaced(&replaced("loop", 0, Op::Loop { next: Label(next + 1) })));
    assert!(misplaced(&replaced("retry", 1, Op::Retry { again: Label(next) })));
}

#[test]
fn the_stack_is_balanced() {
    assert_eq!(replaced("const", 0, Op::Clear { slot: Slot(0) }), CodeFault::Underflow { found: 1, needed: 2 });
    assert_eq!(
        replaced("list", 0, Op::List { count: Count(u16::MAX) }),
        CodeFault::Underflow { found: 2, needed: 65_535 }
    );
    assert_eq!(replaced("concat", 0, Op::Dict { count: Count(2) }), CodeFault::Underflow { found: 2, needed: 4 });
    assert_eq!(replaced("concat", 0, Op::Concat { count: Count(1) }), CodeFault::ValuesLeft { found: 1 });
    assert_eq!(replaced("or_else", 0, Op::JumpIf { target: Label(15) }), CodeFault::Join);
    let overflow = code(|artifact| {
        let end = artifact.macros[1].end;
        let last = artifact.code.pop().unwrap();
        artifact.code.extend((0..=STACK_LIMIT).map(|_| Op::Const { value: Const(0) }));
        artifact.code.push(last);
        artifact.macros[1].end = end + STACK_LIMIT + 1;
        artifact.debug.code.resize(artifact.code.len(), 0);
    });
    assert_eq!(overflow, CodeFault::Overflow { limit: STACK_LIMIT });
}

#[test]
fn steps_open_and_close_in_order() {
    let nothing = Op::Clear { slot: Slot(0) };
    for mnemonic in ["step", "try", "act", "end_try", "end_step", "settle", "jump"] {
        code(|artifact| {
            let place = place(artifact, mnemonic, 0);
            artifact.code[place] = nothing;
        });
    }
    assert!(misplaced(&replaced("output", 0, Op::EndStep {})));
    assert!(misplaced(&replaced("settle", 1, Op::EndTry {})));
    assert!(misplaced(&replaced("end_try", 0, Op::EndStep {})));
    assert!(misplaced(&replaced("end_step", 0, Op::Return {})));
    assert!(misplaced(&replaced("retry", 0, Op::EndTry {})));
    assert!(misplaced(&replaced("retry", 0, Op::Fallback { handler: Label(11) })));
    assert!(misplaced(&replaced("output", 0, Op::Try { handler: Label(9) })));
    assert!(misplaced(&replaced("jump", 0, Op::Settle {})));
    assert!(misplaced(&replaced("jump", 0, Op::Output { index: Index(0), slot: Slot(0) })));
    // A step that ends elsewhere than it says.
    let end = place(&full(), "end_step", 0) as u32;
    assert!(misplaced(&replaced("step", 0, Op::Step { step: Step(0), end: Label(end + 2) })));
}

#[test]
fn loops_keep_their_slots() {
    assert_eq!(replaced("append", 0, Op::Append { slot: Slot(2) }), CodeFault::LoopSlot);
    assert_eq!(replaced("append", 0, Op::Store { slot: Slot(3) }), CodeFault::LoopSlot);
    assert_eq!(replaced("output", 1, Op::Output { index: Index(0), slot: Slot(2) }), CodeFault::LoopSlot);
    let next = |list, index, item| {
        let end = place(&full(), "loop", 0) as u32 + 1;
        Op::Next { list: Slot(list), index: Slot(index), item: Slot(item), end: Label(end) }
    };
    assert_eq!(replaced("next", 0, next(2, 3, 3)), CodeFault::LoopSlot);
    assert_eq!(replaced("next", 0, next(2, 3, 2)), CodeFault::LoopSlot);
    assert!(misplaced(&replaced("next", 0, next(2, 4, 5))));
    assert!(misplaced(&replaced("each", 0, Op::Store { slot: Slot(2) })));
    assert_eq!(replaced("loop", 0, Op::Clear { slot: Slot(0) }), CodeFault::Join);
}

#[test]
fn the_finally_block_is_whole() {
    assert!(misplaced(&replaced("guard", 0, Op::Clear { slot: Slot(0) })));
    assert_eq!(replaced("finally", 0, Op::Clear { slot: Slot(0) }), CodeFault::WrongTarget { expected: "`finally`" });
    assert!(misplaced(&replaced("end_finally", 0, Op::Clear { slot: Slot(0) })));
    let finally = Label(place(&full(), "finally", 0) as u32);
    assert_eq!(replaced("store", 0, Op::Guard { finally }), CodeFault::ValuesLeft { found: 1 });
    assert!(misplaced(&replaced("end_finally", 0, Op::Guard { finally: Label(full().macros[1].end - 1) })));
    assert!(misplaced(&replaced("end_finally", 0, Op::Return {})));
}

#[test]
fn macros_end_in_return() {
    assert_eq!(replaced("return", 1, Op::Clear { slot: Slot(0) }), CodeFault::FallsOff);
    let target = Label(full().macros[1].end - 1);
    assert_eq!(replaced("return", 1, Op::Jump { target }), CodeFault::BackwardLabel);
}

#[test]
fn phases_have_their_places() {
    assert!(misplaced(&replaced("demand", 0, Op::Demand { phase: Phase::Verify })));
    let target = Label(place(&full(), "skip_simulated", 0) as u32 + 1);
    assert!(misplaced(&replaced("skip_simulated", 0, Op::SkipSimulated { phase: Phase::Precondition, target })));
    let target = Label(place(&full(), "skip_simulated", 1) as u32 + 1);
    assert!(misplaced(&replaced("skip_simulated", 1, Op::SkipSimulated { phase: Phase::Verify, target })));
}

#[test]
fn macros_follow_one_another() {
    let range = |change: fn(&mut Artifact)| matches!(table(change), TableFault::CodeRange { .. });
    assert!(range(|artifact| artifact.macros[0].start = 1));
    assert!(range(|artifact| artifact.macros[0].end += 1));
    assert!(range(|artifact| artifact.macros[0].end = 0));
    assert!(range(|artifact| artifact.macros[1].end -= 1));
    assert!(range(|artifact| artifact.macros[1].end = u32::MAX));
    assert!(range(|artifact| artifact.macros.swap(0, 1)));
    assert!(range(|artifact| {
        artifact.macros.pop();
    }));
    assert_eq!(table(|artifact| artifact.macros.clear()), TableFault::Empty { what: "macro" });
}

#[test]
fn parameters_are_what_they_say() {
    assert_eq!(table(|artifact| artifact.macros[1].slots = 1), TableFault::Slots);
    let wrong = |change: fn(&mut Artifact)| matches!(table(change), TableFault::WrongType { .. });
    assert!(wrong(|artifact| artifact.macros[1].parameters[1].default = Some(0)));
    assert!(wrong(|artifact| artifact.macros[1].parameters[1].choices.push(3)));
    assert!(wrong(|artifact| artifact.macros[1].parameters[1].min = Some(0)));
    assert!(wrong(|artifact| artifact.macros[1].parameters[0].max = Some(4)));
    let missing =
        |change: fn(&mut Artifact)| matches!(table(change), TableFault::OutOfRange { index: 6, count: 6, .. });
    assert!(missing(|artifact| artifact.macros[1].parameters[1].default = Some(6)));
    assert!(missing(|artifact| artifact.macros[1].parameters[1].choices.push(6)));
    assert!(missing(|artifact| artifact.macros[1].parameters[1].max = Some(6)));
    assert!(missing(|artifact| artifact.macros[1].parameters[1].example = Some(6)));
    assert!(matches!(
        table(|artifact| artifact.macros[1].parameters[1].name = "items".to_owned()),
        TableFault::Duplicate { what: "parameter", .. }
    ));
    assert!(matches!(
        table(|artifact| {
            let twin = ResultRecord { name: "file".to_owned(), kind: ResultKind::Value, description: String::new() };
            artifact.macros[1].results.push(twin);
        }),
        TableFault::Duplicate { what: "result", .. }
    ));
    assert!(matches!(
        table(|artifact| {
            let one = artifact.macros[1].parameters[1].clone();
            artifact.macros[1].parameters = vec![one; PARAMETER_LIMIT as usize + 1];
        }),
        TableFault::TooMany { .. }
    ));
}

#[test]
fn steps_are_what_they_say() {
    assert_eq!(table(|artifact| artifact.steps[0].outputs.clear()), TableFault::Outputs);
    assert_eq!(table(|artifact| artifact.steps[2].outputs[0].push('x')), TableFault::Outputs);
    assert_eq!(table(|artifact| artifact.steps[2].kind = StepKind::Call { callee: 1 }), TableFault::CallOrder);
    assert_eq!(table(|artifact| artifact.steps[2].on_failure = OnFailure::Skip), TableFault::MustRun);
    assert_eq!(code(|artifact| artifact.steps[1].must_run = true), CodeFault::MustRun);
    let missing = |change: fn(&mut Artifact)| matches!(table(change), TableFault::OutOfRange { .. });
    assert!(missing(|artifact| artifact.steps[0].owner = 2));
    assert!(missing(|artifact| artifact.steps[0].kind = StepKind::Act { route: 2, fallback: None }));
    assert!(missing(|artifact| artifact.steps[0].kind = StepKind::Act { route: 0, fallback: Some(2) }));
    assert!(missing(|artifact| artifact.steps[2].kind = StepKind::Call { callee: 2 }));
    let many = |change: fn(&mut Artifact)| matches!(table(change), TableFault::TooMany { .. });
    assert!(many(|artifact| artifact.steps[0].timeout_us = u64::MAX));
    assert!(many(|artifact| artifact.steps[0].within_us = u64::MAX));
    assert!(many(|artifact| artifact.steps[0].backoff_us.push(u64::MAX)));
    assert!(many(|artifact| artifact.steps[0].retries = u32::MAX));
    assert!(many(|artifact| artifact.macros[0].timeout_us = Some(u64::MAX)));
    assert!(matches!(
        table(|artifact| artifact.steps[3].id = "each".to_owned()),
        TableFault::Duplicate { what: "step", .. }
    ));
    assert_eq!(
        table(|artifact| artifact.steps[3].kind = StepKind::Act { route: 0, fallback: Some(0) }),
        TableFault::NoFallback
    );
    let unused = table(|artifact| {
        let mut step = artifact.steps[3].clone();
        step.id = "unused".to_owned();
        artifact.steps.push(step);
        artifact.debug.steps.push(0);
    });
    assert_eq!(unused, TableFault::StepUses { found: 0 });
    let twice = replaced("step", 3, Op::Step { step: Step(2), end: Label(place(&full(), "end_finally", 0) as u32) });
    assert_eq!(twice, CodeFault::WrongAction);
}

#[test]
fn routes_lead_to_the_same() {
    let routed = |actions: &[Action]| {
        let actions = actions.iter().map(|action| *action as u8).collect();
        table(|artifact| artifact.routes[1] = RouteRecord { actions })
    };
    assert_eq!(routed(&[]), TableFault::Empty { what: "action" });
    let not_equivalent = |fault| matches!(fault, TableFault::NotEquivalent { .. });
    assert!(not_equivalent(routed(&[Action::VisualTypeText, Action::VisualTypeText])));
    assert!(not_equivalent(routed(&[Action::VisualTypeText, Action::UiTypeText, Action::UiTypeText])));
    assert!(not_equivalent(routed(&[Action::VisualTypeText, Action::RunCommand])));
    assert_eq!(table(|artifact| artifact.routes[1].actions[1] = 0), TableFault::UnknownAction(0));
    assert_eq!(table(|artifact| artifact.routes[0].actions[0] = 0xFF), TableFault::UnknownAction(0xFF));
}

#[test]
fn constants_are_well_formed() {
    assert_eq!(table(|artifact| artifact.constants.list[2] = Constant::List(vec![2])), TableFault::Constant);
    assert_eq!(table(|artifact| artifact.constants.list[5] = Constant::Dict(vec![(4, 0)])), TableFault::Constant);
    assert_eq!(table(|artifact| artifact.constants.list[4] = Constant::Float(f64::INFINITY)), TableFault::Constant);
}

#[test]
fn recordings_and_images_are_whole() {
    let wrong = |change: fn(&mut Artifact)| matches!(table(change), TableFault::Event { .. });
    // It has one text and one blank, and no blank is an image.
    assert!(wrong(|artifact| artifact.streams[0].events[0].text = 3));
    assert!(wrong(
        |artifact| (artifact.streams[0].events[1].kind, artifact.streams[0].events[1].text) = (EventKind::WaitImage, 2)
    ));
    assert!(wrong(|artifact| artifact.streams[0].events[1].text = 0));
    assert!(wrong(|artifact| artifact.streams[0].events[0].button = 4));
    assert!(wrong(|artifact| artifact.streams[0].events[0].kind = EventKind::ButtonDown));
    assert!(wrong(|artifact| artifact.streams[0].events[2].step = 2));
    assert_eq!(
        table(|artifact| artifact.streams[0].events.push(event(0, EventKind::Move, 0, 1))),
        TableFault::TimeOrder { event: 3 }
    );
    assert!(matches!(
        table(|artifact| artifact.images.push(artifact.images[0].clone())),
        TableFault::Duplicate { what: "image", .. }
    ));
    assert!(matches!(
        table(|artifact| artifact.streams.push(artifact.streams[0].clone())),
        TableFault::Duplicate { what: "recording", .. }
    ));
    let mut artifact = full();
    artifact.images[0].width = 5;
    assert!(verify(artifact.clone()).is_err());
    assert!(load(&artifact.to_bytes()).is_err());
}

#[test]
fn places_are_there() {
    assert!(matches!(
        table(|artifact| {
            artifact.debug.code.pop();
        }),
        TableFault::Mismatch { .. }
    ));
    assert!(matches!(table(|artifact| artifact.debug.steps.push(0)), TableFault::Mismatch { .. }));
    assert!(matches!(table(|artifact| artifact.debug.code[3] = 1), TableFault::OutOfRange { what: "place", .. }));
    assert!(matches!(table(|artifact| artifact.debug.places[0].file = 1), TableFault::OutOfRange { what: "file", .. }));
}

#[test]
fn the_manifest_claims_what_is_used() {
    let left_out = |change: fn(&mut Artifact)| matches!(table(change), TableFault::Unclaimed { .. });
    assert!(left_out(|artifact| {
        artifact.manifest.backends.pop();
    }));
    assert!(left_out(|artifact| artifact.manifest.environment.clear()));
}
