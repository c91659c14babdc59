//! What each instruction does to the stack and where control can go after it: one truth for compiler, verifier and machine.

use crate::op::Op;
use crate::operand::Label;

/// What an instruction takes, leaves and leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackEffect {
    /// How many values it takes from the stack.
    pub pops: u32,
    /// How many values it leaves when control goes on with the next instruction.
    pub pushes: u32,
    /// Whether control can go on with the next instruction.
    pub falls: bool,
    /// Where else control can go, at once or when something inside fails.
    pub branch: Option<Branch>,
    /// Whether the stack must be empty once the values are taken: statements do not nest in expressions.
    pub statement: bool,
}

/// A way to a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Where it leads.
    pub to: Label,
    /// How many values are left on this way.
    pub pushes: u32,
    /// Whether it leads to an earlier instruction; otherwise to a later one.
    pub back: bool,
}

impl Op {
    /// What the instruction takes, leaves and leads to.
    pub const fn effect(&self) -> StackEffect {
        match *self {
            Op::Const { .. } | Op::Load { .. } | Op::LoadMaybe { .. } | Op::Env { .. } => value(0),
            Op::Store { .. } => plain(1, 0),
            Op::Clear { .. } => plain(0, 0),
            Op::Concat { count } | Op::List { count } => value(count.0 as u32),
            Op::Dict { count } => value(count.0 as u32 * 2),
            Op::Field { .. } | Op::Not {} | Op::Neg {} | Op::Bool {} => value(1),
            Op::Index {}
            | Op::Eq {}
            | Op::Ne {}
            | Op::Lt {}
            | Op::Le {}
            | Op::Gt {}
            | Op::Ge {}
            | Op::Add {}
            | Op::Sub {}
            | Op::Mul {}
            | Op::Div {}
            | Op::Rem {} => value(2),
            Op::Apply { function } => value(function.arguments().len() as u32),
            Op::Test { condition } => value(condition.operands().len() as u32),
            Op::Jump { target } => ends(plain(0, 0).to(target)),
            Op::JumpUnless { target } | Op::JumpIf { target } => plain(1, 0).to(target),
            Op::OrElse { target } => {
                StackEffect { branch: Some(Branch { to: target, pushes: 1, back: false }), ..plain(1, 0) }
            }
            Op::Demand { .. }
            | Op::When {}
            | Op::Limit {}
            | Op::Policy { .. }
            | Op::Total {}
            | Op::Append { .. }
            | Op::Each { .. }
            | Op::Result { .. } => statement(1),
            Op::SkipSimulated { target, .. } => statement(0).to(target),
            Op::Step { end, .. } | Op::Next { end, .. } => statement(0).to(end),
            Op::Try { handler } | Op::Fallback { handler } => statement(0).to(handler),
            Op::Act { given, .. } | Op::Call { given, .. } => statement(given.0.count_ones()),
            Op::Verify { again } => statement(1).back(again),
            Op::Retry { again } => statement(0).back(again),
            Op::Loop { next } => ends(statement(0).back(next)),
            Op::Guard { finally } => statement(0).to(finally),
            Op::Output { .. } | Op::EndTry {} | Op::EndStep {} | Op::Finally {} | Op::EndFinally {} => statement(0),
            Op::Settle {} | Op::Return {} => ends(statement(0)),
        }
    }
}

impl StackEffect {
    const fn to(self, label: Label) -> Self {
        Self { branch: Some(Branch { to: label, pushes: 0, back: false }), ..self }
    }

    const fn back(self, label: Label) -> Self {
        Self { branch: Some(Branch { to: label, pushes: 0, back: true }), ..self }
    }
}

const fn plain(pops: u32, pushes: u32) -> StackEffect {
    StackEffect { pops, pushes, falls: true, branch: None, statement: false }
}

const fn value(pops: u32) -> StackEffect {
    plain(pops, 1)
}

const fn statement(pops: u32) -> StackEffect {
    StackEffect { statement: true, ..plain(pops, 0) }
}

const fn ends(effect: StackEffect) -> StackEffect {
    StackEffect { falls: false, ..effect }
}

#[cfg(test)]
mod tests {
    use crate::op::Op;
    use crate::operand::{Count, Function, Label, Mask, Route};

    #[test]
    fn counts_come_from_operands() {
        assert_eq!(Op::Dict { count: Count(3) }.effect().pops, 6);
        assert_eq!(Op::Dict { count: Count(u16::MAX) }.effect().pops, 131_070);
        assert_eq!(Op::Apply { function: Function::Replace }.effect().pops, 3);
        assert_eq!(Op::Act { route: Route(0), given: Mask(0b1011) }.effect().pops, 3);
    }

    #[test]
    fn a_fallback_value_stays_only_on_its_way() {
        let effect = Op::OrElse { target: Label(9) }.effect();
        assert_eq!((effect.pops, effect.pushes, effect.branch.map(|branch| branch.pushes)), (1, 0, Some(1)));
    }

    #[test]
    fn every_label_is_a_way() {
        for row in Op::TABLE {
            let bytes = [&[row.number][..], &[1; 32]].concat();
            let op = Op::read(&mut &bytes[..]).unwrap();
            let labels = row.operands.iter().filter(|(_, kind)| *kind == "Label").count();
            assert_eq!(op.effect().branch.is_some() as usize, labels, "{}", row.mnemonic);
        }
    }
}
