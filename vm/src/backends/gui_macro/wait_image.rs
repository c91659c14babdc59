//! Waits until an image is on the screen.

use std::time::Duration;

use crate::desktop::Desktop;
use crate::failure::Failure;
use crate::locate::{Locator, Wanted};
use crate::stop::Stop;
use crate::world::Call;

/// Waits up to `limit` until an image is on the screen.
///
/// # Errors
/// `limit` or `stop` came first: where it was most alike.
pub fn wait_image(
    desktop: &mut dyn Desktop,
    locator: &Locator,
    wanted: &Wanted<'_>,
    limit: Duration,
    stop: &Stop<'_>,
    call: &Call<'_>,
) -> Result<(), Failure> {
    let found = locator.find(desktop, wanted, limit, stop, call);
    desktop.limit(stop);
    found.map(drop)
}
