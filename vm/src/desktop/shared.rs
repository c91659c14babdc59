//! One display for all backends of a world, opened when it is first needed.

use std::cell::{RefCell, RefMut};
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::desktop::Desktop;
use crate::desktop::error::DesktopError;
use crate::stop::Stop;

/// A server that does not take a call for so long is silent.
const SILENCE: Duration = Duration::from_millis(500);

/// A handle to the display; clones share it.
#[derive(Clone, Default)]
pub struct SharedDesktop(Rc<RefCell<State>>);

#[derive(Default)]
enum State {
    #[default]
    Unopened,
    Open(Box<dyn Desktop>),
    Absent(DesktopError),
}

impl SharedDesktop {
    /// A display that is known to be absent, for tests.
    #[cfg(test)]
    pub(crate) fn absent(reason: &str, hint: &str) -> Self {
        let error = DesktopError::Absent { reason: reason.to_owned(), hint: hint.to_owned() };
        Self(Rc::new(RefCell::new(State::Absent(error))))
    }

    /// The same for somebody who only asks whether it can be used: one that does not answer within `stop` cannot.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn probe(&self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        match self.get(stop) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.or_silent()),
        }
    }

    /// The display, which is opened by the first call; it may take no longer than `stop` allows.
    ///
    /// # Errors
    /// [`DesktopError::Absent`], which is remembered, or `stop` came first. A display that was found silent is absent until it speaks again, and
    /// one that did not take the call for good.
    pub fn get(&self, stop: &Stop<'_>) -> Result<RefMut<'_, dyn Desktop>, DesktopError> {
        let Ok(mut state) = self.0.try_borrow_mut() else { return Err(in_use()) };
        if let State::Unopened = *state {
            let began = Instant::now();
            *state = match open(stop) {
                Ok(desktop) => State::Open(desktop),
                Err(error @ DesktopError::Absent { .. }) => State::Absent(error),
                Err(error) => {
                    if error.is_timeout() && began.elapsed() >= SILENCE {
                        *state = State::Absent(DesktopError::silent());
                    }
                    return Err(error);
                }
            };
        }
        let open = RefMut::filter_map(state, |state| match state {
            State::Open(desktop) => Some(&mut **desktop),
            State::Unopened | State::Absent(_) => None,
        });
        match open {
            Ok(desktop) if !desktop.answers() => Err(DesktopError::silent()),
            Ok(mut desktop) => {
                desktop.limit(stop);
                desktop.begin_step();
                Ok(desktop)
            }
            Err(state) => Err(match &*state {
                State::Absent(error) => error.clone(),
                // It was opened above.
                State::Unopened | State::Open(_) => in_use(),
            }),
        }
    }
}

fn in_use() -> DesktopError {
    DesktopError::other("the display is in use")
}

#[cfg(target_os = "linux")]
fn open(stop: &Stop<'_>) -> Result<Box<dyn Desktop>, DesktopError> {
    // Under Wayland an X11 display shows only some of the windows.
    #[cfg(feature = "wayland")]
    if std::env::var_os("WAYLAND_DISPLAY").is_some_and(|name| !name.is_empty()) {
        return Ok(Box::new(crate::desktop::portable::Portable::open(stop)?));
    }
    Ok(Box::new(crate::desktop::x11::X11::open(stop)?))
}

#[cfg(any(target_os = "macos", windows))]
fn open(stop: &Stop<'_>) -> Result<Box<dyn Desktop>, DesktopError> {
    Ok(Box::new(crate::desktop::portable::Portable::open(stop)?))
}

#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
fn open(_: &Stop<'_>) -> Result<Box<dyn Desktop>, DesktopError> {
    Err(DesktopError::Absent {
        reason: "the displays of this system cannot be driven".to_owned(),
        hint: "use `native_api` or `file_transform` actions".to_owned(),
    })
}

impl fmt::Debug for SharedDesktop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.0.try_borrow();
        f.write_str(match state.as_deref() {
            Ok(State::Unopened) => "SharedDesktop(unopened)",
            Ok(State::Open(_)) => "SharedDesktop(open)",
            Ok(State::Absent(_)) => "SharedDesktop(absent)",
            Err(_) => "SharedDesktop(in use)",
        })
    }
}
