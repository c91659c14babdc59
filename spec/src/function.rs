//! The functions of expressions as data, made from the table in [`crate::isa`]. What they compute is the machine's.

use crate::value::Type;

macro_rules! asks {
    () => {
        false
    };
    (asks) => {
        true
    };
}

macro_rules! functions {
    ($($(#[doc = $doc:literal])* $number:literal $name:ident $Function:ident($($argument:ident: $ty:ident),*) -> $result:ident $(, $asks:ident)?;)*) => {
        /// A pure function of expressions; its number is its code in an artifact.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Function { $($(#[doc = $doc])* $Function = $number,)* }

        impl Function {
            /// Every function, in the order of the table.
            pub const ALL: &'static [Function] = &[$(Function::$Function,)*];

            /// The function with this number.
            pub const fn by_number(number: u8) -> Option<Function> {
                match number { $($number => Some(Function::$Function),)* _ => None }
            }

            /// The name in an expression.
            pub const fn name(self) -> &'static str {
                match self { $(Function::$Function => stringify!($name),)* }
            }

            /// What it computes.
            pub const fn doc(self) -> &'static str {
                match self { $(Function::$Function => concat!($($doc),*),)* }
            }

            /// Name and type of each argument.
            pub const fn arguments(self) -> &'static [(&'static str, Type)] {
                match self { $(Function::$Function => &[$((stringify!($argument), Type::$ty),)*],)* }
            }

            /// The type of the result.
            pub const fn result(self) -> Type {
                match self { $(Function::$Function => Type::$result,)* }
            }

            /// Whether it tells something about its arguments rather than making something of them: its result is no secret.
            pub const fn asks(self) -> bool {
                match self { $(Function::$Function => asks!($($asks)?),)* }
            }
        }
    };
}

crate::for_each_function!(functions);

impl Function {
    /// The function of that name.
    pub fn by_name(name: &str) -> Option<Function> {
        Function::ALL.iter().copied().find(|function| function.name() == name)
    }
}
