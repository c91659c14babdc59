//! One connection to accessibility for all of a run, made when it is first needed.

use std::cell::{RefCell, RefMut};
use std::fmt;
use std::rc::Rc;

use crate::accessibility::client::Client;
use crate::accessibility::error::AccessError;
use crate::stop::Stop;

/// A handle to accessibility; clones share it.
#[derive(Clone, Default)]
pub struct SharedAccess(Rc<RefCell<Option<Box<dyn Client>>>>);

impl SharedAccess {
    /// The client, which connects in the first call; that may take no longer than `stop` allows.
    ///
    /// # Errors
    /// [`AccessError::Absent`], or `stop` came first. The next call tries again: a session may come up during a run.
    pub fn get(&self, stop: &Stop<'_>) -> Result<RefMut<'_, dyn Client + 'static>, AccessError> {
        let in_use = || AccessError::Refused("accessibility is in use".to_owned());
        let mut state = self.0.try_borrow_mut().map_err(|_| in_use())?;
        if state.is_none() {
            *state = Some(open(stop)?);
        }
        let client = RefMut::filter_map(state, |state| state.as_deref_mut());
        client.map_err(|_| in_use())
    }
}

#[cfg(target_os = "linux")]
fn open(stop: &Stop<'_>) -> Result<Box<dyn Client>, AccessError> {
    Ok(Box::new(crate::accessibility::at_spi::AtSpi::open(stop)?))
}

#[cfg(not(target_os = "linux"))]
fn open(_: &Stop<'_>) -> Result<Box<dyn Client>, AccessError> {
    Err(AccessError::Absent {
        reason: "this build cannot speak to the accessibility of this system".to_owned(),
        hint: "use the keys and images of `visual_anchor`, or `native_api` and `file_transform` actions".to_owned(),
    })
}

impl fmt::Debug for SharedAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0.try_borrow().as_deref() {
            Ok(Some(_)) => "SharedAccess(open)",
            Ok(None) => "SharedAccess(unopened)",
            Err(_) => "SharedAccess(in use)",
        })
    }
}
