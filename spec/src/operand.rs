//! The operands of instructions: small numbers that say what they index, each with its own codec and its own look in a disassembly.

use std::fmt;

use crate::condition;
use crate::function;

/// An operand that can be written, read and printed.
pub trait Operand: Sized + Copy + fmt::Display {
    /// Appends its bytes, little-endian.
    fn write(self, bytes: &mut Vec<u8>);
    /// Takes its bytes off the front; `None` when they are too few or name nothing.
    fn read(bytes: &mut &[u8]) -> Option<Self>;
}

/// Takes `N` bytes off the front.
pub(crate) fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = bytes.split_first_chunk::<N>()?;
    *bytes = tail;
    Some(*head)
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident($number:ty) $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $number);

        impl $name {
            /// As an index into the table it points at.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl Operand for $name {
            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.0.to_le_bytes());
            }

            fn read(bytes: &mut &[u8]) -> Option<Self> {
                take(bytes).map(|bytes| Self(<$number>::from_le_bytes(bytes)))
            }
        }
    )*};
}

numbers! {
    /// A constant of the artifact.
    Const(u32) "k";
    /// A variable of the running macro.
    Slot(u16) "s";
    /// How many values are taken from the stack.
    Count(u16) "";
    /// An instruction, by its place in the whole code.
    Label(u32) "@";
    /// A step of the artifact.
    Step(u32) "step";
    /// A route of the artifact.
    Route(u32) "route";
    /// A macro linked into the artifact.
    Callee(u32) "macro";
    /// An output, by its place.
    Index(u16) "#";
}

/// Which parameters were given: bit `n` is the parameter in place `n`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mask(pub u64);

impl Mask {
    /// How many were given.
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The places given, in order.
    pub fn places(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |place| self.0 >> place & 1 == 1)
    }
}

impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#b}", self.0)
    }
}

impl Operand for Mask {
    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.0.to_le_bytes());
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        take(bytes).map(|bytes| Self(u64::from_le_bytes(bytes)))
    }
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[doc = $variant_doc:literal])* $number:literal $word:literal $Variant:ident;)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[doc = $variant_doc])* $Variant = $number,)* }

        impl $name {
            /// The word for it.
            pub const fn name(self) -> &'static str {
                match self { $($name::$Variant => $word,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl Operand for $name {
            fn write(self, bytes: &mut Vec<u8>) {
                bytes.push(self as u8);
            }

            fn read(bytes: &mut &[u8]) -> Option<Self> {
                match take(bytes)? { $([$number] => Some($name::$Variant),)* [_] => None }
            }
        }
    )*};
}

words! {
    /// What a demanded condition belongs to.
    Phase {
        /// Before the first step.
        1 "precondition" Precondition;
        /// After the last step.
        2 "postcondition" Postcondition;
        /// After one step.
        3 "verify" Verify;
    }
    /// What of a step can be computed when it begins, besides its timeout.
    Setting {
        /// How many tries may follow the first: a whole number.
        1 "retries" Retries;
        /// The pauses between tries: milliseconds, or a list of them.
        2 "backoff" Backoff;
        /// How long `verify` may take to become true: a duration as text.
        3 "within" Within;
        /// What a failure means: `fail`, `skip` or `continue`.
        4 "on_failure" OnFailure;
    }
}

macro_rules! named {
    ($($ty:ty;)*) => {$(
        impl fmt::Display for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl Operand for $ty {
            fn write(self, bytes: &mut Vec<u8>) {
                bytes.push(self as u8);
            }

            fn read(bytes: &mut &[u8]) -> Option<Self> {
                take(bytes).and_then(|[number]| <$ty>::by_number(number))
            }
        }
    )*};
}

named! {
    condition::Condition;
    function::Function;
}

pub use condition::Condition;
pub use function::Function;
