//! Key chords: `ctrl+shift+s`, `ctrl++`, `page_down`, `A`.
//!
//! A chord is keys joined by `+`; all but the last are modifiers. Blanks around a key are ignored, and so are case,
//! `_`, `-` and blanks inside a key's name. Any single character is a key too, `+` included: `ctrl++` is `ctrl+plus`.
//! The case of a letter counts only when it stands alone (`A` types a capital); beside modifiers it does not, because
//! `Ctrl+S` is how people write the chord without shift. The last key may itself be a modifier (`ctrl`,
//! `ctrl+shift`). A key without a name is written as its X11 keysym in hexadecimal: `0x1008ff02`.

mod names;

use std::fmt;

use chumsky::prelude::*;
use thiserror::Error;

use crate::grammar::nearest::nearest;
use crate::grammar::shown;

/// A key and the modifiers held while it is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chord {
    /// Held from before the key is pressed until after it is released.
    pub modifiers: Modifiers,
    /// The key itself.
    pub key: Key,
}

/// One key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A key without a character, as its X11 keysym (`X11/keysymdef.h`, `X11/XF86keysym.h`).
    Keysym(u32),
    /// The key that gives this character, which is never a control character.
    Char(char),
}

/// A set of modifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modifiers(u8);

/// Why a text is no chord.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KeyError {
    /// No key at all.
    #[error("the key chord is empty")]
    Empty,
    /// Nothing before the first `+` or after the last.
    #[error("a key is missing in `{text}`")]
    MissingKey {
        /// What was written.
        text: String,
    },
    /// A name no key has.
    #[error("unknown key `{name}`")]
    Unknown {
        /// The name as it was written.
        name: String,
        /// The key that was probably meant.
        nearest: Option<&'static str>,
    },
    /// A key before the last one that is no modifier.
    #[error("`{name}` is not a modifier, and only the last key of a chord may be something else")]
    NotAModifier {
        /// The key as it was written.
        name: String,
    },
    /// The same modifier twice.
    #[error("`{name}` is in the chord twice")]
    Duplicate {
        /// The modifier as it was written.
        name: String,
    },
}

impl KeyError {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::Empty => "write for example `enter` or `ctrl+shift+s`".to_owned(),
            Self::MissingKey { .. } => "keys are joined by `+`; the plus key itself is `plus`, as in `ctrl+plus`".to_owned(),
            Self::Unknown { nearest: Some(name), .. } => format!("did you mean `{name}`?"),
            Self::Unknown { nearest: None, .. } => {
                "a key is one character, a name such as `enter`, `page_down`, `f1` to `f35` or `kp_0`, or a keysym such as `0xff0d`"
                    .to_owned()
            }
            Self::NotAModifier { .. } => {
                "modifiers are `ctrl`, `alt`, `altgr`, `shift` and `super`; press other keys one after another".to_owned()
            }
            Self::Duplicate { .. } => "write each modifier once".to_owned(),
        }
    }
}

/// The chord `text` spells.
pub fn parse(text: &str) -> Result<Chord, KeyError> {
    if text.trim().is_empty() {
        return Err(KeyError::Empty);
    }
    match items().parse(text).into_result() {
        Ok(items) => parse_list(&items),
        Err(_) => Err(KeyError::MissingKey { text: shown(text) }),
    }
}

/// The chord of keys that were written one by one: `[ctrl, "+"]`.
pub fn parse_list(keys: &[&str]) -> Result<Chord, KeyError> {
    let Some((last, held)) = keys.split_last() else { return Err(KeyError::Empty) };
    let mut modifiers = Modifiers::NONE;
    for name in held {
        let modifier = match key(name)? {
            Key::Keysym(keysym) => Modifiers::of(keysym),
            Key::Char(_) => None,
        };
        let modifier = modifier.ok_or_else(|| KeyError::NotAModifier { name: shown(name.trim()) })?;
        modifiers = modifiers.adding(modifier).ok_or_else(|| KeyError::Duplicate { name: shown(name.trim()) })?;
    }
    let key = match key(last)? {
        Key::Char(character) if !modifiers.is_empty() => Key::Char(lower(character)),
        Key::Keysym(keysym) if Modifiers::of(keysym).is_some_and(|own| modifiers.contains(own)) => {
            return Err(KeyError::Duplicate { name: shown(last.trim()) });
        }
        key @ (Key::Char(_) | Key::Keysym(_)) => key,
    };
    Ok(Chord { modifiers, key })
}

impl Key {
    /// The key's X11 keysym: a character's own is its code point in Latin-1 and `0x0100_0000` plus its code point beyond.
    pub fn keysym(self) -> u32 {
        match self {
            Key::Keysym(keysym) => keysym,
            Key::Char(character) => match u32::from(character) {
                latin @ 0x20..=0xff => latin,
                other => 0x0100_0000 + other,
            },
        }
    }

