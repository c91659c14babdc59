//! The real world: the clock, files, programs and windows of this machine.

use std::env;
use std::time::{Duration, Instant};

use spec::action::Backend;
use spec::condition::Test;

use crate::backends::absent::Absent;
use crate::backends::file_transform::FileActions;
use crate::backends::native_api::RealNativeApi;
use crate::backends::{conditions, gui_agent, gui_macro, semantic_ui, visual_anchor};
use crate::failure::Failure;
use crate::files::RealFiles;
use crate::process::{Deadline, Interrupt};
use crate::world::{
    Availability, Call, FileTransform, GuiAgent, GuiMacro, NativeApi, Observation, SemanticUi, VisualAnchor, World,
};

/// The real world. A backend that needs more than this process is looked for when it is first asked for.
///
/// Programs it started live on when it is gone; those that end before this process are collected.
#[derive(Debug)]
pub struct RealWorld {
    began: Instant,
    native_api: RealNativeApi,
    file_transform: FileActions<RealFiles>,
    gui_macro: Option<Absent>,
    visual_anchor: Option<Absent>,
    gui_agent: Option<Absent>,
    semantic_ui: Option<Absent>,
}

impl RealWorld {
    /// The world from now on. Nothing is looked for yet.
    pub fn new() -> Self {
        Self {
            began: Instant::now(),
            native_api: RealNativeApi::default(),
            file_transform: FileActions::new(RealFiles),
            gui_macro: None,
            visual_anchor: None,
            gui_agent: None,
            semantic_ui: None,
        }
    }
}

impl Default for RealWorld {
    fn default() -> Self {
        Self::new()
    }
}

impl World for RealWorld {
    fn native_api(&mut self) -> &mut dyn NativeApi {
        &mut self.native_api
    }

    fn gui_macro(&mut self) -> &mut dyn GuiMacro {
        self.gui_macro.get_or_insert_with(gui_macro::probe)
    }

    fn visual_anchor(&mut self) -> &mut dyn VisualAnchor {
        self.visual_anchor.get_or_insert_with(visual_anchor::probe)
    }

    fn file_transform(&mut self) -> &mut dyn FileTransform {
        &mut self.file_transform
    }

    fn gui_agent(&mut self) -> &mut dyn GuiAgent {
        self.gui_agent.get_or_insert_with(gui_agent::probe)
    }

    fn semantic_ui(&mut self) -> &mut dyn SemanticUi {
        self.semantic_ui.get_or_insert_with(semantic_ui::probe)
    }

    fn availability(&mut self, backend: Backend) -> Availability {
        match backend {
            Backend::NativeApi | Backend::FileTransform => Availability::Available,
            Backend::GuiMacro => self.gui_macro.get_or_insert_with(gui_macro::probe).availability(),
            Backend::VisualAnchor => self.visual_anchor.get_or_insert_with(visual_anchor::probe).availability(),
            Backend::GuiAgent => self.gui_agent.get_or_insert_with(gui_agent::probe).availability(),
            Backend::SemanticUi => self.semantic_ui.get_or_insert_with(semantic_ui::probe).availability(),
        }
    }

    fn observe(&mut self, test: &Test, call: &Call<'_>) -> Result<Observation, Failure> {
        conditions::observe(self.file_transform.files(), test, call)
    }

    fn now_us(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn sleep_until(&mut self, until_us: u64, interrupt: &Interrupt) {
        // Beyond the clock's range nothing but the interrupt ends the wait.
        let until = self.began.checked_add(Duration::from_micros(until_us));
        interrupt.wait_until(until.map_or_else(Deadline::never, Deadline::at));
    }

    fn environment(&self, name: &str) -> Option<String> {
        variable(name)
    }

    fn simulated(&self) -> bool {
        false
    }
}

/// An environment variable of this process; bytes that are no text become U+FFFD.
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests;
