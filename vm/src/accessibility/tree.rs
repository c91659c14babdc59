//! The controls of an application, as they were at one moment.

use std::fmt;

use crate::accessibility::client::Object;

/// The controls of an application; the first is the application itself.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Every control, each after its parent.
    pub nodes: Vec<Node>,
    /// What is not in it because a limit was reached; empty when nothing is missing.
    pub left_out: Vec<LeftOut>,
}

/// What is not in a tree because a limit was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// What lies deeper than so many levels.
    Deeper(usize),
    /// All but the first children of a control.
    Children {
        /// How many are in the tree.
        first: usize,
        /// How many it says to have.
        count: usize,
        /// The role of the control.
        role: &'static str,
    },
    /// What comes after so many controls.
    More(usize),
}

/// A control.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What the application calls it by.
    pub object: Object,
    /// Its role by AT-SPI, such as `button` or `menu item`.
    pub role: &'static str,
    /// Its name; may be empty.
    pub name: String,
    /// Its description; may be empty.
    pub description: String,
    /// Its states.
    pub states: States,
    /// How many children it says to have.
    pub child_count: usize,
    /// The control it is in, as an index of [`Tree::nodes`].
    pub parent: Option<usize>,
    /// The controls in it, in order, as far as they were looked at.
    pub children: Vec<usize>,
    /// How deep it lies; the application is at 0 and its windows at 1.
    pub depth: usize,
}

/// How much of a tree is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most controls.
    pub nodes: usize,
    /// Deepest level, where the application is 0.
    pub depth: usize,
    /// Most children of one control.
    pub children: usize,
}

/// A state of a control; the numbers are those of `AtspiStateType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// A window that has the keyboard.
    Active = 1,
    /// A mark is set.
    Checked = 4,
    /// It is no longer there.
    Defunct = 6,
    /// Its text can be changed.
    Editable = 7,
    /// It can be used.
    Enabled = 8,
    /// It can have the keyboard.
    Focusable = 11,
    /// It has the keyboard.
    Focused = 12,
    /// It takes all input of its application.
    Modal = 16,
    /// A button that stays down.
    Pressed = 20,
    /// It is chosen.
    Selected = 23,
    /// It reacts.
    Sensitive = 24,
    /// It can be seen, and so can all it is in.
    Showing = 25,
    /// It is not hidden, though what it is in may be.
    Visible = 30,
    /// Its children come and go as they are looked at: a table of any size.
    ManagesDescendants = 31,
}

/// The states of a control, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct States(pub u64);

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deeper(levels) => write!(f, "controls deeper than {levels} levels"),
            Self::Children { first, count, role } => {
                write!(f, "all but the first {first} of {count} controls in a {role}")
            }
            Self::More(controls) => write!(f, "more than {controls} controls"),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { nodes: 10_000, depth: 200, children: 1_000 }
    }
}

impl States {
    /// Whether it is in a state.
    pub fn has(self, state: State) -> bool {
        self.0 & (1 << state as u64) != 0
    }

    /// Whether it reacts to a user.
    pub fn usable(self) -> bool {
        // Some toolkits set only one of the two.
        self.has(State::Sensitive) || self.has(State::Enabled)
    }

    /// Whether a check box, switch or toggle button is on.
    pub fn on(self) -> bool {
        self.has(State::Checked) || self.has(State::Pressed)
    }
}

impl Tree {
    /// A control.
    pub fn get(&self, index: usize) -> Option<&Node> {
        self.nodes.get(index)
    }

    /// The children of a control.
    pub fn children(&self, index: usize) -> impl Iterator<Item = (usize, &Node)> {
        let children = self.get(index).map(|node| node.children.as_slice()).unwrap_or_default();
        children.iter().filter_map(|child| Some((*child, self.get(*child)?)))
    }

    /// The windows of the application.
    pub fn windows(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.children(0)
    }

    /// The window a control is in.
    pub fn window_of(&self, index: usize) -> Option<&Node> {
        self.ancestors(index).find(|node| node.depth == 1)
    }

    /// A control and all it is in, outwards.
    pub fn ancestors(&self, index: usize) -> impl Iterator<Item = &Node> {
        std::iter::successors(self.get(index), |node| self.get(node.parent?))
    }

    /// A control and all controls in it, in reading order.
    pub fn below(&self, index: usize) -> Vec<usize> {
        let (mut found, mut open) = (Vec::new(), vec![index]);
        while let Some(next) = open.pop() {
            found.push(next);
            open.extend(self.children(next).map(|(child, _)| child).collect::<Vec<_>>().into_iter().rev());
        }
        found
    }

    /// Every control but the application, with its index.
    pub fn controls(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.nodes.iter().enumerate().skip(1)
    }

    /// The index of the control an application calls so.
    pub fn index_of(&self, object: &Object) -> Option<usize> {
        self.nodes.iter().position(|node| node.object == *object)
    }
}
