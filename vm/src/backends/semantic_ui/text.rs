//! The text of a control.

use std::time::Duration;

use spec::action::{arguments, outputs};

use crate::accessibility::{
    Application, Client, Kind, Limits, Node, Query, SharedAccess, State, Tree, application, find, plain,
};
use crate::backends::semantic_ui::effect::becomes;
use crate::backends::semantic_ui::pointer::{key, raise};
use crate::backends::semantic_ui::wait::until;
use crate::desktop::SharedDesktop;
use crate::failure::{Failure, FailureKind};
use crate::stop::Stop;

/// The application was handed the text.
const TEXT: &str = "text";
/// The text was typed.
const KEYS: &str = "keys";
/// The text is a number, and a slider was moved to it.
const VALUE: &str = "value";

/// Most characters that are read from a control.
const MAX_READ: i32 = 4_000_000;

/// How long a text may take to be there.
const THERE: Duration = Duration::from_secs(2);

/// Replaces the text of a field and reads it back.
///
/// # Errors
/// The field is missing, cannot be changed, or holds another text after that.
pub fn set_text(
    access: &SharedAccess,
    desktop: &SharedDesktop,
    arguments: &arguments::SetText,
    stop: &Stop<'_>,
) -> Result<outputs::SetText, Failure> {
    let mut client = access.get(stop)?;
    let client = &mut *client;
    let application = application(client, &arguments.app_name, stop)?;
    let tree = client.tree(&application, Limits::default(), stop)?;
    let role = arguments.role.as_deref();
    let query = Query { label: &arguments.label, role, rank: &writable, what: "text field" };
    let index = inner(&tree, find(client, &application, &tree, &query, stop)?);
    let node = tree.get(index).ok_or_else(|| Failure::step("the field is gone"))?;
    let words = || format!("the {} `{}` of `{}`", node.role, arguments.label, application.name);
    if !node.states.usable() && !becomes(client, &node.object, State::Sensitive, stop)? {
        return Err(Failure::step(format!("{} is disabled", words())));
    }
    if let Some(text) = slide(client, node, &arguments.text, stop)? {
        return Ok(outputs::SetText { text, method: VALUE.to_owned() });
    }
    if !node.states.has(State::Editable) && client.text(&node.object, 0, stop)?.is_some() {
        return Err(Failure::step(format!("{} cannot be edited", words())));
    }
    let handed = client.set_text(&node.object, &arguments.text, stop)? == Some(true);
    let method = if handed && holds(client, node, &arguments.text, stop)?.is_ok() {
        TEXT
    } else {
        type_over(client, desktop, &application, &tree, index, &arguments.text, stop)?;
        KEYS
    };
    match holds(client, node, &arguments.text, stop)? {
        Ok(text) => Ok(outputs::SetText { text, method: method.to_owned() }),
        Err(text) => Err(Failure::step(format!("{} holds `{}` after its text was set", words(), plain(&text)))),
    }
}

/// Reads the text of a control; of one without a text its chosen item, its value or its name.
///
/// # Errors
/// The control is missing, or its text is too long.
pub fn get_text(
    access: &SharedAccess,
    arguments: &arguments::GetText,
    stop: &Stop<'_>,
) -> Result<outputs::GetText, Failure> {
    let mut client = access.get(stop)?;
    let client = &mut *client;
    let application = application(client, &arguments.app_name, stop)?;
    let tree = client.tree(&application, Limits::default(), stop)?;
    let role = arguments.role.as_deref();
    let query = Query { label: &arguments.label, role, rank: &readable, what: "control" };
    let index = inner(&tree, find(client, &application, &tree, &query, stop)?);
    let node = tree.get(index).ok_or_else(|| Failure::step("the control is gone"))?;
    Ok(outputs::GetText { text: read(client, node, stop)? })
}

