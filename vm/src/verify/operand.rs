//! Operands: every number of an instruction names something.

use spec::action::Presence;
use spec::artifact::{Artifact, CodeFault, LoadError, Macro};
use spec::op::Op;
use spec::operand::{Callee, Condition, Const, Count, Function, Index, Label, Mask, Phase, Route, Setting, Slot, Step};

use crate::verify::steps::requested;

/// Checks the operands of a macro's instructions, reachable or not.
pub fn check(artifact: &Artifact, owner: usize, record: &Macro) -> Result<(), LoadError> {
    let scope = Scope { artifact, owner, record };
    for index in record.start..record.end {
        if let Some(op) = artifact.code.get(index as usize) {
            instruction(&scope, op).map_err(|fault| LoadError::code(index, op.mnemonic(), fault))?;
        }
    }
    Ok(())
}

/// What operands can name.
struct Scope<'a> {
    artifact: &'a Artifact,
    owner: usize,
    record: &'a Macro,
}

/// An operand that names something.
trait Named {
    fn check(self, scope: &Scope<'_>) -> Result<(), CodeFault>;
}

macro_rules! instructions {
    ($($(#[doc = $doc:literal])* $number:literal $mnemonic:ident $Op:ident { $($field:ident: $kind:ident),* };)*) => {
        fn operands(scope: &Scope<'_>, op: &Op) -> Result<(), CodeFault> {
            match *op { $(Op::$Op { $($field),* } => {
                $(Named::check($field, scope)?;)*
                Ok(())
            })* }
        }
    };
}

spec::for_each_op!(instructions);

fn instruction(scope: &Scope<'_>, op: &Op) -> Result<(), CodeFault> {
    operands(scope, op)?;
    if let Op::Env { name } | Op::Field { name } = op
        && scope.artifact.constants.text(*name).is_none()
    {
        return Err(CodeFault::NotText);
    }
    if let Op::Act { route, given } = op
        && let Some(action) = requested(scope.artifact, route.0)
    {
        let parameters = action.parameters().iter();
        arguments(*given, parameters.map(|parameter| (parameter.name, parameter.presence == Presence::Required)))?;
    }
    if let Op::Call { callee, given } = op
        && let Some(callee) = scope.artifact.macros.get(callee.index())
    {
        arguments(*given, callee.parameters.iter().map(|parameter| (parameter.name.as_str(), parameter.required)))?;
    }
    Ok(())
}

/// Every given parameter exists, and every required one is given.
fn arguments<'a>(given: Mask, parameters: impl ExactSizeIterator<Item = (&'a str, bool)>) -> Result<(), CodeFault> {
    let known = parameters.len();
    if let Some(place) = given.places().find(|place| *place >= known) {
        return Err(CodeFault::UnknownParameter { place: u32::try_from(place).unwrap_or(u32::MAX) });
    }
    for (place, (name, required)) in parameters.enumerate() {
        let is_given =
            u32::try_from(place).ok().and_then(|place| given.0.checked_shr(place)).is_some_and(|bits| bits & 1 == 1);
        if required && !is_given {
            return Err(CodeFault::MissingParameter { name: name.to_owned() });
        }
    }
    Ok(())
}

fn in_range(what: &'static str, index: usize, count: usize) -> Result<(), CodeFault> {
    if index < count {
        return Ok(());
    }
    Err(CodeFault::OutOfRange { what, index: index as u64, count: count as u64 })
}

impl Named for Const {
    fn check(self, scope: &Scope<'_>) -> Result<(), CodeFault> {
        in_range("constant", self.index(), scope.artifact.constants.list.len())
    }
}

impl Named for Slot {
    fn check(self, scope: &Scope<'_>) -> Result<(), CodeFault> {
        in_range("slot", self.index(), usize::from(scope.record.slots))
    }
}

impl Named for Label {
    fn check(self, scope: &Scope<'_>) -> Result<(), CodeFault> {
        if (scope.record.start..scope.record.end).contains(&self.0) { Ok(()) } else { Err(CodeFault::LabelOutside) }
    }
}

impl Named for Step {
    fn check(self, scope: &Scope<'_>) -> Result<(), CodeFault> {
        let steps = &scope.artifact.steps;
        in_range("step", self.index(), steps.len())?;
        match steps.get(self.index()) {
            Some(step) if step.owner as usize == scope.owner => Ok(()),
            Some(_) | None => Err(CodeFault::ForeignStep),
        }
    }
}

impl Named for Route {
    fn check(self, scope: &Scope<'_>) -> Result<(), CodeFault> {
        in_range("route", self.index(), scope.artifact.routes.len())
    }
}

impl Named for Callee {
    fn check(self, scope: &Scope<'_>) -> Result<(), CodeFault> {
        in_range("macro", self.index(), scope.artifact.macros.len())?;
        if self.index() < scope.owner { Ok(()) } else { Err(CodeFault::CallOrder) }
    }
}

macro_rules! checked_elsewhere {
    ($($kind:ident)*) => {$(
        impl Named for $kind {
            fn check(self, _: &Scope<'_>) -> Result<(), CodeFault> {
                Ok(())
            }
        }
    )*};
}

// A count is checked with the stack, an index with the step or macro it belongs to, and a mask with its action or macro; the others can
// only be read when they name something.
checked_elsewhere! { Count Index Mask Phase Setting Condition Function }
