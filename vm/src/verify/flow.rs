//! Every way through a macro, followed once: labels lead forwards except where something repeats, and what repeats must lead back to the
//! state it was first reached with, so that one pass in the order of the code sees every state there is.

use spec::artifact::{Artifact, CodeFault, LoadError, Macro, OnFailure, StepKind, StepRecord};
use spec::effect::Branch;
use spec::op::Op;
use spec::operand::{Index, Label, Phase, Setting, Slot};

use crate::verify::STACK_LIMIT;
use crate::verify::state::{Guard, Open, Stage, State};

/// Follows every way through a macro whose operands were checked.
pub fn check(artifact: &Artifact, record: &Macro) -> Result<(), LoadError> {
    let code = artifact.code.get(record.start as usize..record.end as usize).unwrap_or_default();
    let mut flow = Flow { artifact, record, code, states: vec![None; code.len()] };
    if let Some(first) = flow.states.first_mut() {
        *first = Some(State::START);
    }
    for (index, op) in (record.start..record.end).zip(code) {
        // What no way leads to does nothing.
        if let Some(state) = flow.known(index) {
            flow.instruction(index, op, state).map_err(|fault| LoadError::code(index, op.mnemonic(), fault))?;
        }
    }
    match code.last() {
        Some(Op::Return {}) => Ok(()),
        Some(op) => Err(LoadError::code(record.end - 1, op.mnemonic(), CodeFault::FallsOff)),
        None => Ok(()),
    }
}

struct Flow<'a> {
    artifact: &'a Artifact,
    record: &'a Macro,
    code: &'a [Op],
    /// The state before each instruction; `None` where no way led yet.
    states: Vec<Option<State>>,
}

type Checked<T> = Result<T, CodeFault>;

