//! Looking again whenever something changes, at a pace that leaves the machine to others.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::desktop::{DesktopError, Rect};
use crate::locate::look::Looker;
use crate::locate::pace::Pace;
use crate::process::Deadline;
use crate::stop::Stop;

impl Looker<'_> {
    /// After a first look: calls `again` with what has changed, each time something has, until it breaks off with a result. `None` when `near`, the
    /// end of the wait, came first; with a `timeout` of zero that is at once.
    pub(in crate::locate) fn at_changes<T>(
        &mut self,
        timeout: Duration,
        near: &Stop<'_>,
        stop: &Stop<'_>,
        mut again: impl FnMut(&mut Self, Rect) -> Result<ControlFlow<T>, DesktopError>,
    ) -> Result<Option<T>, DesktopError> {
        let mut pace = Pace::new(Instant::now());
        while !timeout.is_zero()
            && let Some(changed) = self.next_change(&mut pace, near, stop)?
        {
            let began = Instant::now();
            let end = again(self, changed)?;
            pace.looked(began.elapsed(), Instant::now());
            if let ControlFlow::Break(result) = end {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }

    /// Waits for a change of the screen; `None` when the time is over.
    fn next_change(&mut self, pace: &mut Pace, near: &Stop<'_>, stop: &Stop<'_>) -> Result<Option<Rect>, DesktopError> {
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
}
