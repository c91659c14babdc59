//! Constants, kept flat: lists and dicts name earlier constants, so that reading them never recurses.

use wincode::{SchemaRead, SchemaWrite};

use crate::operand::Const;
use crate::value::{Dict, Value};

/// One constant.
#[derive(Clone, Debug, PartialEq, SchemaWrite, SchemaRead)]
pub enum Constant {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// A number kept as written.
    Number(String),
    /// Text.
    String(String),
    /// Earlier constants, in order.
    List(Vec<u32>),
    /// Keys (earlier text constants) and values (earlier constants).
    Dict(Vec<(u32, u32)>),
}

/// A table of constants, each written once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constants {
    /// The constants in order.
    pub list: Vec<Constant>,
}

/// The most values one constant may unfold to; a text counts once more for every 32 bytes of it.
pub const UNFOLD_LIMIT: u64 = 1_000_000;

/// How deep one constant may unfold.
pub const DEPTH_LIMIT: u32 = 128;

impl Constants {
    /// The constant as a value; `None` when the index names nothing or a dict's key is no text.
    ///
    /// Only for tables that passed [`Constants::check`], which bounds depth and size.
    pub fn value(&self, constant: Const) -> Option<Value> {
        Some(match self.list.get(constant.index())? {
            Constant::Null => Value::Null,
            Constant::Boolean(value) => Value::Boolean(*value),
            Constant::Integer(value) => Value::Integer(*value),
            Constant::Float(value) => Value::Float(*value),
            Constant::Number(text) => Value::Number(text.clone()),
            Constant::String(text) => Value::String(text.clone()),
            Constant::List(items) => Value::List(self.earlier(constant, items)?),
            Constant::Dict(entries) => {
                let mut dict = Dict::with_capacity(entries.len());
                for (key, value) in entries {
                    let [key, value] = <[Value; 2]>::try_from(self.earlier(constant, &[*key, *value])?).ok()?;
                    let Value::String(key) = key else { return None };
                    dict.insert(key, value);
                }
                Value::Dict(dict)
            }
        })
    }

    /// The text constant, when it is one.
    pub fn text(&self, constant: Const) -> Option<&str> {
        match self.list.get(constant.index())? {
            Constant::String(text) => Some(text),
            Constant::Null
            | Constant::Boolean(_)
            | Constant::Integer(_)
            | Constant::Float(_)
            | Constant::Number(_)
            | Constant::List(_)
            | Constant::Dict(_) => None,
        }
    }

    /// Whether every reference goes to an earlier constant, keys are texts, numbers are finite and written as in JSON, and no constant
    /// unfolds to more than [`UNFOLD_LIMIT`] values or deeper than `depth`.
    ///
    /// # Errors
    /// The index of the first constant that does not.
    pub fn check(&self, depth: u32) -> Result<(), usize> {
        // Size and depth of each constant, by its index: references go backwards, so one pass is enough.
        let mut known: Vec<(u64, u32)> = Vec::with_capacity(self.list.len());
        for (index, constant) in self.list.iter().enumerate() {
            let measure = match constant {
                Constant::List(items) => sum(&known, items.iter()),
                Constant::Dict(entries) => entries
                    .iter()
                    .all(|(key, _)| matches!(self.list.get(*key as usize), Some(Constant::String(_))))
                    .then(|| sum(&known, entries.iter().flat_map(|(key, value)| [key, value])))
                    .flatten(),
                Constant::Float(value) => value.is_finite().then_some((1, 1)),
                Constant::Number(text) => is_number(text).then(|| weight(text)),
                Constant::String(text) => Some(weight(text)),
                Constant::Null | Constant::Boolean(_) | Constant::Integer(_) => Some((1, 1)),
            };
            match measure {
                Some(measure) if measure.0 <= UNFOLD_LIMIT && measure.1 <= depth => known.push(measure),
                Some(_) | None => return Err(index),
            }
        }
        Ok(())
    }

    fn earlier(&self, from: Const, items: &[u32]) -> Option<Vec<Value>> {
        items.iter().map(|item| if *item < from.0 { self.value(Const(*item)) } else { None }).collect()
    }
}

fn sum<'a>(known: &[(u64, u32)], items: impl Iterator<Item = &'a u32>) -> Option<(u64, u32)> {
    let mut total = (1u64, 0u32);
    for item in items {
        let (size, depth) = known.get(*item as usize)?;
        total = (total.0.saturating_add(*size), total.1.max(*depth));
    }
    Some((total.0, total.1.saturating_add(1)))
}

fn weight(text: &str) -> (u64, u32) {
    (1 + text.len() as u64 / 32, 1)
}

/// Whether a text is a number as RFC 8259 writes it.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}

#[cfg(test)]
mod tests {
    use super::{Constant, Constants, DEPTH_LIMIT};

    fn check(list: Vec<Constant>) -> Result<(), usize> {
        Constants { list }.check(DEPTH_LIMIT)
    }

    #[test]
    fn references_go_backwards() {
        assert_eq!(check(vec![Constant::Null, Constant::List(vec![0, 0])]), Ok(()));
        assert_eq!(check(vec![Constant::List(vec![0])]), Err(0));
        assert_eq!(check(vec![Constant::List(vec![1]), Constant::Null]), Err(0));
        assert_eq!(check(vec![Constant::Null, Constant::Dict(vec![(0, 0)])]), Err(1));
        assert_eq!(check(vec![Constant::Dict(vec![(1, 1)]), Constant::String(String::new())]), Err(0));
    }

    #[test]
    fn unfolding_is_bounded() {
        let doubling = |first: Constant, times: u32| {
            std::iter::once(first).chain((0..times).map(|index| Constant::List(vec![index, index]))).collect::<Vec<_>>()
        };
        assert_eq!(check(doubling(Constant::Null, 18)), Ok(()));
        assert_eq!(check(doubling(Constant::Null, 40)), Err(19));
        assert_eq!(check(doubling(Constant::String("x".repeat(1 << 20)), 18)), Err(5));
        let nested = |depth: u32| {
            std::iter::once(Constant::Null)
                .chain((0..depth).map(|index| Constant::List(vec![index])))
                .collect::<Vec<_>>()
        };
        assert_eq!(check(nested(DEPTH_LIMIT - 1)), Ok(()));
        assert_eq!(check(nested(DEPTH_LIMIT)), Err(DEPTH_LIMIT as usize));
    }

    #[test]
    fn numbers_are_numbers() {
        for good in ["0", "-0", "18446744073709551616", "1.0e400", "0.1E-7", "12.50"] {
            assert_eq!(check(vec![Constant::Number(good.to_owned())]), Ok(()), "{good}");
        }
        for wrong in ["", "-", "01", "1.", ".5", "1e", "+1", "1e+", "0x1", "NaN", "1\"", "1 ", "1,2", "--1", "1e5.0"] {
            assert_eq!(check(vec![Constant::Number(wrong.to_owned())]), Err(0), "{wrong}");
        }
        assert_eq!(check(vec![Constant::Float(f64::NAN)]), Err(0));
    }
}
