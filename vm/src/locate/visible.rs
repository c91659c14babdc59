//! The parts of the desktop that can be seen.
//!
//! Monitors need not fill the desktop's rectangle: beside a small monitor there are pixels that nobody sees and that may hold anything. An
//! image may lie across two monitors, though. So the parts to look at are the largest rectangles that monitors cover together.

use crate::desktop::{Desktop, DesktopError, Rect};

/// Most edges, in either direction, for which rectangles are made up; beyond, monitors are looked at one by one.
const MAX_EDGES: usize = 24;

/// The parts of `screen` that can be seen, none of them inside another. Mostly that is all of it.
///
/// # Errors
/// The display does not answer.
pub fn visible(desktop: &mut dyn Desktop, screen: Rect) -> Result<Vec<Rect>, DesktopError> {
    let monitors = desktop.monitors()?;
    let areas: Vec<Rect> = monitors.iter().filter_map(|monitor| monitor.area.intersection(screen)).collect();
    Ok(largest(&areas, screen))
}

/// The largest rectangles in what `areas` cover; `screen` when they cover nothing.
fn largest(areas: &[Rect], screen: Rect) -> Vec<Rect> {
    if areas.is_empty() || areas.contains(&screen) {
        return vec![screen];
    }
    let columns = edges(areas.iter().map(|area| (area.x, area.width)));
    let rows = edges(areas.iter().map(|area| (area.y, area.height)));
    let made_up =
        if columns.len().max(rows.len()) > MAX_EDGES { areas.to_vec() } else { covered(areas, &columns, &rows) };
    let inside_another = |part: &Rect| made_up.iter().any(|other| other != part && other.covers(*part));
    let mut found: Vec<Rect> = made_up.iter().filter(|part| !inside_another(part)).copied().collect();
    found.sort_by_key(|part| (part.y, part.x));
    found.dedup();
    found
}

/// Every rectangle between the edges of `areas` that they cover together.
fn covered(areas: &[Rect], columns: &[i32], rows: &[i32]) -> Vec<Rect> {
    let cell = |column: usize, row: usize| {
        let (Some(x), Some(y)) = (columns.get(column), rows.get(row)) else { return false };
        areas.iter().any(|area| area.contains(crate::desktop::Point { x: *x, y: *y }))
    };
    let mut found = Vec::new();
    for left in 0..columns.len() {
        for right in left + 1..columns.len() {
            for top in 0..rows.len() {
                // Downwards as far as all cells of a row are covered.
                let deep =
                    (top..rows.len() - 1).take_while(|row| (left..right).all(|column| cell(column, *row))).count();
                if deep > 0 {
                    found.extend(
                        between(columns, left, right)
                            .zip(between(rows, top, top + deep))
                            .map(|((x, width), (y, height))| Rect { x, y, width, height }),
                    );
                }
            }
        }
    }
    found
}

/// Start and length from one edge to another.
fn between(edges: &[i32], from: usize, to: usize) -> Option<(i32, u32)> {
    let (from, to) = (edges.get(from)?, edges.get(to)?);
    Some((*from, u32::try_from(to.checked_sub(*from)?).ok()?))
}

/// All starts and ends, each once.
fn edges(spans: impl Iterator<Item = (i32, u32)>) -> Vec<i32> {
    let end = |start: i32, length: u32| start.saturating_add_unsigned(length);
    let mut edges: Vec<i32> = spans.flat_map(|(start, length)| [start, end(start, length)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

#[cfg(test)]
mod tests {
    use crate::desktop::Rect;
    use crate::locate::visible::largest;

    fn rect(x: i32, y: i32, width: u32, height: u32) -> Rect {
        Rect { x, y, width, height }
    }

    #[test]
    fn monitors_that_fill_the_screen_are_one_part() {
        let screen = rect(0, 0, 300, 100);
        assert_eq!(largest(&[], screen), [screen]);
        assert_eq!(largest(&[screen], screen), [screen]);
        assert_eq!(largest(&[rect(0, 0, 100, 100), rect(100, 0, 200, 100)], screen), [screen]);
        assert_eq!(largest(&[screen, rect(0, 0, 10, 10)], screen), [screen]);
    }

    #[test]
    fn what_nobody_sees_is_left_out() {
        let screen = rect(0, 0, 300, 100);
        let (left, right) = (rect(0, 0, 200, 100), rect(200, 0, 100, 60));
        assert_eq!(largest(&[left, right], screen), [left, rect(0, 0, 300, 60)]);
        let apart = [rect(0, 0, 100, 100), rect(200, 50, 100, 50)];
        assert_eq!(largest(&apart, screen), apart);
        // The middle one lies higher: a cross of three parts.
        let cross = [rect(0, 20, 100, 60), rect(100, 0, 100, 100), rect(200, 20, 100, 60)];
        assert_eq!(largest(&cross, screen), [rect(100, 0, 100, 100), rect(0, 20, 300, 60)]);
    }

    #[test]
    fn many_monitors_are_looked_at_one_by_one() {
        let many: Vec<Rect> = (0..40).map(|at| rect(at * 10, at * 10, 10, 10)).collect();
        assert_eq!(largest(&many, rect(0, 0, 400, 400)), many);
    }
}
