//! A macro from a goal and a screenshot: a model writes it, the compiler judges it, and what the compiler says goes back to the model.
//!
//! Nothing a model writes is run here, and what it writes may only look at the display and drive it: [`gate`] refuses all else. Files appear when
//! everything is right.

mod draft;
mod gate;
mod output;
pub mod permission;
mod question;
mod screen;
mod trial;

use std::path::{Path, PathBuf};
use std::time::Duration;

use spec::grammar::name;
use vm::environment::variable;
use vm::failure::Failure;
use vm::model::{Client, Given, Settings};
use vm::process::Interrupt;
use vm::stop::Stop;

use crate::assist::draft::Draft;
use crate::assist::output::Output;
use crate::assist::question::{Round, question};
use crate::assist::trial::Verdict;
use crate::engine;
use crate::registry::Registry;
use crate::trouble::Trouble;

/// How often the model may write.
const ROUNDS: u32 = 3;

/// What is asked for.
pub struct Request<'a> {
    /// The new macro's name.
    pub name: &'a str,
    /// What the macro is to do.
    pub goal: &'a str,
    /// `current`, or the path of a PNG file.
    pub screenshot: &'a str,
    /// The file to write.
    pub path: &'a Path,
    /// Whether files that are there are written over.
    pub force: bool,
    /// Whether anything is written at all.
    pub write: bool,
    /// Which model, where.
    pub given: Given<'a>,
    /// How long it may take.
    pub limit: Duration,
}

/// What came of it.
pub struct Assisted {
    /// The macro's text.
    pub text: String,
    /// The images beside it.
    pub templates: Vec<PathBuf>,
    /// How often the model wrote.
    pub rounds: u32,
    /// What the compiler doubts.
    pub warnings: Vec<String>,
}

/// Has a model write a macro, and writes it to its file.
///
/// # Errors
/// The name or file cannot be used, there is no screenshot, the model cannot be asked; or after three rounds the macro still has errors or does
/// what it may not.
pub fn assist(registry: &Registry, request: &Request<'_>) -> Result<Assisted, Trouble> {
    if !name::is_id(request.name) {
        return Err(Trouble::usage(format!("`{}` cannot be a macro's name", request.name)));
    }
    if request.goal.trim().is_empty() {
        return Err(Trouble::usage("`--goal` says nothing"));
    }
    let output = Output::at(request);
    output.check()?;
    let settings = Settings::new(request.given, &variable).map_err(|error| told(&error.into()))?;
    let interrupt = engine::interrupt().map_err(Trouble::io)?;
    let outcome = written(registry, request, settings, &Stop::within(request.limit, &interrupt));
    Interrupt::release();
    let (draft, rounds, warnings) = outcome?;
    let templates = output.write(&draft)?;
    Ok(Assisted { text: draft.text, templates, rounds, warnings })
}

/// The draft that is right, how many it took, and the compiler's doubts.
fn written(
    registry: &Registry,
    request: &Request<'_>,
    settings: Settings,
    stop: &Stop<'_>,
) -> Result<(Draft, u32, Vec<String>), Trouble> {
    let screen = screen::screenshot(request.screenshot, stop)?;
    let sent = screen::sent(&screen)?;
    let mut client = Client::new(settings).map_err(|failure| told(&failure))?;
    let mut last: Option<Round> = None;
    for round in 1..=ROUNDS {
        let object = client.ask(&question(request, &sent, last.as_ref()), stop).map_err(|failure| told(&failure))?;
        let verdict = match Draft::read(&object, &screen, sent.size) {
            Ok(draft) => trial::trial(registry, request, draft)?,
            Err(reason) => Verdict::no_draft(&object, &reason),
        };
        match verdict {
            Verdict::Right(draft, warnings) => return Ok((draft, round, warnings)),
            Verdict::Wrong { trouble, .. } if round == ROUNDS => return Err(trouble),
            Verdict::Wrong { text, complaints, .. } => last = Some(Round { text, complaints }),
        }
    }
    Err(Trouble::bug("no round was the last"))
}

fn told(failure: &Failure) -> Trouble {
    Trouble::failure(failure)
}
