//! The real world: the clock, files, programs and windows of this machine.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use spec::action::Backend;
use spec::condition::Test;

use crate::backends::conditions;
use crate::backends::file_transform::FileActions;
use crate::backends::gui_agent::RealGuiAgent;
use crate::backends::gui_macro::RealGuiMacro;
use crate::backends::native_api::RealNativeApi;
use crate::backends::semantic_ui::RealSemanticUi;
use crate::backends::visual_anchor::RealVisualAnchor;
use crate::desktop::{DesktopError, SharedDesktop};
use crate::environment::variable;
use crate::failure::Failure;
use crate::files::RealFiles;
use crate::locate::Locator;
use crate::model::Needs;
use crate::process::{Deadline, Interrupt};
use crate::stop::Stop;
use crate::world::{
    Availability, Call, FileTransform, GuiAgent, GuiMacro, NativeApi, Observation, SemanticUi, VisualAnchor, World,
};

/// How long a display may take to answer when it is looked for.
const PATIENCE: Duration = Duration::from_secs(5);

/// How a real world is used.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where a picture of the screen goes when an image is not on it.
    pub save_failures: Option<PathBuf>,
    /// What of a model the environment must have.
    pub model: Needs,
}

/// The real world. A backend that needs more than this process is looked for when it is first asked for.
///
/// Programs it started live on when it is gone; those that end before this process are collected.
#[derive(Debug)]
pub struct RealWorld {
    began: Instant,
    native_api: RealNativeApi,
    file_transform: FileActions<RealFiles>,
    desktop: SharedDesktop,
    gui_macro: RealGuiMacro,
    visual_anchor: RealVisualAnchor,
    gui_agent: RealGuiAgent,
    semantic_ui: RealSemanticUi,
}

impl RealWorld {
    /// The world from now on. Nothing is looked for yet.
    pub fn new() -> Self {
        Self::with(Options::default())
    }

    /// The same, used in this way.
    pub fn with(options: Options) -> Self {
        let desktop = SharedDesktop::default();
        let locator = Locator::new(options.save_failures);
        Self {
            began: Instant::now(),
            native_api: RealNativeApi::default(),
            file_transform: FileActions::new(RealFiles),
            gui_macro: RealGuiMacro::new(desktop.clone(), locator.clone()),
            visual_anchor: RealVisualAnchor::new(desktop.clone(), locator),
            gui_agent: RealGuiAgent::new(desktop.clone(), options.model),
            semantic_ui: RealSemanticUi::new(desktop.clone()),
            desktop,
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
        &mut self.gui_macro
    }

    fn visual_anchor(&mut self) -> &mut dyn VisualAnchor {
        &mut self.visual_anchor
    }

    fn file_transform(&mut self) -> &mut dyn FileTransform {
        &mut self.file_transform
    }

    fn gui_agent(&mut self) -> &mut dyn GuiAgent {
        &mut self.gui_agent
    }

    fn semantic_ui(&mut self) -> &mut dyn SemanticUi {
        &mut self.semantic_ui
    }

    fn availability(&mut self, backend: Backend, interrupt: &Interrupt) -> Availability {
        match backend {
            Backend::NativeApi | Backend::FileTransform => Availability::Available,
            Backend::GuiMacro | Backend::VisualAnchor | Backend::SemanticUi => display(&self.desktop, interrupt),
            Backend::GuiAgent => match display(&self.desktop, interrupt) {
                Availability::Available => self.gui_agent.availability(),
                absent @ Availability::Unavailable { .. } => absent,
            },
        }
    }

    fn observe(&mut self, test: &Test, call: &Call<'_>) -> Result<Observation, Failure> {
        conditions::observe(self.file_transform.files(), &self.desktop, test, call)
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

/// Whether the display can be used; one that does not answer soon cannot.
fn display(desktop: &SharedDesktop, interrupt: &Interrupt) -> Availability {
    match desktop.probe(&Stop::within(PATIENCE, interrupt)) {
        Ok(()) => Availability::Available,
        Err(DesktopError::Absent { reason, hint }) => Availability::Unavailable { reason, install_hint: Some(hint) },
        Err(error) => Availability::Unavailable { reason: error.to_string(), install_hint: None },
    }
}

#[cfg(test)]
mod tests;
