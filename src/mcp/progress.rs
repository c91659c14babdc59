//! What a run tells of itself, as notifications of progress and for `run_status`.

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use serde_json::Value;
use tokio::sync::mpsc::Receiver;

use crate::mcp::runs::{Stage, Ticket};

/// The most characters of a message.
const MESSAGE_LIMIT: usize = 300;

/// Where notifications go: to the client, when it asked for them.
pub struct Progress {
    /// The client.
    pub peer: Peer<RoleServer>,
    /// What it calls this progress.
    pub token: Option<ProgressToken>,
}

impl Progress {
    /// Tells of each line of events until there are no more.
    pub async fn follow(self, mut lines: Receiver<String>, ticket: &Ticket) {
        let mut stage = Stage::default();
        ticket.note(stage.clone());
        while let Some(line) = lines.recv().await {
            let Ok(event) = serde_json::from_str::<Value>(&line) else { continue };
            if let Some(message) = advance(&mut stage, &event) {
                ticket.note(stage.clone());
                self.tell(&stage, message).await;
            }
        }
    }

    async fn tell(&self, stage: &Stage, message: String) {
        let Some(token) = &self.token else { return };
        let mut progress = ProgressNotificationParam::new(token.clone(), stage.done as f64).with_message(message);
        // With loops there are more steps than the macro has.
        if let Some(total) = stage.total.filter(|total| *total >= stage.done) {
            progress = progress.with_total(total as f64);
        }
        // A client that has gone away is noticed elsewhere.
        let _ = self.peer.notify_progress(progress).await;
    }
}

/// Takes an event to heart; a message when a step has ended, because progress must grow with each notification.
fn advance(stage: &mut Stage, event: &Value) -> Option<String> {
    let text = |key: &str| event[key].as_str().map(str::to_owned);
    let name = || {
        let step = text("step")?;
        Some(event["iteration"].as_u64().map_or(step.clone(), |turn| format!("{step}[{turn}]")))
    };
    match event["event"].as_str()? {
        "run_started" => {
            stage.run_id = text("run_id");
            stage.total = event["steps_total"].as_u64();
            None
        }
        "step_started" => {
            stage.step = name();
            None
        }
        "step_finished" => {
            stage.done += 1;
            let told = [name(), text("status"), text("error")].into_iter().flatten().collect::<Vec<_>>().join(": ");
            Some(told.chars().take(MESSAGE_LIMIT).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::mcp::progress::advance;
    use crate::mcp::runs::Stage;

    #[test]
    fn steps_that_end_are_progress() {
        let mut stage = Stage::default();
        assert_eq!(advance(&mut stage, &json!({"event": "run_started", "run_id": "r", "steps_total": 2})), None);
        assert_eq!(advance(&mut stage, &json!({"event": "step_started", "step": "a", "iteration": 1})), None);
        assert_eq!(stage.step.as_deref(), Some("a[1]"));
        let ended = json!({"event": "step_finished", "step": "a", "iteration": 1, "status": "failed", "error": "why"});
        assert_eq!(advance(&mut stage, &ended).as_deref(), Some("a[1]: failed: why"));
        assert_eq!((stage.done, stage.total, stage.run_id.as_deref()), (1, Some(2), Some("r")));
        for nothing in [json!(null), json!({}), json!([1]), json!({"event": 1}), json!({"event": "other"})] {
            assert_eq!(advance(&mut stage, &nothing), None);
        }
    }
}
