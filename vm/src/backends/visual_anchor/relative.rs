//! Clicks and drags at fractions of a window's client area, or of the whole desktop.
//!
//! A fraction means the pixel it falls into: `floor(fraction * length)`, and 1.0 is the last pixel.

use std::time::Duration;

use spec::action::{arguments, outputs};

use crate::backends::visual_anchor::place::{millis, pair};
use crate::desktop::{
    Desktop, DesktopError, Point, Rect, SharedDesktop, Wanted, Window, WindowId, find_window, gesture, shown,
};
use crate::failure::Failure;
use crate::process::Deadline;
use crate::stop::Stop;

/// How long a window that was raised may stay covered.
const RAISING: Duration = Duration::from_secs(2);

/// Time between two looks at it.
const LOOK: Duration = Duration::from_millis(10);

/// Clicks at a place of a window.
pub fn click_relative(
    desktop: &SharedDesktop,
    arguments: &arguments::ClickRelative,
    stop: &Stop<'_>,
) -> Result<outputs::ClickRelative, Failure> {
    let mut desktop = desktop.get(stop)?;
    let (x_pct, y_pct) = (arguments.x_pct, arguments.y_pct);
    let [at] = aim(&mut *desktop, &arguments.window_title, [(x_pct, y_pct)], stop)?;
    gesture::click(&mut *desktop, at, arguments.button, arguments.double, stop)?;
    Ok(outputs::ClickRelative { clicked_at: pair(at), x_pct, y_pct })
}

/// Drags between two places of a window.
pub fn drag_relative(
    desktop: &SharedDesktop,
    arguments: &arguments::DragRelative,
    stop: &Stop<'_>,
) -> Result<outputs::DragRelative, Failure> {
    let mut desktop = desktop.get(stop)?;
    let places = [(arguments.from_x_pct, arguments.from_y_pct), (arguments.to_x_pct, arguments.to_y_pct)];
    let [from, to] = aim(&mut *desktop, &arguments.window_title, places, stop)?;
    let duration = millis(arguments.duration_ms);
    gesture::drag(&mut *desktop, from, to, arguments.button, duration, stop)?;
    Ok(outputs::DragRelative { dragged_from: pair(from), dragged_to: pair(to) })
}

/// The pixels of fractions of a window as it is now. A window that cannot be seen there is brought to the front first.
fn aim<const N: usize>(
    desktop: &mut dyn Desktop,
    title: &str,
    places: [(f64, f64); N],
    stop: &Stop<'_>,
) -> Result<[Point; N], DesktopError> {
    let screen = desktop.desktop_area()?;
    if title.is_empty() {
        return Ok(places.map(|place| pixel(screen, place)));
    }
    let wanted = Wanted::new(title);
    let window = find_window(desktop, &wanted)?;
    if window.visible {
        let points = on_screen(&window, places, screen)?;
        if covered(desktop, &window, &points)?.is_none() {
            return Ok(points);
        }
    }
    desktop.focus_window(window.id, stop)?;
    let raising = stop.at_most(RAISING);
    loop {
        let windows = desktop.windows()?;
        let Some(now) = windows.iter().find(|now| now.id == window.id) else {
            return Err(DesktopError::other(format!("the window {} was closed", shown(&window.title))));
        };
        let points = on_screen(now, places, screen)?;
        let Some((point, other)) = covered(desktop, now, &points)? else { return Ok(points) };
        if raising.asked() {
            stop.check()?;
            return Err(DesktopError::other(hidden(&windows, now, point, other)));
        }
        // The window has the keyboard; that it is in front too is told by no event.
        stop.interrupt().wait_until(Deadline::after(LOOK).min(stop.deadline()));
    }
}

fn on_screen<const N: usize>(
    window: &Window,
    places: [(f64, f64); N],
    screen: Rect,
) -> Result<[Point; N], DesktopError> {
    let points = places.map(|place| pixel(window.area, place));
    match points.iter().find(|point| !screen.contains(**point)) {
        Some(point) => Err(DesktopError::OffScreen { point: *point, screen }),
        None => Ok(points),
    }
}

/// The first place that a click would not reach the window at, and what it would reach instead.
fn covered(
    desktop: &mut dyn Desktop,
    window: &Window,
    points: &[Point],
) -> Result<Option<(Point, Option<WindowId>)>, DesktopError> {
    for point in points {
        let other = desktop.window_at(*point)?;
        if other != Some(window.id) {
            return Ok(Some((*point, other)));
        }
    }
    Ok(None)
}

fn hidden(windows: &[Window], window: &Window, point: Point, other: Option<WindowId>) -> String {
    let other = windows.iter().find(|window| Some(window.id) == other);
    let other =
        other.map_or("something that has no title".to_owned(), |other| format!("the window {}", shown(&other.title)));
    format!("({}, {}) in the window {} is covered by {other}", point.x, point.y, shown(&window.title))
}

fn pixel(area: Rect, (x, y): (f64, f64)) -> Point {
    Point { x: area.x.saturating_add(along(x, area.width)), y: area.y.saturating_add(along(y, area.height)) }
}

fn along(fraction: f64, length: u32) -> i32 {
    // The cast saturates, and the fraction is at most 1.
    let offset = (fraction * f64::from(length)).floor() as i64;
    i32::try_from(offset.clamp(0, i64::from(length.max(1)) - 1)).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use crate::backends::visual_anchor::relative::pixel;
    use crate::desktop::{Point, Rect};

    #[test]
    fn a_fraction_is_the_pixel_it_falls_into() {
        let area = Rect { x: 10, y: 20, width: 200, height: 100 };
        let at = |x, y| pixel(area, (x, y));
        assert_eq!(at(0.0, 0.0), Point { x: 10, y: 20 });
        assert_eq!(at(0.5, 0.5), Point { x: 110, y: 70 });
        assert_eq!(at(1.0, 1.0), Point { x: 209, y: 119 });
        assert_eq!(at(0.999, 0.004), Point { x: 209, y: 20 });
        assert_eq!(pixel(Rect { width: 1, height: 1, ..area }, (1.0, 0.7)), Point { x: 10, y: 20 });
    }
}
