//! How the arguments of a call look in a trace, made from the table of actions.

use std::fmt::Debug;

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

fn argument(text: &mut String, name: &str, value: &dyn Debug) {
    let value = format!("{value:?}");
    // An optional argument that is absent; a text of that word would have quotes.
    if value == "None" {
        return;
    }
    let value = value.strip_prefix("Some(").and_then(|value| value.strip_suffix(')')).unwrap_or(&value);
    text.push_str(&format!(" {name}={value}"));
}
