//! Pressing, toggling and selecting.

use std::time::Duration;

use spec::action::{arguments, outputs};

use crate::accessibility::{
    Application, Client, Kind, Label, Limits, Node, Query, SharedAccess, State, Tree, application, find, plain,
};
use crate::backends::semantic_ui::effect::{Done, Method, act, becomes, press, watched};
use crate::backends::semantic_ui::pointer::{click_middle, key, raise};
use crate::backends::semantic_ui::wait::until;
use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;

/// How long a state may take to be reached.
const REACHED: Duration = Duration::from_secs(2);

/// Most items in a message.
const MAX_LISTED: usize = 20;

/// Presses a control: by its own action or, when it only offers to take the keyboard, by a click in its middle.
///
/// # Errors
/// It is missing, disabled, or there are several.
pub fn button_click(
    access: &SharedAccess,
    desktop: &SharedDesktop,
    arguments: &arguments::ButtonClick,
    stop: &Stop<'_>,
) -> Result<outputs::ButtonClick, Failure> {
    let mut client = access.get(stop)?;
    let query = Query { label: &arguments.label, role: None, rank: &pressable, what: "button" };
    let found = Found::new(&mut *client, desktop, &arguments.app_name, &query, stop)?;
    let node = found.usable(&mut *client, found.index)?.clone();
    let done = found.press(&mut *client, found.index)?;
    let clicked = if node.name.trim().is_empty() { arguments.label.clone() } else { node.name };
    Ok(outputs::ButtonClick { clicked, method: done.words() })
}

/// Sets a check box, switch or toggle button, and sees that it is set.
///
/// # Errors
/// It is missing, disabled, or stays as it is.
pub fn toggle(
    access: &SharedAccess,
    desktop: &SharedDesktop,
    arguments: &arguments::Toggle,
    stop: &Stop<'_>,
) -> Result<outputs::Toggle, Failure> {
    let mut client = access.get(stop)?;
    let query = Query { label: &arguments.label, role: None, rank: &togglable, what: "check box" };
    let found = Found::new(&mut *client, desktop, &arguments.app_name, &query, stop)?;
    let node = found.node(found.index)?.clone();
    let before = client.states(&node.object, stop)?.on();
    let state = arguments.state.unwrap_or(!before);
    if before == state {
        return Ok(outputs::Toggle { state, method: nothing().words() });
    }
    found.usable(&mut *client, found.index)?;
    let done = found.press(&mut *client, found.index)?;
    found.reaches(&mut *client, &node, if state { "on" } else { "off" }, |client| {
        Ok(client.states(&node.object, stop)?.on() == state)
    })?;
    // The state that was read is the effect.
    Ok(outputs::Toggle { state, method: Done { seen: true, ..done }.words() })
}

/// Selects an item of a combo box, list, table, tab row or group of radio buttons, and sees that it is selected.
///
/// # Errors
/// The container or the item is missing, or the item stays unselected.
pub fn select(
    access: &SharedAccess,
    desktop: &SharedDesktop,
    arguments: &arguments::Select,
    stop: &Stop<'_>,
) -> Result<outputs::Select, Failure> {
    let mut client = access.get(stop)?;
    let query = Query { label: &arguments.label, role: None, rank: &container, what: "list or combo box" };
    let found = Found::new(&mut *client, desktop, &arguments.app_name, &query, stop)?;
    found.usable(&mut *client, found.index)?;
    let (holder, item) = found.item(&arguments.item)?;
    let done = found.select(&mut *client, holder, item)?;
    Ok(outputs::Select { selected: found.node(item)?.name.clone(), method: done.words() })
}

/// A control that was found, with all that is needed to do something with it.
struct Found<'a, 's> {
    desktop: &'a SharedDesktop,
    application: Application,
    tree: Tree,
    index: usize,
    stop: &'a Stop<'s>,
}

impl<'a, 's> Found<'a, 's> {
    fn new(
        client: &mut dyn Client,
        desktop: &'a SharedDesktop,
        name: &str,
        query: &Query<'_>,
        stop: &'a Stop<'s>,
    ) -> Result<Self, Failure> {
        let application = application(client, name, stop)?;
        let tree = client.tree(&application, Limits::default(), stop)?;
        let index = find(client, &application, &tree, query, stop)?;
        Ok(Self { desktop, application, tree, index, stop })
    }

