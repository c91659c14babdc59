//! Keys and text, for whatever has the focus.

use std::time::Duration;

use spec::action::{arguments, outputs};

use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;

/// How keys reach the application.
const METHOD: &str = "keys";

/// Types a text.
pub fn type_text(
    desktop: &SharedDesktop,
    arguments: &arguments::UiTypeText,
    stop: &Stop<'_>,
) -> Result<outputs::UiTypeText, Failure> {
    let typed = desktop.get(stop)?.type_text(&arguments.text, Duration::ZERO, stop)?;
    Ok(outputs::UiTypeText { typed: i64::try_from(typed).unwrap_or(i64::MAX), method: METHOD.to_owned() })
}

/// Presses a chord.
pub fn shortcut(
    desktop: &SharedDesktop,
    arguments: &arguments::Shortcut,
    stop: &Stop<'_>,
) -> Result<outputs::Shortcut, Failure> {
    desktop.get(stop)?.chord(arguments.keys, stop)?;
    Ok(outputs::Shortcut { keys: arguments.keys.to_string(), method: METHOD.to_owned() })
}
