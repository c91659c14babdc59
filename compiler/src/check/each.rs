//! Loops: what is looped over is a list.

use spec::value::{Type, Value};

use crate::ast::Written;
use crate::check::Checker;
use crate::check::constant::value;
use crate::check::scope::EachNames;
use crate::check::types;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::Each;

/// The most turns a loop may take.
pub const MAX_TURNS: usize = 10_000;

impl Checker<'_, '_> {
    /// A loop, and the variables its step can read.
    pub fn each(&mut self, written: &Written) -> Option<(Each, EachNames)> {
        let list = self.typed(written)?;
        match list.ty {
            Type::List | Type::Any => {}
            Type::String | Type::Integer | Type::Float | Type::Boolean | Type::Dict => {
                let message = format!("`for_each` goes over a list, found {}", types::phrase(list.ty));
                let help = match list.ty {
                    Type::String => "split it: `${split(text, ',')}` or `${lines(text)}`",
                    Type::Dict => "take its keys: `${keys(dict)}`",
                    Type::Integer | Type::Float | Type::Boolean | Type::List | Type::Any => {
                        "declare the parameter as a list, or write `${range(n)}`"
                    }
                };
                self.report(Diagnostic::new(Code::TypeMismatch, list.expr.span, message).help(help));
                return None;
            }
        }
        let ty = match value(&list.expr) {
            Some(Value::List(items)) if items.len() > MAX_TURNS => {
                let message = format!("`for_each` takes at most {MAX_TURNS} elements, found {}", items.len());
                self.report(Diagnostic::new(Code::OutOfRange, list.expr.span, message));
                return None;
            }
            Some(Value::List(items)) => items.iter().map(types::of_value).reduce(types::join).unwrap_or(Type::Any),
            Some(_) | None => Type::Any,
        };
        let names = EachNames { item: self.scope.fresh(), index: self.scope.fresh(), ty };
        Some((Each { list: list.expr, item: names.item, index: names.index, collect: Vec::new() }, names))
    }
}
