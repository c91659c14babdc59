//! Looking again when an application tells of a change.

use std::time::{Duration, Instant};

use crate::accessibility::{Client, Kind, Object};
use crate::failure::Failure;
use crate::stop::Stop;

/// Looks until there is something, first at once and then when the application that owns `object` tells of events of `kinds`; `None` when
/// there is nothing within `limit`. Nothing may be watched meanwhile.
///
/// # Errors
/// Those of `look`; the application does not answer; `stop` came first.
pub fn until<T>(
    client: &mut dyn Client,
    object: &Object,
    kinds: &[Kind],
    limit: Duration,
    stop: &Stop<'_>,
    mut look: impl FnMut(&mut dyn Client) -> Result<Option<T>, Failure>,
) -> Result<Option<T>, Failure> {
    let limit = stop.at_most(limit);
    // What is so already costs nobody events.
    if let Some(found) = look(client)? {
        return Ok(Some(found));
    }
    stop.check()?;
    client.watch(Some(object), kinds, stop)?;
    let found = again(client, &limit, stop, look);
    client.unwatch();
    found
}

fn again<T>(
    client: &mut dyn Client,
    limit: &Stop<'_>,
    stop: &Stop<'_>,
    mut look: impl FnMut(&mut dyn Client) -> Result<Option<T>, Failure>,
) -> Result<Option<T>, Failure> {
    let mut pace = Pace::default();
    loop {
        pace.look();
        if let Some(found) = look(client)? {
            return Ok(Some(found));
        }
        stop.check()?;
        if limit.asked() {
            return Ok(None);
        }
        pace.pause(client, limit)?;
    }
}

/// When the next look is due.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    began: Instant,
    rest: Duration,
    safety: Duration,
}

/// Shortest and longest time between the looks that events ask for, besides that a look took. One event is looked at at once.
const REST: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(128));

/// Shortest and longest time after which is looked without an event: not every toolkit tells of every change.
const SAFETY: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(1));

/// A look without an event may take this part of the time.
const SHARE: u32 = 50;

/// When nothing came for so long, a change is no part of what came before.
const QUIET: Duration = Duration::from_millis(200);

impl Default for Pace {
    fn default() -> Self {
        Self { began: Instant::now(), rest: REST.0, safety: SAFETY.0 }
    }
}

impl Pace {
    /// A look begins.
    pub fn look(&mut self) {
        self.began = Instant::now();
    }

    /// Sleeps as long as between two looks that events ask for; not beyond `limit`.
    ///
    /// # Errors
    /// A signal came.
    pub fn rest(&mut self, client: &mut dyn Client, limit: &Stop<'_>) -> Result<(), Failure> {
        let rest = self.began.elapsed().saturating_add(self.rest);
        let rest = limit.deadline().remaining().unwrap_or(rest).min(rest);
        client.await_change(rest, rest, &Stop::within(rest.saturating_add(SAFETY.1), limit.interrupt()))?;
        self.rest = (self.rest * 2).min(REST.1);
        Ok(())
    }

    /// Sleeps until the next look, after one that found nothing; not beyond `limit`.
    ///
    /// # Errors
    /// A signal came.
    pub fn pause(&mut self, client: &mut dyn Client, limit: &Stop<'_>) -> Result<(), Failure> {
        let now = Instant::now();
        let cost = now.saturating_duration_since(self.began);
        let safety = self.safety.max(cost.saturating_mul(SHARE)).min(4 * SAFETY.1);
        let left = limit.deadline().remaining().unwrap_or(safety).min(safety);
        // Its own end is no failure here.
        let patient = Stop::within(left.saturating_add(SAFETY.1), limit.interrupt());
        let changed = client.await_change(cost.saturating_add(self.rest), left, &patient)?;
        let quiet = now.elapsed() >= QUIET;
        self.rest = if quiet { REST.0 } else { (self.rest * 2).min(REST.1) };
        self.safety = if changed { SAFETY.0 } else { (self.safety * 2).min(SAFETY.1) };
        Ok(())
    }
}
