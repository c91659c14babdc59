//! The runs of this server: those under way, and what came of the last ones.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{Value, json};
use tokio::sync::Notify;

/// How many finished runs are remembered.
const REMEMBERED: usize = 100;
/// How many bytes of their results, as text; the oldest go first.
const REMEMBERED_BYTES: usize = 32 << 20;

/// The runs of this server. Clones share them.
#[derive(Clone, Default)]
pub struct Runs(Arc<Shared>);

#[derive(Default)]
struct Shared {
    table: Mutex<Table>,
    changed: Notify,
}

#[derive(Default)]
struct Table {
    calls: u64,
    running: BTreeMap<u64, Running>,
    finished: VecDeque<Finished>,
    bytes: usize,
}

/// A run that waits for its turn or is under way.
struct Running {
    tool: String,
    macro_name: String,
    since: Instant,
    /// Where it is; absent while it waits for its turn.
    at: Option<Stage>,
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    /// Its id, once it is known.
    pub run_id: Option<String>,
    /// The step that was begun last.
    pub step: Option<String>,
    /// How many steps have ended.
    pub done: u64,
    /// How many there are; loops have more.
    pub total: Option<u64>,
}

struct Finished {
    call: u64,
    tool: String,
    result: Value,
    bytes: usize,
}

/// A run's place in the table; it counts as gone when this is dropped.
pub struct Ticket {
    runs: Runs,
    call: u64,
}

impl Runs {
    /// Notes a call that waits for its turn.
    pub fn begin(&self, tool: &str, macro_name: &str) -> Ticket {
        let mut table = self.table();
        table.calls += 1;
        let call = table.calls;
        let (tool, macro_name) = (tool.to_owned(), macro_name.to_owned());
        table.running.insert(call, Running { tool, macro_name, since: Instant::now(), at: None });
        Ticket { runs: self.clone(), call }
    }

    /// How many calls wait or are under way.
    pub fn count(&self) -> usize {
        self.table().running.len()
    }

    /// Waits until none is under way.
    pub async fn idle(&self) {
        loop {
            let changed = self.0.changed.notified();
            if self.count() == 0 {
                return;
            }
            changed.await;
        }
    }

    /// All of them, without their results.
    pub fn list(&self) -> Value {
        let table = self.table();
        json!({
            "running": table.running.iter().map(|(call, run)| running(*call, run)).collect::<Value>(),
            "finished": table.finished.iter().rev().map(|run| finished(run, false)).collect::<Value>(),
        })
    }

    /// The one with this id, its result too when it has ended.
    pub fn one(&self, run_id: &str) -> Option<Value> {
        let table = self.table();
        let under_way = table
            .running
            .iter()
            .find(|(_, run)| run.at.as_ref().is_some_and(|stage| stage.run_id.as_deref() == Some(run_id)));
        if let Some((call, run)) = under_way {
            return Some(running(*call, run));
        }
        table.finished.iter().find(|run| run.result["telemetry"]["run_id"] == run_id).map(|run| finished(run, true))
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// Notes how far it is.
    pub fn note(&self, stage: Stage) {
        if let Some(run) = self.runs.table().running.get_mut(&self.call) {
            run.at = Some(stage);
        }
    }

    /// Notes what came of it.
    pub fn finish(self, result: &Value, bytes: usize) {
        let mut table = self.runs.table();
        let Some(run) = table.running.remove(&self.call) else { return };
        table.bytes += bytes;
        table.finished.push_back(Finished { call: self.call, tool: run.tool, result: result.clone(), bytes });
        while table.finished.len() > REMEMBERED || (table.bytes > REMEMBERED_BYTES && table.finished.len() > 1) {
            let Some(oldest) = table.finished.pop_front() else { break };
            table.bytes -= oldest.bytes;
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.runs.table().running.remove(&self.call);
        self.runs.0.changed.notify_waiters();
    }
}

fn running(call: u64, run: &Running) -> Value {
    let elapsed = u64::try_from(run.since.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut entry = json!({
        "call": call, "tool": run.tool, "macro_name": run.macro_name, "elapsed_ms": elapsed,
        "status": if run.at.is_some() { "running" } else { "waiting" },
        "run_id": null,
    });
    if let Some(stage) = &run.at {
        entry["run_id"] = stage.run_id.clone().into();
        entry["step"] = stage.step.clone().into();
        entry["steps_done"] = stage.done.into();
        entry["steps_total"] = stage.total.into();
    }
    entry
}

fn finished(run: &Finished, whole: bool) -> Value {
    let result = &run.result;
    let mut entry = json!({
        "call": run.call, "tool": run.tool, "macro_name": result["macro_name"],
        "status": if result["success"] == true { "succeeded" } else { "failed" },
        "run_id": result["telemetry"]["run_id"],
        "duration_ms": result["telemetry"]["duration_ms"],
        "error": result["error"], "error_code": result["error_code"],
    });
    if whole {
        entry["result"] = result.clone();
    }
    entry
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::mcp::runs::{REMEMBERED, Runs, Stage};

    #[test]
    fn runs_come_and_go() {
        let runs = Runs::default();
        let (first, second) = (runs.begin("t", "m"), runs.begin("u", "n"));
        first.note(Stage { run_id: Some("r1".to_owned()), ..Stage::default() });
        assert_eq!(runs.list()["running"][0]["status"], "running");
        assert_eq!(runs.list()["running"][1]["status"], "waiting");
        assert_eq!(runs.one("r1").unwrap()["tool"], "t");
        let result = json!({"success": true, "macro_name": "m", "telemetry": {"run_id": "r1", "duration_ms": 1.0}});
        first.finish(&result, 10);
        drop(second);
        assert_eq!(runs.count(), 0);
        assert_eq!(runs.one("r1").unwrap()["result"], result);
        assert_eq!(runs.one("r2"), None);
    }

    #[test]
    fn memory_is_bounded() {
        let runs = Runs::default();
        for _ in 0..REMEMBERED + 10 {
            runs.begin("t", "m").finish(&json!({}), 1);
        }
        assert_eq!(runs.list()["finished"].as_array().unwrap().len(), REMEMBERED);
        runs.begin("t", "m").finish(&json!({}), 33 << 20);
        assert_eq!(runs.list()["finished"].as_array().unwrap().len(), 1);
    }
}