impl Flow<'_> {
    fn known(&self, index: u32) -> Option<State> {
        self.states.get(index.checked_sub(self.record.start)? as usize).copied().flatten()
    }

    fn op(&self, index: u32) -> Option<&Op> {
        self.code.get(index.checked_sub(self.record.start)? as usize)
    }

    fn instruction(&mut self, index: u32, op: &Op, before: State) -> Checked<()> {
        let effect = op.effect();
        let found = before.depth;
        let depth = found.checked_sub(effect.pops).ok_or(CodeFault::Underflow { found, needed: effect.pops })?;
        if effect.statement && depth > 0 {
            return Err(CodeFault::ValuesLeft { found: depth });
        }
        let taken = State { depth, ..before };
        let (next, branched) = self.step_through(index, op, taken)?;
        if let Some(Branch { to, pushes, back }) = effect.branch {
            self.reach(index, to, back, pushed(branched, pushes)?)?;
        }
        if effect.falls {
            self.join(index + 1, pushed(next, effect.pushes)?)?;
        }
        Ok(())
    }

    /// The states after the instruction, ahead and at its label, before anything is pushed.
    fn step_through(&mut self, index: u32, op: &Op, state: State) -> Checked<(State, State)> {
        let same = Ok((state, state));
        match *op {
            Op::Const { .. }
            | Op::Load { .. }
            | Op::LoadMaybe { .. }
            | Op::Env { .. }
            | Op::Concat { .. }
            | Op::List { .. }
            | Op::Dict { .. }
            | Op::Field { .. }
            | Op::Index {}
            | Op::Apply { .. }
            | Op::Not {}
            | Op::Neg {}
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
            | Op::Rem {}
            | Op::Bool {}
            | Op::Jump { .. }
            | Op::JumpUnless { .. }
            | Op::JumpIf { .. }
            | Op::OrElse { .. }
            | Op::Test { .. } => same,
            Op::Store { slot } | Op::Clear { slot } | Op::Append { slot } => {
                self.writable(state, slot)?;
                same
            }
            Op::Demand { phase } => {
                outside(state)?;
                if phase == Phase::Verify { Err(misplaced("of a precondition or postcondition")) } else { same }
            }
            Op::SkipSimulated { phase, .. } => {
                match phase {
                    Phase::Precondition | Phase::Postcondition => outside(state)?,
                    Phase::Verify => drop(acted(state)?),
                }
                same
            }
            Op::Step { step, end } => self.begin_step(step.0, end, state),
            Op::When {} => {
                let open = stage(state, Stage::Begun, "in a step, before its try")?;
                if self.step(open).must_run { Err(CodeFault::MustRun) } else { same }
            }
            Op::Limit {} => {
                stage(state, Stage::Begun, "in a step, before its try")?;
                same
            }
            Op::Policy { setting } => {
                let open = stage(state, Stage::Begun, "in a step, before its try")?;
                let forgiving = setting == Setting::OnFailure && self.step(open).must_run;
                if forgiving { Err(CodeFault::MustRun) } else { same }
            }
            Op::Total {} => {
                outside(state)?;
                same
            }
            Op::Try { .. } => {
                let open = stage(state, Stage::Begun, "in a step, once and before anything else is tried")?;
                Ok((with(state, open, Stage::Trying(index)), with(state, open, Stage::Handling(index))))
            }
            Op::Act { route, .. } => self.act(state, |kind, fallen| match (kind, fallen) {
                (StepKind::Act { route: own, .. }, false) => *own == route.0,
                (StepKind::Act { fallback, .. }, true) => *fallback == Some(route.0),
                (StepKind::Call { .. }, _) => false,
            }),
            Op::Call { callee, .. } => self.act(state, |kind, fallen| match kind {
                StepKind::Call { callee: own } => *own == callee.0 && !fallen,
                StepKind::Act { .. } => false,
            }),
            Op::Output { index, slot } => {
                self.output(state, index)?;
                self.writable(state, slot)?;
                same
            }
            Op::Verify { .. } => acted(state).and(same),
            Op::EndTry {} => {
                let open = acted(state)?;
                let done = with(state, open, Stage::Done);
                Ok((done, done))
            }
            Op::Retry { again } => {
                let open = in_step(state)?;
                if open.stage != Stage::Handling(again.0) {
                    return Err(misplaced("in the handler of the try it leads to, once"));
                }
                Ok((with(state, open, Stage::GivenUp), with(state, open, Stage::Begun)))
            }
            Op::Fallback { .. } => {
                let open = in_step(state)?;
                match (&self.step(open).kind, open.stage) {
                    (StepKind::Act { fallback: Some(_), .. }, Stage::Handling(_) | Stage::GivenUp) => {}
                    (StepKind::Act { .. } | StepKind::Call { .. }, _) => {
                        return Err(misplaced("in the handler of a step that has a fallback"));
                    }
                }
                Ok((with(state, open, Stage::Falling), with(state, open, Stage::Fallen)))
            }
            Op::Settle {} => match in_step(state)?.stage {
                Stage::Handling(_) | Stage::GivenUp | Stage::Fallen => same,
                Stage::Begun
                | Stage::Trying(_)
                | Stage::Acted(_)
                | Stage::Falling
                | Stage::FallbackActed
                | Stage::Done => Err(misplaced("in a handler")),
            },
            Op::EndStep {} => {
                let open = stage(state, Stage::Done, "in a step whose try has ended")?;
                if open.end != index + 1 {
                    return Err(misplaced("right before the end its step names"));
                }
                let closed = State { step: None, ..state };
                Ok((closed, closed))
            }
            Op::Each { list, index: counter } => self.begin_loop(index, list, counter, state),
            Op::Next { list, index: counter, item, .. } => {
                if state.turn != Some(index) || state.step.is_some() {
                    return Err(misplaced("right after its `each`"));
                }
                if item == list || item == counter {
                    return Err(CodeFault::LoopSlot);
                }
                Ok((state, State { turn: None, ..state }))
            }
            Op::Loop { next } => {
                if state.turn != Some(next.0) || state.step.is_some() {
                    return Err(misplaced("in the loop of the `next` it leads to"));
                }
                same
            }
            Op::Guard { finally } => {
                top(state)?;
                if state.guard != Guard::None {
                    return Err(misplaced("the only one of its macro"));
                }
                match self.op(finally.0) {
                    Some(Op::Finally {}) => {}
                    Some(_) | None => return Err(CodeFault::WrongTarget { expected: "`finally`" }),
                }
                let armed = State { guard: Guard::Armed(finally.0), ..state };
                Ok((armed, armed))
            }
            Op::Finally {} => {
                top(state)?;
                let inside = State { guard: Guard::Inside, ..state };
                if state.guard == Guard::Armed(index) {
                    Ok((inside, inside))
                } else {
                    Err(misplaced("the one its `guard` names"))
                }
            }
            Op::EndFinally {} => {
                top(state)?;
                let past = State { guard: Guard::Past, ..state };
                if state.guard == Guard::Inside {
                    Ok((past, past))
                } else {
                    Err(misplaced("at the end of a `finally` block"))
                }
            }
            Op::Result { index } => {
                top(state)?;
                in_range("result", index, self.record.results.len()).and(same)
            }
            Op::Return {} => {
                top(state)?;
                match state.guard {
                    Guard::None | Guard::Past => same,
                    Guard::Armed(_) | Guard::Inside => Err(misplaced("past the `finally` block")),
                }
            }
        }
    }

    fn begin_step(&mut self, step: u32, end: Label, state: State) -> Checked<(State, State)> {
        outside(state)?;
        let begun = Open { step, end: end.0, stage: Stage::Begun };
        let record = self.step(begun);
        if record.must_run && (state.turn.is_some() || record.on_failure != OnFailure::Fail) {
            return Err(CodeFault::MustRun);
        }
        Ok((State { step: Some(begun), ..state }, state))
    }

    /// The stage after an action or call, when `is_own` finds it to be the step's; told whether it is the fallback's.
    fn act(&self, state: State, is_own: impl Fn(&StepKind, bool) -> bool) -> Checked<(State, State)> {
        let open = in_step(state)?;
        let (stage, fallen) = match open.stage {
            Stage::Trying(at) => (Stage::Acted(at), false),
            Stage::Falling => (Stage::FallbackActed, true),
            Stage::Begun
            | Stage::Acted(_)
            | Stage::Handling(_)
            | Stage::GivenUp
            | Stage::FallbackActed
            | Stage::Fallen
            | Stage::Done => return Err(misplaced("in a try, once")),
        };
        if !is_own(&self.step(open).kind, fallen) {
            return Err(CodeFault::WrongAction);
        }
        let after = with(state, open, stage);
        Ok((after, after))
    }

    /// The output must be one the step has, whichever action did it.
    fn output(&self, state: State, index: Index) -> Checked<()> {
        let open = acted(state)?;
        in_range("output", index, self.step(open).outputs.len())
    }

    fn begin_loop(&self, at: u32, list: Slot, counter: Slot, state: State) -> Checked<(State, State)> {
        top(state)?;
        match self.op(at + 1) {
            Some(Op::Next { list: next_list, index, .. }) if *next_list == list && *index == counter => {}
            Some(_) | None => return Err(misplaced("right before the `next` of the same slots")),
        }
        if list == counter {
            return Err(CodeFault::LoopSlot);
        }
        let turning = State { turn: Some(at + 1), ..state };
        Ok((turning, turning))
    }

    /// A running loop's own slots are written by its `next` alone.
    fn writable(&self, state: State, slot: Slot) -> Checked<()> {
        match state.turn.and_then(|next| self.op(next)) {
            Some(Op::Next { list, index, .. }) if *list == slot || *index == slot => Err(CodeFault::LoopSlot),
            Some(_) | None => Ok(()),
        }
    }

    fn step(&self, open: Open) -> &StepRecord {
        // Operands were checked before: an open step exists.
        &self.artifact.steps[open.step as usize]
    }

    /// A way from `index` to a label.
    fn reach(&mut self, index: u32, to: Label, back: bool, state: State) -> Checked<()> {
        if !back {
            return if to.0 > index { self.join(to.0, state) } else { Err(CodeFault::BackwardLabel) };
        }
        if to.0 >= index {
            return Err(CodeFault::ForwardLabel);
        }
        // An instruction already passed was reached with every state it can have, so the way back must bring none other.
        if self.known(to.0) == Some(state) { Ok(()) } else { Err(CodeFault::Join) }
    }

    /// A way to an instruction ahead.
    fn join(&mut self, to: u32, state: State) -> Checked<()> {
        let known = to.checked_sub(self.record.start).and_then(|place| self.states.get_mut(place as usize));
        match known {
            None => Err(CodeFault::FallsOff),
            Some(Some(known)) if *known != state => Err(CodeFault::Join),
            Some(known) => {
                *known = Some(state);
                Ok(())
            }
        }
    }
}

