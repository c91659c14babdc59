//! Doing what was decided.

use std::time::Duration;

use spec::grammar::keys::{self, Chord};

use crate::backends::gui_agent::decision::Decision;
use crate::desktop::{SharedDesktop, gesture};
use crate::failure::Failure;
use crate::stop::Stop;

/// Between two characters.
const INTERVAL: Duration = Duration::from_millis(10);

/// The chord that takes back what was done last, in most applications.
const UNDO: &str = "ctrl+z";

/// Does it.
///
/// # Errors
/// The display cannot, or `stop` came first.
pub fn act(desktop: &SharedDesktop, decision: &Decision, stop: &Stop<'_>) -> Result<(), Failure> {
    let mut desktop = desktop.get(stop)?;
    let desktop = &mut *desktop;
    match decision {
        Decision::Click { at, button, double } => gesture::click(desktop, *at, *button, *double, stop)?,
        Decision::Drag { from, to, duration } => {
            gesture::drag(desktop, *from, *to, spec::kind::MouseButton::Left, *duration, stop)?;
        }
        Decision::Type(text) => {
            desktop.type_text(text, INTERVAL, stop)?;
        }
        Decision::Hotkey(chord) => desktop.chord(*chord, stop)?,
        Decision::Scroll { at, dy } => {
            desktop.move_to(*at, stop)?;
            desktop.scroll(0, *dy, stop)?;
            desktop.sync()?;
        }
        Decision::Wait(time) => {
            stop.interrupt().wait_until(stop.at_most(*time).deadline());
            stop.check()?;
        }
        Decision::Done => {}
    }
    Ok(())
}

/// Takes back what was done last.
///
/// # Errors
/// As for [`act`].
pub fn undo(desktop: &SharedDesktop, stop: &Stop<'_>) -> Result<(), Failure> {
    let chord: Chord = keys::parse(UNDO).map_err(|error| Failure::step(error.to_string()))?;
    act(desktop, &Decision::Hotkey(chord), stop)
}