    /// The key of a keysym: its character, when the keysym names one by code point.
    pub fn of_keysym(keysym: u32) -> Key {
        let code = match keysym {
            0x20..=0x7e | 0xa0..=0xff => Some(keysym),
            0x0100_0100..=0x0110_ffff => Some(keysym - 0x0100_0000),
            _ => None,
        };
        code.and_then(char::from_u32).map_or(Key::Keysym(keysym), Key::Char)
    }
}

impl Modifiers {
    /// No modifier.
    pub const NONE: Modifiers = Modifiers(0);
    /// Control.
    pub const CTRL: Modifiers = Modifiers(1);
    /// Alt, which is X11's Mod1 nearly everywhere.
    pub const ALT: Modifiers = Modifiers(2);
    /// The third level of a layout.
    pub const ALTGR: Modifiers = Modifiers(4);
    /// Shift.
    pub const SHIFT: Modifiers = Modifiers(8);
    /// The key with a logo on it.
    pub const SUPER: Modifiers = Modifiers(16);

    /// Every single modifier with its name, in the order in which a chord is written and its modifiers pressed.
    pub const ALL: [(Modifiers, &'static str); 5] = [
        (Self::CTRL, "ctrl"),
        (Self::ALT, "alt"),
        (Self::ALTGR, "altgr"),
        (Self::SHIFT, "shift"),
        (Self::SUPER, "super"),
    ];

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether every modifier of `other` is in this set.
    pub const fn contains(self, other: Modifiers) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together.
    pub const fn union(self, other: Modifiers) -> Modifiers {
        Modifiers(self.0 | other.0)
    }

    /// The set as bits, for records: control 1, alt 2, altgr 4, shift 8, super 16.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set with these bits; `None` when a bit means nothing.
    pub const fn from_bits(bits: u8) -> Option<Modifiers> {
        if bits < 32 { Some(Modifiers(bits)) } else { None }
    }

    /// The keysyms to press for the set, in the order of [`Modifiers::ALL`].
    pub fn keysyms(self) -> impl Iterator<Item = u32> {
        const KEYSYMS: [u32; 5] =
            [names::CONTROL_L, names::ALT_L, names::ISO_LEVEL3_SHIFT, names::SHIFT_L, names::SUPER_L];
        Self::ALL.iter().zip(KEYSYMS).filter(move |((one, _), _)| self.contains(*one)).map(|(_, keysym)| keysym)
    }

    /// The modifier a key is, whichever side of the keyboard it is on.
    pub fn of(keysym: u32) -> Option<Modifiers> {
        match keysym {
            names::CONTROL_L | names::CONTROL_R => Some(Self::CTRL),
            names::ALT_L | names::ALT_R => Some(Self::ALT),
            names::ISO_LEVEL3_SHIFT => Some(Self::ALTGR),
            names::SHIFT_L | names::SHIFT_R => Some(Self::SHIFT),
            names::SUPER_L | names::SUPER_R => Some(Self::SUPER),
            _ => None,
        }
    }

    fn adding(self, other: Modifiers) -> Option<Modifiers> {
        if self.contains(other) { None } else { Some(self.union(other)) }
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.modifiers)?;
        if !self.modifiers.is_empty() {
            f.write_str("+")?;
        }
        write!(f, "{}", self.key)
    }
}

impl fmt::Display for Modifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Self::ALL.iter().filter(|(one, _)| self.contains(*one)).map(|(_, name)| *name).collect();
        f.write_str(&names.join("+"))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Char('+') => f.write_str("plus"),
            Key::Char(' ') => f.write_str("space"),
            // A character that would be taken for a blank around the key.
            Key::Char(blank) if blank.is_whitespace() => write!(f, "{:#x}", self.keysym()),
            Key::Char(character) => write!(f, "{character}"),
            Key::Keysym(keysym) => match names::name_of(*keysym) {
                Some(name) => f.write_str(&name),
                None => write!(f, "{keysym:#x}"),
            },
        }
    }
}

fn items<'a>() -> impl Parser<'a, &'a str, Vec<&'a str>, extra::Err<EmptyErr>> {
    let blanks = any().filter(|c: &char| c.is_whitespace()).repeated();
    let named = any()
        .filter(|c: &char| *c != '+')
        .repeated()
        .at_least(1)
        .to_slice()
        .filter(|name: &&str| !name.trim().is_empty());
    // A `+` where a key must stand is the key.
    let item = blanks.ignore_then(just('+').to_slice()).or(named);
    item.separated_by(blanks.then(just('+'))).at_least(1).collect().then_ignore(blanks).then_ignore(end())
}

fn key(text: &str) -> Result<Key, KeyError> {
    let name = text.trim();
    let mut characters = name.chars();
    if let (Some(character), None) = (characters.next(), characters.next())
        && !character.is_control()
    {
        return Ok(Key::Char(character));
    }
    names::key(name).ok_or_else(|| KeyError::Unknown { name: shown(name), nearest: near(name) })
}

fn near(name: &str) -> Option<&'static str> {
    let digits = name.strip_prefix(['f', 'F']).unwrap_or("");
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some("f35");
    }
    nearest(name, names::all())
}

fn lower(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        _ => character,
    }
}

#[cfg(test)]
mod tests;
