//! Expressions: names to slots, and the type of every part.

use spec::function::Function;
use spec::span::Span;
use spec::value::{Type, Value};

use crate::ast;
use crate::check::Checker;
use crate::check::types::{self, Typed};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::expr::ast::{Expr, ExprKind, Ident};
use crate::expr::template::{Part, Template};
use crate::ir;

/// Where the text of an expression lies in the source.
#[derive(Clone, Copy)]
pub struct Origin {
    /// The place of the whole `${…}`.
    pub span: Span,
    /// Its first byte in the scalar's decoded text.
    pub start: usize,
    /// Whether the source has the same bytes there.
    pub exact: bool,
}

impl Origin {
    /// The place of a range of the scalar's decoded text.
    pub fn place(&self, range: &std::ops::Range<usize>) -> Span {
        if !self.exact {
            return self.span;
        }
        let shift = |at: usize| self.span.start + at.saturating_sub(self.start) as u32;
        Span { file: self.span.file, start: shift(range.start), end: shift(range.end) }
    }
}

impl Checker<'_, '_> {
    /// A scalar as one value: exactly one expression keeps its type, anything else with an expression is text, and a constant is what
    /// YAML makes of it.
    pub fn scalar(&mut self, scalar: &ast::Scalar) -> Option<Typed> {
        if !scalar.sound {
            return self.unsound(scalar);
        }
        if let Some(text) = scalar.template.as_text() {
            // The template has `$${` undone; numbers and words have none.
            let is_text = matches!(scalar.literal, Value::String(_));
            let value = if is_text { Value::String(text.to_owned()) } else { scalar.literal.clone() };
            let ty = types::of_value(&value);
            return Some(Typed::present(constant(value, scalar.span), ty));
        }
        if let [Part::Expr { expr, range }] = scalar.template.parts.as_slice() {
            let typed = self.expr(expr, origin(scalar, 0, range))?;
            return self.demand(typed);
        }
        self.text(scalar)
    }

    /// A scalar as text: its parts joined.
    pub fn text(&mut self, scalar: &ast::Scalar) -> Option<Typed> {
        let mut parts = Vec::with_capacity(scalar.template.parts.len());
        let mut sound = true;
        for (index, part) in scalar.template.parts.iter().enumerate() {
            match part {
                Part::Text(text) => parts.push(constant(Value::String(text.clone()), scalar.span)),
                Part::Expr { expr, range } => match self.embedded(expr, origin(scalar, index, range)) {
                    Some(part) => parts.push(part),
                    None => sound = false,
                },
            }
        }
        sound.then(|| Typed::present(joined(parts, scalar.span), Type::String))
    }

    /// An expression inside a text.
    fn embedded(&mut self, expr: &Expr, origin: Origin) -> Option<ir::Expr> {
        let typed = self.expr(expr, origin)?;
        let typed = self.demand(typed)?;
        match typed.ty {
            Type::List | Type::Dict => {
                let message = format!("{} cannot be part of a text", types::phrase(typed.ty));
                let help = match typed.ty {
                    Type::List => "write it alone, or join it: `join(list, ', ')`",
                    Type::Dict | Type::Any | Type::String | Type::Integer | Type::Float | Type::Boolean => {
                        "write it alone, or as JSON text: `json(value)`"
                    }
                };
                self.report(Diagnostic::new(Code::TypeMismatch, typed.expr.span, message).help(help));
                None
            }
            Type::Any | Type::String | Type::Integer | Type::Float | Type::Boolean => Some(typed.expr),
        }
    }

    /// The value must be there.
    pub fn demand(&mut self, typed: Typed) -> Option<Typed> {
        if !typed.maybe {
            return Some(typed);
        }
        let span = typed.expr.span;
        let problem = if let ir::ExprKind::Env(name) = &typed.expr.kind {
            Diagnostic::new(Code::MaybeAbsent, span, format!("the environment variable `{name}` may not be set"))
                .help(format!("write `${{env.{name}:-fallback}}`, or add the precondition `env_var: {name}`"))
        } else {
            Diagnostic::new(Code::MaybeAbsent, span, "this value may be absent here")
                .help("give a fallback: `${value:-fallback}`")
        };
        self.report(problem);
        None
    }

