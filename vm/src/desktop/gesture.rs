//! What a hand does with a pointer: clicks and drags.

use std::time::{Duration, Instant};

use spec::kind::MouseButton;

use crate::desktop::Desktop;
use crate::desktop::error::DesktopError;
use crate::desktop::geometry::Point;
use crate::desktop::input::Press;
use crate::stop::Stop;

/// Between the two clicks of a double click.
const BETWEEN_CLICKS: Duration = Duration::from_millis(20);
/// Fewest motions of a drag, with the last one on its target.
const FEWEST: u32 = 8;
/// Most motions of a drag.
const MOST: u32 = 2000;
/// Between two motions of a drag, about as a screen shows them.
const MOTION: Duration = Duration::from_millis(8);

/// Clicks a place once or twice.
///
/// A click is never merged with an earlier one of the run: after a click at about the same place the time of a double click is waited for,
/// so that two clicks stay two, and a double click stays one.
///
/// # Errors
/// [`DesktopError::OffScreen`], or `stop` came before the first press: then nothing was clicked. The display does not answer.
pub fn click(
    desktop: &mut dyn Desktop,
    at: Point,
    button: MouseButton,
    double: bool,
    stop: &Stop<'_>,
) -> Result<(), DesktopError> {
    desktop.move_to(at, stop)?;
    desktop.keep_clicks_apart(at, button, stop)?;
    press_and_release(desktop, button, stop)?;
    if double {
        // Once begun it is completed, or it would be a click of another kind.
        desktop.flush()?;
        std::thread::sleep(BETWEEN_CLICKS);
        press_and_release(desktop, button, stop)?;
    }
    desktop.sync()
}

/// Drags from one place to another: one press, motions at regular times, the last of them on the target, and one release.
///
/// # Errors
/// [`DesktopError::OffScreen`]: then nothing was done. `stop` came first: then the button was released where the pointer was.
pub fn drag(
    desktop: &mut dyn Desktop,
    from: Point,
    to: Point,
    button: MouseButton,
    duration: Duration,
    stop: &Stop<'_>,
) -> Result<(), DesktopError> {
    desktop.on_screen(to)?;
    desktop.move_to(from, stop)?;
    desktop.keep_clicks_apart(from, button, stop)?;
    desktop.button(button, Press::Down, stop)?;
    let moved = travel(desktop, from, to, duration, stop);
    let released = desktop.button(button, Press::Up, stop).and_then(|()| desktop.flush());
    moved?;
    released?;
    desktop.sync()
}

fn travel(
    desktop: &mut dyn Desktop,
    from: Point,
    to: Point,
    duration: Duration,
    stop: &Stop<'_>,
) -> Result<(), DesktopError> {
    let begin = Instant::now();
    let count = u32::try_from(duration.as_micros() / MOTION.as_micros()).unwrap_or(MOST).clamp(FEWEST, MOST);
    for step in 1..=count {
        let due = begin + duration.saturating_mul(step) / count;
        wait_until(desktop, due, stop)?;
        match desktop.move_to(between(from, to, step, count), stop) {
            // The way from one monitor to another may lead through where no monitor is.
            Err(DesktopError::OffScreen { .. }) if step < count => {}
            moved => moved?,
        }
        if !duration.is_zero() {
            desktop.flush()?;
        }
    }
    Ok(())
}

fn wait_until(desktop: &mut dyn Desktop, due: Instant, stop: &Stop<'_>) -> Result<(), DesktopError> {
    let left = due.saturating_duration_since(Instant::now());
    if !left.is_zero() {
        desktop.flush()?;
        stop.interrupt().wait_until(stop.at_most(left).deadline());
    }
    Ok(stop.check()?)
}

fn press_and_release(desktop: &mut dyn Desktop, button: MouseButton, stop: &Stop<'_>) -> Result<(), DesktopError> {
    desktop.button(button, Press::Down, stop)?;
    desktop.button(button, Press::Up, stop)
}

/// The point a part of the way from one to the other.
fn between(from: Point, to: Point, step: u32, count: u32) -> Point {
    let part = |from: i32, to: i32| {
        let way = (i64::from(to) - i64::from(from)) * i64::from(step) / i64::from(count.max(1));
        i32::try_from(i64::from(from) + way).unwrap_or(to)
    };
    Point { x: part(from.x, to.x), y: part(from.y, to.y) }
}

#[cfg(test)]
mod tests {
    use crate::desktop::geometry::Point;
    use crate::desktop::gesture::between;

    #[test]
    fn a_way_ends_on_its_target() {
        let (from, to) = (Point { x: 100, y: 300 }, Point { x: 307, y: -2 });
        assert_eq!(between(from, to, 7, 7), to);
        assert_eq!(between(from, to, 1, 2), Point { x: 203, y: 149 });
        let far = Point { x: i32::MIN, y: i32::MAX };
        assert_eq!(between(Point { x: i32::MAX, y: i32::MIN }, far, 2000, 2000), far);
    }
}
