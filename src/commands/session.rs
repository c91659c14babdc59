//! `session`: what was run, and what came of it.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tempfile::Builder;

use crate::args::{SessionExport, SessionPrune, SessionVerb};
use crate::commands::Context;
use crate::exit::Exit;
use crate::files;
use crate::history::{self, DEFAULT_SESSION, Filter, Row, Store, Totals, private};
use crate::home;
use crate::print;
use crate::session;
use crate::trouble::Trouble;

/// How long others may write before a command gives up.
const PATIENCE: Duration = Duration::from_secs(5);

/// Does what a verb of `session` says.
pub fn session(context: &Context<'_>, verb: &SessionVerb) -> Result<Exit, Trouble> {
    if context.globals.dry_run && changes(verb) {
        return Err(Trouble::usage("`--dry-run` cannot be said of this verb, which writes or forgets runs"));
    }
    let named = session::named(context.globals)?;
    let id = named.as_deref().unwrap_or(DEFAULT_SESSION);
    let screen = context.screen;
    let (store, warning) = history::open(PATIENCE).map_err(trouble)?;
    if let Some(warning) = &warning {
        screen.remark(&format!("{}: {}", screen.paint("1;33", "warning"), print::escape::lines(warning)));
    }
    let (mut document, text) = match verb {
        SessionVerb::Status => {
            let totals = totals(store.as_ref(), id)?;
            (print::session::status(id, &totals), print::session::status_text(id, &totals))
        }
        SessionVerb::History(args) => {
            let rows = store.map_or(Ok(Vec::new()), |store| store.history(id, args.limit)).map_err(trouble)?;
            (rows.iter().map(Row::summary).collect(), print::session::history_text(&rows))
        }
        SessionVerb::Show(args) => {
            let row = find(store.as_ref(), id, &args.run)?;
            (print::session::run(&row), print::session::run_text(&row))
        }
        SessionVerb::List => {
            let lines = store.map_or(Ok(Vec::new()), |store| store.sessions()).map_err(trouble)?;
            (print::session::list(&lines), print::session::list_text(&lines))
        }
        SessionVerb::Save => save(store.as_ref(), id)?,
        SessionVerb::Export(args) => export(store.as_ref(), id, args)?,
        SessionVerb::Prune(args) => prune(store, named.as_deref(), args)?,
    };
    // Lists have no place for it.
    if let (Some(warning), Some(entries)) = (warning, document.as_object_mut()) {
        entries.insert("warnings".to_owned(), json!([warning]));
    }
    if screen.json {
        screen.document(&document)
    } else {
        screen.out(&text)
    }
    Ok(Exit::OK)
}

/// Whether a verb does more than look.
fn changes(verb: &SessionVerb) -> bool {
    match verb {
        SessionVerb::Save | SessionVerb::Export(_) | SessionVerb::Prune(_) => true,
        SessionVerb::Status | SessionVerb::History(_) | SessionVerb::Show(_) | SessionVerb::List => false,
    }
}

fn totals(store: Option<&Store>, id: &str) -> Result<Totals, Trouble> {
    store.map_or(Ok(Totals::default()), |store| store.totals(id)).map_err(trouble)
}

fn find(store: Option<&Store>, id: &str, run: &str) -> Result<Row, Trouble> {
    let found = match store {
        Some(store) if run == "last" => store.last(id).map_err(trouble)?,
        Some(store) if !run.is_empty() => store.run(run).map_err(trouble)?,
        Some(_) | None => None,
    };
    let hint = "`macrocli session history` lists the last runs of a session";
    found.ok_or_else(|| Trouble::usage(format!("no run `{run}` is in the history")).hint(hint))
}

/// The folder is ours alone, and an id is a plain name: nothing is written elsewhere.
fn save(store: Option<&Store>, id: &str) -> Result<(Value, String), Trouble> {
    let home = home::folder().ok_or_else(|| Trouble::io("there is no folder to save to: set `MACROCLI_HOME`"))?;
    let folder = private(&home.join("sessions")).map_err(Trouble::io)?;
    let path = folder.join(format!("{id}.json"));
    let runs = write(store, id, &path, true)?;
    Ok(saved("macrocli.session.save/1", id, &path, runs))
}