    fn node(&self, index: usize) -> Result<&Node, Failure> {
        self.tree.get(index).ok_or_else(|| Failure::step("the control is gone"))
    }

    /// A control that can be used; one that cannot yet is given a moment, for dialogs come up before all of them can.
    fn usable(&self, client: &mut dyn Client, index: usize) -> Result<&Node, Failure> {
        let node = self.node(index)?;
        if node.states.usable() || becomes(client, &node.object, State::Sensitive, self.stop)? {
            return Ok(node);
        }
        let name = if node.name.trim().is_empty() { node.role.to_owned() } else { plain(&node.name) };
        Err(Failure::step(format!("`{name}` of `{}` is disabled", self.application.name)))
    }

    fn press(&self, client: &mut dyn Client, index: usize) -> Result<Done, Failure> {
        let node = self.node(index)?;
        if matches!(node.role, "button" | "toggle button")
            && client.acts_within(&self.application, self.stop)?
            && let Some(done) = self.press_by_keys(client, index)?
        {
            return Ok(done);
        }
        match press(client.actions(&node.object, self.stop)?) {
            Some(action) => act(client, &self.application, &self.tree, index, &action, self.stop),
            None => {
                let seen = watched(client, &self.application, &self.tree, index, self.stop, |client| {
                    click_middle(client, self.desktop, &self.application, &self.tree, index, self.stop)
                })?;
                Ok(Done { method: Method::Pointer, seen })
            }
        }
    }

    /// Gives a button the keyboard and presses the key that presses it; `None`, and nothing is pressed, when it does not have it then.
    fn press_by_keys(&self, client: &mut dyn Client, index: usize) -> Result<Option<Done>, Failure> {
        let (node, stop) = (self.node(index)?, self.stop);
        if !node.states.has(State::Focusable) || !node.states.has(State::Showing) {
            return Ok(None);
        }
        if raise(self.desktop, &self.application, &self.tree, index, stop).is_err() {
            stop.check()?;
            return Ok(None);
        }
        if !client.focus(&node.object, stop)? || !becomes(client, &node.object, State::Focused, stop)? {
            return Ok(None);
        }
        let seen = watched(client, &self.application, &self.tree, index, stop, |_| key(self.desktop, "space", stop))?;
        Ok(Some(Done { method: Method::Keys, seen }))
    }

    /// Waits until something holds.
    fn reaches(
        &self,
        client: &mut dyn Client,
        node: &Node,
        wanted: &str,
        holds: impl Fn(&mut dyn Client) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let kinds = [Kind::States, Kind::Selection, Kind::Properties];
        let look = |client: &mut dyn Client| Ok(holds(client)?.then_some(()));
        until(client, &node.object, &kinds, REACHED, self.stop, look)?.ok_or_else(|| {
            let name = plain(&node.name);
            Failure::step(format!("`{name}` of `{}` does not become {wanted}", self.application.name))
        })
    }

    /// The item of this label below the container, and what it is directly in.
    fn item(&self, label: &str) -> Result<(usize, usize), Failure> {
        let wanted = Label::new(label);
        let inside: Vec<_> = self.tree.below(self.index).into_iter().skip(1).collect();
        let of = |index: &usize| self.tree.get(*index);
        let is = |index: &&usize| of(index).is_some_and(|node| wanted.is(&node.name) && item(node));
        let found: Vec<_> = inside.iter().filter(is).copied().collect();
        match found.as_slice() {
            [one] => Ok((of(one).and_then(|node| node.parent).unwrap_or(self.index), *one)),
            [] => {
                let named = inside.iter().filter_map(of).filter(|node| item(node) && !node.name.trim().is_empty());
                let names: Vec<_> = named.take(MAX_LISTED).map(|node| format!("`{}`", plain(&node.name))).collect();
                let there = if names.is_empty() { "nothing with a name".to_owned() } else { names.join(", ") };
                Err(Failure::step(format!("{} has no item `{label}`; it has {there}", self.words()?)))
            }
            many => Err(Failure::step(format!("{} has {} items `{label}`", self.words()?, many.len()))),
        }
    }