fn pushed(state: State, pushes: u32) -> Checked<State> {
    let depth = state.depth.saturating_add(pushes);
    if depth > STACK_LIMIT { Err(CodeFault::Overflow { limit: STACK_LIMIT }) } else { Ok(State { depth, ..state }) }
}

fn misplaced(expected: &'static str) -> CodeFault {
    CodeFault::Misplaced { expected }
}

fn with(state: State, open: Open, stage: Stage) -> State {
    State { step: Some(Open { stage, ..open }), ..state }
}

fn in_range(what: &'static str, index: Index, count: usize) -> Checked<()> {
    if index.index() < count {
        return Ok(());
    }
    Err(CodeFault::OutOfRange { what, index: u64::from(index.0), count: count as u64 })
}

fn in_step(state: State) -> Checked<Open> {
    state.step.ok_or(misplaced("in a step"))
}

fn stage(state: State, stage: Stage, expected: &'static str) -> Checked<Open> {
    state.step.filter(|open| open.stage == stage).ok_or(misplaced(expected))
}

/// After the action of a try.
fn acted(state: State) -> Checked<Open> {
    let open = in_step(state)?;
    match open.stage {
        Stage::Acted(_) | Stage::FallbackActed => Ok(open),
        Stage::Begun
        | Stage::Trying(_)
        | Stage::Handling(_)
        | Stage::GivenUp
        | Stage::Falling
        | Stage::Fallen
        | Stage::Done => Err(misplaced("in a try, after its action or call")),
    }
}

fn outside(state: State) -> Checked<()> {
    if state.step.is_none() { Ok(()) } else { Err(misplaced("outside steps")) }
}

/// Outside steps and loops.
fn top(state: State) -> Checked<()> {
    if state.step.is_none() && state.turn.is_none() { Ok(()) } else { Err(misplaced("outside steps and loops")) }
}
