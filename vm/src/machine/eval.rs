//! Arithmetic and comparison of values. Nothing wraps, nothing rounds silently, and mixed types are never compared.

use std::cmp::Ordering;

use spec::kind;
use spec::value::Value;

use crate::failure::{Failure, FailureKind};

/// A binary operation on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// The product.
    Mul,
    /// The quotient; of whole numbers, cut towards zero.
    Div,
    /// The remainder, with the sign of the first.
    Rem,
}

/// An expression that has no result.
pub fn impossible(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Evaluation, message)
}

/// Computes with two numbers; whole numbers stay whole.
///
/// # Errors
/// When one is no number, when it divides by zero, or when the result is out of range.
pub fn arithmetic(operation: Arithmetic, left: &Value, right: &Value) -> Result<Value, Failure> {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => whole(operation, *left, *right).map(Value::Integer),
        (left, right) => fractional(operation, number(left)?, number(right)?).map(Value::Float),
    }
}

/// The negative of a number.
///
/// # Errors
/// When it is no number, or out of range.
pub fn negative(value: &Value) -> Result<Value, Failure> {
    if let Value::Integer(value) = value {
        let negative = value.checked_neg().map(Value::Integer);
        return negative.ok_or_else(|| impossible(format!("-({value}) is out of range for a whole number")));
    }
    number(value).map(|value| Value::Float(-value))
}

/// Whether two values are equal; numbers by what they are worth, everything else by type and content.
pub fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => left == right,
        (Value::Integer(whole), Value::Float(other)) | (Value::Float(other), Value::Integer(whole)) => {
            compare_mixed(*whole, *other) == Ordering::Equal
        }
        (Value::List(left), Value::List(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Value::Dict(left), Value::Dict(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, left)| right.get(key).is_some_and(|right| equal(left, right)))
        }
        (left, right) => left == right,
    }
}

/// The order of two numbers or two texts; texts by their characters' code points.
///
/// # Errors
/// For values of different types, and for types that have no order.
pub fn compare(left: &Value, right: &Value) -> Result<Ordering, Failure> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => Ok(left.cmp(right)),
        (Value::Integer(left), Value::Integer(right)) => Ok(left.cmp(right)),
        (Value::Integer(left), Value::Float(right)) => Ok(compare_mixed(*left, *right)),
        (Value::Float(left), Value::Integer(right)) => Ok(compare_mixed(*right, *left).reverse()),
        (Value::Float(left), Value::Float(right)) => {
            left.partial_cmp(right).ok_or_else(|| impossible("a number that is not finite has no order"))
        }
        (left @ Value::Number(_), right) | (left, right @ Value::Number(_)) if is_number(left) && is_number(right) => {
            // Only the order of numbers that no float tells apart is lost.
            approximate(left).partial_cmp(&approximate(right)).ok_or_else(|| impossible("a number has no order"))
        }
        (left, right) => Err(impossible(format!(
            "cannot compare {} ({}) with {} ({})",
            kind::describe(left),
            left.kind(),
            kind::describe(right),
            right.kind()
        ))
        .hint("compare two numbers or two texts; `int`, `float` and `string` convert")),
    }
}

fn whole(operation: Arithmetic, left: i64, right: i64) -> Result<i64, Failure> {
    let (sign, result) = match operation {
        Arithmetic::Add => ('+', left.checked_add(right)),
        Arithmetic::Sub => ('-', left.checked_sub(right)),
        Arithmetic::Mul => ('*', left.checked_mul(right)),
        Arithmetic::Div if right == 0 => return Err(by_zero(&left.to_string(), '/')),
        Arithmetic::Rem if right == 0 => return Err(by_zero(&left.to_string(), '%')),
        Arithmetic::Div => ('/', left.checked_div(right)),
        // The one remainder that overflows is zero.
        Arithmetic::Rem => ('%', Some(left.wrapping_rem(right))),
    };
    result.ok_or_else(|| impossible(format!("{left} {sign} {right} is out of range for a whole number")))
}

fn fractional(operation: Arithmetic, left: f64, right: f64) -> Result<f64, Failure> {
    let (sign, result) = match operation {
        Arithmetic::Add => ('+', left + right),
        Arithmetic::Sub => ('-', left - right),
        Arithmetic::Mul => ('*', left * right),
        Arithmetic::Div if right == 0.0 => return Err(by_zero(&kind::float_text(left), '/')),
        Arithmetic::Rem if right == 0.0 => return Err(by_zero(&kind::float_text(left), '%')),
        Arithmetic::Div => ('/', left / right),
        Arithmetic::Rem => ('%', left % right),
    };
    if result.is_finite() {
        return Ok(result);
    }
    let (left, right) = (kind::float_text(left), kind::float_text(right));
    Err(impossible(format!("{left} {sign} {right} is out of range for a number")))
}

fn by_zero(left: &str, sign: char) -> Failure {
    impossible(format!("{left} {sign} 0 has no result: division by zero"))
}

