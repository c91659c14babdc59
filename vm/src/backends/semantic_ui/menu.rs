//! Choosing an item of a menu.

use std::time::Duration;

use spec::action::{arguments, outputs};
use spec::value::Value;

use crate::accessibility::{
    Application, Client, Kind, Label, Limits, Node, SharedAccess, State, Tree, application, plain,
};
use crate::backends::semantic_ui::effect::{Done, Method, act, becomes, press, watched};
use crate::backends::semantic_ui::pointer::{key, raise};
use crate::backends::semantic_ui::wait::Pace;
use crate::desktop::SharedDesktop;
use crate::failure::Failure;
use crate::stop::Stop;

/// How long a menu that is filled when it opens may take.
const FILLING: Duration = Duration::from_secs(1);

/// Most items in a message.
const MAX_LISTED: usize = 20;

/// Chooses an item of a menu: the menu bar is that of the window with the keyboard, else that of the newest window.
///
/// # Errors
/// A level is missing (with what there is instead), disabled, or a menu where an item is meant.
pub fn menu_click(
    access: &SharedAccess,
    desktop: &SharedDesktop,
    arguments: &arguments::MenuClick,
    stop: &Stop<'_>,
) -> Result<outputs::MenuClick, Failure> {
    let mut client = access.get(stop)?;
    let application = application(&mut *client, &arguments.app_name, stop)?;
    let mut menu = Menu { client: &mut *client, desktop, application, tree: Tree::default(), opened: 0, stop };
    let done = menu.choose(&arguments.menu_path);
    if done.is_err() {
        menu.close();
    }
    Ok(outputs::MenuClick {
        method: done?.words(),
        menu_path: arguments.menu_path.iter().cloned().map(Value::String).collect(),
    })
}

struct Menu<'a, 's> {
    client: &'a mut dyn Client,
    desktop: &'a SharedDesktop,
    application: Application,
    tree: Tree,
    /// How many menus were opened to be filled.
    opened: usize,
    stop: &'a Stop<'s>,
}

impl Menu<'_, '_> {
    fn choose(&mut self, path: &[String]) -> Result<Done, Failure> {
        let mut levels = Vec::new();
        self.tree = self.client.tree(&self.application, Limits::default(), self.stop)?;
        let mut at = self.bar()?;
        let mut place = format!("the menu bar of `{}`", self.application.name);
        for (level, label) in path.iter().enumerate() {
            let last = level + 1 == path.len();
            let item = self.item(at, label, &place)?;
            let node = self.node(item)?;
            if !node.states.usable() {
                return Err(Failure::step(format!("`{}` in {place} is disabled", plain(&node.name))));
            }
            place = format!("the menu `{}`", plain(&node.name));
            let mut inside = items(&self.tree, item);
            if last {
                if node.role == "menu" || !inside.is_empty() {
                    let there = listed(&self.tree, &inside);
                    return Err(Failure::step(format!("{place} is no item; it has {there}"))
                        .hint("add the label of one of its items to `menu_path`"));
                }
                return self.click(&levels, item);
            }
            levels.push(item);
            if inside.is_empty() && node.role == "menu" {
                self.open(item)?;
                inside = items(&self.tree, item);
            }
            if inside.is_empty() {
                return Err(Failure::step(format!("`{}` is no menu, or an empty one", plain(&node.name))));
            }
            at = item;
        }
        Err(Failure::step("`menu_path` is empty"))
    }

    fn bar(&self) -> Result<usize, Failure> {
        let bars: Vec<_> = self.tree.controls().filter(|(_, node)| node.role == "menu bar").collect();
        let usable = bars.iter().filter(|(index, _)| !items(&self.tree, *index).is_empty());
        let rank = |index: usize, node: &Node| {
            let active = self.tree.window_of(index).is_some_and(|window| window.states.has(State::Active));
            (active, node.states.has(State::Showing), index)
        };
        usable.max_by_key(|(index, node)| rank(*index, node)).map(|(index, _)| *index).ok_or_else(|| {
            Failure::step(format!("`{}` exposes no accessible menus", self.application.name)).hint(
                "press a menu button with `button_click`, or use the keys of the command with `shortcut`; `get_controls` lists what there is",
            )
        })
    }

    fn item(&self, menu: usize, label: &str, place: &str) -> Result<usize, Failure> {
        let (wanted, inside) = (Label::new(label), items(&self.tree, menu));
        let is = |index: &&usize| self.tree.get(**index).is_some_and(|node| wanted.is(&node.name));
        let found: Vec<_> = inside.iter().filter(is).copied().collect();
        let visible = |index: &&usize| self.tree.get(**index).is_some_and(|node| node.states.has(State::Visible));
        let shown: Vec<_> = found.iter().filter(visible).copied().collect();
        match (shown.as_slice(), found.as_slice()) {
            ([one], _) | ([], [one]) => Ok(*one),
            ([], []) => {
                let there = listed(&self.tree, &inside);
                Err(Failure::step(format!("{place} has no `{label}`; it has {there}")))
            }
            ([], many) | (many, _) => Err(Failure::step(format!("{place} has {} items `{label}`", many.len()))),
        }
    }

