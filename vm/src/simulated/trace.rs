//! How the arguments of a call look in a trace, made from the table of actions.

use spec::grammar::dot_path::DotPath;
use spec::grammar::keys::Chord;
use spec::kind::{CoordinateSpace, MouseButton, Scaling};
use spec::value::Value;

use crate::json_text;

/// Arguments as text.
pub trait Traced {
    /// ` name=value` for each argument that is there.
    fn traced(&self) -> String;
}

macro_rules! traced {
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
                } -> { $($outputs:tt)* }
            )*
        }
    )*) => {
        $($(
            impl Traced for spec::action::arguments::$Action {
                fn traced(&self) -> String {
                    let mut text = String::new();
                    $(argument(&mut text, stringify!($param), &self.$param);)*
                    text
                }
            }
        )*)*
    };
}

spec::for_each_action!(traced);

/// The parameter whose value is a key.
const KEY: &str = "api_key";

fn argument(text: &mut String, name: &str, value: &impl Shown) {
    if let Some(value) = value.shown() {
        let value = if name == KEY { "***".to_owned() } else { value };
        text.push_str(&format!(" {name}={value}"));
    }
}

/// An argument as text, unless it is absent.
trait Shown {
    fn shown(&self) -> Option<String>;
}

impl<T: Shown> Shown for Option<T> {
    fn shown(&self) -> Option<String> {
        self.as_ref().and_then(Shown::shown)
    }
}

impl Shown for Value {
    fn shown(&self) -> Option<String> {
        Some(json_text::to_json(self).to_string())
    }
}

macro_rules! shown {
    ($($ty:ty: $how:literal;)*) => {$(
        impl Shown for $ty {
            fn shown(&self) -> Option<String> {
                Some(format!($how, self))
            }
        }
    )*};
}

shown! {
    String: "{:?}";
    Vec<String>: "{:?}";
    Vec<(String, Option<String>)>: "{:?}";
    Vec<i64>: "{:?}";
    i64: "{}";
    f64: "{:?}";
    bool: "{}";
    Chord: "{}";
    DotPath: "{}";
    MouseButton: "{:?}";
    Scaling: "{:?}";
    CoordinateSpace: "{:?}";
}
