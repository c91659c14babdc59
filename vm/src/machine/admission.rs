//! What a program is known to touch before it begins: the entries of its manifest, with the values of its parameters filled in.

use spec::artifact::{Capability, Macro};
use spec::device::EVERY_WINDOW;
use spec::value::Value;
use spec::variable::{API_KEY, BASE_URL, CACHE, MODEL};

use crate::failure::Failure;
use crate::machine::Machine;
use crate::machine::text::plain;
use crate::need::Need;
use crate::world::permit;

impl Machine<'_> {
    /// Asks for everything the manifest names, as far as the parameters tell; what they do not is asked for when a step touches it.
    ///
    /// # Errors
    /// [`crate::failure::FailureKind::Refused`], with all that is refused.
    pub(super) fn admit(&self, unit: &Macro, values: &[Option<Value>]) -> Result<(), Failure> {
        if !self.world.restricted() {
            return Ok(());
        }
        let mut needs: Vec<Need> = Vec::new();
        for (capability, template) in self.artifact.manifest.entries() {
            if self.artifact.manifest.model && is_usual(capability, template) {
                continue;
            }
            // A recording is part of the artifact.
            let packed =
                capability == Capability::Read && self.artifact.streams.iter().any(|stream| stream.path == template);
            let Some(name) = self.fill(template, unit, values).filter(|_| !packed) else { continue };
            // A program that is named from a folder is looked for in the step's.
            let elsewhere = capability == Capability::Run && name.contains('/') && !name.starts_with(['/', '~']);
            let every = capability == Capability::Window && name == EVERY_WINDOW;
            let need = if every { Need::every_window() } else { Need::named(capability, name) };
            if !elsewhere && !needs.contains(&need) {
                needs.push(need);
            }
        }
        permit(self.world, &needs)
    }

    /// A template of the manifest as text; none when something in it is not known yet.
    fn fill(&self, template: &str, unit: &Macro, values: &[Option<Value>]) -> Option<String> {
        let mut filled = String::with_capacity(template.len());
        let mut rest = template;
        while let Some(at) = rest.find("${") {
            let before = rest.get(..at)?;
            let behind = rest.get(at + 2..)?;
            if let Some(literal) = before.strip_suffix('$') {
                filled.push_str(literal);
                filled.push_str("${");
                rest = behind;
                continue;
            }
            filled.push_str(before);
            let (name, after) = behind.split_once('}')?;
            filled.push_str(&self.known(name, unit, values)?);
            rest = after;
        }
        filled.push_str(rest);
        Some(filled)
    }

    /// The text of a parameter or variable. One that is absent or empty may have a fallback, which only the step knows.
    fn known(&self, name: &str, unit: &Macro, values: &[Option<Value>]) -> Option<String> {
        let text = match name.strip_prefix("env.") {
            Some(variable) => {
                permit(self.world, &[Need::named(Capability::Env, variable)]).ok()?;
                self.world.environment(variable)?
            }
            None => {
                let place = unit.parameters.iter().position(|record| record.name == name)?;
                plain(values.get(place)?.as_ref()?).ok()?
            }
        };
        (!text.is_empty()).then_some(text)
    }
}

/// Whether this is the usual model, from the environment: to use it belongs to asking a model. A step that reads such a variable by itself is
/// judged when it does.
fn is_usual(capability: Capability, template: &str) -> bool {
    let variables = [MODEL, API_KEY, BASE_URL, CACHE];
    match capability {
        Capability::Env => variables.contains(&template),
        Capability::Host => template.strip_prefix("${env.").and_then(|rest| rest.strip_suffix('}')) == Some(BASE_URL),
        Capability::Run
        | Capability::Read
        | Capability::Write
        | Capability::Window
        | Capability::Type
        | Capability::Click
        | Capability::Capture
        | Capability::Model => false,
    }
}
