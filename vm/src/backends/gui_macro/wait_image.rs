//! Waits until an image is on the screen.

use std::time::Duration;

use crate::failure::Failure;
use crate::locate::{Scene, Wanted};

/// Waits up to `limit` until an image is on the screen.
///
/// # Errors
/// `limit` or `stop` came first: where it was most alike.
pub fn wait_image(scene: &mut Scene<'_>, wanted: &Wanted<'_>, limit: Duration) -> Result<(), Failure> {
    let found = scene.find(wanted, limit);
    scene.desktop.limit(scene.stop);
    found.map(drop)
}