    /// An expression of any type.
    pub fn expr(&mut self, expr: &Expr, origin: Origin) -> Option<Typed> {
        let span = origin.place(&expr.range);
        match &expr.kind {
            ExprKind::Literal(value) => Some(Typed::present(constant(value.clone(), span), types::of_value(value))),
            ExprKind::Name(name) => self.name(name, span, false),
            ExprKind::Field(object, field) => self.field(object, field, span, origin, false),
            ExprKind::Index(object, index) => self.index(object, index, span, origin),
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand, span, origin),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, span, origin),
            ExprKind::Default(value, fallback) => self.fallback(value, fallback, span, origin),
            ExprKind::Call(function, arguments) => self.apply(function, arguments, span, origin),
            ExprKind::List(items) => {
                let items: Vec<Option<Typed>> = items.iter().map(|item| self.value(item, origin)).collect();
                let items: Vec<ir::Expr> =
                    items.into_iter().map(|item| item.map(|item| item.expr)).collect::<Option<_>>()?;
                Some(Typed::present(ir::Expr { kind: ir::ExprKind::List(items), span }, Type::List))
            }
            ExprKind::Text(template) => self.inner_text(template, span, origin),
        }
    }

    /// An expression whose value must be there.
    pub fn value(&mut self, expr: &Expr, origin: Origin) -> Option<Typed> {
        let typed = self.expr(expr, origin)?;
        self.demand(typed)
    }

    fn inner_text(&mut self, template: &Template, span: Span, origin: Origin) -> Option<Typed> {
        let mut parts = Vec::with_capacity(template.parts.len());
        for part in &template.parts {
            match part {
                Part::Text(text) => parts.push(constant(Value::String(text.clone()), span)),
                Part::Expr { expr, .. } => parts.push(self.embedded(expr, origin)?),
            }
        }
        Some(Typed::present(joined(parts, span), Type::String))
    }

    fn fallback(&mut self, value: &Expr, fallback: &Expr, span: Span, origin: Origin) -> Option<Typed> {
        let place = origin.place(&value.range);
        // What may be absent is only known here, where that is no mistake.
        let value = match &value.kind {
            ExprKind::Name(name) => self.name(name, place, true),
            ExprKind::Field(object, field) => self.field(object, field, place, origin, true),
            ExprKind::Literal(_)
            | ExprKind::Index(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Default(..)
            | ExprKind::Call(..)
            | ExprKind::List(_)
            | ExprKind::Text(_) => self.expr(value, origin),
        };
        let (value, fallback) = (value, self.value(fallback, origin));
        let (value, fallback) = (value?, fallback?);
        let ty = types::join(value.ty, fallback.ty);
        let kind = ir::ExprKind::OrElse(Box::new(value.expr), Box::new(fallback.expr));
        Some(Typed::present(ir::Expr { kind, span }, ty))
    }

    fn index(&mut self, object: &Expr, index: &Expr, span: Span, origin: Origin) -> Option<Typed> {
        let (object, index) = (self.value(object, origin), self.value(index, origin));
        let (object, index) = (object?, index?);
        let wanted = match object.ty {
            Type::List => Some(Type::Integer),
            Type::Dict => Some(Type::String),
            Type::Any => None,
            Type::String | Type::Integer | Type::Float | Type::Boolean => {
                let message = format!("{} has no elements", types::phrase(object.ty));
                self.report(Diagnostic::new(Code::TypeMismatch, object.expr.span, message));
                return None;
            }
        };
        if wanted.is_some_and(|wanted| index.ty != Type::Any && index.ty != wanted) {
            let message = format!("{} is not read by {}", types::phrase(object.ty), types::phrase(index.ty));
            let problem = Diagnostic::new(Code::TypeMismatch, index.expr.span, message);
            self.report(problem.help("lists are read by number, dicts by text"));
            return None;
        }
        let kind = ir::ExprKind::Index(Box::new(object.expr), Box::new(index.expr));
        Some(Typed { expr: ir::Expr { kind, span }, ty: Type::Any, maybe: false })
    }

    fn apply(&mut self, name: &Ident, arguments: &[Expr], span: Span, origin: Origin) -> Option<Typed> {
        let values: Vec<Option<Typed>> = arguments.iter().map(|argument| self.value(argument, origin)).collect();
        let Some(function) = Function::by_name(&name.text) else {
            let known: Vec<&str> = Function::ALL.iter().map(|function| function.name()).collect();
            let problem = Diagnostic::new(
                Code::UnknownFunction,
                origin.place(&name.range),
                format!("no function is called `{}`", name.text),
            );
            self.report(problem.help(suggest::help(&name.text, &known)));
            return None;
        };
        let wanted = function.arguments();
        if wanted.len() != values.len() {
            let names: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
            let plural = if wanted.len() == 1 { "" } else { "s" };
            let message =
                format!("`{}` takes {} argument{plural}, found {}", function.name(), wanted.len(), values.len());
            let problem = Diagnostic::new(Code::FunctionArity, span, message);
            self.report(problem.help(format!("write `{}({})`", function.name(), names.join(", "))));
            return None;
        }
        let mut arguments = Vec::with_capacity(values.len());
        let mut sound = true;
        for ((argument, ty), value) in wanted.iter().zip(values) {
            match value {
                Some(value) if fits(*ty, value.ty) => arguments.push(value.expr),
                Some(value) => {
                    let found = types::phrase(value.ty);
                    let message =
                        format!("`{argument}` of `{}` must be {}, found {found}", function.name(), types::phrase(*ty));
                    self.report(Diagnostic::new(Code::TypeMismatch, value.expr.span, message));
                    sound = false;
                }
                None => sound = false,
            }
        }
        let kind = ir::ExprKind::Apply(function, arguments);
        sound.then(|| Typed::present(ir::Expr { kind, span }, function.result()))
    }
}

/// A constant.
pub fn constant(value: Value, span: Span) -> ir::Expr {
    ir::Expr { kind: ir::ExprKind::Const(value), span }
}

/// Where an expression part of a scalar lies.
pub fn origin(scalar: &ast::Scalar, part: usize, range: &std::ops::Range<usize>) -> Origin {
    let span = scalar.parts.get(part).copied().unwrap_or(scalar.span);
    Origin { span, start: range.start, exact: span.range().len() == range.len() }
}

fn joined(mut parts: Vec<ir::Expr>, span: Span) -> ir::Expr {
    match parts.pop() {
        None => constant(Value::String(String::new()), span),
        Some(ir::Expr { kind: ir::ExprKind::Const(Value::String(text)), .. }) if parts.is_empty() => {
            constant(Value::String(text), span)
        }
        Some(last) => {
            parts.push(last);
            ir::Expr { kind: ir::ExprKind::Concat(parts), span }
        }
    }
}

fn fits(wanted: Type, found: Type) -> bool {
    let has_text = match found {
        Type::Integer | Type::Float | Type::Boolean => true,
        Type::Any | Type::String | Type::List | Type::Dict => false,
    };
    wanted == Type::Any
        || found == Type::Any
        || wanted == found
        || (wanted == Type::Float && found == Type::Integer)
        || (wanted == Type::String && has_text)
}
