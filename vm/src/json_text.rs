//! Between run-time values and JSON: every number keeps its digits, every dict its order.

use std::collections::HashSet;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number};
use spec::value::{Dict, Value};

/// `value` as JSON.
///
/// A `Float` has a fraction or an exponent (`1.0`); a `Number` keeps every digit, its exponent spelled `e+5` or `e-5`. What JSON cannot say
/// (a float that is not finite, a `Number` that is no JSON number) cannot be the value of a run; it would become `null`
/// and a string respectively.
pub fn to_json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Boolean(value) => serde_json::Value::Bool(*value),
        Value::Integer(value) => serde_json::Value::Number(Number::from(*value)),
        Value::Float(value) => Number::from_f64(*value).map_or(serde_json::Value::Null, serde_json::Value::Number),
        Value::Number(literal) => {
            literal.parse().map_or_else(|_| serde_json::Value::String(literal.clone()), serde_json::Value::Number)
        }
        Value::String(value) => serde_json::Value::String(value.clone()),
        Value::List(items) => serde_json::Value::Array(items.iter().map(to_json).collect()),
        Value::Dict(entries) => {
            let entries: Map<_, _> = entries.iter().map(|(key, value)| (key.clone(), to_json(value))).collect();
            serde_json::Value::Object(entries)
        }
    }
}

/// JSON as a value; the inverse of [`to_json`].
pub fn from_json(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Boolean(*value),
        serde_json::Value::Number(value) => number(value.as_str()),
        serde_json::Value::String(value) => Value::String(value.clone()),
        serde_json::Value::Array(items) => Value::List(items.iter().map(from_json).collect()),
        serde_json::Value::Object(entries) => {
            let entries: Dict = entries.iter().map(|(key, value)| (key.clone(), from_json(value))).collect();
            Value::Dict(entries)
        }
    }
}

/// The value of a JSON number token.
///
/// `Integer` when it has neither fraction nor exponent and fits 64 bits; `Float` when the shortest text of the nearest
/// float names the same decimal number (`1.0`, `0.10`, `1E5`, `-0`); else `Number`, the token as it stands.
pub fn number(literal: &str) -> Value {
    let whole = !literal.contains(['.', 'e', 'E']);
    // Minus zero is a float: an integer would lose its sign.
    if whole
        && literal != "-0"
        && let Ok(value) = literal.parse()
    {
        return Value::Integer(value);
    }
    match literal.parse::<f64>() {
        Ok(value) if value.is_finite() && same_decimal(literal, &format!("{value:e}")) => Value::Float(value),
        Ok(_) | Err(_) => Value::Number(literal.to_owned()),
    }
}

/// The first key that an object of this JSON text has twice, with the number of lists and objects around that object. JSON leaves
/// open which of the two counts; a text that is no JSON has none.
pub fn repeated_key(text: &[u8]) -> Option<(usize, String)> {
    let mut search = Search { depth: 0, found: None };
    // What is wrong with the text is for whoever reads its values to tell.
    let _ = search.deserialize(&mut serde_json::Deserializer::from_slice(text));
    search.found
}

/// Whether two JSON number tokens name the same decimal number.
pub(crate) fn same_decimal(left: &str, right: &str) -> bool {
    matches!((Decimal::of(left), Decimal::of(right)), (Some(left), Some(right)) if left == right)
}

/// Goes through a value and keeps nothing of it but the keys of the objects it is in. The parser bounds the nesting.
struct Search {
    depth: usize,
    found: Option<(usize, String)>,
}

impl<'de> DeserializeSeed<'de> for &mut Search {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Search {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.depth += 1;
        while items.next_element_seed(&mut *self)?.is_some() {}
        self.depth -= 1;
        Ok(())
    }

    // A number that keeps its digits looks like an object of one entry.
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            if self.found.is_none() && keys.contains(&key) {
                self.found = Some((self.depth, key));
            } else {
                keys.insert(key);
            }
            self.depth += 1;
            entries.next_value_seed(&mut *self)?;
            self.depth -= 1;
        }
        Ok(())
    }
}

