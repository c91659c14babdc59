//! Keys and text, for whatever has the focus.

use spec::action::{arguments, outputs};

use crate::backends::visual_anchor::place::millis;
use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;

/// Types a text.
pub fn type_text(
    desktop: &SharedDesktop,
    arguments: &arguments::VisualTypeText,
    stop: &Stop<'_>,
) -> Result<outputs::VisualTypeText, Failure> {
    let interval = millis(arguments.interval_ms);
    let typed = desktop.get(stop)?.type_text(&arguments.text, interval, stop)?;
    Ok(outputs::VisualTypeText { typed: i64::try_from(typed).unwrap_or(i64::MAX) })
}

/// Presses a chord.
pub fn hotkey(
    desktop: &SharedDesktop,
    arguments: &arguments::Hotkey,
    stop: &Stop<'_>,
) -> Result<outputs::Hotkey, Failure> {
    desktop.get(stop)?.chord(arguments.keys, stop)?;
    Ok(outputs::Hotkey { hotkey: arguments.keys.to_string() })
}
