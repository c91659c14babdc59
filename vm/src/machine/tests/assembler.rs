//! Puts programs together by hand, in the shape the compiler gives them.

use spec::action::Action;
use spec::artifact::{
    Artifact, Constant, Debug, Macro, OnFailure, ParameterRecord, Place, ResultKind, ResultRecord, RouteRecord,
    StepKind, StepRecord, TypeTag,
};
use spec::condition::Condition;
use spec::op::Op;
use spec::operand::{Callee, Const, Count, Index, Label, Mask, Phase, Route, Slot, Step};
use spec::value::Value;

use crate::program::Program;
use crate::verify::verify;

/// A program under construction.
#[derive(Default)]
pub struct Assembler {
    pub artifact: Artifact,
    start: u32,
    parameters: Vec<ParameterRecord>,
    results: Vec<ResultRecord>,
    guard: Option<usize>,
    pub timeout_us: Option<u64>,
}

/// Where a value comes from.
#[derive(Clone)]
pub enum From {
    Value(Value),
    Slot(u16),
    Maybe(u16),
    /// The values joined as text.
    Joined(Vec<From>),
}

/// What a step does.
#[derive(Clone)]
pub enum Does {
    Act(Vec<Action>, Vec<(&'static str, From)>),
    Call(u32, Vec<From>),
}

/// A step.
#[derive(Clone)]
pub struct Spec {
    pub id: &'static str,
    pub does: Does,
    pub fallback: Option<(Action, Vec<(&'static str, From)>)>,
    pub recovery: bool,
    pub when: Option<From>,
    /// The list, and the slots of item and index; one more after these is used.
    pub each: Option<(From, u16, u16)>,
    pub timeout_us: u64,
    pub retries: u32,
    pub backoff_us: Vec<u64>,
    pub on_failure: OnFailure,
    pub verify: Vec<(Condition, Vec<From>)>,
    pub within_us: u64,
    pub outputs: Vec<(u16, u16)>,
    pub must_run: bool,
}

pub fn text(text: &str) -> From {
    From::Value(Value::String(text.to_owned()))
}

/// A step that runs a program.
pub fn run_step(id: &'static str) -> Spec {
    act(id, Action::RunCommand, vec![("command", text("tool"))])
}

pub fn act(id: &'static str, action: Action, arguments: Vec<(&'static str, From)>) -> Spec {
    Spec {
        id,
        does: Does::Act(vec![action], arguments),
        fallback: None,
        recovery: false,
        when: None,
        each: None,
        timeout_us: 30_000_000,
        retries: 0,
        backoff_us: vec![1_000_000],
        on_failure: OnFailure::Fail,
        verify: Vec::new(),
        within_us: 0,
        outputs: Vec::new(),
        must_run: false,
    }
}

pub fn call(id: &'static str, callee: u32, arguments: Vec<From>) -> Spec {
    Spec { does: Does::Call(callee, arguments), ..run_step(id) }
}

pub fn parameter(name: &str, ty: TypeTag) -> ParameterRecord {
    ParameterRecord {
        name: name.to_owned(),
        ty,
        required: false,
        secret: false,
        needed: false,
        default: None,
        choices: Vec::new(),
        min: None,
        max: None,
        description: String::new(),
        example: None,
    }
}

impl Assembler {
    pub fn has_parameters(&self) -> bool {
        !self.parameters.is_empty()
    }

    pub fn parameter(&mut self, parameter: ParameterRecord) {
        self.parameters.push(parameter);
    }

    pub fn constant(&mut self, value: &Value) -> Const {
        let constant = match value {
            Value::Null => Constant::Null,
            Value::Boolean(value) => Constant::Boolean(*value),
            Value::Integer(value) => Constant::Integer(*value),
            Value::Float(value) => Constant::Float(*value),
            Value::Number(text) => Constant::Number(text.clone()),
            Value::String(text) => Constant::String(text.clone()),
            Value::List(items) => Constant::List(items.iter().map(|item| self.constant(item).0).collect()),
            Value::Dict(entries) => {
                let entries = entries.iter();
                let entries =
                    entries.map(|(key, item)| (self.constant(&Value::String(key.clone())).0, self.constant(item).0));
                Constant::Dict(entries.collect())
            }
        };
        self.artifact.constants.list.push(constant);
        Const(self.artifact.constants.list.len() as u32 - 1)
    }

    pub fn push(&mut self, op: Op) -> usize {
        self.artifact.code.push(op);
        self.artifact.debug.code.push(self.artifact.debug.places.len() as u32);
        self.artifact.debug.places.push(Place { line: self.artifact.code.len() as u32, ..Place::default() });
        self.artifact.code.len() - 1
    }

    pub fn here(&self) -> Label {
        Label(self.artifact.code.len() as u32)
    }

    pub fn value(&mut self, from: &From) {
        match from {
            From::Value(value) => {
                let value = self.constant(value);
                self.push(Op::Const { value });
            }
            From::Slot(slot) => {
                self.push(Op::Load { slot: Slot(*slot) });
            }
            From::Maybe(slot) => {
                self.push(Op::LoadMaybe { slot: Slot(*slot) });
            }
            From::Joined(parts) => {
                parts.iter().for_each(|part| self.value(part));
                self.push(Op::Concat { count: Count(parts.len() as u16) });
            }
        }
    }

    pub fn test(&mut self, condition: Condition, arguments: &[From]) {
        arguments.iter().for_each(|argument| self.value(argument));
        self.push(Op::Test { condition });
    }

    pub fn precondition(&mut self, condition: Condition, arguments: &[From]) {
        self.test(condition, arguments);
        self.push(Op::Demand { phase: Phase::Precondition });
    }

    pub fn postcondition(&mut self, condition: Condition, arguments: &[From]) {
        let skip = self.push(Op::Return {});
        self.test(condition, arguments);
        self.push(Op::Demand { phase: Phase::Postcondition });
        self.artifact.code[skip] = Op::SkipSimulated { phase: Phase::Postcondition, target: self.here() };
    }

    /// From here failures run the block begun by [`Assembler::finally`].
    pub fn guard(&mut self) {
        self.guard = Some(self.push(Op::Return {}));
    }

    pub fn finally(&mut self, steps: &[Spec]) {
        self.artifact.code[self.guard.take().unwrap()] = Op::Guard { finally: self.here() };
        self.push(Op::Finally {});
        steps.iter().for_each(|step| self.step(step.clone()));
        self.push(Op::EndFinally {});
    }

    pub fn result(&mut self, name: &str, kind: ResultKind, value: &From) {
        self.value(value);
        self.push(Op::Result { index: Index(self.results.len() as u16) });
        self.results.push(ResultRecord { name: name.to_owned(), kind, description: String::new() });
    }

    pub fn step(&mut self, step: Spec) {
        let kind = self.kind(&step);
        let outputs = match &kind {
            StepKind::Act { route, .. } => {
                let first = self.artifact.routes[*route as usize].actions[0];
                Action::by_number(first).unwrap().outputs().iter().map(|output| output.name.to_owned()).collect()
            }
            StepKind::Call { callee } => {
                self.artifact.macros[*callee as usize].results.iter().map(|result| result.name.clone()).collect()
            }
        };
        self.artifact.steps.push(StepRecord {
            id: step.id.to_owned(),
            owner: self.artifact.macros.len() as u32,
            kind,
            recovery: step.recovery,
            must_run: step.must_run,
            timeout_us: step.timeout_us,
            retries: step.retries,
            backoff_us: step.backoff_us.clone(),
            on_failure: step.on_failure,
            within_us: step.within_us,
            outputs,
        });
        let line = self.artifact.code.len() as u32 + 1;
        self.artifact.debug.steps.push(self.artifact.debug.places.len() as u32);
        self.artifact.debug.places.push(Place { line, ..Place::default() });
        let number = Step(self.artifact.steps.len() as u32 - 1);
        let Some((list, item, index)) = step.each.clone() else { return self.once(number, &step) };
        let (list_slot, index, item) = (Slot(index + 1), Slot(index), Slot(item));
        self.value(&list);
        self.push(Op::Each { list: list_slot, index });
        let next = self.push(Op::Return {});
        self.once(number, &step);
        self.push(Op::Loop { next: Label(next as u32) });
        self.artifact.code[next] = Op::Next { list: list_slot, index, item, end: self.here() };
    }

    /// Ends the macro under construction.
    pub fn end(&mut self, name: &str) -> u32 {
        self.push(Op::Return {});
        let end = self.here().0;
        self.artifact.macros.push(Macro {
            name: name.to_owned(),
            parameters: std::mem::take(&mut self.parameters),
            results: std::mem::take(&mut self.results),
            slots: 32,
            start: self.start,
            end,
            timeout_us: self.timeout_us.take(),
        });
        self.start = end;
        self.artifact.meta.name = name.to_owned();
        self.artifact.macros.len() as u32 - 1
    }

    /// The program that runs the last macro.
    pub fn program(self) -> Program {
        verify(self.finished()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The same without asking the verifier.
    pub fn unverified(self) -> Program {
        Program::verified(self.finished())
    }

    fn finished(mut self) -> Artifact {
        if self.artifact.macros.is_empty() || self.here().0 != self.start {
            self.end("main");
        }
        self.artifact.debug = Debug { files: vec!["main.yaml".to_owned()], ..self.artifact.debug };
        let numbers = self.artifact.routes.iter().flat_map(|route| &route.actions);
        let mut backends: Vec<String> =
            numbers.map(|number| Action::by_number(*number).unwrap().backend().name().to_owned()).collect();
        backends.sort();
        backends.dedup();
        self.artifact.manifest = spec::artifact::Manifest {
            backends,
            types: true,
            clicks: true,
            captures: true,
            model: true,
            ..Default::default()
        };
        self.artifact
    }

    fn kind(&mut self, step: &Spec) -> StepKind {
        match &step.does {
            Does::Act(actions, _) => {
                let fallback = step.fallback.as_ref().map(|(action, _)| self.route(&[*action]));
                StepKind::Act { route: self.route(actions), fallback }
            }
            Does::Call(callee, _) => StepKind::Call { callee: *callee },
        }
    }

    fn route(&mut self, actions: &[Action]) -> u32 {
        let record = RouteRecord { actions: actions.iter().map(|action| *action as u8).collect() };
        let routes = &mut self.artifact.routes;
        let place = routes.iter().position(|route| *route == record).unwrap_or_else(|| {
            routes.push(record);
            routes.len() - 1
        });
        place as u32
    }

    fn once(&mut self, number: Step, step: &Spec) {
        let begin = self.push(Op::Return {});
        if let Some(when) = &step.when {
            self.value(when);
            self.push(Op::When {});
        }
        let again = self.here();
        let attempt = self.push(Op::Return {});
        match &step.does {
            Does::Act(actions, arguments) => self.act(actions, arguments),
            Does::Call(callee, arguments) => {
                arguments.iter().for_each(|argument| self.value(argument));
                let given = Mask((1 << arguments.len()) - 1);
                self.push(Op::Call { callee: Callee(*callee), given });
            }
        }
        let mut done = vec![self.succeed(step)];
        self.artifact.code[attempt] = Op::Try { handler: self.here() };
        self.push(Op::Retry { again });
        if let Some((action, arguments)) = &step.fallback {
            let attempt = self.push(Op::Return {});
            self.act(&[*action], arguments);
            done.push(self.succeed(step));
            self.artifact.code[attempt] = Op::Fallback { handler: self.here() };
        }
        self.push(Op::Settle {});
        for hole in done {
            self.artifact.code[hole] = Op::Jump { target: self.here() };
        }
        self.push(Op::EndStep {});
        self.artifact.code[begin] = Op::Step { step: number, end: self.here() };
    }

    fn act(&mut self, actions: &[Action], arguments: &[(&'static str, From)]) {
        let mut places: Vec<(usize, &From)> =
            arguments.iter().map(|(name, from)| (actions[0].parameter(name).unwrap().0, from)).collect();
        places.sort_by_key(|(place, _)| *place);
        let mut given = Mask::default();
        for (place, from) in places {
            self.value(from);
            given.0 |= 1 << place;
        }
        let route = Route(self.route(actions));
        self.push(Op::Act { route, given });
    }

    fn succeed(&mut self, step: &Spec) -> usize {
        for (index, slot) in &step.outputs {
            self.push(Op::Output { index: Index(*index), slot: Slot(*slot) });
        }
        if !step.verify.is_empty() {
            let skip = self.push(Op::Return {});
            for (condition, arguments) in &step.verify {
                let again = self.here();
                self.test(*condition, arguments);
                self.push(Op::Verify { again });
            }
            self.artifact.code[skip] = Op::SkipSimulated { phase: Phase::Verify, target: self.here() };
        }
        self.push(Op::EndTry {});
        self.push(Op::Return {})
    }
}
