//! Recordings, replayed by the clock.
//!
//! [`fit`] maps a recording to the screen there is, [`player`] sends its events when [`clock`] says, [`timing`] counts how late they were,
//! and each kind of wait has a file.

mod clock;
#[cfg(test)]
mod fake;
mod fit;
mod player;
mod replay;
mod seen;
#[cfg(test)]
mod tests;
mod timing;
mod wait_file;
mod wait_image;
mod wait_window;
mod watch;

use spec::action::{arguments, outputs};

use crate::backends::gui_macro::replay::replay;
use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::locate::{Locator, Scene};
use crate::stop::Stop;
use crate::world::{Call, GuiMacro};

/// The backend on a real display.
#[derive(Clone, Debug)]
pub struct RealGuiMacro {
    desktop: SharedDesktop,
    locator: Locator,
}

impl RealGuiMacro {
    /// The backend on this display; `locator` finds the images a recording waits for.
    pub fn new(desktop: SharedDesktop, locator: Locator) -> Self {
        Self { desktop, locator }
    }
}

impl GuiMacro for RealGuiMacro {
    fn replay(&mut self, arguments: &arguments::Replay, call: &Call<'_>) -> Result<outputs::Replay, Failure> {
        let stop = Stop::new(call);
        let mut desktop = self.desktop.get(&stop)?;
        replay(&mut Scene { desktop: &mut *desktop, locator: &self.locator, stop: &stop, call }, arguments)
    }
}