    fn select(&self, client: &mut dyn Client, holder: usize, item: usize) -> Result<Done, Failure> {
        let (node, stop) = (self.node(item)?.clone(), self.stop);
        let container = self.node(self.index)?.clone();
        let combo = container.role == "combo box";
        let selected = |client: &mut dyn Client| -> Result<bool, Failure> {
            if combo {
                let child = client.selected_child(&container.object, stop)?;
                let name = client.name(&container.object, stop)?;
                return Ok(child.as_ref() == Some(&node.object) || Label::new(&node.name).is(&name));
            }
            let states = client.states(&node.object, stop)?;
            Ok(states.has(State::Selected) || states.on())
        };
        if selected(client)? {
            return Ok(nothing());
        }
        self.usable(client, item)?;
        let done = self.choose(client, &container, holder, item)?;
        self.reaches(client, &node, "selected", selected)?;
        Ok(Done { seen: true, ..done })
    }

    fn choose(&self, client: &mut dyn Client, container: &Node, holder: usize, item: usize) -> Result<Done, Failure> {
        let selection = Done { method: Method::Selection, seen: true };
        let (node, holder) = (self.node(item)?, self.node(holder)?);
        let place = holder.children.iter().position(|child| *child == item).and_then(|place| i32::try_from(place).ok());
        if let Some(place) = place.filter(|_| !matches!(node.role, "radio button" | "check box")) {
            let table = holder.states.has(State::ManagesDescendants) || holder.role.contains("table");
            if table && client.select_row(&holder.object, place, self.stop)? == Some(true) {
                return Ok(selection);
            }
            for owner in [container, holder] {
                if client.select_child(&owner.object, place, self.stop)? == Some(true) {
                    return Ok(selection);
                }
            }
            if table && client.focus(&node.object, self.stop)? {
                return Ok(selection);
            }
        }
        self.press(client, item)
    }

    fn words(&self) -> Result<String, Failure> {
        let node = self.node(self.index)?;
        Ok(if node.name.trim().is_empty() {
            format!("the {}", node.role)
        } else {
            format!("the {} `{}`", node.role, plain(&node.name))
        })
    }
}

/// The control was as wanted already, which was seen.
fn nothing() -> Done {
    Done { method: Method::Nothing, seen: true }
}

/// How well a control can be pressed.
fn pressable(node: &Node) -> Option<u8> {
    match node.role {
        "button" | "toggle button" | "push button menu" => Some(0),
        "menu item" | "check menu item" | "radio menu item" | "check box" | "radio button" | "switch" | "link"
        | "icon" | "page tab" | "list item" | "table cell" | "tree item" | "menu" | "combo box" | "color chooser" => {
            Some(1)
        }
        "application" | "frame" | "dialog" | "alert" | "window" | "file chooser" | "menu bar" => None,
        _ => Some(2),
    }
}

/// How well a control can be toggled.
fn togglable(node: &Node) -> Option<u8> {
    match node.role {
        "check box" | "toggle button" | "switch" => Some(0),
        "check menu item" | "radio button" | "radio menu item" => Some(1),
        "table cell" | "list item" | "tree item" => Some(2),
        _ => None,
    }
}

/// How well a control can have something selected in it.
fn container(node: &Node) -> Option<u8> {
    match node.role {
        "combo box" | "list" | "list box" | "table" | "tree" | "tree table" | "page tab list" | "icon view" => Some(0),
        "panel" | "grouping" | "filler" | "layered pane" | "menu" | "tool bar" => Some(1),
        _ => None,
    }
}

/// Whether a control can be an item of a container.
fn item(node: &Node) -> bool {
    matches!(
        node.role,
        "menu item"
            | "check menu item"
            | "radio menu item"
            | "list item"
            | "table cell"
            | "tree item"
            | "table row"
            | "page tab"
            | "radio button"
            | "icon"
            | "toggle button"
            | "label"
            | "button"
    )
}
