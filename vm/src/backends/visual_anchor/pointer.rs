//! The pointer and its wheel, at a place in pixels or at an image.

use std::time::Duration;

use spec::action::{arguments, outputs};
use spec::value::Value;

use crate::desktop::gesture;
use crate::desktop::{DesktopError, Point, SharedDesktop};
use crate::failure::Failure;
use crate::stop::Stop;
use crate::world::Call;

/// Turns the wheel at the pointer, or at an image.
pub fn scroll(
    desktop: &SharedDesktop,
    arguments: &arguments::Scroll,
    stop: &Stop<'_>,
    call: &Call<'_>,
) -> Result<outputs::Scroll, Failure> {
    let (dx, dy) = (notches(arguments.dx)?, notches(arguments.dy)?);
    let at = if arguments.template.is_empty() {
        desktop.get(stop)?.pointer()?
    } else {
        let at = find(desktop, &arguments.template, arguments.confidence, arguments.timeout_ms, stop, call)?;
        desktop.get(stop)?.move_to(at, stop)?;
        at
    };
    let mut desktop = desktop.get(stop)?;
    desktop.scroll(dx, dy, stop)?;
    desktop.sync()?;
    Ok(outputs::Scroll { scrolled_at: pair(at), dx: arguments.dx, dy: arguments.dy })
}

/// Drags from one place to another; each is an image or a place in pixels.
pub fn drag(
    desktop: &SharedDesktop,
    arguments: &arguments::Drag,
    stop: &Stop<'_>,
    call: &Call<'_>,
) -> Result<outputs::Drag, Failure> {
    let place = |template: &str, x: i64, y: i64| {
        if template.is_empty() {
            Ok(point(x, y))
        } else {
            find(desktop, template, arguments.confidence, arguments.timeout_ms, stop, call)
        }
    };
    let from = place(&arguments.from_template, arguments.from_x, arguments.from_y)?;
    let to = place(&arguments.to_template, arguments.to_x, arguments.to_y)?;
    let duration = Duration::from_millis(u64::try_from(arguments.duration_ms).unwrap_or(0));
    gesture::drag(&mut *desktop.get(stop)?, from, to, arguments.button, duration, stop)?;
    Ok(outputs::Drag { dragged_from: pair(from), dragged_to: pair(to) })
}

/// Moves the pointer to a place in pixels, or to an image.
pub fn move_to(
    desktop: &SharedDesktop,
    arguments: &arguments::MoveTo,
    stop: &Stop<'_>,
    call: &Call<'_>,
) -> Result<outputs::MoveTo, Failure> {
    let at = if arguments.template.is_empty() {
        point(arguments.x, arguments.y)
    } else {
        find(desktop, &arguments.template, arguments.confidence, arguments.timeout_ms, stop, call)?
    };
    let mut desktop = desktop.get(stop)?;
    desktop.move_to(at, stop)?;
    desktop.sync()?;
    Ok(outputs::MoveTo { moved_to: pair(at) })
}

/// The middle of an image on the screen, once it is there.
fn find(_: &SharedDesktop, template: &str, _: f64, _: i64, _: &Stop<'_>, _: &Call<'_>) -> Result<Point, Failure> {
    Err(Failure::step(format!("the image `{template}` cannot be looked for yet")))
}

/// A place as an argument names it. What no screen reaches stays outside of every screen.
fn point(x: i64, y: i64) -> Point {
    let pixel = |value: i64| i32::try_from(value).unwrap_or(i32::MAX);
    Point { x: pixel(x), y: pixel(y) }
}

fn pair(at: Point) -> Vec<Value> {
    vec![Value::Integer(i64::from(at.x)), Value::Integer(i64::from(at.y))]
}

fn notches(count: i64) -> Result<i32, DesktopError> {
    let most = i64::from(MOST_NOTCHES);
    match i32::try_from(count) {
        Ok(notches) if count.abs() <= most => Ok(notches),
        Ok(_) | Err(_) => Err(DesktopError::other(format!("cannot turn the wheel by {count} notches, only by {most}"))),
    }
}

/// More than any document is long.
const MOST_NOTCHES: i32 = 100_000;
