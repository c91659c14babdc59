//! Operands by name.

use std::collections::BTreeMap;

use crate::action::Action;
use crate::artifact::disasm::{constant, one_line, route};
use crate::artifact::{Artifact, Macro};
use crate::op::Op;
use crate::operand::{
    Callee, Condition, Const, Count, Function, Index, Label, Mask, Phase, Route, Setting, Slot, Step,
};

/// What operands can name, and what the instructions before have opened.
pub(super) struct Names<'a> {
    artifact: &'a Artifact,
    record: &'a Macro,
    labels: &'a BTreeMap<u32, usize>,
    /// The outputs of the step at hand.
    outputs: &'a [String],
    /// The parameters of the action or macro the mask after it belongs to.
    parameters: Vec<&'a str>,
}

trait Shown {
    fn show(self, names: &mut Names<'_>) -> String;
}

macro_rules! instructions {
    ($($(#[doc = $doc:literal])* $number:literal $mnemonic:ident $Op:ident { $($field:ident: $kind:ident),* };)*) => {
        fn operands(names: &mut Names<'_>, op: &Op) -> Vec<(&'static str, String)> {
            match *op { $(Op::$Op { $($field),* } => vec![$((stringify!($field), Shown::show($field, names))),*],)* }
        }
    };
}

crate::for_each_op!(instructions);

impl<'a> Names<'a> {
    pub fn new(artifact: &'a Artifact, record: &'a Macro, labels: &'a BTreeMap<u32, usize>) -> Self {
        Self { artifact, record, labels, outputs: &[], parameters: Vec::new() }
    }

    /// An instruction: its mnemonic, its first operand, the others by name.
    pub fn instruction(&mut self, op: &Op) -> String {
        // An index means a result of the macro here, and an output of what was just done everywhere else.
        if let Op::Result { index } = op {
            return match self.record.results.get(index.index()) {
                Some(result) => format!("result {}", one_line(&result.name)),
                None => format!("result {index}"),
            };
        }
        let mut text = op.mnemonic().to_owned();
        for (place, (name, operand)) in operands(self, op).into_iter().enumerate() {
            let named = place > 0 && name != "given";
            text.push_str(&if named { format!(" {name}={operand}") } else { format!(" {operand}") });
        }
        text
    }

    fn done(&mut self, route: u32) {
        let action = self.artifact.routes.get(route as usize);
        let action = action.and_then(|record| record.actions.first()).copied().and_then(Action::by_number);
        let names = action.map(|action| action.parameters().iter().map(|one| one.name).collect());
        self.parameters = names.unwrap_or_default();
    }

    fn called(&mut self, callee: u32) {
        let callee = self.artifact.macros.get(callee as usize);
        let names = callee.map(|one| one.parameters.iter().map(|one| one.name.as_str()).collect());
        self.parameters = names.unwrap_or_default();
    }
}

impl Shown for Const {
    fn show(self, names: &mut Names<'_>) -> String {
        constant::show(&names.artifact.constants, self)
    }
}

impl Shown for Slot {
    fn show(self, names: &mut Names<'_>) -> String {
        names.record.parameters.get(self.index()).map_or_else(|| self.to_string(), |one| one_line(&one.name))
    }
}

impl Shown for Label {
    fn show(self, names: &mut Names<'_>) -> String {
        names.labels.get(&self.0).map_or_else(|| self.to_string(), |label| format!("L{label}"))
    }
}

impl Shown for Step {
    fn show(self, names: &mut Names<'_>) -> String {
        let Some(step) = names.artifact.steps.get(self.index()) else { return self.to_string() };
        names.outputs = &step.outputs;
        one_line(&step.id)
    }
}

impl Shown for Route {
    fn show(self, names: &mut Names<'_>) -> String {
        names.done(self.0);
        route(names.artifact, self.0)
    }
}

impl Shown for Callee {
    fn show(self, names: &mut Names<'_>) -> String {
        names.called(self.0);
        names.artifact.macros.get(self.index()).map_or_else(|| self.to_string(), |one| one_line(&one.name))
    }
}

impl Shown for Index {
    fn show(self, names: &mut Names<'_>) -> String {
        names.outputs.get(self.index()).map_or_else(|| self.to_string(), |name| one_line(name))
    }
}

impl Shown for Mask {
    fn show(self, names: &mut Names<'_>) -> String {
        let given = self
            .places()
            .map(|place| names.parameters.get(place).map_or_else(|| place.to_string(), |one| one_line(one)));
        format!("({})", given.collect::<Vec<_>>().join(", "))
    }
}

macro_rules! shown_as_they_are {
    ($($kind:ident)*) => {$(
        impl Shown for $kind {
            fn show(self, _: &mut Names<'_>) -> String {
                self.to_string()
            }
        }
    )*};
}

shown_as_they_are! { Count Phase Setting Condition Function }
