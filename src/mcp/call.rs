//! A call of a macro's tool: its turn, its process, its result.

use std::ffi::{OsStr, OsString};

use rmcp::RoleServer;
use rmcp::model::CallToolResult;
use rmcp::service::RequestContext;
use serde_json::Value;
use tokio::sync::mpsc::channel;

use crate::exit::Exit;
use crate::identity::Identity;
use crate::mcp::catalogue::Entry;
use crate::mcp::child::{self, Ended};
use crate::mcp::progress::Progress;
use crate::mcp::schema::Object;
use crate::mcp::state::State;
use crate::mcp::{ServerSettings, reply};
use crate::print;
use crate::registry::source::Location;
use crate::trouble::Trouble;

/// How many calls may wait or be under way.
const CALLS: usize = 256;
/// How many events may be read ahead of their notifications.
const EVENTS: usize = 64;

/// Runs a macro and gives its document.
pub async fn call(
    state: &State,
    entry: &Entry,
    arguments: Option<Object>,
    context: &RequestContext<RoleServer>,
) -> CallToolResult {
    if let Some(trouble) = refusal(state) {
        return reply::run(refused(state, entry, trouble));
    }
    let ticket = state.runs.begin(&entry.tool.name, &entry.name);
    let stop = async {
        tokio::select! {
            () = context.ct.cancelled() => {}
            () = state.closing.cancelled() => {}
        }
    };
    tokio::pin!(stop);
    let turn = tokio::select! {
        turn = state.permits.acquire() => turn.ok(),
        () = &mut stop => None,
    };
    let Some(turn) = turn else {
        return reply::run(refused(
            state,
            entry,
            trouble("the call was cancelled before its turn", "interrupted", Exit(143)),
        ));
    };
    let (sender, lines) = channel(EVENTS);
    let progress = Progress { peer: context.peer.clone(), token: context.meta.get_progress_token() };
    let input = Value::Object(arguments.unwrap_or_default()).to_string().into_bytes();
    let run = child::run(words(&state.settings, entry), input, sender, stop);
    let (ended, ()) = tokio::join!(run, progress.follow(lines, &ticket));
    drop(turn);
    let (document, bytes) = match ended.map_err(|error| Trouble::io(format!("the run cannot be started: {error}"))) {
        Ok(ended) => document(state, entry, &ended),
        Err(trouble) => (refused(state, entry, trouble), 0),
    };
    ticket.finish(&document, bytes);
    reply::run(document)
}

/// Why a call is not even begun, when it is not.
fn refusal(state: &State) -> Option<Trouble> {
    if state.runs.count() >= CALLS {
        return Some(trouble(format!("{CALLS} calls wait already"), "refused", Exit::REFUSED).hint("call again later"));
    }
    None
}

/// The words of the command line; no value of a parameter is among them.
fn words(settings: &ServerSettings, entry: &Entry) -> Vec<OsString> {
    let fixed = ["run", "--json", "--quiet", "--attached", "--events=ndjson"];
    let mut words: Vec<OsString> = fixed.map(OsString::from).to_vec();
    let mut option = |name: &str, value: &OsStr| {
        let mut word = OsString::from(name);
        word.push(value);
        words.push(word);
    };
    let globals = &settings.globals;
    globals.macros.iter().for_each(|folder| option("--macros=", folder.as_os_str()));
    let allowed = &settings.allowed;
    allowed.policy.iter().for_each(|file| option("--policy=", file.as_os_str()));
    allowed.allow.iter().for_each(|list| option("--allow=", list.as_ref()));
    globals.session_id.iter().for_each(|session| option("--session-id=", session.as_ref()));
    match &entry.source.location {
        Location::File(path) => option("--macro-file=", path.as_os_str()),
        Location::Bundled(_) | Location::Stdin => words.push(entry.name.as_str().into()),
    }
    if allowed.yes {
        words.push("--yes".into());
    }
    if globals.dry_run {
        words.push("--dry-run".into());
    }
    words
}

/// The document a run has printed, and its size; one that stands for it when there is none.
fn document(state: &State, entry: &Entry, ended: &Ended) -> (Value, usize) {
    let code = ended.code.map_or_else(|| "a signal".to_owned(), |code| format!("exit code {code}"));
    let Some(output) = &ended.output else {
        let message = format!("the run ended with {code}, and its result is too long to be shown");
        return (refused(state, entry, trouble(message, "limit_reached", Exit::FAILED)), 0);
    };
    match serde_json::from_slice(output) {
        Ok(document @ Value::Object(_)) => (document, output.len()),
        Ok(_) | Err(_) => {
            let message = format!("the run ended with {code} and without a result");
            (refused(state, entry, trouble(message, "internal", Exit::INTERNAL)), 0)
        }
    }
}

fn refused(state: &State, entry: &Entry, trouble: Trouble) -> Value {
    let globals = &state.settings.globals;
    let identity = Identity::new(globals.session_id.as_deref());
    print::run::refused(&trouble.about(entry.name.as_str()), globals.dry_run, &identity)
}

fn trouble(message: impl Into<String>, word: &'static str, exit: Exit) -> Trouble {
    Trouble { word, exit, ..Trouble::usage(message) }
}
