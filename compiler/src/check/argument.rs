//! A written value in the place of a parameter: does it fit, and what does the machine get?

use std::fmt::Display;

use spec::grammar::nearest::nearest;
use spec::kind::{Fit, KindError, Shape};
use spec::span::{Span, Spanned};
use spec::value::{Type, Value};

use crate::ast::{Scalar, Written};
use crate::check::Checker;
use crate::check::constant::{fold, value};
use crate::check::expr::constant;
use crate::check::types::{self, Typed};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::words;
use crate::ir::{Expr, ExprKind};

/// What takes a value.
#[derive(Clone, Copy)]
pub struct Receiver<'a> {
    /// The parameter's name, written out only where it is told.
    pub name: &'a dyn Display,
    /// What it takes.
    pub shape: Shape,
    /// Reads a constant.
    pub check: &'a dyn Fn(Value) -> Result<(), KindError>,
}

impl Checker<'_, '_> {
    /// The value as the receiver takes it. `None` when it does not fit, which is reported.
    pub fn argument(&mut self, receiver: Receiver<'_>, written: &Written) -> Option<Expr> {
        if let Written::Scalar(scalar) = written
            && !scalar.sound
        {
            return self.unsound(scalar);
        }
        let expr = match receiver.shape {
            Shape::Any => self.any(written),
            Shape::Words => self.command(receiver, written),
            Shape::Texts | Shape::Integers | Shape::Keys => match written {
                Written::List(items, span) => self.items(receiver, items, *span),
                Written::Scalar(scalar) => self.single(receiver, scalar),
                Written::Map(_, span) => self.misfit(receiver, "a mapping", *span),
            },
            Shape::Variables => match written {
                Written::Map(entries, span) => self.variables(entries, *span),
                Written::Scalar(scalar) => self.single(receiver, scalar),
                Written::List(_, span) => self.misfit(receiver, "a list", *span),
            },
            Shape::Text
            | Shape::Path
            | Shape::Boolean
            | Shape::Integer
            | Shape::Float
            | Shape::Choice(_)
            | Shape::Image
            | Shape::Recording => match written {
                Written::Scalar(scalar) => self.single(receiver, scalar),
                Written::List(_, span) => self.misfit(receiver, "a list", *span),
                Written::Map(_, span) => self.misfit(receiver, "a mapping", *span),
            },
        }?;
        self.proved(receiver, fold(expr))
    }

    /// A scalar with an expression that cannot be read: the others in it are looked at.
    pub fn unsound<T>(&mut self, scalar: &Scalar) -> Option<T> {
        self.text(scalar);
        None
    }

    /// A constant is checked now, with the very code that would check it in a run.
    pub fn proved(&mut self, receiver: Receiver<'_>, expr: Expr) -> Option<Expr> {
        if let Some(found) = value(&expr)
            && let Err(error) = (receiver.check)(found.clone())
        {
            let message = format!("`{}` {}", receiver.name, error.message);
            let near = match (receiver.shape, found) {
                (Shape::Choice(words), Value::String(word)) => nearest(word, words.iter().copied()),
                _ => None,
            };
            let help = near.map(|word| format!("did you mean `{word}`?")).or(error.help);
            self.report(Diagnostic::new(Code::BadArgument, expr.span, message).help_if(help));
            return None;
        }
        Some(expr)
    }

    fn misfit(&mut self, receiver: Receiver<'_>, found: &str, span: Span) -> Option<Expr> {
        let message = format!("`{}` must be {}, found {found}", receiver.name, receiver.shape.expected());
        self.report(Diagnostic::new(Code::TypeMismatch, span, message));
        None
    }

    /// One scalar: a constant with the spelling the shape wants, an expression, or a text around expressions.
    fn single(&mut self, receiver: Receiver<'_>, scalar: &Scalar) -> Option<Expr> {
        if !scalar.sound {
            return self.unsound(scalar);
        }
        if let Some(text) = scalar.template.as_text() {
            return Some(constant(spelled(receiver.shape, text, &scalar.literal), scalar.span));
        }
        let typed = match scalar.template.as_single_expr() {
            Some(_) => self.scalar(scalar)?,
            None => self.text(scalar)?,
        };
        self.fitting(receiver, typed)
    }

