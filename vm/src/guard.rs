//! A world that asks a policy before anything is touched.

use spec::action::Backend;
use spec::condition::Test;

use crate::failure::Failure;
use crate::need::{Need, Refusal};
use crate::policy::Policy;
use crate::process::Interrupt;
use crate::world::{
    Availability, Call, FileTransform, GuiAgent, GuiMacro, NativeApi, Observation, SemanticUi, VisualAnchor, World,
};

/// Another world, under a policy.
pub struct Guarded {
    inner: Box<dyn World>,
    policy: Policy,
}

impl Guarded {
    /// The world `inner`, of which only what `policy` allows may be touched.
    pub fn new(inner: Box<dyn World>, policy: Policy) -> Self {
        Self { inner, policy }
    }
}

impl World for Guarded {
    fn native_api(&mut self) -> &mut dyn NativeApi {
        self.inner.native_api()
    }

    fn gui_macro(&mut self) -> &mut dyn GuiMacro {
        self.inner.gui_macro()
    }

    fn visual_anchor(&mut self) -> &mut dyn VisualAnchor {
        self.inner.visual_anchor()
    }

    fn file_transform(&mut self) -> &mut dyn FileTransform {
        self.inner.file_transform()
    }

    fn gui_agent(&mut self) -> &mut dyn GuiAgent {
        self.inner.gui_agent()
    }

    fn semantic_ui(&mut self) -> &mut dyn SemanticUi {
        self.inner.semantic_ui()
    }

    fn availability(&mut self, backend: Backend, interrupt: &Interrupt) -> Availability {
        self.inner.availability(backend, interrupt)
    }

    fn observe(&mut self, test: &Test, call: &Call<'_>) -> Result<Observation, Failure> {
        self.inner.observe(test, call)
    }

    fn now_us(&self) -> u64 {
        self.inner.now_us()
    }

    fn sleep_until(&mut self, until_us: u64, interrupt: &Interrupt) {
        self.inner.sleep_until(until_us, interrupt);
    }

    fn environment(&self, name: &str) -> Option<String> {
        self.inner.environment(name)
    }

    fn simulated(&self) -> bool {
        self.inner.simulated()
    }

    fn restricted(&self) -> bool {
        true
    }

    fn permit(&self, need: &Need) -> Result<(), Refusal> {
        self.policy.judge(need)
    }
}
