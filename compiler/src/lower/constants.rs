//! The table of constants under construction, each constant once.

use std::collections::HashMap;

use spec::artifact::{Constant, Constants};
use spec::operand::Const;
use spec::value::Value;

/// Constants by first use.
#[derive(Default)]
pub struct Pool {
    list: Vec<Constant>,
    known: HashMap<Key, u32>,
}

/// A constant as a hash key: floats by their bits.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Null,
    Boolean(bool),
    Integer(i64),
    Float(u64),
    Number(String),
    String(String),
    List(Vec<u32>),
    Dict(Vec<(u32, u32)>),
}

impl Pool {
    /// The constant with this value.
    pub fn intern(&mut self, value: &Value) -> Const {
        let (key, constant) = match value {
            Value::Null => (Key::Null, Constant::Null),
            Value::Boolean(value) => (Key::Boolean(*value), Constant::Boolean(*value)),
            Value::Integer(value) => (Key::Integer(*value), Constant::Integer(*value)),
            Value::Float(value) => (Key::Float(value.to_bits()), Constant::Float(*value)),
            Value::Number(text) => (Key::Number(text.clone()), Constant::Number(text.clone())),
            Value::String(text) => return self.text(text),
            Value::List(items) => {
                let items: Vec<u32> = items.iter().map(|item| self.intern(item).0).collect();
                (Key::List(items.clone()), Constant::List(items))
            }
            Value::Dict(entries) => {
                let entries: Vec<(u32, u32)> =
                    entries.iter().map(|(key, value)| (self.text(key).0, self.intern(value).0)).collect();
                (Key::Dict(entries.clone()), Constant::Dict(entries))
            }
        };
        self.add(key, constant)
    }

    /// The text constant.
    pub fn text(&mut self, text: &str) -> Const {
        self.add(Key::String(text.to_owned()), Constant::String(text.to_owned()))
    }

    /// The finished table.
    pub fn finish(self) -> Constants {
        Constants { list: self.list }
    }

    fn add(&mut self, key: Key, constant: Constant) -> Const {
        let next = self.list.len() as u32;
        let index = *self.known.entry(key).or_insert(next);
        if index == next {
            self.list.push(constant);
        }
        Const(index)
    }
}