fn number(value: &Value) -> Result<f64, Failure> {
    match value {
        Value::Integer(value) => Ok(*value as f64),
        Value::Float(value) => Ok(*value),
        Value::Number(text) => Err(impossible(format!("the number {text} is too long to compute with"))),
        Value::Null | Value::Boolean(_) | Value::String(_) | Value::List(_) | Value::Dict(_) => {
            Err(impossible(format!("cannot compute with {} ({})", kind::describe(value), value.kind())))
        }
    }
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Integer(_) | Value::Float(_) | Value::Number(_))
}

/// The nearest float, infinite when the number is beyond all floats.
fn approximate(value: &Value) -> f64 {
    if let Value::Number(text) = value { text.parse().unwrap_or(f64::NAN) } else { number(value).unwrap_or(f64::NAN) }
}

/// The exact order of a whole number and a float, also where a float cannot hold the whole number.
fn compare_mixed(whole: i64, other: f64) -> Ordering {
    // 2^63, the first float above every whole number.
    const END: f64 = 9_223_372_036_854_775_808.0;
    if other.is_nan() || other >= END {
        return Ordering::Less;
    }
    if other < -END {
        return Ordering::Greater;
    }
    let cut = other.trunc();
    whole.cmp(&(cut as i64)).then_with(|| 0.0f64.partial_cmp(&(other - cut)).unwrap_or(Ordering::Equal))
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use proptest::prelude::{any, prop, proptest};
    use spec::value::Value;

    use crate::machine::eval::{Arithmetic, arithmetic, compare, equal, negative};

    fn int(value: i64) -> Value {
        Value::Integer(value)
    }

    #[test]
    fn whole_numbers_never_wrap() {
        let computed = |operation, left, right| arithmetic(operation, &int(left), &int(right));
        assert_eq!(computed(Arithmetic::Add, 2, 3), Ok(int(5)));
        assert_eq!(computed(Arithmetic::Div, -7, 2), Ok(int(-3)));
        assert_eq!(computed(Arithmetic::Rem, -7, 2), Ok(int(-1)));
        assert_eq!(computed(Arithmetic::Rem, i64::MIN, -1), Ok(int(0)));
        for (operation, left, right, message) in [
            (Arithmetic::Add, i64::MAX, 1, "9223372036854775807 + 1 is out of range for a whole number"),
            (Arithmetic::Div, i64::MIN, -1, "-9223372036854775808 / -1 is out of range for a whole number"),
            (Arithmetic::Div, 1, 0, "1 / 0 has no result: division by zero"),
            (Arithmetic::Rem, 1, 0, "1 % 0 has no result: division by zero"),
        ] {
            assert_eq!(computed(operation, left, right).unwrap_err().message, message);
        }
        assert!(negative(&int(i64::MIN)).is_err());
    }

    #[test]
    fn floats_stay_finite() {
        assert_eq!(arithmetic(Arithmetic::Add, &int(1), &Value::Float(0.5)), Ok(Value::Float(1.5)));
        assert!(arithmetic(Arithmetic::Mul, &Value::Float(1e300), &Value::Float(1e300)).is_err());
        assert!(arithmetic(Arithmetic::Div, &Value::Float(1.0), &Value::Float(0.0)).is_err());
        assert!(arithmetic(Arithmetic::Add, &int(1), &Value::String("1".into())).is_err());
    }

    #[test]
    fn numbers_compare_by_worth_and_types_do_not_mix() {
        assert!(equal(&int(1), &Value::Float(1.0)));
        assert!(!equal(&int(i64::MAX), &Value::Float(i64::MAX as f64)));
        assert!(!equal(&int(1), &Value::String("1".into())));
        assert!(equal(&Value::List(vec![int(1)]), &Value::List(vec![Value::Float(1.0)])));
        assert_eq!(compare(&int(-1), &Value::Float(-1.5)), Ok(Ordering::Greater));
        assert_eq!(compare(&Value::Float(1.5), &int(2)), Ok(Ordering::Less));
        assert!(compare(&int(1), &Value::String("1".into())).is_err());
        assert_eq!(compare(&Value::Number("1e400".into()), &Value::Float(1e308)), Ok(Ordering::Greater));
        assert!(compare(&Value::Number("1e400".into()), &Value::String("1".into())).is_err());
        assert!(compare(&Value::Boolean(false), &Value::Boolean(true)).is_err());
    }

    proptest! {
        #[test]
        fn mixed_comparison_agrees_with_exact_numbers(left in any::<i64>(), right in prop::num::f64::NORMAL) {
            let exact = (left as i128).cmp(&(right.clamp(-1e30, 1e30).floor() as i128));
            let expected = if exact == Ordering::Equal && right.fract() != 0.0 { Ordering::Less } else { exact };
            assert_eq!(compare(&int(left), &Value::Float(right)), Ok(expected));
            assert_eq!(compare(&Value::Float(right), &int(left)), Ok(expected.reverse()));
        }
    }
}
