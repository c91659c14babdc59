//! Backends and actions as data and as types, made from the table in [`crate::isa`].

use crate::kind::{Access, Kind, KindError, Shape};
use crate::value::{Dict, Type, Value};

/// Whether an action may be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Observes only.
    Reads,
    /// Changes something; doing it again changes nothing more.
    Writes,
    /// Doing it again does it twice.
    Acts,
}

/// A parameter of an action.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its key under `params:`.
    pub name: &'static str,
    /// What it takes.
    pub shape: Shape,
    /// The name of its kind in the table.
    pub kind: &'static str,
    /// What is done with what it names.
    pub access: Access,
    /// Whether a secret may be given to it.
    pub confidential: bool,
    /// What it is when not given.
    pub presence: Presence,
    /// What it means.
    pub doc: &'static str,
    /// Reads a value only to see whether it is right.
    pub check: fn(Value) -> Result<(), KindError>,
}

/// What a parameter is when it is not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Presence {
    /// An error.
    Required,
    /// Absent.
    Optional,
    /// This value.
    Default(Literal),
    /// The value of another parameter.
    Same(&'static str),
    /// Nothing an author writes: the compiler fills it in where it is needed.
    Filled,
}

/// A default value in the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// Text.
    Text(&'static str),
    /// A list of whole numbers.
    Ints(&'static [i64]),
}

impl Literal {
    /// As a run-time value.
    pub fn value(self) -> Value {
        match self {
            Literal::Bool(value) => Value::Boolean(value),
            Literal::Int(value) => Value::Integer(value),
            Literal::Float(value) => Value::Float(value),
            Literal::Text(value) => Value::String(value.to_owned()),
            Literal::Ints(values) => Value::List(values.iter().copied().map(Value::Integer).collect()),
        }
    }
}

/// An output of an action.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Its name in `steps.<id>.<name>` and in the result.
    pub name: &'static str,
    /// Its type.
    pub ty: Type,
    /// Whether it can be absent after a success.
    pub maybe: bool,
    /// What it means.
    pub doc: &'static str,
}

/// Why arguments do not fit an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentError {
    /// The parameter.
    pub parameter: &'static str,
    /// What is wrong with its value.
    pub error: KindError,
}

/// Argument values of an action, by the parameters' places in the table; `None` is not given.
pub type Arguments = Vec<Option<Value>>;

/// What an action left behind, by the outputs' places in the table; `None` is absent.
pub type Outputs = Vec<Option<Value>>;

macro_rules! output_type {
    (Any) => { Value };
    (String) => { String };
    (Integer) => { i64 };
    (Float) => { f64 };
    (Boolean) => { bool };
    (List) => { Vec<Value> };
    (Dict) => { Dict };
}
macro_rules! output_field {
    ($ty:ident always) => { output_type!($ty) };
    ($ty:ident maybe) => { Option<output_type!($ty)> };
}
macro_rules! output_value {
    ($field:expr, $ty:ident always) => {
        Some(wrap!($ty, $field))
    };
    ($field:expr, $ty:ident maybe) => {
        $field.map(|value| wrap!(value, $ty, value))
    };
}
macro_rules! wrap {
    ($value:ident, $ty:ident, $field:expr) => {
        wrap!($ty, $field)
    };
    (Any, $field:expr) => {
        $field
    };
    ($ty:ident, $field:expr) => {
        Value::$ty($field)
    };
}
macro_rules! is_maybe {
    (always) => {
        false
    };
    (maybe) => {
        true
    };
}
macro_rules! argument_field {
    ($kind:ident optional) => { Option<<crate::kind::$kind as Kind>::Out> };
    ($kind:ident filled) => { Option<<crate::kind::$kind as Kind>::Out> };
    ($kind:ident $presence:ident $(($($given:tt)*))?) => { <crate::kind::$kind as Kind>::Out };
}
macro_rules! presence {
    (required) => {
        Presence::Required
    };
    (optional) => {
        Presence::Optional
    };
    (default($lit:ident $value:expr)) => {
        Presence::Default(Literal::$lit($value))
    };
    (same($other:ident)) => {
        Presence::Same(stringify!($other))
    };
    (filled) => {
        Presence::Filled
    };
}
macro_rules! read_argument {
    ($kind:ident, $name:expr, $value:expr, optional) => {
        match $value {
            Some(value) => Some(read::<crate::kind::$kind>($name, value)?),
            None => None,
        }
    };
    ($kind:ident, $name:expr, $value:expr, filled) => {
        read_argument!($kind, $name, $value, optional)
    };
    ($kind:ident, $name:expr, $value:expr, $presence:ident $(($($given:tt)*))?) => {
        match $value {
            Some(value) => read::<crate::kind::$kind>($name, value)?,
            None => return Err(missing($name)),
        }
    };
}

