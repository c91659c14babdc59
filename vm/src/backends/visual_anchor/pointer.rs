//! Wheel, drag and motion, at images or at given places.

use std::time::Instant;

use spec::action::{arguments, outputs};

use crate::backends::visual_anchor::place::{Aim, millis, pair, pixel, place_of};
use crate::desktop::{Point, gesture};
use crate::failure::Failure;
use crate::locate::Scene;

/// Turns the wheel at an image, or where the pointer is.
pub fn scroll(scene: &mut Scene<'_>, arguments: &arguments::Scroll) -> Result<outputs::Scroll, Failure> {
    let (dx, dy) = (notches(arguments.dx), notches(arguments.dy));
    let (template, confidence) = (arguments.template.as_str(), arguments.confidence);
    let aim = Aim { template, confidence, timeout_ms: arguments.timeout_ms };
    let at = match place_of(scene, &aim)? {
        Some(at) => {
            scene.desktop.move_to(at, scene.stop)?;
            at
        }
        None => scene.desktop.pointer()?,
    };
    scene.desktop.scroll(dx, dy, scene.stop)?;
    scene.desktop.sync()?;
    Ok(outputs::Scroll { scrolled_at: pair(at), dx: arguments.dx, dy: arguments.dy })
}

/// Drags from one place to another. Both are known before the button goes down; the timeout is for both together.
pub fn drag(scene: &mut Scene<'_>, arguments: &arguments::Drag) -> Result<outputs::Drag, Failure> {
    let began = Instant::now();
    let mut end = |template: &str, x: i64, y: i64| -> Result<Point, Failure> {
        let spent = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
        let timeout_ms = arguments.timeout_ms.saturating_sub(spent).max(0);
        let aim = Aim { template, confidence: arguments.confidence, timeout_ms };
        place_of(scene, &aim)?.map_or_else(|| pixel(x, y), Ok)
    };
    let from = end(&arguments.from_template, arguments.from_x, arguments.from_y)?;
    let to = end(&arguments.to_template, arguments.to_x, arguments.to_y)?;
    gesture::drag(scene.desktop, from, to, arguments.button, millis(arguments.duration_ms), scene.stop)?;
    Ok(outputs::Drag { dragged_from: pair(from), dragged_to: pair(to) })
}

/// Moves the pointer.
pub fn move_to(scene: &mut Scene<'_>, arguments: &arguments::MoveTo) -> Result<outputs::MoveTo, Failure> {
    let (template, confidence) = (arguments.template.as_str(), arguments.confidence);
    let aim = Aim { template, confidence, timeout_ms: arguments.timeout_ms };
    let to = place_of(scene, &aim)?.map_or_else(|| pixel(arguments.x, arguments.y), Ok)?;
    scene.desktop.move_to(to, scene.stop)?;
    scene.desktop.sync()?;
    Ok(outputs::MoveTo { moved_to: pair(to) })
}

fn notches(count: i64) -> i32 {
    // The kind of the parameter allows far less.
    i32::try_from(count).unwrap_or(0)
}
