//! Booleans and other words out of a few.

use crate::kind::{Button, Kind, KindError, Scale, Shape, Space, mismatch};
use crate::value::Value;

/// A mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseButton {
    /// The left button.
    Left,
    /// The right button.
    Right,
    /// The middle button.
    Middle,
}

impl MouseButton {
    /// The number X11 and recordings give it: 1 left, 2 middle, 3 right.
    pub const fn number(self) -> u8 {
        match self {
            Self::Left => 1,
            Self::Middle => 2,
            Self::Right => 3,
        }
    }

    /// The button with this number.
    pub fn by_number(number: u8) -> Option<Self> {
        [Self::Left, Self::Middle, Self::Right].into_iter().find(|button| button.number() == number)
    }
}

/// What a replay does with coordinates on a screen of another size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// They are pixels.
    None,
    /// They are scaled with the screen.
    Proportional,
}

/// What the coordinates in a model's answers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinateSpace {
    /// Pixels of the image the model was sent.
    Image,
    /// Thousandths of its width and height, from 0 to 1000.
    Normalized1000,
}

/// The words that read as `true` and `false`, in any case.
pub const BOOLEAN_WORDS: &str = "true, yes, on, 1, false, no, off and 0";

/// Reads one of [`BOOLEAN_WORDS`].
pub fn boolean_word(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// Reads a boolean, or one of [`BOOLEAN_WORDS`].
///
/// # Errors
/// When the value is something else.
pub fn boolean(value: Value) -> Result<bool, KindError> {
    match &value {
        Value::Boolean(value) => Ok(*value),
        Value::String(text) => boolean_word(text).ok_or_else(|| KindError {
            message: format!("must be `true` or `false`, found `{text}`"),
            help: Some(format!("accepted words are {BOOLEAN_WORDS}")),
        }),
        Value::Null | Value::Integer(_) | Value::Float(_) | Value::Number(_) | Value::List(_) | Value::Dict(_) => {
            Err(mismatch("`true` or `false`", &value))
        }
    }
}

/// The word of a choice.
///
/// # Errors
/// When the value is something else.
pub fn word(value: &Value, shape: Shape) -> Result<&str, KindError> {
    if let Value::String(word) = value { Ok(word) } else { Err(mismatch(&shape.expected(), value)) }
}

/// Reads the name of a mouse button.
///
/// # Errors
/// When the value is something else.
pub fn button(value: Value) -> Result<MouseButton, KindError> {
    match word(&value, Button::SHAPE)? {
        "left" => Ok(MouseButton::Left),
        "right" => Ok(MouseButton::Right),
        "middle" => Ok(MouseButton::Middle),
        _ => Err(mismatch(&Button::SHAPE.expected(), &value)),
    }
}

/// Reads `none` or `proportional`.
///
/// # Errors
/// When the value is something else.
pub fn scale(value: Value) -> Result<Scaling, KindError> {
    match word(&value, Scale::SHAPE)? {
        "none" => Ok(Scaling::None),
        "proportional" => Ok(Scaling::Proportional),
        _ => Err(mismatch(&Scale::SHAPE.expected(), &value)),
    }
}

/// Reads `image` or `normalized_1000`.
///
/// # Errors
/// When the value is something else.
pub fn space(value: Value) -> Result<CoordinateSpace, KindError> {
    match word(&value, Space::SHAPE)? {
        "image" => Ok(CoordinateSpace::Image),
        "normalized_1000" => Ok(CoordinateSpace::Normalized1000),
        _ => Err(mismatch(&Space::SHAPE.expected(), &value)),
    }
}
