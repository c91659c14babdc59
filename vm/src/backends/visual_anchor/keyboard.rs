//! Keys and text, for whatever has the focus.

use std::time::Duration;

use spec::action::{arguments, outputs};

use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;

/// Types a text.
pub fn type_text(
    desktop: &SharedDesktop,
    arguments: &arguments::VisualTypeText,
    stop: &Stop<'_>,
) -> Result<outputs::VisualTypeText, Failure> {
    let interval = Duration::from_millis(u64::try_from(arguments.interval_ms).unwrap_or(0));
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
