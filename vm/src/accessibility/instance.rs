//! Which application a name means.

use std::collections::HashSet;
use std::time::Duration;

use crate::accessibility::client::{Application, Applications, Client, Patience};
use crate::accessibility::label::contains;
use crate::accessibility::tree::{Limits, State};
use crate::failure::{Failure, FailureKind};
use crate::stop::Stop;

/// Most names of applications in a message.
const MAX_LISTED: usize = 12;

const HINT: &str = "applications show themselves when they are started in a session with `at-spi2-core` and without `NO_AT_BRIDGE=1`; \
                    for those that cannot, use keys and images (`visual_anchor`)";

/// The application that `name` means: its name, or a part of it, in whatever case; a whole name goes before a part.
///
/// Of several, the one whose window has the keyboard is meant, then one that has windows, then the newest. One that does not answer is
/// only meant when no other is.
///
/// # Errors
/// None is meant, or the one that is does not answer: it is named.
pub fn application(client: &mut dyn Client, name: &str, stop: &Stop<'_>) -> Result<Application, Failure> {
    let all = client.applications(&|other| contains(other, name), patience(stop), stop)?;
    let mut meant = matching(&all.answering, name);
    match meant.len() {
        0 => Err(missing(&all, name)),
        1 => Ok(meant.remove(0)),
        _ => newest(client, meant, stop),
    }
}

/// Every application.
///
/// # Errors
/// There is no accessibility.
pub fn every_application(client: &mut dyn Client, stop: &Stop<'_>) -> Result<Applications, Failure> {
    Ok(client.applications(&|_| false, patience(stop), stop)?)
}

/// Enough for an application that is busy, and little enough to tell of one that is frozen before the step's time is over.
fn patience(stop: &Stop<'_>) -> Patience {
    let left = stop.deadline().remaining().unwrap_or(Duration::MAX);
    Patience { others: (left / 4).min(Duration::from_secs(1)), all: (left / 10 * 8).min(Duration::from_secs(5)) }
}

fn matching(all: &[Application], name: &str) -> Vec<Application> {
    let part: Vec<_> = all.iter().filter(|application| contains(&application.name, name)).cloned().collect();
    let whole: Vec<_> = part.iter().filter(|other| other.name.to_lowercase() == name.to_lowercase()).cloned().collect();
    if whole.is_empty() { part } else { whole }
}

fn newest(client: &mut dyn Client, meant: Vec<Application>, stop: &Stop<'_>) -> Result<Application, Failure> {
    let mut best: Option<(u8, Application)> = None;
    for application in meant {
        let windows = client.tree(&application, Limits { depth: 1, ..Limits::default() }, stop)?;
        let active = windows.windows().any(|(_, window)| window.states.has(State::Active));
        let rank = if active { 2 } else { u8::from(windows.windows().next().is_some()) };
        // Later ones are newer.
        if best.as_ref().is_none_or(|(other, _)| rank >= *other) {
            best = Some((rank, application));
        }
    }
    best.map(|(_, application)| application).ok_or_else(|| Failure::step("no application"))
}

fn missing(all: &Applications, name: &str) -> Failure {
    let words = |some: &[Application]| some.iter().map(Application::words).collect::<Vec<_>>().join(" and ");
    let silent = matching(&all.silent, name);
    if !silent.is_empty() {
        let message = format!("{} does not answer", words(&silent));
        return Failure::new(FailureKind::Step, message).hint("wait until it is idle, or start it again");
    }
    let mut names: Vec<_> = all.answering.iter().map(|application| format!("`{}`", application.name)).collect();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names.truncate(MAX_LISTED);
    let there =
        if names.is_empty() { "there is none at all".to_owned() } else { format!("there are {}", names.join(", ")) };
    let rest = if all.silent.is_empty() { String::new() } else { format!("; {} does not answer", words(&all.silent)) };
    Failure::step(format!("no accessible application is called `{name}`: {there}{rest}")).hint(HINT)
}
