//! Waiting until an image is there.

use std::time::{Duration, Instant};

use crate::desktop::{DesktopError, Rect};
use crate::locate::Sighting;
use crate::locate::failure::{Missing, Whole};
use crate::locate::look::{Look, Looker, best};
use crate::locate::pace::Pace;
use crate::process::Deadline;
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
        let mut pace = Pace::new(Instant::now());
        let mut seen = match first {
            Look::Found(sighting) => return Ok(Ok(sighting)),
            Look::Not(seen) => seen,
            Look::GaveUp => return Ok(Err(self.missing(None, Whole::No, began))),
        };
        // Whether a better place may be elsewhere, since the best of all has gone.
        let mut stale = false;
        while !timeout.is_zero()
            && let Some(changed) = self.next_change(&mut pace, &near, stop)?
        {
            let began = Instant::now();
            let look = self.around(changed, &|| near.asked())?;
            pace.looked(began.elapsed(), Instant::now());
            match look {
                Look::Found(sighting) => return Ok(Ok(sighting)),
                Look::Not(now) => {
                    let kept = seen.filter(|seen| seen.area.intersection(changed).is_none());
                    let before = seen.map_or(0.0, |seen| seen.score);
                    seen = best(kept, now);
                    stale = (stale || kept.is_none()) && seen.is_none_or(|seen| seen.score < before);
                }
                Look::GaveUp => break,
            }
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

    /// Waits for a change of the screen; `None` when the time is over.
    pub(in crate::locate) fn next_change(
        &mut self,
        pace: &mut Pace,
        near: &Stop<'_>,
        stop: &Stop<'_>,
    ) -> Result<Option<Rect>, DesktopError> {
        let rest = pace.rest(Instant::now());
        if !rest.is_zero() {
            stop.interrupt().wait_until(near.deadline().min(Deadline::after(rest)));
        }
        if near.asked() {
            return Ok(None);
        }
        self.desktop.limit(near);
        let changed = self.desktop.wait_for_change(self.screen, near);
        self.desktop.limit(stop);
        match changed {
            Ok(changed) => Ok(Some(if self.refresh()? { self.screen } else { changed })),
            Err(DesktopError::Stopped(_)) if near.asked() => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn missing(&self, best: Option<Sighting>, whole: Whole, began: Instant) -> Missing {
        Missing { best, whole, screen: self.screen, looked: began.elapsed() }
    }
}
