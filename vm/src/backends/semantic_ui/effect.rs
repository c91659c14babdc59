//! Doing something with a control, and telling whether it had an effect.

use std::collections::HashSet;
use std::time::Duration;

use crate::accessibility::{Action, Application, Client, Event, Kind, Object, State, Tree};
use crate::backends::semantic_ui::wait::until;
use crate::failure::Failure;
use crate::stop::Stop;

/// How long an effect is waited for after something was done.
const SETTLE: Duration = Duration::from_millis(500);

/// The same for a control whose name ends in dots: it announces a dialog, which may take a while to come.
const DIALOG: Duration = Duration::from_secs(3);

/// What something was done to a control by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Its application was asked to.
    Action,
    /// A click of the pointer.
    Pointer,
    /// Keys.
    Keys,
    /// Its container was asked to select it.
    Selection,
    /// It was as wanted already.
    Nothing,
}

/// Something that was done to a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// By what.
    pub method: Method,
    /// Whether an effect of it was seen.
    pub seen: bool,
}

impl Done {
    /// The words for it in a result.
    pub fn words(self) -> String {
        let method = match self.method {
            Method::Action => "action",
            Method::Pointer => "pointer",
            Method::Keys => "keys",
            Method::Selection => "selection",
            Method::Nothing => "nothing to do",
        };
        if self.seen { method.to_owned() } else { format!("{method} (unverified)") }
    }
}

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

/// Does something with a control of a tree.
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
) -> Result<Done, Failure> {
    let node = tree.get(control).ok_or_else(|| Failure::step("the control is gone"))?;
    client.watch(Some(&application.object), &Kind::EFFECTS, stop)?;
    let telling = telling(tree);
    let acted =
        client.act(&node.object, action.index, &|event| is_effect(event, &telling), settle(tree, control), stop);
    client.unwatch();
    let acted = acted?;
    if acted.accepted == Some(false) {
        return Err(Failure::step(format!("`{}` refuses to {} `{}`", application.name, action.name, node.name)));
    }
    Ok(Done { method: Method::Action, seen: acted.effect })
}

/// Runs `input`, which drives a control by the keys or the pointer, and tells whether an effect of it was seen.
///
/// # Errors
/// Those of `input`.
pub fn watched(
    client: &mut dyn Client,
    application: &Application,
    tree: &Tree,
    control: usize,
    stop: &Stop<'_>,
    input: impl FnOnce(&mut dyn Client) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    client.watch(Some(&application.object), &Kind::EFFECTS, stop)?;
    let telling = telling(tree);
    let seen = input(client)
        .and_then(|()| Ok(client.await_event(&|event| is_effect(event, &telling), settle(tree, control), stop)?));
    client.unwatch();
    seen
}

/// Waits until a control is in a state, for a second at most; whether it is.
///
/// # Errors
/// The application does not answer, or `stop` came first.
pub fn becomes(client: &mut dyn Client, object: &Object, state: State, stop: &Stop<'_>) -> Result<bool, Failure> {
    let is = |client: &mut dyn Client| Ok(client.states(object, stop)?.has(state).then_some(()));
    Ok(until(client, object, &[Kind::State(state)], Duration::from_secs(1), stop, is)?.is_some())
}

fn settle(tree: &Tree, control: usize) -> Duration {
    let dialog = |name: &String| name.ends_with("...") || name.ends_with('…');
    if tree.get(control).is_some_and(|node| dialog(&node.name)) { DIALOG } else { SETTLE }
}

/// Whether an event tells of more than the control's own feedback: what a click does by itself (focus, a button that is drawn pressed, a
/// menu that opens and closes) is no effect.
fn is_effect(event: &Event, telling: &HashSet<&str>) -> bool {
    let (path, what, detail) = match event {
        Event::Ended => return true,
        Event::Others => return false,
        Event::Changed { path, what, detail } => (path.as_str(), what.as_str(), detail.as_str()),
    };
    let telling = telling.contains(path);
    match what {
        "StateChanged" => {
            detail == "checked"
                || (telling && !matches!(detail, "focused" | "armed" | "pressed" | "active" | "iconified"))
        }
        "ChildrenChanged" | "SelectionChanged" | "TextChanged" => telling,
        "PropertyChange" => {
            telling && matches!(detail, "accessible-name" | "accessible-value" | "accessible-description")
        }
        "Create" | "Destroy" | "Close" | "Open" | "Activate" | "Deactivate" | "Minimize" | "Maximize" | "Restore" => {
            true
        }
        _ => false,
    }
}

/// The controls whose changes tell of an effect: menus and the lines that describe their items change as they are opened, and so do
/// controls that were not there before, which are those of menus as they pop up; that a window comes, its own event tells.
fn telling(tree: &Tree) -> HashSet<&str> {
    let feedback = |role: &str| role.contains("menu") || matches!(role, "separator" | "status bar" | "tool tip");
    let controls = (0..tree.nodes.len()).filter(|index| !tree.ancestors(*index).any(|node| feedback(node.role)));
    controls.filter_map(|index| tree.get(index)).map(|node| node.object.path.as_str()).collect()
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
        let telling = HashSet::from(["/a"]);
        assert!(!is_effect(&event("/a", "StateChanged", "focused"), &telling));
        assert!(!is_effect(&event("/menu", "StateChanged", "showing"), &telling));
        assert!(is_effect(&event("/menu", "StateChanged", "checked"), &telling));
        assert!(is_effect(&event("/a", "StateChanged", "showing"), &telling));
        assert!(is_effect(&event("/new", "Create", ""), &telling) && is_effect(&Event::Ended, &telling));
    }
}
