//! Pretended `gui_agent`: no model is asked; the end state counts as reached.

use spec::action::{Action, arguments, outputs};
use spec::value::{Dict, Value};

use crate::failure::Failure;
use crate::simulated::Simulated;
use crate::simulated::trace::Traced;
use crate::world::{Call, GuiAgent};

impl GuiAgent for Simulated<'_> {
    fn instruct(&mut self, arguments: &arguments::Instruct, call: &Call<'_>) -> Result<outputs::Instruct, Failure> {
        self.pretend(Action::Instruct, &arguments.traced(), call)?;
        Ok(outputs::Instruct { action: done(), done: true, tries: Vec::new() })
    }

    fn instruct_with_refine(
        &mut self,
        arguments: &arguments::InstructWithRefine,
        call: &Call<'_>,
    ) -> Result<outputs::InstructWithRefine, Failure> {
        self.pretend(Action::InstructWithRefine, &arguments.traced(), call)?;
        Ok(outputs::InstructWithRefine { action: done(), done: true, tries: Vec::new() })
    }
}

fn done() -> Dict {
    Dict::from_iter([("action".to_owned(), Value::String("done".to_owned()))])
}
