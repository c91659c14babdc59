//! The core schema of YAML 1.2 (section 10.3.2): which unquoted words are more than text.

/// What a scalar stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolved<'a> {
    /// Nothing at all, `~` or `null`.
    Null,
    /// `true` or `false`; not `yes`, `no`, `on` or `off`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number outside `i64`, as it is written.
    BigInt(&'a str),
    /// A number with a fraction or an exponent.
    Float(f64),
    /// `.inf`, `-.inf`, `.nan`, or a number too large for a float.
    NonFinite(f64),
    /// Text.
    Str(&'a str),
}

/// What the unquoted `text` stands for.
pub fn resolve(text: &str) -> Resolved<'_> {
    match text.as_bytes() {
        [] => Resolved::Null,
        // Everything but text begins with one of these.
        [b'~' | b'n' | b'N' | b't' | b'T' | b'f' | b'F', ..] => word(text),
        [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => number(text),
        [..] => Resolved::Str(text),
    }
}

fn word(text: &str) -> Resolved<'_> {
    match text {
        "~" | "null" | "Null" | "NULL" => Resolved::Null,
        "true" | "True" | "TRUE" => Resolved::Bool(true),
        "false" | "False" | "FALSE" => Resolved::Bool(false),
        _ => Resolved::Str(text),
    }
}

fn number(text: &str) -> Resolved<'_> {
    if let Some(digits) = text.strip_prefix("0o") {
        return based(text, digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return based(text, digits, 16);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match unsigned {
        ".inf" | ".Inf" | ".INF" if text.starts_with('-') => Resolved::NonFinite(f64::NEG_INFINITY),
        ".inf" | ".Inf" | ".INF" => Resolved::NonFinite(f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" if unsigned.len() == text.len() => Resolved::NonFinite(f64::NAN),
        _ if is_decimal(unsigned) => text.parse().map_or(Resolved::BigInt(text), Resolved::Int),
        _ if is_float(unsigned) => match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Resolved::Float(value),
            Ok(value) => Resolved::NonFinite(value),
            Err(_) => Resolved::Str(text),
        },
        _ => Resolved::Str(text),
    }
}

fn based<'a>(text: &'a str, digits: &str, radix: u32) -> Resolved<'a> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Resolved::Str(text);
    }
    i64::from_str_radix(digits, radix).map_or(Resolved::BigInt(text), Resolved::Int)
}

fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
fn is_float(text: &str) -> bool {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..)),
        None => (text, None),
    };
    let exponent_fits = exponent.is_none_or(|digits| is_decimal(digits.strip_prefix(['+', '-']).unwrap_or(digits)));
    let mantissa_fits = match mantissa.split_once('.') {
        Some(("", fraction)) => is_decimal(fraction),
        Some((whole, fraction)) => is_decimal(whole) && (fraction.is_empty() || is_decimal(fraction)),
        None => is_decimal(mantissa),
    };
    exponent_fits && mantissa_fits
}

#[cfg(test)]
mod tests {
    use super::{Resolved, resolve};

    #[test]
    fn words_of_other_schemas_are_text() {
        for text in ["yes", "no", "on", "off", "y", "n", "Yes", "NO", "tRUE", "nULL", "nan", "inf", "Infinity", "truee"]
        {
            assert_eq!(resolve(text), Resolved::Str(text));
        }
        for text in [
            "1_000",
            "0b11",
            "1:30",
            "-0x1",
            "+0o7",
            "0x",
            "0o8",
            "0xg",
            "--1",
            "+",
            "-",
            ".",
            "+.",
            ".e1",
            "1e",
            "1e+",
            "1.2.3",
            "2024-01-02",
            "-.nan",
            "1 ",
            "0X1f",
            "+-1",
            "1.5f",
            "१",
        ] {
            assert_eq!(resolve(text), Resolved::Str(text));
        }
    }

    #[test]
    fn null_booleans_and_numbers() {
        for text in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(resolve(text), Resolved::Null);
        }
        for (text, value) in
            [("true", true), ("True", true), ("TRUE", true), ("false", false), ("False", false), ("FALSE", false)]
        {
            assert_eq!(resolve(text), Resolved::Bool(value));
        }
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("012", 12),
            ("+3", 3),
            ("0o17", 15),
            ("0xFf", 255),
            ("-9223372036854775808", i64::MIN),
        ] {
            assert_eq!(resolve(text), Resolved::Int(value));
        }
        for text in ["9223372036854775808", "-9223372036854775809", "0xFFFFFFFFFFFFFFFF"] {
            assert_eq!(resolve(text), Resolved::BigInt(text));
        }
        for (text, value) in
            [("1.5", 1.5), ("-.5", -0.5), ("1.", 1.0), ("1e3", 1000.0), ("+1E-2", 0.01), (".5e1", 5.0), ("0.10", 0.1)]
        {
            assert_eq!(resolve(text), Resolved::Float(value));
        }
        for (text, value) in
            [(".inf", f64::INFINITY), ("+.Inf", f64::INFINITY), ("-.INF", f64::NEG_INFINITY), ("1e400", f64::INFINITY)]
        {
            assert_eq!(resolve(text), Resolved::NonFinite(value));
        }
        assert!(matches!(resolve(".NaN"), Resolved::NonFinite(value) if value.is_nan()));
    }
}
