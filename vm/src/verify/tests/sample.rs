//! A small artifact that uses everything once.

use spec::action::Action;
use spec::artifact::{
    Artifact, Constant, Constants, Debug, Event, EventKind, Image, Macro, Manifest, Meta, OnFailure, ParameterRecord,
    Place, ResultKind, ResultRecord, RouteRecord, StepKind, StepRecord, Stream, TypeTag,
};
use spec::op::Op;
use spec::operand::{Callee, Condition, Const, Count, Function, Index, Label, Mask, Phase, Route, Slot, Step};

/// An instruction, or a label before the next one.
pub enum Item {
    At(&'static str),
    Do(Op),
}

/// Finds labels.
pub type Labels<'a> = &'a dyn Fn(&str) -> Label;

/// Appends code to an artifact's; `body` is asked twice, the second time with the labels in place.
pub fn assemble(code: &mut Vec<Op>, body: impl Fn(Labels<'_>) -> Vec<Item>) {
    let start = code.len() as u32;
    let mut labels = Vec::new();
    let mut at = start;
    for item in body(&|_| Label(0)) {
        match item {
            Item::At(name) => labels.push((name, at)),
            Item::Do(_) => at += 1,
        }
    }
    let find = |wanted: &str| Label(labels.iter().find(|(name, _)| *name == wanted).expect("a label").1);
    code.extend(body(&find).into_iter().filter_map(|item| match item {
        Item::At(_) => None,
        Item::Do(op) => Some(op),
    }));
}

pub fn macro_record(name: &str, slots: u16, start: usize, end: usize) -> Macro {
    Macro {
        name: name.to_owned(),
        slots,
        start: start as u32,
        end: end as u32,
        timeout_us: Some(60_000_000),
        ..Macro::default()
    }
}

pub fn parameter(name: &str, ty: TypeTag) -> ParameterRecord {
    ParameterRecord {
        name: name.to_owned(),
        ty,
        required: true,
        secret: false,
        needed: false,
        default: None,
        choices: Vec::new(),
        min: None,
        max: None,
        description: String::new(),
        example: None,
    }
}

pub fn step(id: &str, owner: u32, kind: StepKind, outputs: &[&str]) -> StepRecord {
    StepRecord {
        id: id.to_owned(),
        owner,
        kind,
        recovery: false,
        must_run: false,
        timeout_us: 30_000_000,
        retries: 2,
        backoff_us: vec![1_000_000],
        on_failure: OnFailure::Fail,
        within_us: 0,
        outputs: outputs.iter().map(|name| (*name).to_owned()).collect(),
    }
}

/// One place for everything.
pub fn places(artifact: &mut Artifact) {
    artifact.debug = Debug {
        files: vec!["a.yaml".to_owned()],
        places: vec![Place { file: 0, line: 1, column: 1, end_line: 1, end_column: 2 }],
        code: vec![0; artifact.code.len()],
        steps: vec![0; artifact.steps.len()],
    };
}

/// The smallest program: a macro that does nothing.
pub fn empty() -> Artifact {
    let mut artifact =
        Artifact { code: vec![Op::Return {}], macros: vec![macro_record("empty", 0, 0, 1)], ..Artifact::default() };
    places(&mut artifact);
    artifact
}

/// A called macro, and one with a loop, a condition, tries, a fallback, a verification, a call and a `finally` block.
pub fn full() -> Artifact {
    let names = |action: Action| action.outputs().iter().map(|output| output.name).collect::<Vec<_>>();
    let mut code = Vec::new();
    assemble(&mut code, callee);
    let middle = code.len();
    assemble(&mut code, caller);
    let mut called = macro_record("greet", 3, 0, middle);
    called.parameters = vec![parameter("who", TypeTag::String)];
    called.results =
        vec![ResultRecord { name: "text".to_owned(), kind: ResultKind::Value, description: String::new() }];
    let mut main = macro_record("main", 10, middle, code.len());
    main.parameters = vec![parameter("items", TypeTag::List), parameter("count", TypeTag::Integer)];
    main.parameters[1].required = false;
    main.parameters[1].default = Some(4);
    main.parameters[1].choices = vec![4];
    main.parameters[1].min = Some(4);
    main.results = vec![ResultRecord { name: "file".to_owned(), kind: ResultKind::Path, description: String::new() }];
    let mut greeted = step("greeted", 1, StepKind::Call { callee: 0 }, &["text"]);
    greeted.must_run = true;
    let mut artifact = Artifact {
        meta: Meta { name: "main".to_owned(), version: "1.0".to_owned(), ..Meta::default() },
        constants: Constants {
            list: vec![
                Constant::String("echo".to_owned()),
                Constant::String("HOME".to_owned()),
                Constant::List(vec![0, 1]),
                Constant::Boolean(true),
                Constant::Integer(3),
                Constant::Dict(vec![(0, 2)]),
            ],
        },
        code,
        macros: vec![called, main],
        steps: vec![
            step("run", 0, StepKind::Act { route: 0, fallback: None }, &names(Action::RunCommand)),
            step("each", 1, StepKind::Act { route: 1, fallback: Some(0) }, &names(Action::VisualTypeText)),
            greeted,
            step("clean", 1, StepKind::Act { route: 0, fallback: None }, &names(Action::RunCommand)),
        ],
        routes: vec![
            RouteRecord { actions: vec![Action::RunCommand as u8] },
            RouteRecord { actions: vec![Action::VisualTypeText as u8, Action::UiTypeText as u8] },
        ],
        streams: vec![Stream {
            path: "a.json".to_owned(),
            screen: (1920, 1080),
            layout_hash: "x".to_owned(),
            steps: 2,
            events: vec![
                event(5, EventKind::Move, 0, 0),
                event(9, EventKind::WaitFile, 1, 0),
                event(1, EventKind::Sleep, 0, 1),
            ],
            texts: vec!["/tmp/a".to_owned()],
            blanks: vec!["${x}".to_owned()],
        }],
        images: vec![Image { path: "a.png".to_owned(), width: 3, height: 2, rgba: vec![9; 24] }],
        manifest: Manifest {
            backends: vec!["native_api".to_owned(), "visual_anchor".to_owned()],
            environment: vec!["HOME".to_owned()],
            ..Manifest::default()
        },
        debug: Debug::default(),
    };
    places(&mut artifact);
    artifact
}

pub fn event(at_us: u64, kind: EventKind, text: u32, step: u32) -> Event {
    Event { at_us, kind, button: 0, modifiers: 0, x: 1, y: 2, value: 0, text, step, duration_ms: 0 }
}

fn callee(l: Labels<'_>) -> Vec<Item> {
    use Item::{At, Do};
    vec![
        Do(Op::Step { step: Step(0), end: l("E") }),
        At("T"),
        Do(Op::Try { handler: l("H") }),
        Do(Op::Const { value: Const(0) }),
        Do(Op::Load { slot: Slot(0) }),
        Do(Op::List { count: Count(2) }),
        Do(Op::Act { route: Route(0), given: Mask(1) }),
        Do(Op::Output { index: Index(1), slot: Slot(1) }),
        Do(Op::EndTry {}),
        Do(Op::Jump { target: l("D") }),
        At("H"),
        Do(Op::Retry { again: l("T") }),
        Do(Op::Settle {}),
        At("D"),
        Do(Op::EndStep {}),
        At("E"),
        Do(Op::LoadMaybe { slot: Slot(1) }),
        Do(Op::OrElse { target: l("O") }),
        Do(Op::Env { name: Const(1) }),
        At("O"),
        Do(Op::Apply { function: Function::Trim }),
        Do(Op::Result { index: Index(0) }),
        Do(Op::Return {}),
    ]
}

fn caller(l: Labels<'_>) -> Vec<Item> {
    use Item::{At, Do};
    vec![
        Do(Op::Const { value: Const(0) }),
        Do(Op::Test { condition: Condition::FileExists }),
        Do(Op::Not {}),
        Do(Op::Demand { phase: Phase::Precondition }),
        Do(Op::Guard { finally: l("F") }),
        // A loop over a step with a condition, a fallback and a verification.
        Do(Op::Const { value: Const(2) }),
        Do(Op::Store { slot: Slot(7) }),
        Do(Op::Load { slot: Slot(0) }),
        Do(Op::Each { list: Slot(2), index: Slot(3) }),
        At("N"),
        Do(Op::Next { list: Slot(2), index: Slot(3), item: Slot(4), end: l("X") }),
        Do(Op::Step { step: Step(1), end: l("E1") }),
        Do(Op::Load { slot: Slot(3) }),
        Do(Op::Const { value: Const(4) }),
        Do(Op::Lt {}),
        Do(Op::When {}),
        At("T1"),
        Do(Op::Try { handler: l("H1") }),
        Do(Op::Load { slot: Slot(4) }),
        Do(Op::Act { route: Route(1), given: Mask(1) }),
        Do(Op::Output { index: Index(0), slot: Slot(5) }),
        Do(Op::SkipSimulated { phase: Phase::Verify, target: l("S1") }),
        At("V1"),
        Do(Op::Const { value: Const(3) }),
        Do(Op::JumpUnless { target: l("W1") }),
        At("W1"),
        Do(Op::Const { value: Const(0) }),
        Do(Op::Test { condition: Condition::FileExists }),
        Do(Op::Verify { again: l("V1") }),
        At("S1"),
        Do(Op::EndTry {}),
        Do(Op::Jump { target: l("D1") }),
        At("H1"),
        Do(Op::Retry { again: l("T1") }),
        Do(Op::Fallback { handler: l("G1") }),
        Do(Op::Const { value: Const(2) }),
        Do(Op::Act { route: Route(0), given: Mask(1) }),
        Do(Op::Output { index: Index(0), slot: Slot(6) }),
        Do(Op::EndTry {}),
        Do(Op::Jump { target: l("D1") }),
        At("G1"),
        Do(Op::Settle {}),
        At("D1"),
        Do(Op::EndStep {}),
        At("E1"),
        Do(Op::LoadMaybe { slot: Slot(5) }),
        Do(Op::Append { slot: Slot(7) }),
        Do(Op::Loop { next: l("N") }),
        At("X"),
        // A call.
        Do(Op::Step { step: Step(2), end: l("E2") }),
        At("T2"),
        Do(Op::Try { handler: l("H2") }),
        Do(Op::Const { value: Const(0) }),
        Do(Op::Call { callee: Callee(0), given: Mask(1) }),
        Do(Op::Output { index: Index(0), slot: Slot(8) }),
        Do(Op::EndTry {}),
        Do(Op::Jump { target: l("D2") }),
        At("H2"),
        Do(Op::Retry { again: l("T2") }),
        Do(Op::Settle {}),
        At("D2"),
        Do(Op::EndStep {}),
        At("E2"),
        Do(Op::SkipSimulated { phase: Phase::Postcondition, target: l("P") }),
        Do(Op::Const { value: Const(3) }),
        Do(Op::Demand { phase: Phase::Postcondition }),
        At("P"),
        Do(Op::Load { slot: Slot(8) }),
        Do(Op::Const { value: Const(5) }),
        Do(Op::Field { name: Const(0) }),
        Do(Op::Concat { count: Count(2) }),
        Do(Op::Result { index: Index(0) }),
        At("F"),
        Do(Op::Finally {}),
        Do(Op::Step { step: Step(3), end: l("E3") }),
        Do(Op::Try { handler: l("H3") }),
        Do(Op::Const { value: Const(2) }),
        Do(Op::Act { route: Route(0), given: Mask(1) }),
        Do(Op::EndTry {}),
        Do(Op::Jump { target: l("D3") }),
        At("H3"),
        Do(Op::Settle {}),
        At("D3"),
        Do(Op::EndStep {}),
        At("E3"),
        Do(Op::EndFinally {}),
        Do(Op::Return {}),
    ]
}
