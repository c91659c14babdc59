//! Clicking an image, and waiting for it to come or go.

use std::time::{Duration, Instant};

use spec::action::{arguments, outputs};

use crate::backends::visual_anchor::place::{millis, pair};
use crate::desktop::{Desktop, gesture};
use crate::failure::Failure;
use crate::locate::{Locator, Wanted};
use crate::stop::Stop;
use crate::world::Call;

/// Clicks the middle of an image as soon as it is there. Just before the click it must be at that place still: whatever comes between, the
/// click does not land on something else.
pub fn click_image(
    desktop: &mut dyn Desktop,
    locator: &Locator,
    arguments: &arguments::ClickImage,
    stop: &Stop<'_>,
    call: &Call<'_>,
) -> Result<outputs::ClickImage, Failure> {
    let wanted = Wanted { image: &arguments.template, confidence: arguments.confidence };
    let (began, timeout) = (Instant::now(), millis(arguments.timeout_ms));
    loop {
        let left = timeout.saturating_sub(began.elapsed());
        let found = locator.find(desktop, &wanted, left, stop, call)?;
        let middle = found.area.middle();
        // Another run may have the pointer for a while, and an earlier click may have to be waited for.
        desktop.take_input(stop)?;
        desktop.keep_clicks_apart(middle, arguments.button, stop)?;
        if locator.still(desktop, &wanted, &found, call)? {
            gesture::click(desktop, middle, arguments.button, arguments.double, stop)?;
            return Ok(outputs::ClickImage {
                clicked_at: pair(middle),
                match_score: found.score,
                template: arguments.template.clone(),
                matches: i64::try_from(found.matches).unwrap_or(i64::MAX),
            });
        }
        stop.check()?;
        if left.is_zero() {
            let message = format!("`{}` was on the screen and went away before it was clicked", wanted.image);
            return Err(Failure::step(message).hint("wait until the screen is still, or give a longer `timeout_ms`"));
        }
    }
}

/// Waits until an image is on the screen.
pub fn wait_image(
    desktop: &mut dyn Desktop,
    locator: &Locator,
    arguments: &arguments::WaitImage,
    stop: &Stop<'_>,
    call: &Call<'_>,
) -> Result<outputs::WaitImage, Failure> {
    let wanted = Wanted { image: &arguments.template, confidence: arguments.confidence };
    let found = locator.find(desktop, &wanted, millis(arguments.timeout_ms), stop, call)?;
    Ok(outputs::WaitImage { found_at: pair(found.area.middle()), match_score: found.score })
}

/// Waits until an image is no longer on the screen.
pub fn wait_gone(
    desktop: &mut dyn Desktop,
    locator: &Locator,
    arguments: &arguments::WaitGone,
    stop: &Stop<'_>,
    call: &Call<'_>,
) -> Result<outputs::WaitGone, Failure> {
    let wanted = Wanted { image: &arguments.template, confidence: arguments.confidence };
    let waited: Duration = locator.gone(desktop, &wanted, millis(arguments.timeout_ms), stop, call)?;
    Ok(outputs::WaitGone { gone: true, waited_ms: i64::try_from(waited.as_millis()).unwrap_or(i64::MAX) })
}
