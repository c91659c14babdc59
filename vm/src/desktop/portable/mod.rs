//! macOS, Windows and, with the feature `wayland`, Wayland: input by `enigo`, pixels and windows by `xcap`.
//!
//! What these two cannot do is refused with its reason: a window cannot be focused, moved or closed through them, and pixels are looked
//! at anew instead of waiting for a change. Only that it compiles is tested; `README.md` says what was tried on real machines.

mod error;
mod input;
mod key;
mod screen;
mod windows;

use std::fmt;
use std::time::{Duration, Instant};

use enigo::{Enigo, NewConError, Settings};
use spec::grammar::keys::Key;
use spec::kind::MouseButton;
use xcap::image::RgbaImage;

use crate::desktop::Desktop;
use crate::desktop::error::DesktopError;
use crate::process::Deadline;
use crate::stop::Stop;

/// How long it takes until the pixels are looked at again: without events of the system there is nothing to wait for.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// A display that is driven by the system's own means.
pub struct Portable {
    enigo: Enigo,
    held_keys: Vec<Key>,
    held_buttons: Vec<MouseButton>,
    /// The last press of a button, to keep clicks apart.
    last_press: Option<(MouseButton, Instant)>,
    /// The last capture, blue first.
    pixels: Vec<u8>,
    /// What the last look for a change saw.
    seen: Option<RgbaImage>,
    /// The titles the last look for windows saw.
    titles: Option<Vec<(u32, String)>>,
}

impl Portable {
    /// The display of this session.
    ///
    /// # Errors
    /// There is none, or this process may not drive it.
    pub fn open(stop: &Stop<'_>) -> Result<Self, DesktopError> {
        stop.check()?;
        // Keys must not stay down when a run ends early.
        let settings = Settings { release_keys_when_dropped: true, ..Settings::default() };
        let enigo = Enigo::new(&settings).map_err(absent)?;
        Ok(Self {
            enigo,
            held_keys: Vec::new(),
            held_buttons: Vec::new(),
            last_press: None,
            pixels: Vec::new(),
            seen: None,
            titles: None,
        })
    }
}

impl Desktop for Portable {
    fn limit(&mut self, _: &Stop<'_>) {
        // Neither library takes a deadline.
    }
}

impl fmt::Debug for Portable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Portable").field("held_keys", &self.held_keys).finish_non_exhaustive()
    }
}

/// Sleeps until it is time to look again.
fn pause(stop: &Stop<'_>) -> Result<(), DesktopError> {
    stop.check()?;
    stop.interrupt().wait_until(stop.deadline().min(Deadline::after(LOOK_AGAIN)));
    Ok(stop.check()?)
}

fn absent(error: NewConError) -> DesktopError {
    let hint = match &error {
        NewConError::NoPermission => "allow this program to control the computer in the system's privacy settings",
        NewConError::EstablishCon(_) | NewConError::Reply | NewConError::NoEmptyKeycodes => {
            "run in a graphical session; a Wayland compositor must offer virtual keyboards and pointers to programs"
        }
    };
    DesktopError::Absent { reason: format!("input cannot be simulated: {error}"), hint: hint.to_owned() }
}