    fn click(&mut self, levels: &[usize], item: usize) -> Result<Done, Failure> {
        let node = self.node(item)?;
        if self.client.acts_within(&self.application, self.stop)? {
            if let Some(seen) = self.by_keys(levels, item)? {
                return Ok(Done { method: Method::Keys, seen });
            }
            self.close();
        }
        let actions = self.client.actions(&node.object, self.stop)?;
        let action = press(actions).ok_or_else(|| {
            Failure::step(format!("`{}` offers no way to choose `{}`", self.application.name, plain(&node.name)))
        })?;
        act(self.client, &self.application, &self.tree, item, &action, self.stop)
    }

    /// Opens the menus one after the other, selects the item and presses the key that chooses it; whether an effect was seen. Nothing is
    /// pressed that was not seen to be where it should be: `None` when something was not.
    fn by_keys(&mut self, levels: &[usize], item: usize) -> Result<Option<bool>, Failure> {
        let Some((top, inner)) = levels.split_first() else { return Ok(None) };
        if raise(self.desktop, &self.application, &self.tree, *top, self.stop).is_err() {
            self.stop.check()?;
            return Ok(None);
        }
        let top_object = self.node(*top)?.object;
        let Some(action) = press(self.client.actions(&top_object, self.stop)?) else { return Ok(None) };
        self.opened += 1;
        self.client.act(&top_object, action.index, &|_| false, Duration::ZERO, self.stop)?;
        let mut menu = *top;
        for next in inner {
            if !self.select(menu, *next)? {
                return Ok(None);
            }
            self.opened += 1;
            self.key("right")?;
            menu = *next;
        }
        if !self.select(menu, item)? {
            return Ok(None);
        }
        let (desktop, stop) = (self.desktop, self.stop);
        // What is chosen now is chosen: nothing is tried again.
        self.opened = 0;
        watched(self.client, &self.application, &self.tree, item, stop, |_| key(desktop, "enter", stop)).map(Some)
    }

    /// Selects an item of a menu that is opening; whether it is selected.
    fn select(&mut self, menu: usize, item: usize) -> Result<bool, Failure> {
        let (parent, node) = (self.node(menu)?, self.node(item)?);
        let place = parent.children.iter().position(|child| *child == item);
        let Some(place) = place.and_then(|place| i32::try_from(place).ok()) else { return Ok(false) };
        Ok(becomes(self.client, &node.object, State::Showing, self.stop)?
            && self.client.select_child(&parent.object, place, self.stop)? == Some(true)
            && becomes(self.client, &node.object, State::Selected, self.stop)?)
    }

    fn key(&self, name: &str) -> Result<(), Failure> {
        key(self.desktop, name, self.stop)
    }

    /// Opens a menu that has no items yet, for some are only made then.
    fn open(&mut self, menu: usize) -> Result<(), Failure> {
        let object = self.node(menu)?.object;
        let Some(action) = press(self.client.actions(&object, self.stop)?) else { return Ok(()) };
        self.client.watch(Some(&self.application.object), &Kind::EFFECTS, self.stop)?;
        self.opened += 1;
        let acted = self.client.act(&object, action.index, &|_| true, FILLING, self.stop);
        let filled = acted.map_err(Failure::from).and_then(|_| self.fill(&object));
        self.client.unwatch();
        filled
    }

    fn fill(&mut self, menu: &crate::accessibility::Object) -> Result<(), Failure> {
        let (limit, mut pace) = (self.stop.at_most(FILLING), Pace::default());
        loop {
            pace.look();
            let path = self.tree.index_of(menu);
            let tree = self.client.tree(&self.application, Limits::default(), self.stop)?;
            let filled = tree.index_of(menu).filter(|index| !items(&tree, *index).is_empty());
            // Indices that are in use must stay what they are.
            if let (Some(_), true) = (filled, filled == path) {
                self.tree = tree;
                return Ok(());
            }
            self.stop.check()?;
            if limit.asked() {
                return Ok(());
            }
            pace.pause(self.client, &limit)?;
        }
    }

    /// Closes the menus that were opened; what fails in here changes nothing of why it is done.
    fn close(&mut self) {
        for _ in 0..std::mem::take(&mut self.opened) {
            if self.key("escape").is_err() {
                return;
            }
        }
    }

    fn node(&self, index: usize) -> Result<Node, Failure> {
        self.tree.get(index).cloned().ok_or_else(|| Failure::step("the menu is gone"))
    }
}

/// The items of a menu or menu bar; what toolkits put between a menu and its items is looked through.
fn items(tree: &Tree, menu: usize) -> Vec<usize> {
    let (mut found, mut open) = (Vec::new(), vec![menu]);
    while let Some(next) = open.pop() {
        for (child, node) in tree.children(next) {
            match node.role {
                "menu" | "menu item" | "check menu item" | "radio menu item" if !node.name.trim().is_empty() => {
                    found.push(child);
                }
                "menu" | "popup menu" | "window" | "panel" | "filler" | "scroll pane" | "viewport" => open.push(child),
                _ => {}
            }
        }
    }
    found.sort_unstable();
    found
}

fn listed(tree: &Tree, items: &[usize]) -> String {
    let nodes: Vec<_> = items.iter().filter_map(|index| tree.get(*index)).collect();
    let visible: Vec<_> = nodes.iter().copied().filter(|node| node.states.has(State::Visible)).collect();
    let shown = if visible.is_empty() { nodes } else { visible };
    let names: Vec<_> = shown.iter().take(MAX_LISTED).map(|node| format!("`{}`", plain(&node.name))).collect();
    match names.len() {
        0 => "no items".to_owned(),
        MAX_LISTED.. if shown.len() > MAX_LISTED => format!("{} and more", names.join(", ")),
        _ => names.join(", "),
    }
}
