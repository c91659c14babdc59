//! Names in expressions: parameters, `steps.<id>.<output>`, `env.NAME`, `item` and `index`.

use spec::operand::Slot;
use spec::span::Span;
use spec::value::Type;

use crate::check::expr::Origin;
use crate::check::scope::Presence;
use crate::check::types::{self, Typed};
use crate::check::{Checker, Place};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::expr::ast::{Expr, ExprKind, Ident};
use crate::ir;

impl Checker<'_, '_> {
    /// A name on its own. With a `fallback` the value may be absent.
    pub fn name(&mut self, name: &str, span: Span, fallback: bool) -> Option<Typed> {
        match (name, self.scope.each) {
            ("item", Some(each)) => return Some(slot(each.item, each.ty, false, span)),
            ("index", Some(each)) => return Some(slot(each.index, Type::Integer, false, span)),
            ("item" | "index", None) => {
                let problem = Diagnostic::new(
                    Code::UnknownVariable,
                    span,
                    format!("`{name}` is only there in a step with `for_each`"),
                );
                self.report(problem.help("add `for_each:` to the step"));
                return None;
            }
            ("steps", _) => {
                let problem = Diagnostic::new(Code::UnknownVariable, span, "`steps` is no value");
                self.report(problem.help("write `steps.<id>.<output>`"));
                return None;
            }
            ("env", _) => {
                let problem = Diagnostic::new(Code::UnknownVariable, span, "`env` is no value");
                self.report(problem.help("write `env.NAME`"));
                return None;
            }
            _ => {}
        }
        let Some(index) = self.scope.parameter(name) else {
            let help = match difference(name, |part| self.scope.parameter(part).is_some()) {
                Some((left, right)) => {
                    format!("a `-` inside a name belongs to it; for a difference write `{left} - {right}`")
                }
                None => {
                    let mut known: Vec<&str> = self.scope.parameters.iter().map(|known| known.name.as_str()).collect();
                    if self.scope.each.is_some() {
                        known.extend(["item", "index"]);
                    }
                    known.extend(["steps", "env"]);
                    self.suggest(name, &known)
                }
            };
            let problem = Diagnostic::new(Code::UnknownVariable, span, format!("no parameter is called `{name}`"));
            self.report(problem.help(help));
            return None;
        };
        let parameter = &mut self.scope.parameters[index];
        parameter.used = true;
        let (ty, absent) = (parameter.ty, parameter.maybe && !fallback);
        if absent {
            parameter.needed = true;
            let problem = Diagnostic::new(
                Code::MaybeMissingParameter,
                span,
                format!("`{name}` has no value when it is not given"),
            );
            self.report(
                problem.help(format!("declare `required: true` or a default, or write `${{{name}:-fallback}}`")),
            );
        }
        let maybe = self.scope.parameters[index].maybe && fallback;
        Some(slot(Slot(index as u16), ty, maybe, span))
    }

