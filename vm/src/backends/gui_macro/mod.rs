//! Recordings, replayed by the clock.

mod replay;

use spec::action::{arguments, outputs};

use crate::backends::gui_macro::replay::replay;
use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;
use crate::world::{Call, GuiMacro};

/// The backend on a real display.
#[derive(Clone, Debug)]
pub struct RealGuiMacro {
    desktop: SharedDesktop,
}

impl RealGuiMacro {
    /// The backend on this display.
    pub fn new(desktop: SharedDesktop) -> Self {
        Self { desktop }
    }
}

impl GuiMacro for RealGuiMacro {
    fn replay(&mut self, arguments: &arguments::Replay, call: &Call<'_>) -> Result<outputs::Replay, Failure> {
        replay(&self.desktop, arguments, &Stop::new(call), call)
    }
}
