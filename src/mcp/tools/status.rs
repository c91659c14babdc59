//! `run_status`: what this server runs and has run.

use rmcp::model::{CallToolResult, Tool};
use serde_json::{Value, json};

use crate::mcp::schema::Object;
use crate::mcp::state::State;
use crate::mcp::{reply, tools};
use crate::trouble::Trouble;

/// The tool.
pub fn tool() -> Tool {
    tools::looking(
        "run_status",
        "Status of runs",
        "Runs of this server: those that wait or are under way, and the last ones that have ended, newest first. With `run_id` only that \
         one, with its whole result when it has ended.",
        json!({"run_id": {"type": "string", "description": "`telemetry.run_id` of a result, or of a run under way."}}),
        json!({
            "running": {"type": "array", "items": {"type": "object"}},
            "finished": {"type": "array", "items": {"type": "object"}},
            "run": {"type": "object"},
        }),
    )
}

/// Looks them up.
pub fn call(state: &State, arguments: &Object) -> Result<CallToolResult, Trouble> {
    tools::only(arguments, &["run_id"])?;
    let mut document = json!({"schema": "macrocli.runs/1"});
    match tools::text(arguments, "run_id")? {
        Some(run_id) => {
            let found = state.runs.one(run_id);
            let unknown = || Trouble::usage(format!("this server knows no run `{run_id}`"));
            document["run"] = found.ok_or_else(|| unknown().hint("without `run_id` the known ones are listed"))?;
        }
        None => {
            if let (Value::Object(document), Value::Object(list)) = (&mut document, state.runs.list()) {
                document.extend(list);
            }
        }
    }
    Ok(reply::done(document))
}
