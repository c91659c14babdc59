//! Instructions: the enum, its codec and its disassembly, made from the table in [`crate::isa`].
//!
//! An instruction is its number (one byte) and its operands in order, little-endian, without padding.
//! Labels are places in the list of instructions, not byte offsets.

use std::fmt;

use crate::operand::{self, Operand};

macro_rules! ops {
    ($($(#[doc = $doc:literal])* $number:literal $mnemonic:ident $Op:ident { $($field:ident: $kind:ident),* };)*) => {
        /// One instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Op { $(
            $(#[doc = $doc])*
            $Op { $(#[doc = concat!("Operand `", stringify!($kind), "`.")] $field: operand::$kind),* },
        )* }

        impl Op {
            /// Number, mnemonic, operands and meaning of every instruction, in the order of the table.
            pub const TABLE: &'static [OpRow] = &[$(OpRow {
                number: $number,
                mnemonic: stringify!($mnemonic),
                operands: &[$((stringify!($field), stringify!($kind))),*],
                doc: concat!($($doc),*),
            },)*];

            /// The name in a disassembly.
            pub const fn mnemonic(&self) -> &'static str {
                match self { $(Op::$Op { .. } => stringify!($mnemonic),)* }
            }

            /// Appends the instruction's bytes.
            pub fn write(self, bytes: &mut Vec<u8>) {
                match self { $(Op::$Op { $($field),* } => {
                    bytes.push($number);
                    $($field.write(bytes);)*
                })* }
            }

            /// Takes one instruction off the front; `None` when the number or an operand names nothing, or bytes are missing.
            pub fn read(bytes: &mut &[u8]) -> Option<Op> {
                let [number] = operand::take(bytes)?;
                match number {
                    $($number => Some(Op::$Op { $($field: operand::$kind::read(bytes)?),* }),)*
                    _ => None,
                }
            }
        }

        impl fmt::Display for Op {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Op::$Op { $($field),* } => {
                    f.write_str(stringify!($mnemonic))?;
                    $(write!(f, " {}={}", stringify!($field), $field)?;)*
                    Ok(())
                })* }
            }
        }
    };
}

/// A row of the table of instructions.
#[derive(Clone, Copy, Debug)]
pub struct OpRow {
    /// The number, its first byte.
    pub number: u8,
    /// The name in a disassembly.
    pub mnemonic: &'static str,
    /// Name and kind of each operand.
    pub operands: &'static [(&'static str, &'static str)],
    /// What it does.
    pub doc: &'static str,
}

crate::for_each_op!(ops);

// A million instructions must stay small in memory.
const _: () = assert!(size_of::<Op>() <= 16);
