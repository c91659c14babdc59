//! Constants: expressions that need no run, folded so that their values can be checked now.

use spec::value::{Dict, Value};

use crate::ir::{Expr, ExprKind};

/// The expression with constant lists and dicts made one constant.
pub fn fold(expr: Expr) -> Expr {
    let folded = if let ExprKind::List(items) = &expr.kind {
        items.iter().map(|item| value(item).cloned()).collect::<Option<Vec<_>>>().map(Value::List)
    } else if let ExprKind::Dict(entries) = &expr.kind {
        let entry = |(key, entry): &(String, Expr)| Some((key.clone(), value(entry)?.clone()));
        entries.iter().map(entry).collect::<Option<Dict>>().map(Value::Dict)
    } else {
        None
    };
    match folded {
        Some(value) => Expr { kind: ExprKind::Const(value), span: expr.span },
        None => expr,
    }
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