    /// An expression whose static type must fit.
    fn fitting(&mut self, receiver: Receiver<'_>, typed: Typed) -> Option<Expr> {
        match receiver.shape.fits(typed.ty) {
            Fit::Yes => Some(typed.expr),
            Fit::No => self.misfit(receiver, &types::phrase(typed.ty), typed.expr.span),
            Fit::AtRunTime => {
                let text_as_other = typed.ty == Type::String && !matches!(receiver.shape, Shape::Choice(_));
                if text_as_other && value(&typed.expr).is_none() {
                    let message = format!(
                        "`{}` must be {}, and whether this text reads as one is only seen in a run",
                        receiver.name,
                        receiver.shape.expected()
                    );
                    let problem = Diagnostic::new(Code::UncheckedConversion, typed.expr.span, message);
                    self.report(problem.help(conversion(receiver.shape)));
                }
                Some(typed.expr)
            }
        }
    }

    /// A command: a list of arguments, or one text that is split into words before expressions are filled in.
    fn command(&mut self, receiver: Receiver<'_>, written: &Written) -> Option<Expr> {
        let scalar = match written {
            Written::List(items, span) => return self.items(receiver, items, *span),
            Written::Map(_, span) => return self.misfit(receiver, "a mapping", *span),
            Written::Scalar(scalar) => scalar,
        };
        if scalar.template.as_single_expr().is_some() {
            let typed = self.scalar(scalar)?;
            return match typed.ty {
                Type::String => {
                    let span = typed.expr.span;
                    Some(Expr { kind: ExprKind::List(vec![typed.expr]), span })
                }
                Type::Any | Type::Integer | Type::Float | Type::Boolean | Type::List | Type::Dict => {
                    self.fitting(receiver, typed)
                }
            };
        }
        let words = match words::split(&scalar.template) {
            Ok(words) => words,
            Err(error) => {
                let message = format!("`{}`: {error}", receiver.name);
                let span = error.place().map_or(scalar.span, |range| scalar.place_at(range));
                self.report(Diagnostic::new(Code::BadCommand, span, message).help(error.help()));
                return None;
            }
        };
        let words: Vec<Option<Expr>> = words.into_iter().map(|word| self.word(word, scalar)).collect();
        let words = words.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Expr { kind: ExprKind::List(words), span: scalar.span })
    }

    /// One word of a split command, as text.
    fn word(&mut self, template: crate::expr::template::Template, whole: &Scalar) -> Option<Expr> {
        // Parts of a word are parts of the whole: their places are found by their ranges.
        let place = |part: &crate::expr::template::Part| match part {
            crate::expr::template::Part::Text(_) => whole.span,
            crate::expr::template::Part::Expr { range, .. } => whole.place_of(range),
        };
        let parts = template.parts.iter().map(place).collect();
        let scalar = Scalar { template, literal: Value::Null, start: None, parts, sound: true, span: whole.span };
        self.text(&scalar).map(|typed| typed.expr)
    }

    /// A list whose items are single values of the shape's item.
    fn items(&mut self, receiver: Receiver<'_>, items: &[Written], span: Span) -> Option<Expr> {
        let item_shape = match receiver.shape {
            Shape::Integers => Shape::Integer,
            Shape::Words | Shape::Texts | Shape::Keys => Shape::Text,
            Shape::Text
            | Shape::Path
            | Shape::Variables
            | Shape::Boolean
            | Shape::Integer
            | Shape::Float
            | Shape::Choice(_)
            | Shape::Image
            | Shape::Recording
            | Shape::Any => receiver.shape,
        };
        let mut made = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let receiver =
                Receiver { name: &format_args!("{}[{index}]", receiver.name), shape: item_shape, ..receiver };
            made.push(match item {
                Written::Scalar(scalar) => self.single(receiver, scalar),
                Written::List(_, span) => self.item_misfit(receiver, "a list", *span),
                Written::Map(_, span) => self.item_misfit(receiver, "a mapping", *span),
            });
        }
        let items = made.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Expr { kind: ExprKind::List(items), span })
    }

    fn item_misfit(&mut self, receiver: Receiver<'_>, found: &str, span: Span) -> Option<Expr> {
        let message = format!("`{}` must be {}, found {found}", receiver.name, receiver.shape.expected());
        let help = "an item that begins with `{` or holds `: ` must be quoted";
        self.report(Diagnostic::new(Code::TypeMismatch, span, message).help(help));
        None
    }

    fn variables(&mut self, entries: &[(Spanned<String>, Written)], span: Span) -> Option<Expr> {
        let mut dict = Vec::with_capacity(entries.len());
        let mut sound = true;
        for (name, written) in entries {
            let receiver = Receiver { name: &name.node, shape: Shape::Text, check: &|_| Ok(()) };
            let value = match written {
                Written::Scalar(scalar) if scalar.literal == Value::Null && scalar.template.is_constant() => {
                    Some(constant(Value::Null, scalar.span))
                }
                Written::Scalar(scalar) => self.single(receiver, scalar),
                Written::List(_, span) => self.misfit(receiver, "a list", *span),
                Written::Map(_, span) => self.misfit(receiver, "a mapping", *span),
            };
            match value {
                Some(value) => dict.push((name.node.clone(), value)),
                None => sound = false,
            }
        }
        sound.then_some(Expr { kind: ExprKind::Dict(dict), span })
    }

    /// A value of any shape, with the types YAML gives.
    pub fn any(&mut self, written: &Written) -> Option<Expr> {
        self.typed(written).map(|typed| typed.expr)
    }

    /// A value of any shape and its type.
    pub fn typed(&mut self, written: &Written) -> Option<Typed> {
        match written {
            Written::Scalar(scalar) => self.scalar(scalar),
            Written::List(items, span) => {
                let items: Vec<Option<Expr>> = items.iter().map(|item| self.any(item)).collect();
                let items = items.into_iter().collect::<Option<Vec<_>>>()?;
                Some(Typed::present(fold(Expr { kind: ExprKind::List(items), span: *span }), Type::List))
            }
            Written::Map(entries, span) => {
                let entries: Vec<Option<(String, Expr)>> =
                    entries.iter().map(|(key, value)| self.any(value).map(|value| (key.node.clone(), value))).collect();
                let entries = entries.into_iter().collect::<Option<Vec<_>>>()?;
                Some(Typed::present(fold(Expr { kind: ExprKind::Dict(entries), span: *span }), Type::Dict))
            }
        }
    }
}

