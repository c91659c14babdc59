//! Clicks.

use spec::kind::MouseButton;

use crate::desktop::{Desktop, DesktopError, Point, Press};
use crate::stop::Stop;

/// Clicks.
pub fn click(
    desktop: &mut dyn Desktop,
    at: Point,
    button: MouseButton,
    double: bool,
    stop: &Stop<'_>,
) -> Result<(), DesktopError> {
    desktop.move_to(at, stop)?;
    for _ in 0..if double { 2 } else { 1 } {
        desktop.button(button, Press::Down, stop)?;
        desktop.button(button, Press::Up, stop)?;
    }
    desktop.flush()
}

/// Drags.
pub fn drag(
    desktop: &mut dyn Desktop,
    from: Point,
    to: Point,
    button: MouseButton,
    duration: std::time::Duration,
    stop: &Stop<'_>,
) -> Result<(), DesktopError> {
    desktop.move_to(from, stop)?;
    desktop.button(button, Press::Down, stop)?;
    std::thread::sleep(duration);
    desktop.move_to(to, stop)?;
    desktop.button(button, Press::Up, stop)?;
    desktop.flush()
}
