//! The syntax tree to IR: every name is resolved, every value has a type that fits its place, every action exists and can be routed.
//!
//! All mistakes of a macro are reported in one pass; what is wrong is left out of the IR, which is only lowered when nothing was.

mod action;
mod argument;
mod blank;
mod call;
mod condition;
mod constant;
mod course;
mod each;
mod expr;
mod limits;
mod lint;
mod names;
mod operator;
mod parameter;
mod result;
mod scope;
mod secret;
mod setting;
mod step;
mod target;
mod types;

use std::collections::HashMap;

use crate::assets::Packer;
use crate::ast::Definition;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir;
pub use limits::oversize;
use scope::Scope;
pub use target::Target;

/// A linked macro that steps may call.
#[derive(Clone, Copy, Debug)]
pub struct Callee<'a> {
    /// Its place among the linked macros.
    pub index: u32,
    /// What it takes and gives.
    pub unit: &'a ir::Macro,
}

/// What checking needs from outside the definition.
pub struct Surroundings<'a> {
    /// The macros the definition calls, by the name it calls them with; those that failed to link are missing.
    pub callees: HashMap<&'a str, Callee<'a>>,
    /// Where the macro is to run.
    pub target: Target,
    /// Packs recordings and images.
    pub packer: &'a mut Packer<'a>,
    /// The sink.
    pub problems: &'a mut Diagnostics,
}

/// Checks a macro. Whether the result may be lowered is told by the errors in the sink.
///
/// `sound` is whether it was read without a mistake.
pub fn check(definition: &Definition, sound: bool, around: &mut Surroundings<'_>) -> ir::Macro {
    let before = around.problems.errors();
    let mut checker = Checker { scope: Scope::of(definition), around, place: Place::Before };
    let parameters = checker.parameters(definition);
    let limit = definition.limit.as_ref().and_then(|limit| checker.limit(limit));
    let mut preconditions = Vec::with_capacity(definition.preconditions.len());
    for condition in &definition.preconditions {
        preconditions.extend(checker.condition(condition));
        scope::demanded(condition, &mut checker.scope.environment);
    }
    checker.place = Place::Body;
    let steps: Vec<ir::Step> = definition.steps.iter().filter_map(|step| checker.step(step)).collect();
    checker.place = Place::After;
    let postconditions = checker.conditions(&definition.postconditions);
    let results = checker.results(&definition.outputs);
    checker.place = Place::Finally;
    let finally: Vec<ir::Step> = definition.finally.iter().filter_map(|step| checker.step(step)).collect();
    let mut unit = ir::Macro {
        name: definition.name.node.clone(),
        parameters,
        slots: checker.scope.slots(),
        preconditions,
        steps,
        postconditions,
        finally,
        results,
        timeout_us: definition.timeout_us,
        limit,
        span: definition.span,
    };
    checker.scope.bind(&mut unit);
    checker.secrets(&mut unit);
    checker.limits(&unit);
    // What is read only in a place that is wrong looks unused: no remarks on names while there are errors.
    if sound && checker.around.problems.errors() == before {
        checker.lint(definition, &unit);
    }

    unit
}

/// Where in a macro an expression stands: it decides which step outputs can be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Preconditions.
    Before,
    /// `steps:`.
    Body,
    /// Postconditions and outputs: every step has been passed.
    After,
    /// `finally:`: any step may not have been reached.
    Finally,
}

struct Checker<'a, 'b> {
    scope: Scope,
    around: &'a mut Surroundings<'b>,
    place: Place,
}

impl Checker<'_, '_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.around.problems.push(diagnostic);
    }
}
