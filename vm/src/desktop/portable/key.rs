//! Keys by their names there.

use enigo::Key as Enigo;
use spec::grammar::keys::Key;

use crate::desktop::error::DesktopError;

/// The key of that name.
///
/// # Errors
/// There is none on this system.
pub fn key(key: Key) -> Result<Enigo, DesktopError> {
    match key {
        Key::Char(character) => Ok(Enigo::Unicode(character)),
        Key::Keysym(keysym) => {
            let named = NAMED.iter().find(|(own, _)| *own == keysym).map(|(_, key)| *key);
            named
                .or_else(|| other(keysym))
                .ok_or_else(|| DesktopError::Unsupported(format!("the key `{key}` cannot be pressed on this system")))
        }
    }
}

/// Every X11 keysym is a key where the display speaks of keysyms.
#[cfg(target_os = "linux")]
fn other(keysym: u32) -> Option<Enigo> {
    Some(Enigo::Other(keysym))
}

#[cfg(not(target_os = "linux"))]
fn other(_: u32) -> Option<Enigo> {
    None
}

/// X11 keysyms (`X11/keysymdef.h`) and the keys that every system has.
const NAMED: [(u32, Enigo); 39] = [
    (0xff08, Enigo::Backspace),
    (0xff09, Enigo::Tab),
    (0xff0d, Enigo::Return),
    (0xff1b, Enigo::Escape),
    (0xffff, Enigo::Delete),
    (0xff50, Enigo::Home),
    (0xff51, Enigo::LeftArrow),
    (0xff52, Enigo::UpArrow),
    (0xff53, Enigo::RightArrow),
    (0xff54, Enigo::DownArrow),
    (0xff55, Enigo::PageUp),
    (0xff56, Enigo::PageDown),
    (0xff57, Enigo::End),
    (0xff6a, Enigo::Help),
    (0xffe1, Enigo::Shift),
    (0xffe2, Enigo::RShift),
    (0xffe3, Enigo::Control),
    (0xffe4, Enigo::RControl),
    (0xffe5, Enigo::CapsLock),
    (0xffe9, Enigo::Alt),
    (0xffea, Enigo::Alt),
    (0xffeb, Enigo::Meta),
    (0xffec, Enigo::Meta),
    (0xffbe, Enigo::F1),
    (0xffbf, Enigo::F2),
    (0xffc0, Enigo::F3),
    (0xffc1, Enigo::F4),
    (0xffc2, Enigo::F5),
    (0xffc3, Enigo::F6),
    (0xffc4, Enigo::F7),
    (0xffc5, Enigo::F8),
    (0xffc6, Enigo::F9),
    (0xffc7, Enigo::F10),
    (0xffc8, Enigo::F11),
    (0xffc9, Enigo::F12),
    (0xffaa, Enigo::Multiply),
    (0xffab, Enigo::Add),
    (0xffad, Enigo::Subtract),
    (0xffaf, Enigo::Divide),
];
