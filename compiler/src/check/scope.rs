//! The names a macro's expressions can read, and the slots behind them.

use std::collections::{HashMap, HashSet};

use spec::condition::Condition as Test;
use spec::operand::Slot;
use spec::span::Span;
use spec::value::Type;

use crate::ast::{self, Definition};
use crate::ir;

/// Parameters, steps and loop variables of one macro.
pub struct Scope {
    /// Parameters in order; parameter `n` is slot `n`.
    pub parameters: Vec<Parameter>,
    /// Steps checked so far, in order, those of `finally` after the others.
    pub steps: Vec<StepNames>,
    /// Ids of all steps, also of those still to come, with where each is first written.
    pub all_ids: Vec<(String, Span)>,
    /// The loop around the step at hand.
    pub each: Option<EachNames>,
    /// Steps known to have succeeded where the expression at hand is evaluated.
    pub assumed: HashSet<usize>,
    /// The step whose own outputs its `verify` may read.
    pub own: Option<usize>,
    /// Environment variables a precondition demands.
    pub environment: HashSet<String>,
    by_name: HashMap<String, usize>,
    next_slot: u32,
}

/// A parameter as expressions see it.
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether it can be absent.
    pub maybe: bool,
    /// Whether something reads it.
    pub used: bool,
    /// Whether something reads it without a fallback although it can be absent.
    pub needed: bool,
}

/// A step as later expressions see it.
pub struct StepNames {
    /// Its id.
    pub id: String,
    /// Its outputs.
    pub outputs: Vec<OutputName>,
    /// Whether a macro that gets past it has run it successfully.
    pub certain: bool,
    /// Whether it is a loop: its outputs are lists over the turns.
    pub loops: bool,
    /// Whether it belongs to `finally`.
    pub finally: bool,
    /// Its `when`, printed, when its failure stops the macro: another step with the same `when` can rely on it.
    pub when: Option<String>,
    /// The slot that says whether it succeeded.
    pub success: Option<Slot>,
}

/// An output of a step.
pub struct OutputName {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether it can be absent after a success.
    pub presence: Presence,
    /// The slot of a turn or of the step, when something reads it.
    pub slot: Option<Slot>,
    /// The slot of the list over all turns, when something reads it.
    pub list: Option<Slot>,
}

/// Whether an output is there after a success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It is.
    Always,
    /// It can be missing.
    Maybe,
    /// It is not, for this reason.
    Never(String),
}

/// The variables of a loop.
#[derive(Clone, Copy)]
pub struct EachNames {
    /// The slot of `item`.
    pub item: Slot,
    /// The slot of `index`.
    pub index: Slot,
    /// The type of `item`.
    pub ty: Type,
}

impl Scope {
    /// The names a definition declares.
    pub fn of(definition: &Definition) -> Self {
        let parameters: Vec<Parameter> = definition.parameters.iter().map(parameter).collect();
        let steps = definition.steps.iter().chain(&definition.finally);
        Self {
            by_name: parameters.iter().enumerate().map(|(index, known)| (known.name.clone(), index)).collect(),
            next_slot: parameters.len() as u32,
            parameters,
            steps: Vec::new(),
            all_ids: steps.map(|step| (step.id.node.clone(), step.id.span)).collect(),
            each: None,
            assumed: HashSet::new(),
            own: None,
            environment: demanded(&definition.preconditions),
        }
    }

    /// The place of a parameter.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The place of a step that was checked already.
    pub fn step(&self, id: &str) -> Option<usize> {
        self.steps.iter().position(|step| step.id == id)
    }

    /// Takes a slot.
    pub fn fresh(&mut self) -> Slot {
        let slot = u16::try_from(self.next_slot).unwrap_or(u16::MAX);
        self.next_slot += 1;
        Slot(slot)
    }

    /// How many slots were taken.
    pub fn slots(&self) -> u16 {
        u16::try_from(self.next_slot).unwrap_or(u16::MAX)
    }

    /// Tells every step which of its outputs are read.
    pub fn bind(&self, unit: &mut ir::Macro) {
        for step in unit.steps.iter_mut().chain(&mut unit.finally) {
            let Some(names) = self.steps.iter().find(|names| names.id == step.id) else { continue };
            step.success = names.success;
            let slots = names.outputs.iter().enumerate();
            step.outputs = slots.filter_map(|(index, output)| Some((index as u16, output.slot?))).collect();
            if let Some(each) = &mut step.each {
                each.collect = names.outputs.iter().filter_map(|output| Some((output.slot?, output.list?))).collect();
            }
        }
        for (parameter, names) in unit.parameters.iter_mut().zip(&self.parameters) {
            parameter.needed = names.needed;
        }
    }
}

fn parameter(declared: &ast::Parameter) -> Parameter {
    Parameter {
        name: declared.name.node.clone(),
        ty: declared.ty,
        maybe: !declared.required && declared.default.is_none(),
        used: false,
        needed: false,
    }
}

/// The variables that `env_var` preconditions name: once they hold, the variables are set.
fn demanded(preconditions: &[ast::Condition]) -> HashSet<String> {
    let name = |condition: &ast::Condition| match &condition.kind {
        ast::ConditionKind::Test(Test::EnvVar, arguments) => match arguments.as_slice() {
            [ast::Written::Scalar(scalar)] => scalar.template.as_text().map(str::to_owned),
            _ => None,
        },
        ast::ConditionKind::Test(..)
        | ast::ConditionKind::Not(_)
        | ast::ConditionKind::Any(_)
        | ast::ConditionKind::All(_) => None,
    };
    preconditions.iter().filter_map(name).collect()
}
