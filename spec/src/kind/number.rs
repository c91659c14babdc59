//! Numbers, and the bounds of each kind.

use crate::kind::{KindError, mismatch};
use crate::value::Value;

/// Reads a whole number; of texts only decimal digits.
///
/// # Errors
/// When the value is something else.
pub fn integer(value: Value) -> Result<i64, KindError> {
    let whole = |number: f64| (number.fract() == 0.0 && number.abs() < 9.0e15).then_some(number as i64);
    let found = match &value {
        Value::Integer(value) => Some(*value),
        Value::Float(value) => whole(*value),
        Value::String(text) if is_decimal(text) => {
            text.parse().ok().or_else(|| text.parse::<f64>().ok().and_then(whole))
        }
        Value::String(_) | Value::Number(_) | Value::Null | Value::Boolean(_) | Value::List(_) | Value::Dict(_) => None,
    };
    found.ok_or_else(|| mismatch("a whole number", &value))
}

/// Digits with an optional sign and fraction: `007`, `-3`, `512.0`; not `1e3`, `0x10`, ` 5`.
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    all_digits(whole) && all_digits(fraction)
}

/// Reads a whole number within bounds.
///
/// # Errors
/// When the value is something else.
pub fn ranged(value: Value, min: i64, max: i64, unit: &str) -> Result<i64, KindError> {
    let number = integer(value)?;
    if number < min {
        return Err(KindError { message: format!("must be at least {min} {unit}, found `{number}`"), help: None });
    }
    if number > max {
        return Err(KindError { message: format!("must be at most {max} {unit}, found `{number}`"), help: None });
    }
    Ok(number)
}

/// Reads a list of exit codes.
///
/// # Errors
/// When the value is something else.
pub fn exit_codes(value: Value) -> Result<Vec<i64>, KindError> {
    let items = value.into_list().map_err(|other| mismatch("a list of exit codes", &other))?;
    if items.is_empty() {
        return Err(KindError { message: "must hold at least one exit code".to_owned(), help: None });
    }
    items.into_iter().map(|item| ranged(item, 0, 255, "(an exit code)")).collect()
}

/// Reads a finite number.
///
/// # Errors
/// When the value is something else.
pub fn float(value: Value) -> Result<f64, KindError> {
    let found = match &value {
        Value::Integer(value) => Some(*value as f64),
        Value::Float(value) => Some(*value),
        Value::Number(text) | Value::String(text) => float_word(text),
        Value::Null | Value::Boolean(_) | Value::List(_) | Value::Dict(_) => None,
    };
    found
        .filter(|number| number.is_finite())
        .ok_or_else(|| KindError { help: comma(&value), ..mismatch("a number", &value) })
}

/// The number that was meant by one with a decimal comma.
fn comma(value: &Value) -> Option<String> {
    let Value::String(text) = value else { return None };
    let meant = text.replacen(',', ".", 1);
    (meant != *text && float_word(&meant).is_some()).then(|| format!("write `{meant}`, with a point"))
}

/// Reads a finite decimal number: digits, sign, fraction and exponent, but no `nan`, `inf` or spaces.
pub fn float_word(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    if !plain || text.starts_with('+') {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Reads a number from 0 to 1.
///
/// # Errors
/// When the value is something else.
pub fn fraction(value: Value) -> Result<f64, KindError> {
    let number = float(value)?;
    if (0.0..=1.0).contains(&number) {
        return Ok(number);
    }
    Err(KindError { message: format!("must be a fraction from 0 to 1, found `{number}`"), help: percent(number) })
}

/// Reads a number above 0 and at most 1.
///
/// # Errors
/// When the value is something else.
pub fn confidence(value: Value) -> Result<f64, KindError> {
    let number = float(value)?;
    if number > 0.0 && number <= 1.0 {
        return Ok(number);
    }
    Err(KindError { message: format!("must be above 0 and at most 1, found `{number}`"), help: percent(number) })
}

/// What was meant by a number that can only be a percentage.
fn percent(number: f64) -> Option<String> {
    (2.0..=100.0).contains(&number).then(|| format!("for {number} % write {}", number / 100.0))
}

/// Reads a time factor.
///
/// # Errors
/// When the value is something else.
pub fn speed(value: Value) -> Result<f64, KindError> {
    let number = float(value)?;
    if (0.01..=1000.0).contains(&number) {
        return Ok(number);
    }
    Err(KindError { message: format!("must be from 0.01 to 1000, found `{number}`"), help: None })
}
