//! Instructions that decide where to go on: jumps, loops, the `finally` block and the end of a macro.

use std::rc::Rc;

use spec::artifact::ResultKind;
use spec::condition::{Condition, Test};
use spec::kind::describe;
use spec::op::Op;
use spec::operand::{Index, Label, Slot};
use spec::value::Value;

use crate::failure::{Failure, FailureKind};
use crate::machine::Machine;
use crate::machine::budget::over;
use crate::machine::deadline::Deadline;
use crate::machine::eval::impossible;
use crate::machine::exec::Flow;
use crate::machine::frame::{Frame, Guard, Held, Turns, corrupt};
use crate::machine::limits;
use crate::machine::raised::Raised;
use crate::report::Status;

impl Machine<'_> {
    pub(super) fn jump_when(&mut self, frame: &mut Frame, wanted: bool, target: Label) -> Result<Flow, Raised> {
        Ok(if frame.boolean()? == wanted { Flow::To(target) } else { Flow::On })
    }

    pub(super) fn or_else(&mut self, frame: &mut Frame, target: Label) -> Result<Flow, Raised> {
        let top = frame.pop()?;
        let nothing = match top.as_deref() {
            None | Some(Value::Null) => true,
            Some(Value::String(text)) => text.is_empty(),
            Some(
                Value::Boolean(_)
                | Value::Integer(_)
                | Value::Float(_)
                | Value::Number(_)
                | Value::List(_)
                | Value::Dict(_),
            ) => false,
        };
        if nothing {
            return Ok(Flow::On);
        }
        frame.stack.push(top);
        Ok(Flow::To(target))
    }

    /// The loop itself keeps the list and its place in it: nothing a turn does can change how many there are.
    pub(super) fn each(&mut self, frame: &mut Frame, list: Slot, index: Slot) -> Result<Flow, Raised> {
        let items = frame.present()?;
        let Value::List(elements) = &*items else {
            return Err(
                impossible(format!("`for_each` needs a list, found {} ({})", describe(&items), items.kind())).into()
            );
        };
        if elements.len() > limits::TURNS {
            let message = format!("`for_each` over {} elements: at most {} are allowed", elements.len(), limits::TURNS);
            return Err(over(message).into());
        }
        *frame.slot(list)? = Some(items.clone());
        *frame.slot(index)? = None;
        frame.loops.push(Turns { list: items, next: 0 });
        Ok(Flow::On)
    }

    pub(super) fn next(&mut self, frame: &mut Frame, index: Slot, item: Slot, end: Label) -> Result<Flow, Raised> {
        let turns = frame.loops.last_mut().ok_or_else(corrupt)?;
        let place = turns.next;
        let Value::List(elements) = &*turns.list else { return Err(corrupt().into()) };
        let Some(element) = elements.get(place) else {
            frame.loops.pop();
            if place == 0 {
                self.nothing_to_do(frame, end);
            }
            return Ok(Flow::To(end));
        };
        let element = element.clone();
        let secret = turns.list.secret;
        turns.next += 1;
        self.budget.value(&element)?;
        *frame.slot(item)? = Some(Held::new(element, secret));
        *frame.slot(index)? = Some(Held::open(Value::Integer(i64::try_from(place).unwrap_or(i64::MAX))));
        Ok(Flow::On)
    }

    pub(super) fn append(&mut self, frame: &mut Frame, slot: Slot) -> Result<Flow, Raised> {
        let item = frame.pop()?;
        let secret = item.as_ref().is_some_and(|item| item.secret);
        let item = self.element(item)?;
        let list = frame.slot(slot)?.as_mut().ok_or_else(corrupt)?;
        list.secret |= secret;
        if Rc::strong_count(&list.value) > 1 {
            self.budget.value(list)?;
        }
        let Value::List(items) = Rc::make_mut(&mut list.value) else { return Err(corrupt().into()) };
        if items.len() >= limits::ELEMENTS {
            self.budget.elements(items.len() + 1)?;
        }
        items.push(item);
        Ok(Flow::On)
    }

    pub(super) fn guard(&mut self, frame: &mut Frame, finally: Label) -> Result<Flow, Raised> {
        // What cannot run at all must not run its clean-up either.
        self.demand_backends(frame)?;
        frame.guard = Guard::Armed(finally);
        Ok(Flow::On)
    }

    pub(super) fn begin_finally(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        match frame.guard {
            Guard::Armed(_) => {
                // A signal that came while the last step ended asks to stop like any other: the block runs because of it.
                self.look_up(frame)?;
                let limit = frame.limit.take();
                let now = self.world.now_us();
                // Cleaning up after a success has what time is left, and never less than after a failure.
                frame.limit = limit.clone().map(|limit| {
                    let least = finally_limit(now);
                    if limit.at_us < least.at_us { least } else { limit }
                });
                frame.guard = Guard::Running { pending: None, limit };
                self.finallies += 1;
                Ok(Flow::On)
            }
            Guard::Running { .. } => Ok(Flow::On),
            Guard::None | Guard::Done => Err(corrupt().into()),
        }
    }

    pub(super) fn end_finally(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        match std::mem::replace(&mut frame.guard, Guard::Done) {
            Guard::Running { pending, limit } => {
                frame.limit = limit;
                self.finallies = self.finallies.saturating_sub(1);
                pending.map_or(Ok(Flow::On), Err)
            }
            Guard::None | Guard::Armed(_) | Guard::Done => Err(corrupt().into()),
        }
    }

    pub(super) fn result(&mut self, frame: &mut Frame, index: Index) -> Result<Flow, Raised> {
        let value = frame.pop()?;
        let value = self.present(value)?.map_or(Value::Null, Held::into_value);
        self.budget.value(&value)?;
        let at = frame.at;
        *frame.results.get_mut(index.index()).ok_or_else(corrupt)? = Some((value, at));
        Ok(Flow::On)
    }

    /// Files are looked for at the very end, when also `finally` has run: what is promised must be there afterwards.
    pub(super) fn end_macro(&mut self, frame: &mut Frame) -> Result<Flow, Raised> {
        if self.world.simulated() {
            return Ok(Flow::Ended);
        }
        let unit = self.artifact.macros.get(frame.unit).ok_or_else(corrupt)?;
        for (record, result) in unit.results.iter().zip(&frame.results) {
            let Some((value, at)) = result else { continue };
            if record.kind == ResultKind::Path {
                let place = self.ledger.code_place(*at);
                self.promised_file(frame, &record.name, value)
                    .map_err(|failure| Raised::from(failure).at(None, place))?;
            }
        }
        Ok(Flow::Ended)
    }

    fn promised_file(&mut self, frame: &Frame, name: &str, value: &Value) -> Result<(), Failure> {
        let wrong =
            |problem: String| Failure::new(FailureKind::Postcondition, format!("declared output `{name}`: {problem}"));
        let test = Test::read(Condition::FileExists, vec![value.clone()]);
        let test = test.map_err(|error| wrong(error.message))?;
        let Test::FileExists { path } = &test else { return Err(corrupt()) };
        match self.observe(frame, &test) {
            Ok(observed) if observed.holds => Ok(()),
            Ok(_) => Err(wrong(format!("no file at `{path}`"))),
            Err(failure) => Err(wrong(format!("cannot look at `{path}`: {}", failure.message))),
        }
    }

    /// A loop over nothing leaves one report, so that its step does not vanish from the result.
    fn nothing_to_do(&mut self, frame: &Frame, end: Label) {
        let body = self.artifact.code.get(frame.at..end.index()).unwrap_or_default();
        let step = body.iter().find_map(|op| if let Op::Step { step, .. } = op { Some(step.index()) } else { None });
        if let Some(step) = step
            && let Some(record) = self.artifact.steps.get(step)
        {
            let id = format!("{}{}", frame.prefix, record.id);
            let entry = self.ledger.begin(&id, frame.outer_turn);
            let report = self.empty_report(step, id, frame.outer_turn, Status::Skipped);
            self.ledger.finish(entry, report);
        }
    }
}

/// How long a `finally` block may take when a failure made it run.
pub fn finally_limit(now_us: u64) -> Deadline {
    Deadline::new(now_us, limits::FINALLY_US, Some("`finally`".to_owned()))
}
