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

/// The most values one constant may unfold to.
pub const UNFOLD_LIMIT: u64 = 1_000_000;

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

    /// Whether every reference goes to an earlier constant, keys are texts, numbers are finite, and no constant unfolds to more than
    /// [`UNFOLD_LIMIT`] values or deeper than `depth`.
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
                Constant::Null
                | Constant::Boolean(_)
                | Constant::Integer(_)
                | Constant::Number(_)
                | Constant::String(_) => Some((1, 1)),
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
    Some((total.0, total.1 + 1))
}