fn export(store: Option<&Store>, id: &str, args: &SessionExport) -> Result<(Value, String), Trouble> {
    let runs = write(store, id, &args.file, args.force)?;
    Ok(saved("macrocli.session.export/1", id, &args.file, runs))
}

fn saved(schema: &str, id: &str, path: &Path, runs: usize) -> (Value, String) {
    let shown = path.display().to_string();
    let document = json!({"schema": schema, "success": true, "session_id": id, "path": shown, "runs": runs});
    (document, format!("{}\n", print::escape::line(&shown)))
}

/// Writes a session whole or not at all, run by run: all of them may be more than fits into memory. A link is itself replaced.
fn write(store: Option<&Store>, id: &str, path: &Path, over: bool) -> Result<usize, Trouble> {
    let cannot =
        |reason: &dyn std::fmt::Display| Trouble::io(format!("`{}` cannot be written: {reason}", path.display()));
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .map_or_else(|| PathBuf::from("."), Path::to_owned);
    let file =
        Builder::new().prefix(".macrocli-").suffix(".tmp").tempfile_in(folder).map_err(|error| cannot(&error))?;
    let totals = totals(store, id)?;
    let runs = stream(store, id, &totals, file.as_file())?.map_err(|error| cannot(&error))?;
    if over {
        files::replaceable(path).map_err(|reason| Trouble::io(format!("`{}` {reason}", path.display())))?;
        file.persist(path).map_err(|error| cannot(&error.error))?;
    } else {
        file.persist_noclobber(path).map_err(|failed| {
            let trouble = cannot(&failed.error);
            if path.exists() { trouble.hint("give another file, or write over it with `--force`") } else { trouble }
        })?;
    }
    Ok(runs)
}

fn stream(store: Option<&Store>, id: &str, totals: &Totals, file: &File) -> Result<std::io::Result<usize>, Trouble> {
    let mut to = BufWriter::new(file);
    let head = json!({"schema": "macrocli.session/1", "session_id": id, "status": print::session::status(id, totals), "runs": []});
    let head = head.to_string();
    // Up to where the runs begin.
    let begin = head.strip_suffix("]}").unwrap_or(&head);
    let mut runs = 0;
    let mut written = to.write_all(begin.as_bytes());
    if let (Ok(()), Some(store)) = (&written, store) {
        let each = store.each(id, |row| {
            let comma = if runs == 0 { "\n" } else { ",\n" };
            runs += 1;
            to.write_all(format!("{comma}{}", print::session::entry(&row)).as_bytes())
        });
        written = each.map_err(trouble)?;
    }
    Ok(written.and_then(|()| to.write_all(b"]}\n")).and_then(|()| to.flush()).map(|()| runs))
}

fn prune(store: Option<Store>, session: Option<&str>, args: &SessionPrune) -> Result<(Value, String), Trouble> {
    let filter = match (args.keep, args.older_than) {
        (Some(count), _) => Filter::Keep(count),
        (None, Some(age)) => {
            let since = SystemTime::now().checked_sub(age).and_then(|moment| moment.duration_since(UNIX_EPOCH).ok());
            Filter::Before(i64::try_from(since.unwrap_or_default().as_micros()).unwrap_or(i64::MAX))
        }
        // The declaration of the command line demands one of them.
        (None, None) => return Err(Trouble::usage("`--keep` or `--older-than` is missing")),
    };
    let pruned = store.map_or(Ok((0, 0)), |mut store| store.prune(session, filter));
    let (removed, kept) = pruned.map_err(trouble)?;
    let document = json!({"schema": "macrocli.session.prune/1", "success": true, "removed": removed, "kept": kept});
    Ok((document, format!("removed {removed}, kept {kept}\n")))
}

fn trouble(error: history::StoreError) -> Trouble {
    Trouble::io(error.to_string())
}
