//! A vision model that looks, decides and looks again.
//!
//! The model sees the screen and names one action of a short list; anything else that it writes fails the step before anything is done. Places
//! are scaled from the image it was sent to the screen, and checked.

mod act;
mod cache;
mod course;
mod decision;
mod look;
mod prompt;
mod reply;
mod scale;
mod task;
mod tries;

use spec::action::{arguments, outputs};

use crate::backends::gui_agent::course::run;
use crate::backends::gui_agent::task::Task;
use crate::backends::gui_agent::tries::Outcome;
use crate::desktop::SharedDesktop;
use crate::environment::variable;
use crate::failure::Failure;
use crate::model::Needs;
use crate::world::{Availability, Call, GuiAgent};

/// The backend on a real display.
#[derive(Clone, Debug)]
pub struct RealGuiAgent {
    desktop: SharedDesktop,
    needs: Needs,
}

impl RealGuiAgent {
    /// The backend on this display, for a program that leaves this to the environment.
    pub fn new(desktop: SharedDesktop, needs: Needs) -> Self {
        Self { desktop, needs }
    }

    /// Whether a model can be asked, as far as the environment tells. Whether there is a display, the caller knows.
    pub fn availability(&self) -> Availability {
        match self.needs.check(&variable) {
            Ok(()) => Availability::Available,
            Err(error) => Availability::Unavailable { reason: error.to_string(), install_hint: Some(error.hint()) },
        }
    }
}

impl GuiAgent for RealGuiAgent {
    fn instruct(&mut self, arguments: &arguments::Instruct, call: &Call<'_>) -> Result<outputs::Instruct, Failure> {
        let Outcome { action, done, tries } = run(&self.desktop, &Task::of(arguments), call)?;
        Ok(outputs::Instruct { action, done, tries })
    }

    fn instruct_with_refine(
        &mut self,
        arguments: &arguments::InstructWithRefine,
        call: &Call<'_>,
    ) -> Result<outputs::InstructWithRefine, Failure> {
        let Outcome { action, done, tries } = run(&self.desktop, &Task::refined(arguments), call)?;
        Ok(outputs::InstructWithRefine { action, done, tries })
    }
}
