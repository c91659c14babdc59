//! How much a run has made and done, so that no macro can exhaust the machine.

use spec::value::Value;

use crate::failure::{Failure, FailureKind};
use crate::machine::limits;

/// What is left of a run's allowances.
#[derive(Debug)]
pub struct Budget {
    bytes: usize,
    instructions: u64,
    steps: usize,
}

impl Budget {
    /// Everything a run may use.
    pub fn new() -> Self {
        Self { bytes: limits::RUN_BYTES, instructions: limits::INSTRUCTIONS, steps: limits::STEPS }
    }

    /// Takes bytes for a value that is about to be made.
    ///
    /// # Errors
    /// When the run has made too much.
    pub fn bytes(&mut self, bytes: usize) -> Result<(), Failure> {
        match self.bytes.checked_sub(bytes) {
            Some(left) => {
                self.bytes = left;
                Ok(())
            }
            None => Err(over(format!("the run made more than {} MiB of values", limits::RUN_BYTES >> 20))),
        }
    }

    /// Takes the bytes of a text that is about to be made.
    ///
    /// # Errors
    /// When the text alone is too long, or the run has made too much.
    pub fn text(&mut self, bytes: usize) -> Result<(), Failure> {
        if bytes > limits::TEXT_BYTES {
            return Err(over(format!("a text would be longer than {} MiB", limits::TEXT_BYTES >> 20)));
        }
        self.bytes(bytes.saturating_add(size_of::<Value>()))
    }

    /// Takes the bytes of the places of a list or dict that is about to be made.
    ///
    /// # Errors
    /// When it alone is too long, or the run has made too much.
    pub fn elements(&mut self, count: usize) -> Result<(), Failure> {
        if count > limits::ELEMENTS {
            return Err(over(format!("a list or dict would have more than {} elements", limits::ELEMENTS)));
        }
        self.bytes(count.saturating_mul(size_of::<Value>()))
    }

    /// Takes the bytes of a whole value.
    ///
    /// # Errors
    /// When it is too deep or too large, or the run has made too much.
    pub fn value(&mut self, value: &Value) -> Result<(), Failure> {
        self.value_at(value, limits::VALUE_DEPTH)
    }

    /// Takes the bytes of a value that will lie inside a list or dict.
    ///
    /// # Errors
    /// As for [`Budget::value`].
    pub fn inner(&mut self, value: &Value) -> Result<(), Failure> {
        self.value_at(value, limits::VALUE_DEPTH - 1)
    }

    /// Takes an instruction and says how many were left.
    ///
    /// # Errors
    /// When the run has done too much.
    pub fn instruction(&mut self) -> Result<u64, Failure> {
        match self.instructions.checked_sub(1) {
            Some(left) => {
                self.instructions = left;
                Ok(left)
            }
            None => Err(over(format!("the run took more than {} instructions", limits::INSTRUCTIONS))),
        }
    }

    /// Takes a step.
    ///
    /// # Errors
    /// When the run has begun too many.
    pub fn step(&mut self) -> Result<(), Failure> {
        match self.steps.checked_sub(1) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => Err(over(format!("the run began more than {} steps", limits::STEPS))),
        }
    }

    fn value_at(&mut self, value: &Value, depth: usize) -> Result<(), Failure> {
        let Some(below) = depth.checked_sub(1) else {
            return Err(over(format!("a value is nested more than {} deep", limits::VALUE_DEPTH)));
        };
        match value {
            Value::String(text) | Value::Number(text) => self.text(text.len()),
            Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => self.bytes(size_of::<Value>()),
            Value::List(items) => {
                self.elements(items.len())?;
                items.iter().try_for_each(|item| self.value_at(item, below))
            }
            Value::Dict(entries) => {
                self.elements(entries.len())?;
                entries.iter().try_for_each(|(key, item)| {
                    self.text(key.len())?;
                    self.value_at(item, below)
                })
            }
        }
    }
}

/// A limit was reached.
pub fn over(message: String) -> Failure {
    Failure::new(FailureKind::Limit, message)
}

#[cfg(test)]
mod tests {
    use spec::value::Value;

    use crate::failure::FailureKind;
    use crate::machine::budget::Budget;
    use crate::machine::limits;

    #[test]
    fn what_was_made_adds_up() {
        let mut budget = Budget::new();
        for _ in 0..15 {
            budget.text(limits::TEXT_BYTES).unwrap();
        }
        let failure = budget.text(limits::TEXT_BYTES).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Limit);
        assert_eq!(failure.message, "the run made more than 1024 MiB of values");
        assert!(Budget::new().text(limits::TEXT_BYTES + 1).is_err());
        assert!(Budget::new().elements(limits::ELEMENTS + 1).is_err());
    }

    #[test]
    fn deep_values_are_refused() {
        let nested = |depth: usize| (1..depth).fold(Value::Null, |inner, _| Value::List(vec![inner]));
        assert!(Budget::new().value(&nested(limits::VALUE_DEPTH)).is_ok());
        assert!(Budget::new().inner(&nested(limits::VALUE_DEPTH)).is_err());
        assert!(Budget::new().value(&nested(limits::VALUE_DEPTH + 1)).is_err());
    }
}
