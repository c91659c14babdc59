//! A small artifact for tests.

use crate::action::Action;
use crate::artifact::{
    Artifact, Constant, Constants, Debug, Image, Macro, Manifest, Meta, OnFailure, ParameterRecord, Place, ResultKind,
    ResultRecord, RouteRecord, StepKind, StepRecord, TypeTag,
};
use crate::op::Op;
use crate::operand::{Const, Function, Index, Label, Mask, Route, Slot, Step};

/// A macro with one step.
pub fn artifact() -> Artifact {
    let code = vec![
        Op::Step { step: Step(0), end: Label(11) },
        Op::Try { handler: Label(8) },
        Op::Const { value: Const(3) },
        Op::Load { slot: Slot(0) },
        Op::Act { route: Route(0), given: Mask(3) },
        Op::Output { index: Index(1), slot: Slot(2) },
        Op::EndTry {},
        Op::Jump { target: Label(10) },
        Op::Retry { again: Label(1) },
        Op::Settle {},
        Op::EndStep {},
        Op::LoadMaybe { slot: Slot(2) },
        Op::Apply { function: Function::Trim },
        Op::Result { index: Index(0) },
        Op::Return {},
    ];
    let place = |line, column| Place { file: 0, line, column, end_line: line, end_column: column + 3 };
    Artifact {
        meta: Meta { name: "demo".to_owned(), version: "1.0".to_owned(), ..Meta::default() },
        constants: Constants {
            list: vec![
                Constant::String("world".to_owned()),
                Constant::String("echo".to_owned()),
                Constant::String("hi".to_owned()),
                Constant::List(vec![1, 2]),
            ],
        },
        debug: Debug {
            files: vec!["demo.yaml".to_owned()],
            places: vec![place(4, 5), place(6, 7)],
            code: vec![0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0],
            steps: vec![0],
        },
        macros: vec![Macro {
            name: "demo".to_owned(),
            parameters: vec![parameter("who", TypeTag::String, Some(0)), parameter("count", TypeTag::Integer, None)],
            results: vec![ResultRecord {
                name: "said".to_owned(),
                kind: ResultKind::Value,
                description: String::new(),
            }],
            slots: 3,
            start: 0,
            end: code.len() as u32,
            timeout_us: None,
        }],
        code,
        steps: vec![StepRecord {
            id: "greet".to_owned(),
            owner: 0,
            kind: StepKind::Act { route: 0, fallback: None },
            recovery: false,
            must_run: true,
            timeout_us: 30_000_000,
            retries: 2,
            backoff_us: vec![1000, 2000],
            on_failure: OnFailure::Fail,
            within_us: 0,
            outputs: Action::RunCommand.outputs().iter().map(|output| output.name.to_owned()).collect(),
        }],
        routes: vec![RouteRecord { actions: vec![Action::RunCommand as u8] }],
        streams: Vec::new(),
        images: vec![Image { path: "a.png".to_owned(), width: 1, height: 1, rgba: vec![1, 2, 3, 255] }],
        manifest: Manifest { backends: vec!["native_api".to_owned()], ..Manifest::default() },
    }
}

fn parameter(name: &str, ty: TypeTag, default: Option<u32>) -> ParameterRecord {
    ParameterRecord {
        name: name.to_owned(),
        ty,
        required: default.is_none(),
        secret: false,
        needed: false,
        default,
        choices: Vec::new(),
        min: None,
        max: None,
        description: String::new(),
        example: None,
    }
}
