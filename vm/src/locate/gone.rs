//! Waiting until an image is nowhere.

use std::time::{Duration, Instant};

use crate::desktop::DesktopError;
use crate::locate::Sighting;
use crate::locate::look::{Look, Looker};
use crate::locate::pace::Pace;
use crate::stop::Stop;

/// How long the first look may take even when the timeout is shorter; with a timeout of zero it is the only one, and may take longer.
const FIRST_LOOK: Duration = Duration::from_secs(5);

impl Looker<'_> {
    /// Looks until the image is nowhere, or says where it is still.
    ///
    /// # Errors
    /// The display does not answer; one look took too long.
    pub fn outlast(&mut self, timeout: Duration, stop: &Stop<'_>) -> Result<Option<Sighting>, DesktopError> {
        let began = Instant::now();
        let near = stop.at_most(timeout);
        if !timeout.is_zero() {
            self.desktop.watch(self.screen)?;
        }
        let over = || near.asked() && began.elapsed() > FIRST_LOOK && !timeout.is_zero();
        let first = self.everywhere(&|| stop.asked() || over())?;
        let mut pace = Pace::new(Instant::now());
        let mut there = match first {
            Look::Found(sighting) => sighting,
            Look::Not(_) => return Ok(None),
            Look::GaveUp => return Err(DesktopError::Stopped(near.failure())),
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
