//! Doing something with a control, and telling whether it had an effect.

use std::collections::HashSet;
use std::time::Duration;

use crate::accessibility::{Action, Application, Client, Event, Tree};
use crate::failure::Failure;
use crate::stop::Stop;

/// How long an effect is waited for after an application has said that it did something.
const SETTLE: Duration = Duration::from_millis(500);

/// Something was done and an effect of it was seen.
pub const ACTION: &str = "action";
/// An application said that it did something, and no effect was seen.
pub const UNVERIFIED: &str = "action (unverified)";
/// A click of the pointer had an effect.
pub const POINTER: &str = "pointer";
/// A click of the pointer had no effect that was seen.
pub const POINTER_UNVERIFIED: &str = "pointer (unverified)";

/// Actions that press a control; others give it the keyboard or open its menu.
const PRESSES: [&str; 9] = ["click", "press", "activate", "toggle", "jump", "select", "switch", "open", "doclick"];

/// The action of a control that is a click on it.
pub fn press(actions: Vec<Action>) -> Option<Action> {
    let place = |action: &Action| {
        let name = action.name.to_lowercase();
        PRESSES.iter().position(|press| name == *press || name.split(['.', ' ']).any(|word| word == *press))
    };
    actions
        .into_iter()
        .filter_map(|action| Some((place(&action)?, action)))
        .min_by_key(|(place, _)| *place)
        .map(|(_, action)| action)
}

/// Does something with a control of a tree, and says how: [`ACTION`] or [`UNVERIFIED`].
///
/// # Errors
/// The application refuses or does not answer.
pub fn act(
    client: &mut dyn Client,
    application: &Application,
    tree: &Tree,
    control: usize,
    action: &Action,
    stop: &Stop<'_>,
) -> Result<&'static str, Failure> {
    let node = tree.get(control).ok_or_else(|| Failure::step("the control is gone"))?;
    client.watch(application, stop)?;
    let menus = menus(tree);
    let acted = client.act(&node.object, action.index, &|event| is_effect(event, &menus), SETTLE, stop);
    client.unwatch();
    let acted = acted?;
    if acted.accepted == Some(false) {
        return Err(Failure::step(format!("`{}` refuses to {} `{}`", application.name, action.name, node.name)));
    }
    Ok(if acted.effect { ACTION } else { UNVERIFIED })
}

/// Runs `click`, a click of the pointer, and says how it was done: [`POINTER`] or [`POINTER_UNVERIFIED`].
///
/// # Errors
/// Those of `click`.
pub fn watched(
    client: &mut dyn Client,
    application: &Application,
    tree: &Tree,
    stop: &Stop<'_>,
    click: impl FnOnce(&mut dyn Client) -> Result<(), Failure>,
) -> Result<&'static str, Failure> {
    client.watch(application, stop)?;
    let seen = click(client).and_then(|()| seen(client, &menus(tree), stop));
    client.unwatch();
    Ok(if seen? { POINTER } else { POINTER_UNVERIFIED })
}

fn seen(client: &mut dyn Client, menus: &HashSet<&str>, stop: &Stop<'_>) -> Result<bool, Failure> {
    let limit = stop.at_most(SETTLE);
    while let Some(left) = limit.deadline().remaining().filter(|left| !left.is_zero()) {
        match client.next_event(left, stop)? {
            Some(event) if is_effect(&event, menus) => return Ok(true),
            Some(_) => {}
            None => break,
        }
    }
    Ok(false)
}

/// Whether an event tells of more than the control's own feedback: what a click does by itself (focus, a button that is drawn pressed, a
/// menu that opens and closes) is no effect.
fn is_effect(event: &Event, menus: &HashSet<&str>) -> bool {
    let (path, what, detail) = match event {
        Event::Ended => return true,
        Event::Changed { path, what, detail } => (path.as_str(), what.as_str(), detail.as_str()),
    };
    match what {
        "StateChanged" if menus.contains(path) => detail == "checked",
        "StateChanged" => !matches!(detail, "focused" | "armed" | "pressed" | "active"),
        "ChildrenChanged" | "SelectionChanged" => !menus.contains(path),
        "PropertyChange" => matches!(detail, "accessible-name" | "accessible-value" | "accessible-description"),
        "TextChanged" | "Create" | "Destroy" | "Close" | "Open" | "Activate" | "Deactivate" | "Minimize"
        | "Maximize" | "Restore" => true,
        _ => false,
    }
}

fn menus(tree: &Tree) -> HashSet<&str> {
    let menus = tree.controls().filter(|(_, node)| node.role.contains("menu"));
    menus.map(|(_, node)| node.object.path.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::accessibility::{Action, Event};
    use crate::backends::semantic_ui::effect::{is_effect, press};

    fn action(index: i32, name: &str) -> Action {
        Action { index, name: name.to_owned() }
    }

    #[test]
    fn a_focus_action_presses_nothing() {
        assert_eq!(press(vec![action(0, "SetFocus"), action(1, "grab focus")]), None);
        assert_eq!(press(vec![action(0, "SetFocus"), action(1, "Press")]), Some(action(1, "Press")));
        assert_eq!(press(vec![action(0, "activate"), action(1, "click")]), Some(action(1, "click")));
    }

    #[test]
    fn feedback_is_no_effect() {
        let event = |path: &str, what: &str, detail: &str| Event::Changed {
            path: path.to_owned(),
            what: what.to_owned(),
            detail: detail.to_owned(),
        };
        let menus = HashSet::from(["/menu"]);
        assert!(!is_effect(&event("/a", "StateChanged", "focused"), &menus));
        assert!(!is_effect(&event("/menu", "StateChanged", "showing"), &menus));
        assert!(is_effect(&event("/menu", "StateChanged", "checked"), &menus));
        assert!(is_effect(&event("/a", "StateChanged", "showing"), &menus));
        assert!(is_effect(&event("/a", "Create", ""), &menus) && is_effect(&Event::Ended, &menus));
    }
}
