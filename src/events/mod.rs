//! What a run does while it does it, for programs: `macrocli.events/1`, one JSON object a line. `spec/cli.md` describes them.

#[cfg(unix)]
mod inherited;
mod sink;

use serde_json::{Map, Value, json};
use spec::action::Action;
use vm::report::{Attempt, StepReport};

use crate::args::EventsTarget;
use crate::engine::{Beginning, Observer, Pause, Trial};
use crate::events::sink::Sink;
use crate::identity::Identity;

/// The events of one run.
pub struct Events {
    identity: Identity,
    seq: u64,
    sink: Sink,
}

impl Events {
    /// Begins to write. Where nothing can be written, the run goes on all the same: see [`Events::trouble`].
    pub fn open(target: &EventsTarget, identity: &Identity) -> Self {
        Self { identity: identity.clone(), seq: 0, sink: Sink::new(target) }
    }

    /// Waits until what was told so far is written, within bounds; one sentence when it could not be.
    pub fn trouble(&mut self) -> Option<String> {
        self.sink.settle().map(|reason| format!("events were not written: {reason}"))
    }

    /// The last event: the document of the run. Waits until it is written; one sentence when it could not be.
    pub fn result(mut self, document: &Value) -> Option<String> {
        self.tell("result", json!({"result": document}));
        self.trouble()
    }

    /// One line: what all events have, then what this one has.
    fn tell(&mut self, event: &str, more: Value) {
        self.seq += 1;
        let elapsed = self.identity.elapsed();
        let time = humantime::format_rfc3339_micros(self.identity.began + elapsed);
        let mut line = json!({
            "event": event,
            "seq": self.seq,
            "time": time.to_string(),
            "elapsed_us": u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
            "run_id": self.identity.run_id,
        });
        if let (Value::Object(line), Value::Object(more)) = (&mut line, more) {
            line.extend(more);
        }
        self.sink.add(format!("{line}\n"));
    }
}

impl Observer for Events {
    fn run_started(&mut self, run: Beginning<'_>) {
        let mut more = json!({
            "schema": "macrocli.events/1",
            "macro_name": run.macro_name,
            "steps_total": run.steps_total,
            "dry_run": run.simulated,
        });
        if let Some(session) = &self.identity.session {
            more["session_id"] = session.as_str().into();
        }
        self.tell("run_started", more);
    }

    fn step_started(&mut self, id: &str, iteration: Option<usize>) {
        self.tell("step_started", Value::Object(step(id, iteration)));
    }

    fn routed(&mut self, of: Trial<'_>, action: Action) {
        let more = json!({"backend": action.backend().name(), "action": action.name()});
        self.tell("route", with(of, more));
    }

    fn try_failed(&mut self, of: Trial<'_>, attempt: &Attempt) {
        let more = json!({"backend": attempt.backend, "duration_us": attempt.duration_us, "error": attempt.error});
        self.tell("try_failed", with(of, more));
    }

    fn waiting(&mut self, of: Trial<'_>, pause: Pause, longest_us: u64) {
        self.tell("wait", with(of, json!({"reason": pause.name(), "longest_us": longest_us})));
    }

    fn step_finished(&mut self, found: &StepReport) {
        let mut more = step(&found.id, found.iteration);
        more.insert("status".to_owned(), found.status.name().into());
        more.insert("attempts".to_owned(), found.attempts.len().into());
        more.insert("backend_used".to_owned(), found.backend_used.clone().into());
        more.insert("duration_us".to_owned(), found.duration_us.into());
        more.insert("error".to_owned(), found.failure.as_ref().map(|failure| failure.message.clone()).into());
        self.tell("step_finished", Value::Object(more));
    }

    fn warned(&mut self, warning: &str) {
        self.tell("warning", json!({"message": warning}));
    }
}

fn with(of: Trial<'_>, more: Value) -> Value {
    let mut all = step(of.step, of.iteration);
    all.insert("attempt".to_owned(), of.number.into());
    if let Value::Object(more) = more {
        all.extend(more);
    }
    Value::Object(all)
}

fn step(id: &str, iteration: Option<usize>) -> Map<String, Value> {
    let mut step = Map::new();
    step.insert("step".to_owned(), id.into());
    if let Some(iteration) = iteration {
        step.insert("iteration".to_owned(), iteration.into());
    }
    step
}
