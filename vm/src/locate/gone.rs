//! Waiting until an image is nowhere.

use std::time::{Duration, Instant};

use crate::desktop::DesktopError;
use crate::locate::Sighting;
use crate::locate::look::{Look, Looker};
use crate::locate::pace::Pace;
use crate::stop::Stop;

impl Looker<'_> {
    /// Looks until the image is nowhere, or says where it is still.
    ///
    /// # Errors
    /// The display does not answer; one look took too long.
    pub fn outlast(&mut self, timeout: Duration, stop: &Stop<'_>) -> Result<Option<Sighting>, DesktopError> {
        let near = stop.at_most(timeout);
        let first = self.first_look(timeout, &near, stop)?;
        let mut pace = Pace::new(Instant::now());
        let mut there = match first {
            Look::Found(sighting) => sighting,
            Look::Not(_) => return Ok(None),
            Look::GaveUp => {
                let error = DesktopError::Stopped(near.failure());
                return Err(error.at_limit(&near, stop, "one look at the whole screen takes longer"));
            }
        };
        while !timeout.is_zero()
            && let Some(changed) = self.next_change(&mut pace, &near, stop)?
        {
            let began = Instant::now();
            if changed.intersection(there.area).is_none() || self.at(there.area)? {
                pace.looked(began.elapsed(), Instant::now());
                continue;
            }
            let look = self.everywhere(&|| near.asked())?;
            pace.looked(began.elapsed(), Instant::now());
            match look {
                Look::Found(elsewhere) => there = elsewhere,
                Look::Not(_) => return Ok(None),
                Look::GaveUp => break,
            }
        }
        Ok(Some(there))
    }
}
