//! Conditions as data, made from the table in [`crate::isa`].

use crate::kind::{self, Access, Kind, KindError, Shape};
use crate::value::Value;

/// An argument of a condition.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// What it is called in messages.
    pub name: &'static str,
    /// What it takes.
    pub shape: Shape,
    /// What is done with what it names.
    pub access: Access,
    /// Reads a value only to see whether it is right.
    pub check: fn(Value) -> Result<(), KindError>,
}

macro_rules! conditions {
    ($($(#[doc = $doc:literal])* $number:literal $name:ident $Condition:ident($($operand:ident: $kind:ident),*);)*) => {
        /// A kind of condition; its number is its code in an artifact.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Condition { $($(#[doc = $doc])* $Condition = $number,)* }

        impl Condition {
            /// Every condition, in the order of the table.
            pub const ALL: &'static [Condition] = &[$(Condition::$Condition,)*];

            /// The condition with this number.
            pub const fn by_number(number: u8) -> Option<Condition> {
                match number { $($number => Some(Condition::$Condition),)* _ => None }
            }

            /// The name in a macro file.
            pub const fn name(self) -> &'static str {
                match self { $(Condition::$Condition => stringify!($name),)* }
            }

            /// When it holds.
            pub const fn doc(self) -> &'static str {
                match self { $(Condition::$Condition => concat!($($doc),*),)* }
            }

            /// Its arguments.
            pub const fn operands(self) -> &'static [Operand] {
                match self { $(Condition::$Condition => &[$(Operand {
                    name: stringify!($operand),
                    shape: <kind::$kind as Kind>::SHAPE,
                    access: <kind::$kind as Kind>::ACCESS,
                    check: |value| <kind::$kind as Kind>::read(value).map(drop),
                },)*],)* }
            }
        }

        /// A condition with its arguments read.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Test { $($(#[doc = $doc])* $Condition { $(#[doc = concat!("The ", stringify!($operand), ".")] $operand: <kind::$kind as Kind>::Out,)* },)* }

        impl Test {
            /// Reads a condition's arguments.
            ///
            /// # Errors
            /// When one of them is missing or not of its kind; the message names it.
            pub fn read(condition: Condition, arguments: Vec<Value>) -> Result<Test, KindError> {
                let mut arguments = arguments.into_iter();
                match condition {
                    $(Condition::$Condition => Ok(Test::$Condition {
                        $($operand: read::<kind::$kind>(stringify!($operand), arguments.next())?,)*
                    }),)*
                }
            }
        }
    };
}

crate::for_each_condition!(conditions);

impl Condition {
    /// The condition of that name.
    pub fn by_name(name: &str) -> Option<Condition> {
        Condition::ALL.iter().copied().find(|condition| condition.name() == name)
    }
}

fn read<K: Kind>(name: &str, value: Option<Value>) -> Result<K::Out, KindError> {
    let value = value.ok_or_else(|| KindError { message: format!("`{name}` is missing"), help: None })?;
    K::read(value).map_err(|error| KindError { message: format!("`{name}` {}", error.message), ..error })
}