fn read(client: &mut dyn Client, node: &Node, stop: &Stop<'_>) -> Result<String, Failure> {
    if let Some(text) = client.text(&node.object, MAX_READ, stop)? {
        if text.chars().count() >= usize::try_from(MAX_READ).unwrap_or(usize::MAX) {
            let message = format!("the text of `{}` has {MAX_READ} characters or more", plain(&node.name));
            return Err(Failure::new(FailureKind::Limit, message));
        }
        return Ok(text);
    }
    if let Some(chosen) = client.selected_child(&node.object, stop)? {
        return Ok(client.name(&chosen, stop)?);
    }
    if let Some(value) = client.value(&node.object, stop)? {
        return Ok(value.to_string());
    }
    Ok(client.name(&node.object, stop)?)
}

/// Moves a slider to a number and returns where it is then; `None` for what is no slider.
fn slide(client: &mut dyn Client, node: &Node, text: &str, stop: &Stop<'_>) -> Result<Option<String>, Failure> {
    if !matches!(node.role, "slider" | "dial" | "scroll bar") {
        return Ok(None);
    }
    let number: f64 =
        text.trim().parse().map_err(|_| Failure::step(format!("a {} takes a number, not `{text}`", node.role)))?;
    client.set_value(&node.object, number, stop)?;
    let now = client.value(&node.object, stop)?.unwrap_or(f64::NAN);
    if (now - number).abs() <= 1e-6 * number.abs().max(1.0) {
        return Ok(Some(now.to_string()));
    }
    Err(Failure::step(format!("the {} is at {now} after it was moved to {number}", node.role)))
}

/// Whether a field holds a text, with what it holds. A field for passwords gives signs in their place: as many are enough.
fn holds(client: &mut dyn Client, node: &Node, text: &str, stop: &Stop<'_>) -> Result<Result<String, String>, Failure> {
    let hidden = node.role == "password text";
    let mut last = String::new();
    let look = |client: &mut dyn Client| {
        last = client.text(&node.object, MAX_READ, stop)?.unwrap_or_default();
        let same = *last == *text || (hidden && last.chars().count() == text.chars().count());
        Ok(same.then_some(()))
    };
    let held = until(client, &node.object, &[Kind::Text], THERE, stop, look)?;
    Ok(if held.is_some() { Ok(last) } else { Err(last) })
}

/// Gives a field the keyboard, selects all of its text and types over it.
fn type_over(
    client: &mut dyn Client,
    desktop: &SharedDesktop,
    application: &Application,
    tree: &Tree,
    index: usize,
    text: &str,
    stop: &Stop<'_>,
) -> Result<(), Failure> {
    let node = tree.get(index).ok_or_else(|| Failure::step("the field is gone"))?;
    raise(desktop, application, tree, index, stop)?;
    if !client.focus(&node.object, stop)? {
        return Err(Failure::step(format!("`{}` does not take the keyboard", plain(&node.name))));
    }
    key(desktop, "ctrl+a", stop)?;
    if text.is_empty() {
        return key(desktop, "delete", stop);
    }
    desktop.get(stop)?.type_text(text, Duration::ZERO, stop)?;
    Ok(())
}

/// The field inside of a combo box or spin button that holds its text.
fn inner(tree: &Tree, index: usize) -> usize {
    let is_text =
        |at: &usize| tree.get(*at).is_some_and(|node| matches!(node.role, "text" | "entry" | "password text"));
    match tree.get(index).map(|node| node.role) {
        Some("combo box" | "panel" | "filler" | "scroll pane") => {
            tree.below(index).into_iter().find(is_text).unwrap_or(index)
        }
        Some(_) | None => index,
    }
}

fn writable(node: &Node) -> Option<u8> {
    match node.role {
        "text" | "entry" | "password text" | "spin button" | "editbar" | "autocomplete" | "document text"
        | "paragraph" | "date editor" => Some(0),
        "slider" | "dial" | "combo box" | "terminal" | "document web" | "document frame" => Some(1),
        _ => None,
    }
}

/// What has a text of its own goes before what is only a label.
fn readable(node: &Node) -> Option<u8> {
    match node.role {
        "label" | "static" | "caption" | "heading" => Some(2),
        "application" | "filler" | "panel" | "scroll pane" | "viewport" | "separator" => Some(3),
        _ if writable(node).is_some() => Some(0),
        _ => Some(1),
    }
}
