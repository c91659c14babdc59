//! Windows: waiting for one, focusing, closing and moving it.

use std::time::Duration;

use spec::action::{arguments, outputs};
use spec::value::Value;

use crate::desktop::{Rect, SharedDesktop, Wanted, find_window};
use crate::failure::{Failure, FailureKind};
use crate::stop::Stop;

/// How a window is awaited.
const EVENTS: &str = "events";

/// Waits until a window is there; one that is iconified or on another desktop is.
pub fn wait_for_window(
    desktop: &SharedDesktop,
    arguments: &arguments::WaitForWindow,
    stop: &Stop<'_>,
) -> Result<outputs::WaitForWindow, Failure> {
    let wanted = Wanted::new(&arguments.title_contains);
    let limit = millis(arguments.timeout_ms);
    let found = crate::desktop::wait_for_window(&mut *desktop.get(stop)?, &wanted, limit, stop)?;
    Ok(outputs::WaitForWindow { found: found.title, method: EVENTS.to_owned() })
}

/// Brings a window to the front and gives it the keyboard.
pub fn focus_window(
    desktop: &SharedDesktop,
    arguments: &arguments::FocusWindow,
    stop: &Stop<'_>,
) -> Result<outputs::FocusWindow, Failure> {
    let mut desktop = desktop.get(stop)?;
    let window = find_window(&mut *desktop, &Wanted::new(&arguments.title_contains))?;
    let method = desktop.focus_window(window.id, stop)?;
    Ok(outputs::FocusWindow { focused: window.title, method: method.name().to_owned() })
}

/// Asks a window to close.
pub fn close_window(
    desktop: &SharedDesktop,
    arguments: &arguments::CloseWindow,
    stop: &Stop<'_>,
) -> Result<outputs::CloseWindow, Failure> {
    let mut desktop = desktop.get(stop)?;
    let window = find_window(&mut *desktop, &Wanted::new(&arguments.title_contains))?;
    let method = desktop.close_window(window.id, millis(arguments.timeout_ms), stop)?;
    Ok(outputs::CloseWindow { closed: window.title, method: method.name().to_owned() })
}

/// Moves a window's client area, gives it another size, or both.
pub fn move_window(
    desktop: &SharedDesktop,
    arguments: &arguments::MoveWindow,
    stop: &Stop<'_>,
) -> Result<outputs::MoveWindow, Failure> {
    let mut desktop = desktop.get(stop)?;
    let window = find_window(&mut *desktop, &Wanted::new(&arguments.title_contains))?;
    let given = |one: Option<i64>, other: Option<i64>, now: (i32, i32)| {
        (one.is_some() || other.is_some()).then(|| (one.map_or(now.0, pixels), other.map_or(now.1, pixels)))
    };
    let Rect { x, y, width, height } = window.area;
    let place = given(arguments.x, arguments.y, (x, y));
    let size = given(arguments.width, arguments.height, (pixels(width.into()), pixels(height.into())));
    if place.is_none() && size.is_none() {
        let message = "nothing says where the window should go";
        return Err(Failure::new(FailureKind::BadArgument, message).hint("give `x`, `y`, `width` or `height`"));
    }
    let size = size.map(|(width, height)| (width.unsigned_abs(), height.unsigned_abs()));
    let area = desktop.move_window(window.id, place, size, stop)?;
    let geometry = [area.x.into(), area.y.into(), area.width.into(), area.height.into()];
    let geometry = geometry.into_iter().map(Value::Integer).collect();
    Ok(outputs::MoveWindow { moved: window.title, geometry })
}

fn millis(given: i64) -> Duration {
    Duration::from_millis(u64::try_from(given).unwrap_or(0))
}

/// Both bounds are far beyond those of the parameters.
fn pixels(given: i64) -> i32 {
    i32::try_from(given).unwrap_or(i32::MAX)
}
