//! Calls of other macros: arguments against the parameters they are for.

use std::collections::{HashMap, HashSet};

use spec::grammar::nearest::nearest;
use spec::kind::{self, Kind, KindError, Shape};
use spec::span::Spanned;
use spec::value::{Type, Value};

use crate::ast::Written;
use crate::check::argument::Receiver;
use crate::check::limits::MAX_CALL_PARAMETERS;
use crate::check::scope::{OutputName, Presence};
use crate::check::{Checker, constant, types};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::ir::{self, Body, Expr};

impl Checker<'_, '_> {
    /// The call, and the outputs later steps can read. `None` when the macro is not linked or an argument does not fit.
    pub fn macro_call(
        &mut self,
        name: &Spanned<String>,
        with: &[(Spanned<String>, Written)],
    ) -> (Option<Body>, Option<Vec<OutputName>>) {
        let callee = self.around.callees.get(name.node.as_str()).copied();
        let Some(callee) = callee else {
            // The linker has said why; the arguments are still looked at.
            self.look_at(with.iter().map(|(_, written)| written));
            return (None, None);
        };
        let outputs = callee.unit.results.iter().map(output).collect();
        let mut arguments: Vec<(u16, Expr)> = Vec::with_capacity(with.len());
        let declared = callee.unit.parameters.len();
        let mut sound = declared <= MAX_CALL_PARAMETERS;
        if !sound {
            let message = format!(
                "a macro that is called has at most {MAX_CALL_PARAMETERS} parameters, `{}` has {declared}",
                name.node
            );
            self.report(Diagnostic::new(Code::LimitExceeded, name.span, message).help("let it take a dict instead"));
        }
        let places: HashMap<&str, usize> =
            callee.unit.parameters.iter().enumerate().map(|(place, known)| (known.name.as_str(), place)).collect();
        // What is given, or was probably meant by an unknown name.
        let mut given = HashSet::new();
        for (argument, written) in with {
            let Some(place) = places.get(argument.node.as_str()).copied() else {
                let known: Vec<&str> = callee.unit.parameters.iter().map(|known| known.name.as_str()).collect();
                let message = format!("macro `{}` has no parameter `{}`", name.node, argument.node);
                self.report(
                    Diagnostic::new(Code::UnknownParameter, argument.span, message)
                        .help(suggest::help(&argument.node, &known)),
                );
                self.any(written);
                given.extend(nearest(&argument.node, known).and_then(|name| places.get(name)).copied());
                sound = false;
                continue;
            };
            if written.is_null() {
                // Not given: what is required is reported below.
                continue;
            }
            given.insert(place);
            let parameter = &callee.unit.parameters[place];
            let check = |value: Value| accepts(parameter, value);
            let receiver = Receiver { name: &parameter.name, shape: shape(parameter.ty), check: &check };
            let value = match parameter.ty {
                Type::List | Type::Dict => self.collection(parameter.ty, receiver, written),
                Type::String | Type::Integer | Type::Float | Type::Boolean | Type::Any => {
                    self.argument(receiver, written)
                }
            };
            match value {
                Some(value) => arguments.push((place as u16, value)),
                None => sound = false,
            }
        }
        for (place, parameter) in callee.unit.parameters.iter().enumerate() {
            let wanted = (parameter.required || parameter.needed) && parameter.default.is_none();
            if wanted && !given.contains(&place) {
                let message = format!("macro `{}` needs `{}`", name.node, parameter.name);
                self.report(Diagnostic::new(Code::MissingParameter, name.span, message).help("give it under `with`"));
                sound = false;
            }
        }
        arguments.sort_by_key(|(place, _)| *place);
        (sound.then_some(Body::Call { callee: callee.index, arguments }), Some(outputs))
    }

    /// A list or a dict, whose static type must not be another one.
    fn collection(&mut self, ty: Type, receiver: Receiver<'_>, written: &Written) -> Option<Expr> {
        let typed = self.typed(written)?;
        if typed.ty == Type::Any || typed.ty == ty || constant::value(&typed.expr).is_some() {
            return self.proved(receiver, typed.expr);
        }
        let message = format!("`{}` must be {}, found {}", receiver.name, types::phrase(ty), types::phrase(typed.ty));
        self.report(Diagnostic::new(Code::TypeMismatch, typed.expr.span, message));
        None
    }
}

fn output(result: &ir::Output) -> OutputName {
    OutputName { name: result.name.clone(), ty: result.ty, presence: Presence::Always, slot: None, list: None }
}

/// What a declared type takes.
pub fn shape(ty: Type) -> Shape {
    match ty {
        Type::String => Shape::Text,
        Type::Integer => Shape::Integer,
        Type::Float => Shape::Float,
        Type::Boolean => Shape::Boolean,
        Type::List | Type::Dict | Type::Any => Shape::Any,
    }
}

/// Whether a constant is a value of the parameter: type, `enum`, `min` and `max`.
pub fn accepts(parameter: &ir::Parameter, value: Value) -> Result<(), KindError> {
    let error = |message: String| Err(KindError { message, help: None });
    let typed = match parameter.ty {
        Type::String => kind::Text::read(value).map(Value::String)?,
        Type::Integer => kind::Int::read(value).map(Value::Integer)?,
        Type::Boolean => kind::Bool::read(value).map(Value::Boolean)?,
        Type::Float => float(value),
        Type::List | Type::Dict | Type::Any => value,
    };
    let right = match parameter.ty {
        Type::List => matches!(typed, Value::List(_)),
        Type::Dict => matches!(typed, Value::Dict(_)),
        Type::Float => matches!(typed, Value::Float(_) | Value::Number(_)),
        Type::String | Type::Integer | Type::Boolean | Type::Any => true,
    };
    if !right {
        return error(format!("must be of type `{}`, found {}", parameter.ty, kind::describe(&typed)));
    }
    if !parameter.choices.is_empty() && !parameter.choices.contains(&typed) {
        let allowed: Vec<String> = parameter.choices.iter().map(kind::describe).collect();
        return error(format!("must be one of {}, found {}", allowed.join(", "), kind::describe(&typed)));
    }
    for (bound, wrong, word) in
        [(&parameter.min, std::cmp::Ordering::Less, "least"), (&parameter.max, std::cmp::Ordering::Greater, "most")]
    {
        if bound.as_ref().is_some_and(|bound| number(&typed).partial_cmp(&number(bound)) == Some(wrong)) {
            let bound = bound.as_ref().map(kind::describe).unwrap_or_default();
            return error(format!("must be at {word} {bound}, found {}", kind::describe(&typed)));
        }
    }
    Ok(())
}

/// A number as a float, also one that was quoted; anything else as it is.
fn float(value: Value) -> Value {
    let number = match &value {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(text) | Value::String(text) => kind::float_word(text),
        Value::Null | Value::Boolean(_) | Value::Float(_) | Value::List(_) | Value::Dict(_) => None,
    };
    number.map_or(value, Value::Float)
}

/// A number for comparing with bounds; anything else is no number.
fn number(value: &Value) -> f64 {
    match value {
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        Value::Number(text) => text.parse().unwrap_or(f64::NAN),
        Value::Null | Value::Boolean(_) | Value::String(_) | Value::List(_) | Value::Dict(_) => f64::NAN,
    }
}