/// A decimal number with one spelling: sign, digits without zeros at either end, and the power of ten of the last digit.
#[derive(PartialEq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// `None` when the exponent is beyond 64 bits.
    fn of(literal: &str) -> Option<Self> {
        let (negative, literal) = literal.strip_prefix('-').map_or((false, literal), |rest| (true, rest));
        let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
        let exponent: i64 = exponent.parse().ok()?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        let significant = digits.trim_end_matches('0');
        let dropped = i64::try_from(digits.len() - significant.len()).ok()?;
        let significant = significant.trim_start_matches('0');
        if significant.is_empty() {
            return Some(Self { negative, digits: String::new(), exponent: 0 });
        }
        let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(dropped)?;
        Some(Self { negative, digits: significant.to_owned(), exponent })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, any, prop, prop_oneof, proptest};
    use spec::value::Value;

    fn text(value: &Value) -> String {
        crate::json_text::to_json(value).to_string()
    }

    #[test]
    fn numbers_are_exact() {
        let number = crate::json_text::number;
        assert_eq!(number("9007199254740993"), Value::Integer(9_007_199_254_740_993));
        assert_eq!(number("-9223372036854775808"), Value::Integer(i64::MIN));
        for float in ["1.0", "0.10", "1E5", "1e+05", "0.1", "0e0", "5e-324", "1.7976931348623157e308", "0.000"] {
            assert_eq!(number(float), Value::Float(float.parse().unwrap()), "{float}");
        }
        for other in [
            "123456789012345678901234567890",
            "9223372036854775808",
            "0.1000000000000000055511151231257827",
            "1e400",
            "1e-400",
            "1e99999999999999999999",
            "3.14159265358979323846",
        ] {
            assert_eq!(number(other), Value::Number(other.to_owned()), "{other}");
        }
        assert!(matches!(number("-0"), Value::Float(zero) if zero.is_sign_negative()));
        assert!(matches!(number("-0.0"), Value::Float(zero) if zero.is_sign_negative()));
    }

    #[test]
    fn text_keeps_digits_and_order() {
        assert_eq!(text(&Value::Float(1.0)), "1.0");
        assert_eq!(text(&Value::Float(-0.0)), "-0.0");
        for literal in ["123456789012345678901234567890", "1e+400", "0.10000000000000000001"] {
            assert_eq!(text(&Value::Number(literal.to_owned())), literal);
        }
        assert_eq!(text(&Value::Number("1E400".to_owned())), "1e+400");
        let json: serde_json::Value = serde_json::from_str(r#"{"z":1,"a":[true,null,"é"],"m":{}}"#).unwrap();
        assert_eq!(text(&crate::json_text::from_json(&json)), r#"{"z":1,"a":[true,null,"é"],"m":{}}"#);
    }

    #[test]
    fn keys_that_are_written_twice_are_found() {
        let found = |text: &str| crate::json_text::repeated_key(text.as_bytes());
        assert_eq!(found(r#"{"a": 1.5, "b": {"a": -1e3, "c": [{"d": 1}, {"d": "x"}]}, "n": null}"#), None);
        assert_eq!(found(r#"{"a": 1, "b": 2, "a": 3}"#), Some((0, "a".to_owned())));
        assert_eq!(found(r#"{"a": {"b": true, "b": false}}"#), Some((1, "b".to_owned())));
        assert_eq!(found(r#"[0, [{"c": 1, "\u0063": 1, "d": 1, "d": 1}]]"#), Some((2, "c".to_owned())));
        assert_eq!(found(&"[".repeat(1_000_000)), None);
        assert_eq!(found(r#"{"a": 1, "a""#), Some((0, "a".to_owned())));
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::Boolean),
            any::<i64>().prop_map(Value::Integer),
            prop::num::f64::NORMAL.prop_map(Value::Float),
            any::<String>().prop_map(Value::String),
            proptest::strategy::Just(Value::Null),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
                prop::collection::vec((any::<String>(), inner), 0..4)
                    .prop_map(|entries| Value::Dict(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn text_round_trips(value in value()) {
            let json: serde_json::Value = serde_json::from_str(&text(&value)).unwrap();
            assert_eq!(crate::json_text::from_json(&json), value);
        }
    }
}
