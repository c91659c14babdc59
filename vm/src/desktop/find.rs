//! A window by its title, now or as soon as there is one.

use std::time::Duration;

use crate::desktop::Desktop;
use crate::desktop::error::DesktopError;
use crate::desktop::title::Wanted;
use crate::desktop::windows::Window;
use crate::stop::Stop;

/// The window that is wanted.
///
/// # Errors
/// There is none: which there are. The display does not answer.
pub fn find_window(desktop: &mut dyn Desktop, wanted: &Wanted) -> Result<Window, DesktopError> {
    match look(desktop, wanted)? {
        Ok(window) => Ok(window),
        Err(windows) => Err(DesktopError::other(wanted.absent(&windows))),
    }
}

/// Waits up to `limit`, by events, until there is the window that is wanted; with a limit of zero it looks once. Windows that are iconified or
/// on another desktop count.
///
/// # Errors
/// `limit` or `stop` came first: which windows there are.
pub fn wait_for_window(
    desktop: &mut dyn Desktop,
    wanted: &Wanted,
    limit: Duration,
    stop: &Stop<'_>,
) -> Result<Window, DesktopError> {
    let nearer = stop.at_most(limit);
    loop {
        let windows = match look(desktop, wanted)? {
            Ok(window) => return Ok(window),
            Err(windows) => windows,
        };
        let waited = nearer.check().map_err(DesktopError::from).and_then(|()| desktop.wait_for_windows(&nearer));
        desktop.limit(stop);
        waited.map_err(|error| error.at_limit(&nearer, stop, &wanted.absent(&windows)))?;
    }
}

/// The window, or those there are instead.
fn look(desktop: &mut dyn Desktop, wanted: &Wanted) -> Result<Result<Window, Vec<Window>>, DesktopError> {
    let windows = desktop.windows()?;
    if wanted.choose(&windows, None).is_none() {
        return Ok(Err(windows));
    }
    let active = desktop.active_window()?;
    Ok(wanted.choose(&windows, active).cloned().ok_or(windows))
}
