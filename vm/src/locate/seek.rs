//! Waiting until an image is there.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::desktop::DesktopError;
use crate::locate::Sighting;
use crate::locate::failure::{Missing, Whole};
use crate::locate::look::{Look, Looker, best};
use crate::stop::Stop;

/// How long a look for the best place of a failure may take.
const LAST_LOOK: Duration = Duration::from_millis(250);

impl Looker<'_> {
    /// Looks until the image is there, or says what was there instead.
    ///
    /// # Errors
    /// The display does not answer; a signal came.
    pub fn seek(&mut self, timeout: Duration, stop: &Stop<'_>) -> Result<Result<Sighting, Missing>, DesktopError> {
        let began = Instant::now();
        let near = stop.at_most(timeout);
        let first = self.first_look(timeout, &near, stop)?;
        let mut seen = match first {
            Look::Found(sighting) => return Ok(Ok(sighting)),
            Look::Not(seen) => seen,
            Look::GaveUp => return Ok(Err(self.missing(None, Whole::No, began))),
        };
        // Whether a better place may be elsewhere, since the best of all has gone.
        let mut stale = false;
        let found = self.at_changes(timeout, &near, stop, |looker, changed| {
            Ok(match looker.around(changed, &|| near.asked())? {
                Look::Found(sighting) => ControlFlow::Break(Some(sighting)),
                Look::Not(now) => {
                    let kept = seen.filter(|seen| seen.area.intersection(changed).is_none());
                    let before = seen.map_or(0.0, |seen| seen.score);
                    seen = best(kept, now);
                    stale = (stale || kept.is_none()) && seen.is_none_or(|seen| seen.score < before);
                    ControlFlow::Continue(())
                }
                Look::GaveUp => ControlFlow::Break(None),
            })
        })?;
        if let Some(sighting) = found.flatten() {
            return Ok(Ok(sighting));
        }
        if stale && !stop.asked() {
            let began = Instant::now();
            match self.everywhere(&|| stop.asked() || began.elapsed() > LAST_LOOK)? {
                Look::Found(sighting) => return Ok(Ok(sighting)),
                Look::Not(now) => seen = now,
                Look::GaveUp => {}
            }
        }
        Ok(Err(self.missing(seen, Whole::Yes, began)))
    }

    fn missing(&self, best: Option<Sighting>, whole: Whole, began: Instant) -> Missing {
        Missing { best, whole, screen: self.screen, looked: began.elapsed() }
    }
}
