//! Pretended `gui_macro`: a recording is looked at as far as that is possible without a screen; then every step counts as executed, and no
//! event was late.

use spec::action::{Action, arguments, outputs};
use spec::value::{Dict, Value};

use crate::failure::Failure;
use crate::recording::Recording;
use crate::simulated::Simulated;
use crate::simulated::trace::Traced;
use crate::world::{Call, GuiMacro};

impl GuiMacro for Simulated<'_> {
    fn replay(&mut self, arguments: &arguments::Replay, call: &Call<'_>) -> Result<outputs::Replay, Failure> {
        self.pretend(Action::Replay, &arguments.traced(), call)?;
        let recording = Recording::find(arguments, call)?;
        Ok(outputs::Replay {
            steps_executed: recording.stream.steps.into(),
            macro_file: arguments.macro_file.clone(),
            timing: timing(),
        })
    }
}

fn timing() -> Dict {
    ["events", "p50_us", "p99_us", "max_us", "late"]
        .map(|name| (name.to_owned(), Value::Integer(0)))
        .into_iter()
        .collect()
}
