//! Waiting until an image is nowhere.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::desktop::DesktopError;
use crate::locate::Sighting;
use crate::locate::look::{Look, Looker};
use crate::stop::Stop;

impl Looker<'_> {
    /// Looks until the image is nowhere, or says where it is still.
    ///
    /// # Errors
    /// The display does not answer; one look took too long.
    pub fn outlast(&mut self, timeout: Duration, stop: &Stop<'_>) -> Result<Option<Sighting>, DesktopError> {
        let near = stop.at_most(timeout);
        let first = self.first_look(timeout, &near, stop)?;
        let mut there = match first {
            Look::Found(sighting) => sighting,
            Look::Not(_) => return Ok(None),
            Look::GaveUp => {
                let error = DesktopError::Stopped(near.failure());
                return Err(error.at_limit(&near, stop, "one look at the whole screen takes longer"));
            }
        };
        let gone = self.at_changes(timeout, &near, stop, |looker, changed| {
            if changed.intersection(there.area).is_none() || looker.at(there.area)? {
                return Ok(ControlFlow::Continue(()));
            }
            Ok(match looker.everywhere(&|| near.asked())? {
                Look::Found(elsewhere) => {
                    there = elsewhere;
                    ControlFlow::Continue(())
                }
                Look::Not(_) => ControlFlow::Break(true),
                Look::GaveUp => ControlFlow::Break(false),
            })
        })?;
        Ok((gone != Some(true)).then_some(there))
    }
}