    /// `object.field`. With a `fallback` the value may be absent.
    pub fn field(&mut self, object: &Expr, field: &Ident, span: Span, origin: Origin, fallback: bool) -> Option<Typed> {
        match &object.kind {
            ExprKind::Name(name) if name == "env" => {
                let sure = self.scope.environment.contains(&field.text);
                let kind = ir::ExprKind::Env(field.text.clone());
                return Some(Typed { expr: ir::Expr { kind, span }, ty: Type::String, maybe: !sure });
            }
            ExprKind::Name(name) if name == "steps" => {
                let problem = Diagnostic::new(
                    Code::UnknownVariable,
                    span,
                    format!("`steps.{}` is a step, not a value", field.text),
                );
                let help = format!("write `steps.{}.<output>`", field.text);
                self.report(problem.help(help));
                return None;
            }
            ExprKind::Field(steps, id) if matches!(&steps.kind, ExprKind::Name(name) if name == "steps") => {
                return self.output(id, field, span, origin, fallback);
            }
            ExprKind::Name(_)
            | ExprKind::Field(..)
            | ExprKind::Literal(_)
            | ExprKind::Index(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Default(..)
            | ExprKind::Call(..)
            | ExprKind::List(_)
            | ExprKind::Text(_) => {}
        }
        let object = self.expr(object, origin)?;
        let object = self.demand(object)?;
        match object.ty {
            Type::Dict | Type::Any => {
                let kind = ir::ExprKind::Field(Box::new(object.expr), field.text.clone());
                Some(Typed { expr: ir::Expr { kind, span }, ty: Type::Any, maybe: false })
            }
            Type::String | Type::Integer | Type::Float | Type::Boolean | Type::List => {
                let message = format!("{} has no field `{}`", types::phrase(object.ty), field.text);
                self.report(Diagnostic::new(Code::TypeMismatch, origin.place(&field.range), message));
                None
            }
        }
    }

    /// `steps.<id>.<output>`.
    fn output(&mut self, id: &Ident, field: &Ident, span: Span, origin: Origin, fallback: bool) -> Option<Typed> {
        let place = origin.place(&id.range);
        let Some(index) = self.scope.step(&id.text).or(self.own(&id.text)) else {
            self.unknown_step(&id.text, place);
            return None;
        };
        let step = &self.scope.steps[index];
        if step.broken && field.text != "success" {
            return None;
        }
        if step.finally && self.place != Place::Finally {
            let problem = Diagnostic::new(
                Code::StepOrder,
                place,
                format!("step `{}` belongs to `finally` and runs after this", id.text),
            );
            self.report(problem);
            return None;
        }
        if field.text == "success" && self.scope.own == Some(index) {
            let message = format!("step `{}` has not ended yet where its own `verify` is asked", id.text);
            let problem = Diagnostic::new(Code::StepOrder, span, message);
            self.report(problem.help("`verify` decides about it: ask for what the step should have done"));
            return None;
        }
        if field.text == "success" {
            let success = match step.success {
                Some(success) => success,
                None => self.scope.fresh(),
            };
            self.scope.steps[index].success = Some(success);
            return Some(slot(success, Type::Boolean, false, span));
        }
        let Some(output) = step.outputs.iter().position(|output| output.name == field.text) else {
            let mut known: Vec<&str> = step.outputs.iter().map(|output| output.name.as_str()).collect();
            known.push("success");
            let message = format!("step `{}` has no output `{}`", id.text, field.text);
            let help = match difference(&field.text, |part| known.contains(&part)) {
                Some((left, right)) => {
                    format!(
                        "a `-` inside a name belongs to it; for a difference write `steps.{}.{left} - {right}`",
                        id.text
                    )
                }
                None => suggest::help(&field.text, &known),
            };
            self.report(Diagnostic::new(Code::UnknownOutput, origin.place(&field.range), message).help(help));
            return None;
        };
        if let Presence::Never(reason) = &step.outputs[output].presence {
            let message = format!("step `{}` leaves no `{}`", id.text, field.text);
            let help = reason.clone();
            self.report(Diagnostic::new(Code::NeverThere, span, message).help(help));
            return None;
        }
        self.read(index, output, id, field, span, fallback)
    }

    fn read(
        &mut self,
        index: usize,
        output: usize,
        id: &Ident,
        field: &Ident,
        span: Span,
        fallback: bool,
    ) -> Option<Typed> {
        let step = &self.scope.steps[index];
        let own = self.scope.own == Some(index);
        let collected = step.loops && !own;
        let same_when = self.scope.assumed_when.is_some() && step.when == self.scope.assumed_when;
        let reached = own
            || self.scope.assumed.contains(&index)
            || (same_when && step.finally == (self.place == Place::Finally))
            || (step.certain && self.passed(step.finally));
        let maybe = !reached || (!collected && step.outputs[output].presence == Presence::Maybe);
        if maybe && !fallback {
            let message = format!("`{}` of step `{}` may be absent here", field.text, id.text);
            let why = if reached {
                "the step does not always leave it"
            } else if step.certain {
                "the macro may have failed before that step"
            } else {
                "the step can be skipped, or fail and be forgiven"
            };
            let guard = format!(
                "{why}; write `${{steps.{}.{}:-fallback}}`, or run this step only `when: ${{steps.{}.success}}`",
                id.text, field.text, id.text
            );
            self.report(Diagnostic::new(Code::MaybeAbsent, span, message).help(guard));
            return None;
        }
        let turn = match self.scope.steps[index].outputs[output].slot {
            Some(slot) => slot,
            None => self.scope.fresh(),
        };
        self.scope.steps[index].outputs[output].slot = Some(turn);
        if !collected {
            return Some(slot(turn, self.scope.steps[index].outputs[output].ty, maybe, span));
        }
        let list = match self.scope.steps[index].outputs[output].list {
            Some(slot) => slot,
            None => self.scope.fresh(),
        };
        self.scope.steps[index].outputs[output].list = Some(list);
        Some(slot(list, Type::List, maybe, span))
    }

    /// Whether steps that stop the macro when they fail have certainly been passed where this expression stands.
    fn passed(&self, finally: bool) -> bool {
        match self.place {
            Place::Before => false,
            Place::Body | Place::After => true,
            Place::Finally => finally,
        }
    }

    /// The help for an unknown name. When there are very many mistakes already, finding near names would take too long.
    fn suggest(&self, found: &str, known: &[&str]) -> String {
        /// Files with more mistakes than this are not written by hand.
        const MANY: usize = 200;
        if self.around.problems.errors() > MANY { suggest::list(known) } else { suggest::help(found, known) }
    }

    fn own(&self, id: &str) -> Option<usize> {
        self.scope.own.filter(|own| self.scope.steps[*own].id == id)
    }

    fn unknown_step(&mut self, id: &str, place: Span) {
        if let Some(span) = self.scope.places.get(id).copied() {
            let problem = Diagnostic::new(Code::StepOrder, place, format!("step `{id}` has not run yet here"));
            self.report(problem.label(span, "it is this one").help("a step's outputs can be read by later steps"));
            return;
        }
        let known: Vec<&str> = self.scope.steps.iter().map(|step| step.id.as_str()).collect();
        let help = self.suggest(id, &known);
        self.report(Diagnostic::new(Code::UnknownStep, place, format!("no step is called `{id}`")).help(help));
    }
}

/// What a name with `-` would be as a difference: its left side is known, its right side is a number or known.
fn difference(name: &str, known: impl Fn(&str) -> bool) -> Option<(&str, &str)> {
    let mut minuses = name.match_indices('-').map(|(at, _)| (&name[..at], &name[at + 1..]));
    minuses.find(|(left, right)| known(left) && (known(right) || right.bytes().all(|byte| byte.is_ascii_digit())))
}

fn slot(slot: Slot, ty: Type, maybe: bool, span: Span) -> Typed {
    let kind = if maybe { ir::ExprKind::MaybeSlot(slot) } else { ir::ExprKind::Slot(slot) };
    Typed { expr: ir::Expr { kind, span }, ty, maybe }
}
