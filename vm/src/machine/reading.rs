//! Given values as values of a declared type. Nothing is guessed: what does not read exactly is refused.

use spec::kind::{self, BOOLEAN_WORDS};
use spec::value::{Type, Value};

use crate::json_text;
use crate::machine::parameters::Given;
use crate::machine::text::plain;

/// A given value as a value of the type `ty`.
///
/// Text is read as the type is written: whole numbers in plain decimal (`007` is 7), numbers with a point or exponent, booleans by
/// [`BOOLEAN_WORDS`], lists and dicts as JSON. A JSON value must already have the type; only a whole number also serves as a float,
/// and a JSON text is read as text for the four scalar types.
///
/// # Errors
/// What it must be: "a whole number".
pub fn read(ty: Type, given: &Given) -> Result<Value, String> {
    match given {
        Given::Text(text) => from_text(ty, text),
        Given::Json(value) => from_json(ty, value),
    }
}

/// A value a macro computed for a parameter of a macro it calls: text must read as the type, everything else must have it.
///
/// # Errors
/// What it must be.
pub fn computed(ty: Type, value: &Value) -> Result<Value, String> {
    match (ty, value) {
        (Type::String, value) => plain(value).map(Value::String).map_err(|_| expected(ty)),
        (_, value) => from_json(ty, value),
    }
}

/// A whole number in plain decimal: digits with an optional minus sign.
pub fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn from_text(ty: Type, text: &str) -> Result<Value, String> {
    let found = match ty {
        Type::String | Type::Any => Some(Value::String(text.to_owned())),
        Type::Integer => integer(text).map(Value::Integer),
        Type::Float => kind::float_word(text).map(Value::Float),
        Type::Boolean => kind::boolean_word(text).map(Value::Boolean),
        Type::List | Type::Dict => return from_json_text(ty, text),
    };
    found.ok_or_else(|| expected(ty))
}

fn from_json_text(ty: Type, text: &str) -> Result<Value, String> {
    let json = serde_json::from_str(text).map_err(|error| format!("{} ({error})", expected(ty)))?;
    let value = from_json(ty, &json_text::from_json(&json)).map_err(|_| expected(ty))?;
    match json_text::repeated_key(text.as_bytes()) {
        // The key is part of a value that may be secret.
        Some(_) => Err(format!("{} in which no key is written twice", expected(ty))),
        None => Ok(value),
    }
}

fn from_json(ty: Type, value: &Value) -> Result<Value, String> {
    match (ty, value) {
        (Type::Any, value) => Ok(value.clone()),
        (Type::String, Value::String(_))
        | (Type::Integer, Value::Integer(_))
        | (Type::Float, Value::Float(_))
        | (Type::Boolean, Value::Boolean(_))
        | (Type::List, Value::List(_))
        | (Type::Dict, Value::Dict(_)) => Ok(value.clone()),
        (Type::Float, Value::Integer(whole)) => Ok(Value::Float(*whole as f64)),
        (Type::Float, Value::Number(text)) => kind::float_word(text).map(Value::Float).ok_or_else(|| expected(ty)),
        (Type::Integer | Type::Float | Type::Boolean, Value::String(text)) => from_text(ty, text),
        (Type::String | Type::Integer | Type::Float | Type::Boolean | Type::List | Type::Dict, _) => Err(expected(ty)),
    }
}

fn expected(ty: Type) -> String {
    match ty {
        Type::Any => "a value".to_owned(),
        Type::String => "text".to_owned(),
        Type::Integer => "a whole number of 64 bits in plain decimal".to_owned(),
        Type::Float => "a finite decimal number such as `1.5`".to_owned(),
        Type::Boolean => format!("a boolean, one of {BOOLEAN_WORDS} in any case"),
        Type::List => "a list, as JSON".to_owned(),
        Type::Dict => "a dict, as a JSON object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use spec::value::{Dict, Type, Value};

    use crate::machine::parameters::Given;
    use crate::machine::reading::{computed, read};

    fn text(ty: Type, text: &str) -> Option<Value> {
        read(ty, &Given::Text(text.to_owned())).ok()
    }

    #[test]
    fn whole_numbers_are_plain_decimal() {
        assert_eq!(text(Type::Integer, "007"), Some(Value::Integer(7)));
        assert_eq!(text(Type::Integer, "-9223372036854775808"), Some(Value::Integer(i64::MIN)));
        for wrong in ["0x10", "1e3", " 5", "5 ", "+5", "9223372036854775808", "true", "5.0", "", "-", "٥"] {
            assert_eq!(text(Type::Integer, wrong), None, "{wrong}");
        }
        assert!(read(Type::Integer, &Given::Json(Value::Float(5.0))).is_err());
        assert!(read(Type::Integer, &Given::Json(Value::Boolean(true))).is_err());
        assert_eq!(read(Type::Integer, &Given::Json(Value::String("5".into()))), Ok(Value::Integer(5)));
    }

    #[test]
    fn numbers_are_finite() {
        assert_eq!(text(Type::Float, "1e-3"), Some(Value::Float(0.001)));
        assert_eq!(text(Type::Float, "5"), Some(Value::Float(5.0)));
        for wrong in ["nan", "inf", "-inf", "infinity", "1,5", "1e999", "", " 1", "0x1"] {
            assert_eq!(text(Type::Float, wrong), None, "{wrong}");
        }
        assert_eq!(read(Type::Float, &Given::Json(Value::Integer(2))), Ok(Value::Float(2.0)));
    }

    #[test]
    fn booleans_are_a_few_words() {
        for no in ["false", "False", "0", "no", "OFF"] {
            assert_eq!(text(Type::Boolean, no), Some(Value::Boolean(false)), "{no}");
        }
        for yes in ["true", "1", "yes", "On"] {
            assert_eq!(text(Type::Boolean, yes), Some(Value::Boolean(true)), "{yes}");
        }
        for wrong in ["maybe", "", "2", " true"] {
            let message = read(Type::Boolean, &Given::Text(wrong.to_owned())).unwrap_err();
            assert_eq!(message, "a boolean, one of true, yes, on, 1, false, no, off and 0 in any case");
        }
    }

    #[test]
    fn lists_and_dicts_are_json() {
        assert_eq!(
            text(Type::List, "[1,\"a\"]"),
            Some(Value::List(vec![Value::Integer(1), Value::String("a".into())]))
        );
        assert_eq!(text(Type::Dict, "{}"), Some(Value::Dict(Dict::new())));
        assert_eq!(text(Type::Dict, "[]"), None);
        assert_eq!(text(Type::Dict, r#"{"a": 1, "a": 2}"#), None);
        assert_eq!(text(Type::List, r#"[{"a": 1, "a": 2}]"#), None);
        assert_eq!(text(Type::List, "a,b"), None);
        assert_eq!(text(Type::List, &"[".repeat(100_000)), None);
        assert_eq!(text(Type::String, "00420"), Some(Value::String("00420".into())));
        assert!(read(Type::String, &Given::Json(Value::Integer(5))).is_err());
    }

    #[test]
    fn computed_values_become_text_where_text_is_declared() {
        assert_eq!(computed(Type::String, &Value::Integer(5)), Ok(Value::String("5".into())));
        assert!(computed(Type::String, &Value::List(vec![])).is_err());
        assert_eq!(computed(Type::Integer, &Value::String("5".into())), Ok(Value::Integer(5)));
    }
}
