//! What an action or condition is about to touch, and the refusal of it.
//!
//! The kinds of the table say what a parameter names; what a recording does is in its events. It is derived from the very values an action
//! gets, so that nothing is touched that was not asked for.

mod literal;

use std::ffi::OsStr;
use std::path::Path;

use spec::action::{Action, Arguments, fill};
use spec::artifact::{Capability, EventKind, Stream};
use spec::condition::Condition;
use spec::device::{self, Devices};
use spec::kind::{self, Access, Kind, Shape};
use spec::value::Value;
use spec::variable::{CACHE, stand_in};

use crate::environment::variable;
use crate::failure::{Failure, FailureKind};
use crate::process;

pub use crate::need::literal::literal;

/// Something that is about to be touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// What is done with it.
    pub capability: Capability,
    /// Its name as an action has it: a path, a program, a part of a title, an address; empty for devices, and for every window.
    pub name: String,
    /// The name it gets in there, should it be a folder.
    pub inside: Option<String>,
}

/// A need that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The need as a policy writes it: `write=/tmp/x`.
    pub need: String,
    /// What would allow it, as `--allow` takes it; none when nothing can.
    pub allow: Option<String>,
    /// Who refuses: "the policy `ci.toml`".
    pub by: String,
}

impl Need {
    /// A need by its name.
    pub fn named(capability: Capability, name: impl Into<String>) -> Self {
        Self { capability, name: name.into(), inside: None }
    }

    /// Looking into every window, whatever its title.
    pub fn every_window() -> Self {
        Self::named(Capability::Window, "")
    }
}

/// The failure of what is refused.
pub fn refused(refusals: &[Refusal]) -> Failure {
    let by = refusals.first().map_or("", |refusal| refusal.by.as_str());
    let needs: Vec<String> = refusals.iter().map(|refusal| format!("`{}`", refusal.need)).collect();
    let allow: Option<Vec<&str>> = refusals.iter().map(|refusal| refusal.allow.as_deref()).collect();
    let message = format!("{by} does not allow {}", needs.join(", "));
    let hint = match allow {
        Some(allow) => {
            format!("if it may do that, allow it: `--allow '{}'`, or the same in a policy file", allow.join(","))
        }
        None => {
            "no rule lets a run write, move or delete the file of its own policy, or a folder or link on the way to it"
                .to_owned()
        }
    };
    Failure::new(FailureKind::Refused, message).hint(hint)
}

/// What an action is about to touch.
pub fn of_action(action: Action, values: &Arguments, streams: &[Stream]) -> Vec<Need> {
    let values = fill(action, values.clone());
    let parameters = action.parameters();
    let given = |name: &str| action.parameter(name).and_then(|(place, _)| values.get(place)?.as_ref());
    let mut needs = Vec::new();
    for (parameter, value) in parameters.iter().zip(&values) {
        needs.extend(kept_decisions(action, parameter.name, value.as_ref(), &variable));
        let Some(value) = value else { continue };
        if parameter.shape == Shape::Recording {
            let texts = given("texts").cloned().and_then(|texts| kind::Texts::read(texts).ok()).unwrap_or_default();
            of_recording(value, &texts, streams, &mut needs);
            continue;
        }
        if parameter.access == Access::Runs {
            needs.extend(program(value, given("cwd"), given("env")));
            continue;
        }
        if parameter.shape == Shape::Variables {
            // There are variables that make any program do anything: which may be set is the policy's to say.
            let variables = kind::Environment::read(value.clone()).unwrap_or_default();
            needs.extend(variables.into_iter().map(|(name, _)| Need::named(Capability::Env, name)));
            continue;
        }
        needs.extend(one(parameter.access, value));
    }
    if action == Action::CopyFile {
        let inside = given("src")
            .and_then(text)
            .and_then(|source| Path::new(&source).file_name().and_then(OsStr::to_str).map(str::to_owned));
        let written = needs.iter_mut().find(|need| need.capability == Capability::Write);
        written.into_iter().for_each(|need| need.inside.clone_from(&inside));
    }
    let has = |shape: Shape| {
        let filled =
            |value: &Option<Value>| value.as_ref().is_some_and(|value| text(value).is_none_or(|text| !text.is_empty()));
        parameters.iter().zip(&values).any(|(parameter, value)| parameter.shape == shape && filled(value))
    };
    devices(device::of(action, &has), &mut needs);
    needs
}

