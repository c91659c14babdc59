//! What shall happen in a simulated world: which call of an action takes how long, and how it ends.

use std::collections::HashMap;

use spec::action::Action;

use crate::failure::Failure;

/// Events by action and number of the call, counted from 1. A number of its own wins over "every call".
#[derive(Clone, Debug, Default)]
pub struct Script {
    events: HashMap<(Action, Option<usize>), Event>,
}

/// What happens to a call.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// How long it takes, in microseconds.
    pub takes_us: u64,
    /// How it fails.
    pub failure: Option<Failure>,
    /// A signal that arrives while it runs.
    pub signal: Option<i32>,
}

impl Script {
    /// Makes one call of an action fail.
    pub fn fail(self, action: Action, call: usize, failure: Failure) -> Self {
        self.at(action, Some(call), |event| event.failure = Some(failure))
    }

    /// Makes every call of an action fail.
    pub fn fail_always(self, action: Action, failure: Failure) -> Self {
        self.at(action, None, |event| event.failure = Some(failure))
    }

    /// Makes every call of an action take so many microseconds.
    pub fn take(self, action: Action, takes_us: u64) -> Self {
        self.at(action, None, |event| event.takes_us = takes_us)
    }

    /// Makes one call of an action take so many microseconds.
    pub fn take_at(self, action: Action, call: usize, takes_us: u64) -> Self {
        self.at(action, Some(call), |event| event.takes_us = takes_us)
    }

    /// Raises a signal during one call of an action.
    pub fn signal(self, action: Action, call: usize, signal: i32) -> Self {
        self.at(action, Some(call), |event| event.signal = Some(signal))
    }

    /// What happens to a call.
    pub fn event(&self, action: Action, call: usize) -> Event {
        let own = self.events.get(&(action, Some(call)));
        own.or(self.events.get(&(action, None))).cloned().unwrap_or_default()
    }

    fn at(mut self, action: Action, call: Option<usize>, change: impl FnOnce(&mut Event)) -> Self {
        let every = self.events.get(&(action, None)).cloned().unwrap_or_default();
        change(self.events.entry((action, call)).or_insert(every));
        self
    }
}
