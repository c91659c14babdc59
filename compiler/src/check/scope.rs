//! The names a macro's expressions can read, and the slots behind them.

use hashbrown::{HashMap, HashSet};
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
    /// Where the id of each step is first written, also of those still to come.
    pub places: HashMap<String, Span>,
    /// The loop around the step at hand.
    pub each: Option<EachNames>,
    /// Steps known to have succeeded where the expression at hand is evaluated.
    pub assumed: HashSet<usize>,
    /// The condition known to hold there, printed: what ran under the same one has run, too.
    pub assumed_when: Option<String>,
    /// The step whose own outputs its `verify` may read.
    pub own: Option<usize>,
    /// Environment variables a precondition demands.
    pub environment: HashSet<String>,
    by_name: HashMap<String, usize>,
    by_id: HashMap<String, usize>,
    next_slot: usize,
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
    /// Whether its outputs are unknown, because what it does is: reading any is no further mistake.
    pub broken: bool,
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
        let mut places = HashMap::new();
        for step in definition.steps.iter().chain(&definition.finally) {
            places.entry(step.id.node.clone()).or_insert(step.id.span);
        }
        Self {
            by_name: parameters.iter().enumerate().map(|(index, known)| (known.name.clone(), index)).collect(),
            by_id: HashMap::new(),
            next_slot: parameters.len(),
            parameters,
            steps: Vec::new(),
            places,
            each: None,
            assumed: HashSet::new(),
            assumed_when: None,
            own: None,
            environment: HashSet::new(),
        }
    }

    /// The place of a parameter.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The place of a step that was checked already; of several with one id, of the first.
    pub fn step(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// Adds a step that later ones can read, and returns its place.
    pub fn enter(&mut self, step: StepNames) -> usize {
        let index = self.steps.len();
        self.by_id.entry(step.id.clone()).or_insert(index);
        self.steps.push(step);
        index
    }

    /// Takes a slot. More than a macro may have are counted all the same, and refused when it has been checked.
    pub fn fresh(&mut self) -> Slot {
        let slot = u16::try_from(self.next_slot).unwrap_or(u16::MAX);
        self.next_slot += 1;
        Slot(slot)
    }

    /// The variables of a loop over who knows what.
    pub fn any_each(&mut self) -> EachNames {
        EachNames { item: self.fresh(), index: self.fresh(), ty: Type::Any }
    }

    /// How many slots were taken, also when they are too many.
    pub fn slots_taken(&self) -> usize {
        self.next_slot
    }

    /// How many slots were taken.
    pub fn slots(&self) -> u16 {
        u16::try_from(self.next_slot).unwrap_or(u16::MAX)
    }

    /// Tells every step which of its outputs are read.
    pub fn bind(&self, unit: &mut ir::Macro) {
        for step in unit.steps.iter_mut().chain(&mut unit.finally) {
            let Some(names) = self.step(&step.id).and_then(|index| self.steps.get(index)) else { continue };
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
        maybe: !declared.required && declared.default.is_none() && !declared.default_broken,
        used: false,
        needed: false,
    }
}

/// Adds the variables that a precondition demands: once it holds, they are set.
pub fn demanded(precondition: &ast::Condition, environment: &mut HashSet<String>) {
    match &precondition.kind {
        ast::ConditionKind::Test(Test::EnvVar, arguments) => {
            if let [ast::Written::Scalar(scalar)] = arguments.as_slice()
                && let Some(name) = scalar.template.as_text()
            {
                environment.insert(name.to_owned());
            }
        }
        ast::ConditionKind::All(parts) => parts.iter().for_each(|part| demanded(part, environment)),
        ast::ConditionKind::Test(..) | ast::ConditionKind::Not(_) | ast::ConditionKind::Any(_) => {}
    }
}
