//! Programs no compiler makes and no verifier passes: they may fail in any way, but the machine neither panics nor hangs.

use proptest::prelude::{ProptestConfig, any, prop, proptest};
use spec::action::Action;
use spec::artifact::TypeTag;
use spec::op::Op;
use spec::value::{Dict, Value};

use crate::machine::tests::assembler::{Assembler, Spec, call, parameter, run_step, text};
use crate::machine::tests::go_unverified;
use crate::simulated::{Script, Simulated};

/// An instruction from the table with small operands; labels go forward only, so that nothing can run for ever.
fn instruction(row: usize, operands: &[u8], at: usize) -> Option<Op> {
    let row = Op::TABLE[row % Op::TABLE.len()];
    let mut bytes = vec![row.number];
    for ((_, kind), small) in row.operands.iter().zip(operands) {
        let small = u64::from(*small);
        let (value, width) = match *kind {
            "Label" => (at as u64 + 1 + small % 12, 4),
            "Mask" => (small % 4, 8),
            "Phase" | "Condition" => (1 + small % 3, 1),
            "Setting" => (1 + small % 4, 1),
            "Function" => (1 + small % 21, 1),
            "Slot" => (small % 6, 2),
            "Count" | "Index" => (small % 4, 2),
            _ => (small % 5, 4),
        };
        bytes.extend_from_slice(&value.to_le_bytes()[..width]);
    }
    Op::read(&mut bytes.as_slice())
}

/// A callee with steps, then a main macro of random instructions around a step.
fn program(code: &[(usize, [u8; 4])], middle: bool) -> Assembler {
    let mut assembler = Assembler::default();
    for value in [
        Value::Boolean(true),
        Value::Integer(7),
        Value::String("text".to_owned()),
        Value::List(vec![Value::Integer(1), Value::Null]),
        Value::Dict(Dict::from_iter([("text".to_owned(), Value::Float(1.5))])),
    ] {
        assembler.constant(&value);
    }
    assembler.parameter(parameter("p", TypeTag::String));
    assembler.step(Spec { retries: 1, outputs: vec![(0, 2)], ..run_step("inner") });
    assembler.result("r", spec::artifact::ResultKind::Value, &text("r"));
    let callee = assembler.end("callee");
    assembler.parameter(parameter("p", TypeTag::String));
    assembler.result("r", spec::artifact::ResultKind::Path, &text("/nowhere"));
    for place in 0..12 {
        // Something to work on, so that code comes further than its first instruction.
        assembler.push(Op::Const { value: spec::operand::Const(place % 5) });
        assembler.push(Op::Store { slot: spec::operand::Slot(place as u16 % 5 + 1) });
        assembler.push(Op::Const { value: spec::operand::Const((place + 3) % 5) });
    }
    for (row, operands) in code {
        let at = assembler.artifact.code.len();
        if let Some(op) = instruction(*row, operands, at) {
            assembler.push(op);
        }
        if middle && at.is_multiple_of(7) {
            assembler.step(Spec { when: None, retries: 1, ..call("outer", callee, vec![text("x")]) });
        }
    }
    assembler
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn crafted_code_neither_panics_nor_hangs(
        code in prop::collection::vec((any::<usize>(), any::<[u8; 4]>()), 0..60),
        middle in any::<bool>(),
        real in any::<bool>(),
    ) {
        let script = Script::default().signal(Action::RunCommand, 3, 2).fail(Action::RunCommand, 1, scripted_failure());
        let mut world = Simulated::default().scripted(script);
        if real {
            world = world.as_if_real();
        }
        let report = go_unverified(program(&code, middle), &mut world);
        assert!(report.success() || report.results.is_empty());
    }
}

fn scripted_failure() -> crate::failure::Failure {
    crate::failure::Failure::step("scripted")
}
