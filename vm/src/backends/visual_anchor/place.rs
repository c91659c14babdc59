//! Places that images name.

use std::time::Duration;

use spec::value::Value;

use crate::desktop::Point;
use crate::failure::Failure;
use crate::locate::{Scene, Wanted};

/// How an action looks for an image.
#[derive(Clone, Copy, Debug)]
pub struct Aim<'a> {
    /// The image, as the artifact calls it; empty is none.
    pub template: &'a str,
    /// The least score that counts as found.
    pub confidence: f64,
    /// How long to look, in milliseconds.
    pub timeout_ms: i64,
}

/// The middle of an image, as soon as it is on the screen; `None` when no image is named.
///
/// # Errors
/// It is not there in time.
pub fn place_of(scene: &mut Scene<'_>, aim: &Aim<'_>) -> Result<Option<Point>, Failure> {
    if aim.template.is_empty() {
        return Ok(None);
    }
    let wanted = Wanted { image: aim.template, confidence: aim.confidence };
    let found = scene.find(&wanted, millis(aim.timeout_ms))?;
    Ok(Some(found.area.middle()))
}

/// A place given in pixels of the desktop.
///
/// # Errors
/// It lies beyond all screens.
pub fn pixel(x: i64, y: i64) -> Result<Point, Failure> {
    let place = i32::try_from(x).ok().zip(i32::try_from(y).ok());
    let (x, y) = place.ok_or_else(|| Failure::step(format!("({x}, {y}) lies beyond all screens")))?;
    Ok(Point { x, y })
}

/// A place as an output: `[x, y]`.
pub fn pair(at: Point) -> Vec<Value> {
    vec![Value::Integer(at.x.into()), Value::Integer(at.y.into())]
}

/// A parameter in milliseconds as a time.
pub fn millis(count: i64) -> Duration {
    Duration::from_millis(u64::try_from(count).unwrap_or(0))
}
