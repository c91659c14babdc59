//! The action: a recording on the screen there is, and what is told of it.

use spec::action::{arguments, outputs};
use spec::value::Value;

use crate::backends::gui_macro::fit::Fit;
use crate::backends::gui_macro::player::Player;
use crate::failure::Failure;
use crate::locate::Scene;
use crate::recording::Recording;

/// Replays a recording. Whatever happens, nothing is held down afterwards.
///
/// # Errors
/// Before the first event: the recording does not fit the screen, or another run has the display. Then: what stopped it, with the steps
/// that were done and their timing as partial outputs.
pub fn replay(scene: &mut Scene<'_>, arguments: &arguments::Replay) -> Result<outputs::Replay, Failure> {
    let recording = Recording::find(arguments, scene.call)?;
    let fit = Fit::of(&recording, arguments, scene.desktop, scene.call.warnings)?;
    let mut player = Player::new(scene, recording, fit, arguments.speed);
    let played = player.play();
    let (steps, timing) = (player.steps_executed(), player.timing());
    scene.desktop.release_all();
    match played {
        Ok(()) => Ok(outputs::Replay { steps_executed: steps, macro_file: arguments.macro_file.clone(), timing }),
        Err(failure) => {
            Err(failure.partial("steps_executed", Value::Integer(steps)).partial("timing", Value::Dict(timing)))
        }
    }
}
