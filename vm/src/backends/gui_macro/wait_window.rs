//! Waits until there is a window.

use std::time::Duration;

use crate::desktop::{Desktop, Wanted, wait_for_window};
use crate::failure::Failure;
use crate::stop::Stop;

/// Waits up to `limit` until there is a window that `title` means.
///
/// # Errors
/// `limit` or `stop` came first: which windows there were.
pub fn wait_window(desktop: &mut dyn Desktop, title: &str, limit: Duration, stop: &Stop<'_>) -> Result<(), Failure> {
    wait_for_window(desktop, &Wanted::new(title), limit, stop)?;
    Ok(())
}
