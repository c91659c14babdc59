//! The action: a recording on the screen there is, and what is told of it.

use spec::action::{arguments, outputs};
use spec::value::Value;

use crate::backends::gui_macro::fit::Fit;
use crate::backends::gui_macro::player::Player;
use crate::desktop::Desktop;
use crate::failure::Failure;
use crate::locate::Locator;
use crate::recording::Recording;
use crate::stop::Stop;
use crate::world::Call;

/// Replays a recording. Whatever happens, nothing is held down afterwards.
///
/// # Errors
/// Before the first event: the recording does not fit the screen, or another run has the display. Then: what stopped it, with the steps
/// that were done and their timing as partial outputs.
pub fn replay(
    desktop: &mut dyn Desktop,
    locator: &Locator,
    arguments: &arguments::Replay,
    stop: &Stop<'_>,
    call: &Call<'_>,
) -> Result<outputs::Replay, Failure> {
    let recording = Recording::find(arguments, call)?;
    let fit = Fit::of(&recording, arguments, desktop, call.warnings)?;
    let mut player = Player::new(desktop, locator, recording, fit, arguments.speed, stop, call);
    let played = player.play();
    let (steps, timing) = (player.steps_executed(), player.timing());
    desktop.release_all();
    match played {
        Ok(()) => Ok(outputs::Replay { steps_executed: steps, macro_file: arguments.macro_file.clone(), timing }),
        Err(failure) => {
            Err(failure.partial("steps_executed", Value::Integer(steps)).partial("timing", Value::Dict(timing)))
        }
    }
}
