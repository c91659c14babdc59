//! The simulated world: actions only pretend and say so in a trace, time only passes when something waits, and conditions are really
//! looked at, through a callback.
//!
//! It is what a dry run uses. It needs no backend, opens no display and no connection, and changes nothing.

mod file_transform;
mod gui_agent;
mod gui_macro;
mod look;
mod native_api;
mod script;
mod semantic_ui;
mod trace;
mod visual_anchor;

use std::collections::HashMap;
use std::time::Duration;

use spec::action::{Action, Backend};
use spec::condition::Test;

use crate::failure::{Failure, FailureKind};
use crate::process::Interrupt;
use crate::world::{
    Availability, Call, FileTransform, GuiAgent, GuiMacro, NativeApi, Observation, SemanticUi, VisualAnchor, World,
};

pub use look::{Look, look};
pub use script::Script;

/// A world in which actions pretend.
pub struct Simulated<'a> {
    now_us: u64,
    trace: Vec<String>,
    script: Script,
    calls: HashMap<Action, usize>,
    look: Look<'a>,
    environment: Option<HashMap<String, String>>,
    unavailable: HashMap<Backend, String>,
    pretends: bool,
}

impl Default for Simulated<'_> {
    fn default() -> Self {
        Self::new(Box::new(look))
    }
}

impl<'a> Simulated<'a> {
    /// A world whose conditions are looked at by `look`.
    pub fn new(look: Look<'a>) -> Self {
        Self {
            now_us: 0,
            trace: Vec::new(),
            script: Script::default(),
            calls: HashMap::new(),
            look,
            environment: None,
            unavailable: HashMap::new(),
            pretends: true,
        }
    }

    /// Lets actions take time or fail as scripted.
    pub fn scripted(mut self, script: Script) -> Self {
        self.script = script;
        self
    }

    /// Only these environment variables instead of the process's.
    pub fn with_environment(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Self {
        self.environment = Some(variables.into_iter().collect());
        self
    }

    /// A backend that is not available, and why.
    pub fn without(mut self, backend: Backend, reason: &str) -> Self {
        self.unavailable.insert(backend, reason.to_owned());
        self
    }

    /// The world claims to be real, so that a program is judged as in a real run: with its postconditions and its need of backends.
    pub fn as_if_real(mut self) -> Self {
        self.pretends = false;
        self
    }

    /// One line for each call of a backend, with its values as given: `t=1.250s native_api.run_command command=["ls"]`.
    pub fn trace(&self) -> &[String] {
        &self.trace
    }

    /// Notes a call and lets it take the time, and have the end, that is scripted for it.
    fn pretend(&mut self, action: Action, arguments: &str, call: &Call<'_>) -> Result<(), Failure> {
        let time = format!("t={}.{:03}s", self.now_us / 1_000_000, self.now_us / 1000 % 1000);
        self.trace.push(format!("{time} {}.{}{arguments}", action.backend().name(), action.name()));
        let number = self.calls.entry(action).or_insert(0);
        *number += 1;
        let event = self.script.event(action, *number);
        let remaining_us = u64::try_from(call.remaining.as_micros()).unwrap_or(u64::MAX);
        self.now_us = self.now_us.saturating_add(event.takes_us.min(remaining_us));
        if let Some(signal) = event.signal {
            call.interrupt.raise(signal);
        }
        if let Some(signal) = call.interrupt.raised() {
            return Err(Failure::new(FailureKind::Interrupted(signal), format!("interrupted by signal {signal}")));
        }
        if event.takes_us > remaining_us {
            return Err(timed_out(call.remaining));
        }
        event.failure.map_or(Ok(()), Err)
    }
}

impl World for Simulated<'_> {
    fn native_api(&mut self) -> &mut dyn NativeApi {
        self
    }

    fn gui_macro(&mut self) -> &mut dyn GuiMacro {
        self
    }

    fn visual_anchor(&mut self) -> &mut dyn VisualAnchor {
        self
    }

    fn file_transform(&mut self) -> &mut dyn FileTransform {
        self
    }

    fn gui_agent(&mut self) -> &mut dyn GuiAgent {
        self
    }

    fn semantic_ui(&mut self) -> &mut dyn SemanticUi {
        self
    }

    fn availability(&mut self, backend: Backend, _: &Interrupt) -> Availability {
        match self.unavailable.get(&backend) {
            Some(reason) => Availability::Unavailable { reason: reason.clone(), install_hint: None },
            None => Availability::Available,
        }
    }

    fn observe(&mut self, test: &Test, _call: &Call<'_>) -> Result<Observation, Failure> {
        let variables = self.environment.as_ref();
        (self.look)(test, self.now_us, &|name| variable(variables, name))
    }

    fn now_us(&self) -> u64 {
        self.now_us
    }

    fn sleep_until(&mut self, until_us: u64, interrupt: &Interrupt) {
        if interrupt.raised().is_none() {
            self.now_us = self.now_us.max(until_us);
        }
    }

    fn environment(&self, name: &str) -> Option<String> {
        variable(self.environment.as_ref(), name)
    }

    fn simulated(&self) -> bool {
        self.pretends
    }
}

fn timed_out(after: Duration) -> Failure {
    Failure::new(FailureKind::Timeout, format!("timed out after {} ms", after.as_millis()))
}

/// A variable among those given, or of the process when none are.
fn variable(given: Option<&HashMap<String, String>>, name: &str) -> Option<String> {
    match given {
        Some(variables) => variables.get(name).cloned(),
        None => std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()),
    }
}
