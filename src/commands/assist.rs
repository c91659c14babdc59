//! `assist`: a macro that a model writes from a goal and a screenshot.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use vm::model::Given;

use crate::args::Assist;
use crate::assist::{self, Request, permission};
use crate::commands::Context;
use crate::exit::Exit;
use crate::parameters;
use crate::policy;
use crate::print::escape;
use crate::trouble::Trouble;

/// Has a macro written, and says where it is.
pub fn assist(context: &Context<'_>, args: &Assist) -> Result<Exit, Trouble> {
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.yaml", args.name)));
    // Before a secret is read, or anything else.
    let policy = policy::read(&args.policy)?;
    permission::check(policy.as_ref(), &args.screenshot, args.base_url.as_deref())?;
    let key = args.api_key.as_deref().map(|place| parameters::fetch("--api-key", place)).transpose()?;
    let request = Request {
        name: &args.name,
        goal: &args.goal,
        screenshot: &args.screenshot,
        path: &path,
        force: args.force,
        write: !context.globals.dry_run,
        given: Given { model: args.model.as_deref(), api_key: key.as_deref(), base_url: args.base_url.as_deref() },
        limit: Duration::from_secs(args.timeout.into()),
    };
    let done = assist::assist(&context.registry()?, &request)?;
    let shown = path.display().to_string();
    let screen = context.screen;
    if screen.json {
        let templates: Vec<String> = done.templates.iter().map(|path| path.display().to_string()).collect();
        screen.document(&json!({
            "schema": "macrocli.assist/1", "success": true, "name": args.name, "path": shown, "written": request.write,
            "templates": templates, "rounds": done.rounds, "warnings": done.warnings, "macro": done.text,
        }));
        return Ok(Exit::OK);
    }
    done.warnings.iter().for_each(|warning| screen.remark(&format!("warning: {}", escape::line(warning))));
    if request.write {
        let shown = escape::line(&shown);
        screen.out(&format!("{shown}\n"));
        screen.remark(&format!("read it, then try: macrocli --dry-run run {shown}"));
    } else {
        screen.out(&escape::lines(&done.text));
    }
    Ok(Exit::OK)
}