/// What a condition is about to look at.
pub fn of_condition(condition: Condition, values: &[Value]) -> Vec<Need> {
    let operands = condition.operands().iter().zip(values);
    operands.filter_map(|(operand, value)| one(operand.access, value)).collect()
}

fn one(access: Access, value: &Value) -> Option<Need> {
    let capability = match access {
        // Programs are told with the folder they are run in.
        Access::None | Access::Runs => return None,
        Access::Reads => Capability::Read,
        Access::Writes => Capability::Write,
        Access::Finds => Capability::Window,
        Access::Environment => Capability::Env,
        Access::Asks => Capability::Host,
    };
    // An empty title is the whole screen, a blank address the usual one.
    let missing = |name: &str| if access == Access::Asks { name.trim().is_empty() } else { name.is_empty() };
    text(value).filter(|name| !missing(name)).map(|name| Need::named(capability, name))
}

/// The folder of decisions that the environment names, when a step names none.
fn kept_decisions(
    action: Action,
    parameter: &str,
    value: Option<&Value>,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Option<Need> {
    let blank = |text: &String| text.trim().is_empty();
    if stand_in(action, parameter) != Some(CACHE) || value.and_then(text).is_some_and(|path| !blank(&path)) {
        return None;
    }
    environment(CACHE).filter(|path| !blank(path)).map(|path| Need::named(Capability::Write, path))
}

fn text(value: &Value) -> Option<String> {
    kind::text(value.clone()).ok()
}

/// The program of a command: one with a slash from the folder it runs in, and one without by its file when the step has a PATH of its own.
fn program(command: &Value, cwd: Option<&Value>, env: Option<&Value>) -> Option<Need> {
    let word = kind::Argv::read(command.clone()).ok()?.into_iter().next()?;
    let cwd = cwd.and_then(text);
    let variables = env.cloned().and_then(|env| kind::Environment::read(env).ok()).unwrap_or_default();
    let path = variables.into_iter().rfind(|(name, _)| name == "PATH");
    let name = match (path, cwd) {
        (Some((_, path)), cwd) if !word.contains('/') => {
            let found = process::resolve(&word, cwd.as_deref().map(Path::new), path.as_deref().map(OsStr::new)).ok();
            found.map_or(word, |found| found.display().to_string())
        }
        (_, Some(cwd)) if word.contains('/') && !word.starts_with('/') => format!("{cwd}/{word}"),
        (_, _) => word,
    };
    Some(Need::named(Capability::Run, name))
}

fn of_recording(name: &Value, filled: &[String], streams: &[Stream], needs: &mut Vec<Need>) {
    let Some(stream) = text(name).and_then(|name| streams.iter().find(|stream| stream.path == name)) else { return };
    let mut used = Devices::default();
    for event in &stream.events {
        let text = || {
            let index = (event.text as usize).checked_sub(1)?;
            stream.texts.get(index).or_else(|| filled.get(index.checked_sub(stream.texts.len())?)).cloned()
        };
        match event.kind {
            EventKind::Move | EventKind::ButtonDown | EventKind::ButtonUp | EventKind::Scroll => used.clicks = true,
            EventKind::Chord | EventKind::KeyDown | EventKind::KeyUp | EventKind::Text => used.types = true,
            EventKind::WaitFile => needs.extend(text().map(|path| Need::named(Capability::Read, path))),
            EventKind::WaitWindow => needs.extend(text().map(|title| Need::named(Capability::Window, title))),
            EventKind::WaitImage => used.captures = true,
            EventKind::Sleep => {}
        }
    }
    devices(used, needs);
}

fn devices(used: Devices, needs: &mut Vec<Need>) {
    let all = [
        (Capability::Type, used.types),
        (Capability::Click, used.clicks),
        (Capability::Capture, used.captures),
        (Capability::Model, used.model),
    ];
    needs.extend(all.into_iter().filter(|(_, used)| *used).map(|(capability, _)| Need::named(capability, "")));
    if used.every_window {
        needs.push(Need::every_window());
    }
}

#[cfg(test)]
mod tests;
