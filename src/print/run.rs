//! The result of a run: `macrocli.run/1`.

use serde_json::{Value, json};
use spec::value::Dict;
use vm::json_text::to_json;
use vm::report::{Attempt, Report, SourcePlace, Status, StepReport};

use crate::exit::Exit;
use crate::identity::Identity;
use crate::print::trouble;
use crate::trouble::Trouble;

/// What the result says beside what the machine reports.
pub struct Context<'a> {
    /// The macro's file, as the user knows it.
    pub file: &'a str,
    /// Which run it is.
    pub identity: &'a Identity,
    /// Remarks of the command line.
    pub warnings: &'a [String],
}

/// The document of a run.
pub fn document(report: &Report, context: &Context<'_>) -> Value {
    let warnings: Vec<&String> = context.warnings.iter().chain(&report.warnings).collect();
    let mut document = json!({
        "schema": "macrocli.run/1",
        "success": report.success(),
        "macro_name": report.macro_name,
        "output": dict(&report.results),
        "error": error(report),
        "error_code": report.failure.as_ref().map(|failed| failed.failure.kind.code()),
        "exit_code": exit(report).0,
        "warnings": warnings,
        "steps": report.steps.iter().map(|found| step(found, context.file)).collect::<Value>(),
        "telemetry": telemetry(report, context.identity),
    });
    if let Some(hint) = report.failure.as_ref().and_then(|failed| failed.failure.hint.as_deref()) {
        document["hint"] = hint.into();
    }
    if report.simulated {
        document["not_evaluated"] = report.not_evaluated.iter().map(String::as_str).collect();
    }
    document
}

/// The document of a run that did not come about: the same keys.
pub fn refused(trouble: &Trouble, pretend: bool, identity: &Identity) -> Value {
    let mut document = json!({
        "schema": "macrocli.run/1",
        "success": false,
        "macro_name": trouble.macro_name,
        "output": {},
        "error": trouble.message,
        "error_code": trouble.word,
        "exit_code": trouble.exit.0,
        "warnings": [],
        "steps": [],
        "telemetry": {
            "duration_ms": 0.0, "steps_total": 0, "steps_run": 0, "backends_used": [], "dry_run": pretend,
            "run_id": identity.run_id,
        },
    });
    if let Some(session) = &identity.session {
        document["telemetry"]["session_id"] = session.as_str().into();
    }
    trouble::extend(&mut document, trouble);
    document
}

/// The exit code.
pub fn exit(report: &Report) -> Exit {
    Exit::of_run(report.exit_code())
}

/// Why the run failed, with the step's name.
pub fn error(report: &Report) -> Option<String> {
    let failed = report.failure.as_ref()?;
    Some(match &failed.step {
        Some(step) => format!("step `{step}` failed: {}", failed.failure.message),
        None => failed.failure.message.clone(),
    })
}

/// Microseconds as milliseconds.
pub fn millis(us: u64) -> f64 {
    us as f64 / 1000.0
}

fn dict(dict: &Dict) -> Value {
    Value::Object(dict.iter().map(|(name, value)| (name.clone(), to_json(value))).collect())
}

fn step(step: &StepReport, file: &str) -> Value {
    let mut entry = json!({
        "id": step.id,
        "status": step.status.name(),
        "success": step.status == Status::Ok,
        "output": dict(&step.output),
        "error": step.failure.as_ref().map(|failure| failure.message.as_str()),
        "duration_ms": millis(step.duration_us),
        "backend_used": step.backend_used,
        "attempts": step.attempts.len(),
        "tries": step.attempts.iter().map(attempt).collect::<Value>(),
        "span": step.place.as_ref().map(|place| span(place, file)),
    });
    if let Some(iteration) = step.iteration {
        entry["iteration"] = iteration.into();
    }
    if let Some(would) = &step.would {
        entry["would"] = dict(would);
    }
    entry
}

fn attempt(attempt: &Attempt) -> Value {
    json!({"backend": attempt.backend, "duration_ms": millis(attempt.duration_us), "error": attempt.error})
}

/// The compiler knows files relative to the macro's folder; the user's name of the macro's own file is known.
fn span(found: &SourcePlace, file: &str) -> Value {
    let own = file.rsplit_once('/').map_or(file, |(_, name)| name);
    let file = if found.file == own { file } else { &found.file };
    let place = &found.place;
    json!({
        "file": file, "line": place.line, "column": place.column, "end_line": place.end_line, "end_column": place.end_column,
    })
}

fn telemetry(report: &Report, identity: &Identity) -> Value {
    let mut backends: Vec<&str> = Vec::new();
    for attempt in report.steps.iter().filter_map(|step| step.attempts.last()) {
        if !backends.contains(&attempt.backend.as_str()) {
            backends.push(&attempt.backend);
        }
    }
    // Neither what was not reached nor what its `when` left out began.
    let began = |step: &&StepReport| match step.status {
        Status::Ok | Status::Failed => true,
        Status::Skipped => step.failure.is_some() || !step.attempts.is_empty(),
        Status::NotRun => false,
    };
    let mut telemetry = json!({
        "duration_ms": millis(report.duration_us),
        "steps_total": report.steps_total,
        "steps_run": report.steps.iter().filter(began).count(),
        "backends_used": backends,
        "dry_run": report.simulated,
        "run_id": identity.run_id,
    });
    if let Some(session) = &identity.session {
        telemetry["session_id"] = session.as_str().into();
    }
    telemetry
}
