//! One display for all backends of a world, opened when it is first needed.

use std::cell::{RefCell, RefMut};
use std::fmt;
use std::rc::Rc;

use crate::desktop::Desktop;
use crate::desktop::error::DesktopError;
use crate::failure::FailureKind;
use crate::stop::Stop;

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

    /// The same for a display that was never asked for: one that does not answer within `stop` counts as absent from then on.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn probe(&self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        let error = match self.get(stop) {
            Ok(_) => return Ok(()),
            Err(error) => error,
        };
        if let (DesktopError::Stopped(failure), Ok(mut state)) = (&error, self.0.try_borrow_mut())
            && failure.kind == FailureKind::Timeout
        {
            let reason = "the display server does not answer".to_owned();
            let hint = "check that the server that `DISPLAY` names is not stopped".to_owned();
            let error = DesktopError::Absent { reason, hint };
            *state = State::Absent(error.clone());
            return Err(error);
        }
        Err(error)
    }

    /// The display, which is opened by the first call; it may take no longer than `stop` allows.
    ///
    /// # Errors
    /// [`DesktopError::Absent`], which is remembered, or `stop` came first.
    pub fn get(&self, stop: &Stop<'_>) -> Result<RefMut<'_, dyn Desktop>, DesktopError> {
        let Ok(mut state) = self.0.try_borrow_mut() else { return Err(in_use()) };
        if let State::Unopened = *state {
            *state = match open(stop) {
                Ok(desktop) => State::Open(desktop),
                Err(error @ DesktopError::Absent { .. }) => State::Absent(error),
                Err(error) => return Err(error),
            };
        }
        let open = RefMut::filter_map(state, |state| match state {
            State::Open(desktop) => Some(&mut **desktop),
            State::Unopened | State::Absent(_) => None,
        });
        match open {
            Ok(mut desktop) => {
                desktop.limit(stop);
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
