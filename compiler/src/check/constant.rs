//! Constants: expressions that need no run, folded so that their values can be checked now.

use spec::value::{Dict, Value};

use crate::ir::{Expr, ExprKind};

/// The expression with constant lists and dicts made one constant.
pub fn fold(expr: Expr) -> Expr {
    let kind = match expr.kind {
        ExprKind::List(items) => match items.iter().map(|item| value(item).cloned()).collect::<Option<Vec<_>>>() {
            Some(values) => ExprKind::Const(Value::List(values)),
            None => ExprKind::List(items),
        },
        ExprKind::Dict(entries) => {
            let folded = entries.iter().map(|(key, entry)| Some((key.clone(), value(entry)?.clone())));
            match folded.collect::<Option<Dict>>() {
                Some(dict) => ExprKind::Const(Value::Dict(dict)),
                None => ExprKind::Dict(entries),
            }
        }
        other => other,
    };
    Expr { kind, span: expr.span }
}

/// The value of a constant.
pub fn value(expr: &Expr) -> Option<&Value> {
    if let ExprKind::Const(value) = &expr.kind { Some(value) } else { None }
}

/// Whether an expression always gives the same boolean.
pub fn truth(expr: &Expr) -> Option<bool> {
    match value(expr)? {
        Value::Boolean(truth) => Some(*truth),
        Value::Null
        | Value::Integer(_)
        | Value::Float(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::List(_)
        | Value::Dict(_) => None,
    }
}
