//! The world of a dry run: files, processes and environment are read, and nothing is changed.
//!
//! Changes of files stay in memory, and later steps see them. Programs are looked for and not run. Conditions are looked at as
//! in a real run, files with those changes, windows on the real display. Everything else, the clock too, is the inner world's, which pretends.

use spec::action::Backend;
use spec::condition::Test;

use crate::backends::conditions;
use crate::backends::file_transform::FileActions;
use crate::backends::native_api::PretendedNativeApi;
use crate::desktop::SharedDesktop;
use crate::environment::variable;
use crate::failure::Failure;
use crate::files::{Change, OverlayFiles};
use crate::process::Interrupt;
use crate::world::{
    Availability, Call, FileTransform, GuiAgent, GuiMacro, NativeApi, Observation, SemanticUi, VisualAnchor, World,
};

/// A world in which files and programs are looked at and left alone.
#[derive(Debug)]
pub struct DryRun<W> {
    inner: W,
    overlay: OverlayFiles,
    desktop: SharedDesktop,
    native_api: PretendedNativeApi,
    file_transform: FileActions<OverlayFiles>,
}

impl<W: World> DryRun<W> {
    /// The world of a dry run over `inner`, whose clock and other backends pretend.
    pub fn new(inner: W) -> Self {
        let overlay = OverlayFiles::default();
        Self {
            inner,
            native_api: PretendedNativeApi::new(overlay.clone()),
            file_transform: FileActions::new(overlay.clone()),
            overlay,
            desktop: SharedDesktop::default(),
        }
    }

    /// The inner world.
    pub fn inner(&self) -> &W {
        &self.inner
    }

    /// The changes of files that were kept from the disk, in order.
    pub fn changes(&self) -> Vec<Change> {
        self.overlay.changes()
    }
}

impl<W: World> World for DryRun<W> {
    fn native_api(&mut self) -> &mut dyn NativeApi {
        &mut self.native_api
    }

    fn gui_macro(&mut self) -> &mut dyn GuiMacro {
        self.inner.gui_macro()
    }

    fn visual_anchor(&mut self) -> &mut dyn VisualAnchor {
        self.inner.visual_anchor()
    }

    fn file_transform(&mut self) -> &mut dyn FileTransform {
        &mut self.file_transform
    }

    fn gui_agent(&mut self) -> &mut dyn GuiAgent {
        self.inner.gui_agent()
    }

    fn semantic_ui(&mut self) -> &mut dyn SemanticUi {
        self.inner.semantic_ui()
    }

    fn availability(&mut self, backend: Backend, interrupt: &Interrupt) -> Availability {
        match backend {
            Backend::NativeApi | Backend::FileTransform => Availability::Available,
            Backend::GuiMacro | Backend::VisualAnchor | Backend::GuiAgent | Backend::SemanticUi => {
                self.inner.availability(backend, interrupt)
            }
        }
    }

    fn observe(&mut self, test: &Test, call: &Call<'_>) -> Result<Observation, Failure> {
        conditions::observe(&self.overlay, &self.desktop, test, call)
    }

    fn now_us(&self) -> u64 {
        self.inner.now_us()
    }

    fn sleep_until(&mut self, until_us: u64, interrupt: &Interrupt) {
        self.inner.sleep_until(until_us, interrupt);
    }

    fn environment(&self, name: &str) -> Option<String> {
        variable(name)
    }

    fn simulated(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