/// A constant as a shape wants it: text positions keep the spelling of the source, the others the YAML value.
fn spelled(shape: Shape, text: &str, literal: &Value) -> Value {
    match shape {
        Shape::Text | Shape::Path | Shape::Words | Shape::Texts | Shape::Keys | Shape::Choice(_) => {
            Value::String(text.to_owned())
        }
        Shape::Image | Shape::Recording => Value::String(text.to_owned()),
        Shape::Boolean | Shape::Integer | Shape::Float | Shape::Integers | Shape::Variables | Shape::Any => {
            if matches!(literal, Value::String(_)) {
                return Value::String(text.to_owned());
            }
            literal.clone()
        }
    }
}

/// How to make a text what a shape takes, where that is seen when the macro is built.
fn conversion(shape: Shape) -> &'static str {
    match shape {
        Shape::Integer => "declare the parameter as `integer`, or convert: `${int(text)}`",
        Shape::Float => "declare the parameter as `float`, or convert: `${float(text)}`",
        Shape::Boolean => "declare the parameter as `boolean`, or compare: `${text == 'yes'}`",
        Shape::Text
        | Shape::Path
        | Shape::Words
        | Shape::Texts
        | Shape::Variables
        | Shape::Keys
        | Shape::Integers
        | Shape::Choice(_)
        | Shape::Image
        | Shape::Recording
        | Shape::Any => "declare the parameter with that type",
    }
}
