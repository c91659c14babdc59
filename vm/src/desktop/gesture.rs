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
