//! Clicking an image, and waiting for it to come or go.

use std::time::{Duration, Instant};

use spec::action::{arguments, outputs};

use crate::backends::visual_anchor::place::{millis, pair};
use crate::desktop::gesture;
use crate::failure::Failure;
use crate::locate::{Scene, Wanted};

/// Clicks the middle of an image as soon as it is there. Just before the click it must be at that place still: whatever comes between, the
/// click does not land on something else.
pub fn click_image(scene: &mut Scene<'_>, arguments: &arguments::ClickImage) -> Result<outputs::ClickImage, Failure> {
    let wanted = Wanted { image: &arguments.template, confidence: arguments.confidence };
    let (began, timeout) = (Instant::now(), millis(arguments.timeout_ms));
    loop {
        let left = timeout.saturating_sub(began.elapsed());
        let found = scene.find(&wanted, left)?;
        let middle = found.area.middle();
        // Another run may have the pointer for a while, and an earlier click may have to be waited for.
        scene.desktop.take_input(scene.stop)?;
        scene.desktop.keep_clicks_apart(middle, arguments.button, scene.stop)?;
        if scene.still(&wanted, &found)? {
            gesture::click(scene.desktop, middle, arguments.button, arguments.double, scene.stop)?;
            return Ok(outputs::ClickImage {
                clicked_at: pair(middle),
                match_score: found.score,
                template: arguments.template.clone(),
                matches: i64::try_from(found.matches).unwrap_or(i64::MAX),
            });
        }
        scene.stop.check()?;
        if left.is_zero() {
            let message = format!("`{}` was on the screen and went away before it was clicked", wanted.image);
            return Err(Failure::step(message).hint("wait until the screen is still, or give a longer `timeout_ms`"));
        }
    }
}

/// Waits until an image is on the screen.
pub fn wait_image(scene: &mut Scene<'_>, arguments: &arguments::WaitImage) -> Result<outputs::WaitImage, Failure> {
    let wanted = Wanted { image: &arguments.template, confidence: arguments.confidence };
    let found = scene.find(&wanted, millis(arguments.timeout_ms))?;
    Ok(outputs::WaitImage { found_at: pair(found.area.middle()), match_score: found.score })
}

/// Waits until an image is no longer on the screen.
pub fn wait_gone(scene: &mut Scene<'_>, arguments: &arguments::WaitGone) -> Result<outputs::WaitGone, Failure> {
    let wanted = Wanted { image: &arguments.template, confidence: arguments.confidence };
    let waited: Duration = scene.gone(&wanted, millis(arguments.timeout_ms))?;
    Ok(outputs::WaitGone { gone: true, waited_ms: i64::try_from(waited.as_millis()).unwrap_or(i64::MAX) })
}
