//! Binary operators: logic, comparisons (section 3.4) and arithmetic (section 3.5).

use std::collections::HashSet;

use spec::grammar::xpath::ast::{Expr, Operator};

use crate::edit::xml::error::XmlEditError;
use crate::edit::xml::xpath::eval::{Evaluator, Focus};
use crate::edit::xml::xpath::number;
use crate::edit::xml::xpath::value::{Item, Value, atom_number, atom_text};

/// `first` and then each operator with its right side, from left to right; `and` and `or` stop when they know.
pub fn chain(eval: &Evaluator, first: &Expr, rest: &[(Operator, Expr)], focus: Focus) -> Result<Value, XmlEditError> {
    let mut left = eval.eval(first, focus)?;
    for (operator, right) in rest {
        left = match operator {
            Operator::Or => Value::Boolean(left.truth() || eval.eval(right, focus)?.truth()),
            Operator::And => Value::Boolean(left.truth() && eval.eval(right, focus)?.truth()),
            Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::LessEqual
            | Operator::Greater
            | Operator::GreaterEqual => Value::Boolean(compare(eval, *operator, left, eval.eval(right, focus)?)?),
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Modulo => {
                let right = eval.eval(right, focus)?;
                Value::Number(arithmetic(*operator, eval.number(&left)?, eval.number(&right)?))
            }
        };
    }
    Ok(left)
}

fn arithmetic(operator: Operator, left: f64, right: f64) -> f64 {
    match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide => left / right,
        Operator::Modulo => left % right,
        Operator::Or
        | Operator::And
        | Operator::Equal
        | Operator::NotEqual
        | Operator::Less
        | Operator::LessEqual
        | Operator::Greater
        | Operator::GreaterEqual => f64::NAN,
    }
}

fn compare(eval: &Evaluator, operator: Operator, left: Value, right: Value) -> Result<bool, XmlEditError> {
    match (&left, &right) {
        (Value::Nodes(_), Value::Boolean(_)) | (Value::Boolean(_), Value::Nodes(_)) => {
            Ok(compare_atoms(operator, &Value::Boolean(left.truth()), &Value::Boolean(right.truth())))
        }
        (Value::Nodes(left), Value::Nodes(right)) => compare_sets(eval, operator, left, right),
        (Value::Nodes(items), atom) => any(eval, items, |text| compare_atoms(operator, &text, atom)),
        (atom, Value::Nodes(items)) => any(eval, items, |text| compare_atoms(operator, atom, &text)),
        (left, right) => Ok(compare_atoms(operator, left, right)),
    }
}

fn any(eval: &Evaluator, items: &[Item], holds: impl Fn(Value) -> bool) -> Result<bool, XmlEditError> {
    for item in items {
        if holds(Value::Text(eval.string_value(*item)?)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether some pair of nodes, one of each set, compares true; in time linear in the sets.
fn compare_sets(eval: &Evaluator, operator: Operator, left: &[Item], right: &[Item]) -> Result<bool, XmlEditError> {
    let texts = |items: &[Item]| items.iter().map(|item| eval.string_value(*item)).collect::<Result<Vec<_>, _>>();
    let (left, right) = (texts(left)?, texts(right)?);
    let (Some(first_left), Some(first_right)) = (left.first(), right.first()) else { return Ok(false) };
    if operator == Operator::Equal {
        let known: HashSet<&String> = left.iter().collect();
        return Ok(right.iter().any(|text| known.contains(text)));
    }
    if operator == Operator::NotEqual {
        return Ok(left.iter().any(|text| text != first_right) || right.iter().any(|text| text != first_left));
    }
    // Some pair is in order when the least of one side and the greatest of the other are.
    let numbers = |texts: &[String]| texts.iter().map(|text| number::parse(text)).collect::<Vec<f64>>();
    let least = |texts: &[String]| numbers(texts).into_iter().fold(f64::NAN, f64::min);
    let greatest = |texts: &[String]| numbers(texts).into_iter().fold(f64::NAN, f64::max);
    let ascending = matches!(operator, Operator::Less | Operator::LessEqual);
    let (left, right) = if ascending { (least(&left), greatest(&right)) } else { (greatest(&left), least(&right)) };
    Ok(compare_atoms(operator, &Value::Number(left), &Value::Number(right)))
}

fn compare_atoms(operator: Operator, left: &Value, right: &Value) -> bool {
    let (a, b) = (atom_number(left), atom_number(right));
    match operator {
        Operator::Equal => equal(left, right),
        Operator::NotEqual => !equal(left, right),
        Operator::Less => a < b,
        Operator::LessEqual => a <= b,
        Operator::Greater => a > b,
        Operator::GreaterEqual => a >= b,
        Operator::Or
        | Operator::And
        | Operator::Add
        | Operator::Subtract
        | Operator::Multiply
        | Operator::Divide
        | Operator::Modulo => false,
    }
}

fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Boolean(_), _) | (_, Value::Boolean(_)) => left.truth() == right.truth(),
        (Value::Number(_), _) | (_, Value::Number(_)) => atom_number(left) == atom_number(right),
        _ => atom_text(left) == atom_text(right),
    }
}
