//! The instruction that runs another macro inside a step.

use spec::operand::{Callee, Mask};
use spec::value::Value;

use crate::failure::{Failure, FailureKind};
use crate::machine::Machine;
use crate::machine::budget::over;
use crate::machine::deadline::Deadline;
use crate::machine::exec::Flow;
use crate::machine::exec::steps::MACRO;
use crate::machine::frame::{Frame, Held, corrupt};
use crate::machine::limits;
use crate::machine::parameters;
use crate::machine::raised::Raised;

impl Machine<'_> {
    /// Its steps have the ids `call/inner`, its time is part of the step's, and its results are the step's outputs.
    pub(super) fn call(&mut self, frame: &mut Frame, callee: Callee, given: Mask) -> Result<Flow, Raised> {
        let Some(unit) = self.artifact.macros.get(callee.index()).filter(|_| callee.index() < frame.unit) else {
            return Err(corrupt().into());
        };
        if self.depth >= limits::CALL_DEPTH {
            return Err(over(format!("more than {} macros are inside each other", limits::CALL_DEPTH)).into());
        }
        let arguments = self.given_values(frame, given, unit.parameters.len())?;
        let values = parameters::bind_call(&unit.parameters, &self.artifact.constants, &arguments, &mut self.budget)
            .map_err(|problems| Failure::new(FailureKind::BadArgument, problems.join("; ")))?;
        for (record, value) in unit.parameters.iter().zip(&values) {
            if let Some(value) = value
                && record.secret
            {
                self.ledger.hide(value);
            }
        }
        let open = frame.step()?;
        open.backend = Some(MACRO);
        let of = open.deadline.of.clone().unwrap_or_else(|| format!("step `{}`", open.id));
        let around = Deadline { of: Some(of), ..open.deadline.clone() };
        let secrets = unit.parameters.iter().map(|record| record.secret).collect();
        let mut inner = self.enter(callee.index(), values, secrets, Some(around))?;
        inner.prefix = format!("{}/", open.id);
        inner.outer_turn = open.turn;
        self.depth += 1;
        let ended = self.run_frame(&mut inner);
        self.depth -= 1;
        ended?;
        let open = frame.step()?;
        open.outputs = inner.results.into_iter().map(|result| result.map(|(value, _)| value)).collect();
        for (record, value) in unit.results.iter().zip(&open.outputs) {
            if let Some(value) = value {
                self.budget.value(value)?;
                open.output.insert(record.name.clone(), value.clone());
            }
        }
        Ok(Flow::On)
    }

    /// The values on the stack by the places they were given for.
    pub(in crate::machine) fn given_values(
        &mut self,
        frame: &mut Frame,
        given: Mask,
        places: usize,
    ) -> Result<Vec<Option<Value>>, Failure> {
        let items = frame.pop_many(given.count())?;
        let mut values = vec![None; places];
        for (place, item) in given.places().zip(items) {
            let item = self.present(item)?;
            if let Some(item) = &item {
                self.budget.value(item)?;
            }
            *values.get_mut(place).ok_or_else(corrupt)? = item.map(Held::into_value);
        }
        Ok(values)
    }
}
