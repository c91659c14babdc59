//! The table of constants under construction, each constant once.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use spec::artifact::{Constant, Constants};
use spec::operand::Const;
use spec::value::Value;

/// Constants by first use.
#[derive(Default)]
pub struct Pool {
    list: Vec<Constant>,
    /// Places in the list, by the hash of what is there.
    known: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Pool {
    /// The constant with this value.
    pub fn intern(&mut self, value: &Value) -> Const {
        let constant = match value {
            Value::Null => Constant::Null,
            Value::Boolean(value) => Constant::Boolean(*value),
            Value::Integer(value) => Constant::Integer(*value),
            Value::Float(value) => Constant::Float(*value),
            Value::Number(text) => Constant::Number(text.clone()),
            Value::String(text) => return self.text(text),
            Value::List(items) => Constant::List(items.iter().map(|item| self.intern(item).0).collect()),
            Value::Dict(entries) => {
                Constant::Dict(entries.iter().map(|(key, value)| (self.text(key).0, self.intern(value).0)).collect())
            }
        };
        let hash = hash(&self.hasher, &constant);
        self.find(hash, |known| same(known, &constant)).unwrap_or_else(|| self.add(hash, constant))
    }

    /// The text constant. Most texts come again, so they are looked for before they are copied.
    pub fn text(&mut self, text: &str) -> Const {
        let hash = text_hash(&self.hasher, text);
        let found = self.find(hash, |known| matches!(known, Constant::String(known) if known == text));
        found.unwrap_or_else(|| self.add(hash, Constant::String(text.to_owned())))
    }

    /// The finished table.
    pub fn finish(self) -> Constants {
        Constants { list: self.list }
    }

    fn find(&self, hash: u64, same: impl Fn(&Constant) -> bool) -> Option<Const> {
        self.known.find(hash, |place| same(&self.list[*place as usize])).map(|place| Const(*place))
    }

    fn add(&mut self, own: u64, constant: Constant) -> Const {
        let place = self.list.len() as u32;
        self.list.push(constant);
        let (list, hasher) = (&self.list, &self.hasher);
        self.known.insert_unique(own, place, |place| hash(hasher, &list[*place as usize]));
        Const(place)
    }
}

fn hash(hasher: &DefaultHashBuilder, constant: &Constant) -> u64 {
    match constant {
        Constant::Null => hasher.hash_one(0_u8),
        Constant::Boolean(value) => hasher.hash_one((1_u8, value)),
        Constant::Integer(value) => hasher.hash_one((2_u8, value)),
        Constant::Float(value) => hasher.hash_one((3_u8, value.to_bits())),
        Constant::Number(text) => hasher.hash_one((4_u8, text)),
        Constant::String(text) => text_hash(hasher, text),
        Constant::List(items) => hasher.hash_one((5_u8, items)),
        Constant::Dict(entries) => hasher.hash_one((6_u8, entries)),
    }
}

fn text_hash(hasher: &DefaultHashBuilder, text: &str) -> u64 {
    hasher.hash_one(text)
}

/// Floats are the same when their bits are: the two zeros stay apart.
fn same(one: &Constant, other: &Constant) -> bool {
    match (one, other) {
        (Constant::Float(one), Constant::Float(other)) => one.to_bits() == other.to_bits(),
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use spec::artifact::Constant;
    use spec::value::{Dict, Value};

    use crate::lower::constants::Pool;

    #[test]
    fn every_constant_is_there_once() {
        let text = |text: &str| Value::String(text.to_owned());
        let dict = Value::Dict(Dict::from_iter([("a".to_owned(), text("b"))]));
        let values = [
            Value::Null,
            Value::Boolean(false),
            Value::Boolean(true),
            Value::Integer(1),
            Value::Float(1.0),
            Value::Float(0.0),
            Value::Float(-0.0),
            Value::Number("1".to_owned()),
            text("1"),
            text("a"),
            text("b"),
            dict.clone(),
            Value::List(vec![text("a"), dict]),
            Value::List(vec![]),
            Value::Dict(Dict::new()),
        ];
        let mut pool = Pool::default();
        let first: Vec<u32> = values.iter().map(|value| pool.intern(value).0).collect();
        assert_eq!(first, (0..values.len() as u32).collect::<Vec<_>>());
        let again: Vec<u32> = values.iter().map(|value| pool.intern(value).0).collect();
        assert_eq!(again, first);
        let list = pool.finish().list;
        assert_eq!(list.len(), values.len());
        assert_eq!(list[11..13], [Constant::Dict(vec![(9, 10)]), Constant::List(vec![9, 11])]);
    }

    #[test]
    fn many_constants_are_found_again() {
        let mut pool = Pool::default();
        let places = |pool: &mut Pool| (0..1_000).map(|n| pool.text(&format!("text {n}")).0).collect::<Vec<_>>();
        let first = places(&mut pool);
        assert_eq!(first, (0..1_000).collect::<Vec<_>>());
        assert_eq!(places(&mut pool), first);
    }
}
