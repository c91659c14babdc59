//! Instructions that compute: they touch the stack and the slots, and nothing else.

use std::cmp::Ordering;
use std::rc::Rc;

use spec::artifact::Capability;
use spec::function::Function;
use spec::kind::describe;
use spec::op::Op;
use spec::operand::{Const, Count, Slot};
use spec::value::{Dict, Value};

use crate::failure::{Failure, FailureKind};
use crate::machine::Machine;
use crate::machine::eval::{self, Arithmetic, impossible};
use crate::machine::exec::Flow;
use crate::machine::frame::{Frame, Held, Item, absent, corrupt};
use crate::machine::functions;
use crate::machine::raised::Raised;
use crate::machine::text::plain;
use crate::need::Need;
use crate::world::permit;

/// A comparison by order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    NotGreater,
    /// `>`
    Greater,
    /// `>=`
    NotLess,
}

impl Machine<'_> {
    pub(super) fn constant(&mut self, frame: &mut Frame, constant: Const) -> Result<Flow, Raised> {
        let value = self.constant_value(constant)?;
        frame.stack.push(Some(Held { value, secret: false }));
        Ok(Flow::On)
    }

    pub(super) fn load(&mut self, frame: &mut Frame, slot: Slot) -> Result<Flow, Raised> {
        let Some(value) = frame.slot(slot)?.clone() else {
            return Err(self.unset(frame, slot).into());
        };
        frame.stack.push(Some(value));
        Ok(Flow::On)
    }

    pub(super) fn load_maybe(&mut self, frame: &mut Frame, slot: Slot) -> Result<Flow, Raised> {
        let value = frame.slot(slot)?.clone();
        frame.stack.push(value);
        Ok(Flow::On)
    }

    pub(super) fn store(&mut self, frame: &mut Frame, slot: Slot) -> Result<Flow, Raised> {
        let value = frame.pop()?;
        *frame.slot(slot)? = value;
        Ok(Flow::On)
    }

    pub(super) fn clear(&mut self, frame: &mut Frame, slot: Slot) -> Result<Flow, Raised> {
        *frame.slot(slot)? = None;
        Ok(Flow::On)
    }

    pub(super) fn env(&mut self, frame: &mut Frame, name: Const) -> Result<Flow, Raised> {
        let name = self.artifact.constants.text(name).ok_or_else(corrupt)?;
        if self.world.restricted() {
            permit(self.world, &[Need::named(Capability::Env, name)])?;
        }
        let value = self.world.environment(name);
        if let Some(value) = &value {
            self.budget.text(value.len())?;
        }
        frame.stack.push(value.map(|value| Held::open(Value::String(value))));
        Ok(Flow::On)
    }

    pub(super) fn concat(&mut self, frame: &mut Frame, Count(count): Count) -> Result<Flow, Raised> {
        let (mut joined, mut secret) = (String::new(), false);
        for part in frame.pop_many(count.into())? {
            let part = part.ok_or_else(absent)?;
            secret |= part.secret;
            let part = plain(&part)?;
            self.budget.text(joined.len().saturating_add(part.len()))?;
            joined.push_str(&part);
        }
        frame.push_made(Value::String(joined), secret);
        Ok(Flow::On)
    }

    pub(super) fn list(&mut self, frame: &mut Frame, Count(count): Count) -> Result<Flow, Raised> {
        let items = frame.pop_many(count.into())?;
        let secret = any_secret(&items);
        let items: Result<Vec<Value>, Failure> =
            items.into_iter().map(|item| self.present(item).and_then(|item| self.element(item))).collect();
        frame.push_made(Value::List(items?), secret);
        Ok(Flow::On)
    }

    pub(super) fn dict(&mut self, frame: &mut Frame, Count(count): Count) -> Result<Flow, Raised> {
        let items = frame.pop_many(usize::from(count) * 2)?;
        let secret = any_secret(&items);
        let mut items = items.into_iter();
        let mut dict = Dict::with_capacity(count.into());
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            let key = plain(&*key.ok_or_else(absent)?)?;
            self.budget.text(key.len())?;
            let value = self.present(value)?;
            dict.insert(key, self.element(value)?);
        }
        frame.push_made(Value::Dict(dict), secret);
        Ok(Flow::On)
    }

    pub(super) fn field(&mut self, frame: &mut Frame, name: Const) -> Result<Flow, Raised> {
        let name = self.artifact.constants.text(name).ok_or_else(corrupt)?;
        let object = frame.pop()?;
        let secret = object.as_ref().is_some_and(|object| object.secret);
        let field = match object.as_deref() {
            None => None,
            Some(Value::Dict(entries)) => entries.get(name).cloned(),
            Some(
                other @ (Value::Null
                | Value::Boolean(_)
                | Value::Integer(_)
                | Value::Float(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::List(_)),
            ) => {
                return Err(impossible(format!(
                    "`.{name}` needs a dict, found {} ({})",
                    describe(other),
                    other.kind()
                ))
                .into());
            }
        };
        self.part(frame, field, secret)
    }

    pub(super) fn index(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        let index = frame.present()?;
        let object = frame.pop()?;
        let secret = index.secret || object.as_ref().is_some_and(|object| object.secret);
        let element = match object.as_deref() {
            None => None,
            Some(value) => element(value, &index)?.cloned(),
        };
        self.part(frame, element, secret)
    }

    pub(super) fn apply(&mut self, frame: &mut Frame, function: Function) -> Result<Flow, Raised> {
        let items = frame.pop_many(function.arguments().len())?;
        let missing = || impossible(format!("`{}` was given a value that is absent", function.name()));
        let arguments: Option<Vec<&Value>> = items.iter().map(Option::as_deref).collect();
        let value = functions::apply(function, &arguments.ok_or_else(missing)?, &mut self.budget)?;
        self.made(frame, value, !function.asks() && any_secret(&items))
    }

    pub(super) fn not(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        let value = frame.boolean()?;
        frame.push(Value::Boolean(!value));
        Ok(Flow::On)
    }

    pub(super) fn neg(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        let value = frame.present()?;
        self.made(frame, eval::negative(&value)?, value.secret)
    }

    pub(super) fn equality(&mut self, frame: &mut Frame, wanted: bool) -> Result<Flow, Raised> {
        let (right, left) = (frame.present()?, frame.present()?);
        frame.push(Value::Boolean(eval::equal(&left, &right) == wanted));
        Ok(Flow::On)
    }

    pub(super) fn comparison(&mut self, frame: &mut Frame, comparison: Comparison) -> Result<Flow, Raised> {
        let (right, left) = (frame.present()?, frame.present()?);
        let order = eval::compare(&left, &right)?;
        frame.push(Value::Boolean(match comparison {
            Comparison::Less => order == Ordering::Less,
            Comparison::NotGreater => order != Ordering::Greater,
            Comparison::Greater => order == Ordering::Greater,
            Comparison::NotLess => order != Ordering::Less,
        }));
        Ok(Flow::On)
    }

    pub(super) fn arithmetic(&mut self, frame: &mut Frame, operation: Arithmetic) -> Result<Flow, Raised> {
        let (right, left) = (frame.present()?, frame.present()?);
        self.made(frame, eval::arithmetic(operation, &left, &right)?, left.secret || right.secret)
    }

    pub(super) fn is_boolean(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        let value = frame.boolean()?;
        frame.push(Value::Boolean(value));
        Ok(Flow::On)
    }

    /// A constant, unfolded once in a run.
    pub(in crate::machine) fn constant_value(&mut self, constant: Const) -> Result<Rc<Value>, Failure> {
        let known = self.constants.get_mut(constant.index()).ok_or_else(corrupt)?;
        if let Some(value) = known {
            return Ok(value.clone());
        }
        let value = self.artifact.constants.value(constant).ok_or_else(corrupt)?;
        self.budget.value(&value)?;
        Ok(known.insert(Rc::new(value)).clone())
    }

    /// An expression's value where one is asked for: nothing is made of an element that is not there. In a dry run it may be missing
    /// only because nothing was done.
    pub(super) fn present(&self, item: Item) -> Result<Item, Failure> {
        if item.is_none() && !self.world.simulated() { Err(absent()) } else { Ok(item) }
    }

    /// A value that goes into a list or dict; an absent one becomes null.
    pub(super) fn element(&mut self, item: Item) -> Result<Value, Failure> {
        let Some(item) = item else { return Ok(Value::Null) };
        self.budget.inner(&item)?;
        Ok(item.into_value())
    }

    fn part(&mut self, frame: &mut Frame, part: Option<Value>, secret: bool) -> Result<Flow, Raised> {
        if let Some(part) = &part {
            self.budget.value(part)?;
        }
        frame.stack.push(part.map(|part| Held::new(part, secret)));
        Ok(Flow::On)
    }

    /// A value that was computed; of a secret, it is one and as little shown.
    fn made(&mut self, frame: &mut Frame, value: Value, secret: bool) -> Result<Flow, Raised> {
        if secret {
            self.ledger.hide_made(&value)?;
        }
        frame.push_made(value, secret);
        Ok(Flow::On)
    }

    /// Why a slot is absent, in the macro's own words.
    fn unset(&self, frame: &Frame, slot: Slot) -> Failure {
        let Some(unit) = self.artifact.macros.get(frame.unit) else { return corrupt() };
        if let Some(parameter) = unit.parameters.get(slot.index()) {
            return impossible(format!("parameter `{}` has no value", parameter.name));
        }
        let mut inside = None;
        for op in self.artifact.code.get(unit.start as usize..unit.end as usize).unwrap_or_default() {
            if let Op::Step { step, .. } = op {
                inside = self.artifact.steps.get(step.index());
            }
            if let Op::Output { index, slot: output } = op
                && *output == slot
                && let Some(step) = inside
                && let Some(name) = step.outputs.get(index.index())
            {
                let message = format!("`steps.{}.{name}` has no value: the step did not produce it", step.id);
                return Failure::new(FailureKind::Evaluation, message)
                    .hint("write `${…:-fallback}` where it may be absent");
            }
        }
        absent()
    }
}

fn any_secret(items: &[Item]) -> bool {
    items.iter().flatten().any(|item| item.secret)
}

fn element<'a>(value: &'a Value, index: &Value) -> Result<Option<&'a Value>, Failure> {
    match (value, index) {
        (Value::List(items), Value::Integer(index)) => {
            Ok(usize::try_from(*index).ok().and_then(|index| items.get(index)))
        }
        (Value::Dict(entries), Value::String(key)) => Ok(entries.get(key)),
        (Value::List(_), index) => {
            Err(impossible(format!("the index of a list must be a whole number, found {}", describe(index))))
        }
        (Value::Dict(_), index) => {
            Err(impossible(format!("the key of a dict must be text, found {}", describe(index))))
        }
        (value, _) => Err(impossible(format!("needs a list or dict, found {} ({})", describe(value), value.kind()))),
    }
}
