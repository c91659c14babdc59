//! Checked macros to an artifact. Nothing can fail here: whatever could be wrong was reported before.

mod code;
mod condition;
mod constants;
mod expr;
mod step;

use spec::action::Action;
use spec::artifact::{Artifact, Debug, Macro, ParameterRecord, ResultRecord, RouteRecord, StepRecord, TypeTag};
use spec::op::Op;
use spec::operand::{Index, Label, Phase, Slot};
use spec::value::{Type, Value};

use crate::assets::Assets;
use crate::ir;
use crate::manifest;
use crate::source::SourceMap;
use code::{Code, Places};
use constants::Pool;

/// Lowers macros, callees first, to one artifact.
pub fn lower(linked: &ir::Linked, sources: &SourceMap, assets: Assets) -> Artifact {
    let mut context = Context::default();
    let macros = linked.macros.iter().enumerate().map(|(index, unit)| context.unit(index, unit, linked)).collect();
    let mut places = Places::new(sources);
    let code = context.code.finish(sources, &mut places);
    let steps = context.step_spans.iter().map(|span| places.of(*span, sources)).collect();
    let manifest = manifest::infer(linked, &assets);
    Artifact {
        meta: linked.meta.clone(),
        constants: context.pool.finish(),
        code: code.ops,
        macros,
        steps: context.steps,
        routes: context.routes,
        streams: assets.streams,
        images: assets.images,
        manifest,
        debug: Debug { files: places.files, places: places.list, code: code.places, steps },
    }
}

/// Everything that grows while macros are lowered.
#[derive(Default)]
struct Context {
    code: Code,
    pool: Pool,
    steps: Vec<StepRecord>,
    step_spans: Vec<spec::span::Span>,
    routes: Vec<RouteRecord>,
    /// The first slot of the macro at hand that no name has taken.
    next_slot: u16,
}

impl Context {
    fn unit(&mut self, index: usize, unit: &ir::Macro, linked: &ir::Linked) -> Macro {
        self.next_slot = unit.slots;
        let start = self.code.here();
        if let Some(limit) = &unit.limit {
            self.expr(limit);
            self.code.push(Op::Total {}, limit.span);
        }
        for condition in &unit.preconditions {
            self.condition(condition);
            self.code.push(Op::Demand { phase: Phase::Precondition }, condition.span);
        }
        self.clear_successes(unit);
        let guard = (!unit.finally.is_empty()).then(|| self.code.hole(unit.span));
        for step in &unit.steps {
            self.step(index, step, linked, step::Place::Body);
        }
        self.postconditions(unit);
        for (place, result) in unit.results.iter().enumerate() {
            self.expr(&result.value);
            self.code.push(Op::Result { index: Index(place as u16) }, result.value.span);
        }
        if let Some(guard) = guard {
            let finally = self.code.here();
            self.code.fill(guard, Op::Guard { finally });
            self.code.push(Op::Finally {}, unit.span);
            for step in &unit.finally {
                self.step(index, step, linked, step::Place::Finally);
            }
            self.code.push(Op::EndFinally {}, unit.span);
        }
        self.code.push(Op::Return {}, unit.span);
        Macro {
            name: unit.name.clone(),
            parameters: unit.parameters.iter().map(|parameter| self.parameter(parameter)).collect(),
            results: unit.results.iter().map(result_record).collect(),
            slots: self.next_slot,
            start: start.0,
            end: self.code.here().0,
            timeout_us: unit.timeout_us,
        }
    }

    /// `steps.<id>.success` is false until the step has succeeded, wherever it is read.
    fn clear_successes(&mut self, unit: &ir::Macro) {
        for step in unit.steps.iter().chain(&unit.finally) {
            if let Some(success) = step.success {
                self.constant(Value::Boolean(false), step.span);
                self.code.push(Op::Store { slot: success }, step.span);
            }
        }
    }

    fn postconditions(&mut self, unit: &ir::Macro) {
        let Some(first) = unit.postconditions.first() else { return };
        let skip = self.code.hole(first.span);
        for condition in &unit.postconditions {
            self.condition(condition);
            self.code.push(Op::Demand { phase: Phase::Postcondition }, condition.span);
        }
        let target = self.code.here();
        self.code.fill(skip, Op::SkipSimulated { phase: Phase::Postcondition, target });
    }

    fn parameter(&mut self, parameter: &ir::Parameter) -> ParameterRecord {
        let mut intern = |value: &Option<Value>| value.as_ref().map(|value| self.pool.intern(value).0);
        ParameterRecord {
            name: parameter.name.clone(),
            ty: type_tag(parameter.ty),
            required: parameter.required,
            secret: parameter.secret,
            needed: parameter.needed,
            default: intern(&parameter.default),
            min: intern(&parameter.min),
            max: intern(&parameter.max),
            example: intern(&parameter.example),
            choices: parameter.choices.iter().map(|choice| self.pool.intern(choice).0).collect(),
            description: parameter.description.clone(),
        }
    }

    fn route(&mut self, actions: &[Action]) -> u32 {
        let record = RouteRecord { actions: actions.iter().map(|action| *action as u8).collect() };
        let known = self.routes.iter().position(|route| *route == record);
        known.unwrap_or_else(|| {
            self.routes.push(record);
            self.routes.len() - 1
        }) as u32
    }

    fn fresh_slot(&mut self) -> Slot {
        self.next_slot += 1;
        Slot(self.next_slot - 1)
    }

    fn constant(&mut self, value: Value, span: spec::span::Span) {
        let value = self.pool.intern(&value);
        self.code.push(Op::Const { value }, span);
    }
}

fn result_record(output: &ir::Output) -> ResultRecord {
    ResultRecord { name: output.name.clone(), kind: output.kind, description: output.description.clone() }
}

fn type_tag(ty: Type) -> TypeTag {
    match ty {
        // `any` cannot be declared; text is what an untyped parameter is.
        Type::String | Type::Any => TypeTag::String,
        Type::Integer => TypeTag::Integer,
        Type::Float => TypeTag::Float,
        Type::Boolean => TypeTag::Boolean,
        Type::List => TypeTag::List,
        Type::Dict => TypeTag::Dict,
    }
}

/// A place in the code that is not known yet.
const UNKNOWN: Label = Label(u32::MAX);