macro_rules! actions {
    ($(
        $(#[doc = $backend_doc:literal])*
        $backend:ident $Backend:ident $priority:literal {
            $(
                $(#[doc = $doc:literal])*
                $number:literal $name:ident $Action:ident: $effect:ident, same as [$($same:ident),*] {
                    $(
                        $(#[doc = $param_doc:literal])*
                        $param:ident: $kind:ident, $presence:ident $(($($given:tt)*))?;
                    )*
                } -> {
                    $(
                        $(#[doc = $out_doc:literal])*
                        $out:ident: $ty:ident, $when:ident;
                    )*
                }
            )*
        }
    )*) => {
        /// A backend: one way to reach an application or the system.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Backend { $($(#[doc = $backend_doc])* $Backend,)* }

        impl Backend {
            /// Every backend, by falling priority.
            pub const ALL: &'static [Backend] = &[$(Backend::$Backend,)*];

            /// The name in a macro file.
            pub const fn name(self) -> &'static str {
                match self { $(Backend::$Backend => stringify!($backend),)* }
            }

            /// The backend of that name.
            pub fn by_name(name: &str) -> Option<Backend> {
                match name { $(stringify!($backend) => Some(Backend::$Backend),)* _ => None }
            }

            /// Larger is preferred.
            pub const fn priority(self) -> u32 {
                match self { $(Backend::$Backend => $priority,)* }
            }

            /// What it is for.
            pub const fn doc(self) -> &'static str {
                match self { $(Backend::$Backend => concat!($($backend_doc),*),)* }
            }

            /// Its actions, in the order of the table.
            pub const fn actions(self) -> &'static [Action] {
                match self { $(Backend::$Backend => &[$(Action::$Action,)*],)* }
            }
        }

        /// An action of a backend; its number is its code in an artifact.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Action { $($($(#[doc = $doc])* $Action = $number,)*)* }

        impl Action {
            /// Every action, in the order of the table.
            pub const ALL: &'static [Action] = &[$($(Action::$Action,)*)*];

            /// The action with this number.
            pub const fn by_number(number: u8) -> Option<Action> {
                match number { $($($number => Some(Action::$Action),)*)* _ => None }
            }

            /// The name in a macro file.
            pub const fn name(self) -> &'static str {
                match self { $($(Action::$Action => stringify!($name),)*)* }
            }

            /// The backend it belongs to.
            pub const fn backend(self) -> Backend {
                match self { $($(Action::$Action => Backend::$Backend,)*)* }
            }

            /// Whether it may be repeated.
            pub const fn effect(self) -> Effect {
                match self { $($(Action::$Action => Effect::$effect,)*)* }
            }

            /// Actions of other backends that do the same.
            pub const fn equivalents(self) -> &'static [Action] {
                match self { $($(Action::$Action => &[$(Action::$same),*],)*)* }
            }

            /// What it does.
            pub const fn doc(self) -> &'static str {
                match self { $($(Action::$Action => concat!($($doc),*),)*)* }
            }

            /// Its parameters, in the order of the table.
            pub const fn parameters(self) -> &'static [Parameter] {
                match self { $($(Action::$Action => &[$(Parameter {
                    name: stringify!($param),
                    shape: <crate::kind::$kind as Kind>::SHAPE,
                    kind: stringify!($kind),
                    access: <crate::kind::$kind as Kind>::ACCESS,
                    confidential: <crate::kind::$kind as Kind>::CONFIDENTIAL,
                    presence: presence!($presence $(($($given)*))?),
                    doc: concat!($($param_doc),*),
                    check: |value| <crate::kind::$kind as Kind>::read(value).map(drop),
                },)*],)*)* }
            }

            /// Its outputs, in the order of the table.
            pub const fn outputs(self) -> &'static [Output] {
                match self { $($(Action::$Action => &[$(Output {
                    name: stringify!($out),
                    ty: Type::$ty,
                    maybe: is_maybe!($when),
                    doc: concat!($($out_doc),*),
                },)*],)*)* }
            }
        }

        /// The arguments of each action, read and complete.
        pub mod arguments {
            use super::{fill, missing, read, Arguments, ArgumentError, Action, Kind};
            $($(
                $(#[doc = $doc])*
                #[derive(Clone, Debug, PartialEq)]
                pub struct $Action { $($(#[doc = $param_doc])* pub $param: argument_field!($kind $presence $(($($given)*))?),)* }

                impl $Action {
                    /// Reads argument values; defaults stand in for those not given.
                    ///
                    /// # Errors
                    /// The first parameter that is missing or whose value is not of its kind.
                    pub fn read(values: Arguments) -> Result<Self, ArgumentError> {
                        let mut values = fill(Action::$Action, values).into_iter();
                        Ok(Self { $($param: read_argument!($kind, stringify!($param), values.next().flatten(), $presence $(($($given)*))?),)* })
                    }
                }
            )*)*
        }

        /// What each action leaves behind.
        pub mod outputs {
            use super::{Dict, Outputs, Value};
            $($(
                #[doc = concat!("Outputs of `", stringify!($name), "`.")]
                #[derive(Clone, Debug, PartialEq)]
                pub struct $Action { $($(#[doc = $out_doc])* pub $out: output_field!($ty $when),)* }

                impl From<$Action> for Outputs {
                    fn from(outputs: $Action) -> Outputs {
                        vec![$(output_value!(outputs.$out, $ty $when),)*]
                    }
                }
            )*)*
            // Not every backend has an output of every type.
            const _: Option<(Dict, Value)> = None;
        }
    };
}

crate::for_each_action!(actions);

impl Action {
    /// The action of `backend` with that name.
    pub fn by_name(backend: Backend, name: &str) -> Option<Action> {
        backend.actions().iter().copied().find(|action| action.name() == name)
    }

    /// The place of a parameter in the table.
    pub fn parameter(self, name: &str) -> Option<(usize, &'static Parameter)> {
        self.parameters().iter().enumerate().find(|(_, parameter)| parameter.name == name)
    }

    /// The place of an output in the table.
    pub fn output(self, name: &str) -> Option<(usize, &'static Output)> {
        self.outputs().iter().enumerate().find(|(_, output)| output.name == name)
    }

    /// The same arguments for an equivalent action: by name; what the other does not know is left out.
    pub fn translate(self, arguments: &Arguments, other: Action) -> Arguments {
        let given = |name: &str| self.parameter(name).and_then(|(index, _)| arguments.get(index).cloned().flatten());
        other.parameters().iter().map(|parameter| given(parameter.name)).collect()
    }
}

/// Puts defaults where nothing was given.
pub fn fill(action: Action, mut values: Arguments) -> Arguments {
    values.resize(action.parameters().len(), None);
    for (index, parameter) in action.parameters().iter().enumerate() {
        let default = match parameter.presence {
            Presence::Required | Presence::Optional | Presence::Filled => None,
            Presence::Default(literal) => Some(literal.value()),
            Presence::Same(other) => {
                action.parameter(other).and_then(|(index, _)| values.get(index).cloned().flatten())
            }
        };
        values[index] = values[index].take().or(default);
    }
    values
}

fn read<K: Kind>(parameter: &'static str, value: Value) -> Result<K::Out, ArgumentError> {
    K::read(value).map_err(|error| ArgumentError { parameter, error })
}

fn missing(parameter: &'static str) -> ArgumentError {
    ArgumentError { parameter, error: KindError { message: "is required".to_owned(), help: None } }
}
