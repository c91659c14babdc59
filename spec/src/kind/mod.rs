//! The kinds of parameters: what an action accepts, how a value is read as it, and what the backend then gets.
//!
//! A kind is the single truth about its values: the compiler reads constants with it, the machine reads computed values with it,
//! so that both accept the same things and say the same sentences.

mod choice;
mod number;
mod shape;
mod special;
mod text;

use std::fmt;

use crate::grammar::dot_path::DotPath;
use crate::grammar::keys::Chord;
use crate::value::Value;

pub use choice::{BOOLEAN_WORDS, CoordinateSpace, MouseButton, Scaling, boolean_word};
pub use number::float_word;
pub use shape::{Fit, Shape};
pub use text::{PICTURE_ENDINGS, describe, float_text, text};

/// A kind of parameter. `Out` is what a backend receives.
pub trait Kind {
    /// What a backend receives.
    type Out;
    /// The kind as data.
    const SHAPE: Shape;
    /// What an action does with whatever the value names.
    const ACCESS: Access;
    /// Whether a secret may be given without being asked for: the value is handed over and shown nowhere.
    const CONFIDENTIAL: bool;
    /// Reads a value as this kind.
    ///
    /// # Errors
    /// When the value has another type, or lies outside what the kind allows.
    fn read(value: Value) -> Result<Self::Out, KindError>;
}

/// What is done with the thing a parameter names: the capabilities of a macro follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// It names nothing outside the macro.
    None,
    /// A file is read.
    Reads,
    /// A file is written, made or deleted.
    Writes,
    /// A program is run; its name is the first word.
    Runs,
    /// A window or an application is found by a part of its title or name.
    Finds,
    /// An environment variable is read.
    Environment,
    /// A server is asked.
    Asks,
}

/// Why a value is not of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindError {
    /// "must be …, found …".
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl fmt::Display for KindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

macro_rules! access {
    () => {
        Access::None
    };
    ($access:ident) => {
        Access::$access
    };
}

macro_rules! confidential {
    () => {
        false
    };
    (confidential) => {
        true
    };
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident -> $out:ty: $shape:expr, $read:expr $(=> $access:ident)? $(, $confidential:ident)?;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub enum $name {}

            impl Kind for $name {
                type Out = $out;
                const SHAPE: Shape = $shape;
                const ACCESS: Access = access!($($access)?);
                const CONFIDENTIAL: bool = confidential!($($confidential)?);
                fn read(value: Value) -> Result<$out, KindError> {
                    let read: fn(Value) -> Result<$out, KindError> = $read;
                    read(value)
                }
            }
        )*
    };
}

kinds! {
    /// Any text.
    Text -> String: Shape::Text, text::text;
    /// Any text, which may be a secret.
    Confidential -> String: Shape::Text, text::text, confidential;
    /// Text that is not empty.
    NonEmpty -> String: Shape::Text, text::non_empty;
    /// A path; a leading `~/` is the home folder.
    Path -> String: Shape::Path, text::path;
    /// The path of a file that is read.
    ReadPath -> String: Shape::Path, text::path => Reads;
    /// The path of a file or folder that is written, made or deleted.
    WritePath -> String: Shape::Path, text::path => Writes;
    /// The path of an image file that is written: its ending, [`PICTURE_ENDINGS`], decides the format.
    PicturePath -> String: Shape::Path, text::picture_path => Writes;
    /// Text that keys can type, which may be a secret: without control characters but line ends and tabs.
    Typed -> String: Shape::Text, text::typed, confidential;
    /// A part of a window's title or an application's name; not empty.
    Title -> String: Shape::Text, text::non_empty => Finds;
    /// A part of a window's title; empty is the whole screen or every window.
    OptionalTitle -> String: Shape::Text, text::text => Finds;
    /// The address of a server.
    Address -> String: Shape::Text, text::text => Asks;
    /// A program and its arguments.
    Argv -> Vec<String>: Shape::Words, text::argv => Runs;
    /// A list of texts.
    Texts -> Vec<String>: Shape::Texts, text::texts;
    /// What fills the blanks of a recording; what is typed may be a secret.
    Blanks -> Vec<String>: Shape::Texts, text::texts, confidential;
    /// Labels from a menu bar to an item: at least one, none empty.
    MenuPath -> Vec<String>: Shape::Texts, text::menu_path;
    /// Environment variables, whose values may be secrets; `None` removes one.
    Environment -> Vec<(String, Option<String>)>: Shape::Variables, text::environment, confidential;
    /// The name of an environment variable.
    VariableName -> String: Shape::Text, text::variable_name => Environment;
    /// `true` or `false`.
    Bool -> bool: Shape::Boolean, choice::boolean;
    /// A whole number.
    Int -> i64: Shape::Integer, number::integer;
    /// A coordinate in pixels.
    Pixel -> i64: Shape::Integer, |value| number::ranged(value, -1_000_000, 1_000_000, "pixels");
    /// A turn of the wheel, in notches.
    Notches -> i64: Shape::Integer, |value| number::ranged(value, -10_000, 10_000, "notches");
    /// A width or height in pixels.
    Extent -> i64: Shape::Integer, |value| number::ranged(value, 1, 1_000_000, "pixels");
    /// A duration in milliseconds, 0 included.
    Millis -> i64: Shape::Integer, |value| number::ranged(value, 0, 86_400_000, "milliseconds");
    /// A size in bytes.
    Size -> i64: Shape::Integer, |value| number::ranged(value, 0, i64::MAX, "bytes");
    /// A number of model steps.
    Steps -> i64: Shape::Integer, |value| number::ranged(value, 1, 100, "steps");
    /// How deep to look.
    Depth -> i64: Shape::Integer, |value| number::ranged(value, 0, 1_000_000, "levels");
    /// Exit codes of a process.
    ExitCodes -> Vec<i64>: Shape::Integers, number::exit_codes;
    /// A fraction from 0 to 1.
    Fraction -> f64: Shape::Float, number::fraction;
    /// A score above 0 and at most 1.
    Confidence -> f64: Shape::Float, number::confidence;
    /// A time factor.
    Speed -> f64: Shape::Float, number::speed;
    /// A mouse button.
    Button -> MouseButton: Shape::Choice(&["left", "right", "middle"]), choice::button;
    /// What to do with coordinates on another screen.
    Scale -> Scaling: Shape::Choice(&["none", "proportional"]), choice::scale;
    /// What coordinates of a model are.
    Space -> CoordinateSpace: Shape::Choice(&["image", "normalized_1000"]), choice::space;
    /// A key chord.
    Keys -> Chord: Shape::Keys, special::chord;
    /// Keys and indexes joined by dots.
    JsonPath -> DotPath: Shape::Text, special::dot_path;
    /// An XPath 1.0 expression.
    XPath -> String: Shape::Text, special::xpath;
    /// A regular expression of the `regex` crate's syntax, at most [`regex::MAX_BYTES`] bytes.
    Regex -> String: Shape::Text, special::regex;
    /// The path of an image.
    Image -> String: Shape::Image, text::non_empty;
    /// The path of an image, or empty for none.
    OptionalImage -> String: Shape::Image, text::text;
    /// The path of a recording.
    Recording -> String: Shape::Recording, text::non_empty => Reads;
    /// Any value.
    Any -> Value: Shape::Any, Ok;
}

/// "must be …, found …".
fn mismatch(expected: &str, found: &Value) -> KindError {
    KindError { message: format!("must be {expected}, found {}", describe(found)), help: None }
}
