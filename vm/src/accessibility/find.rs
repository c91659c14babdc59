//! Which control a label means.

use std::collections::HashSet;

use crate::accessibility::client::{Application, Area, Client, Object};
use crate::accessibility::error::AccessError;
use crate::accessibility::label::{Label, plain};
use crate::accessibility::tree::{Node, State, Tree};
use crate::failure::Failure;
use crate::stop::Stop;

/// A control that is looked for.
pub struct Query<'a> {
    /// Its label.
    pub label: &'a str,
    /// Its role, when it is given.
    pub role: Option<&'a str>,
    /// How well a control fits what is to be done, 0 best; `None` for one that does not fit at all. From 2 on, one is only meant when
    /// none of the others is, by whatever its label.
    pub rank: &'a dyn Fn(&Node) -> Option<u8>,
    /// What is looked for, in words: `button`.
    pub what: &'a str,
}

/// Most controls whose relations or places are asked for.
const MAX_ASKED: usize = 500;

/// Most names in a message.
const MAX_LISTED: usize = 20;

/// The control a query means.
///
/// # Errors
/// There is none, which says what there is, or there are several that are equally good, which says how many.
pub fn find(
    client: &mut dyn Client,
    application: &Application,
    tree: &Tree,
    query: &Query<'_>,
    stop: &Stop<'_>,
) -> Result<usize, Failure> {
    let found = all(client, tree, query, stop)?;
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(missing(application, tree, query)),
        several => {
            let places: Vec<_> = several.iter().take(MAX_LISTED).map(|index| place_in_words(tree, *index)).collect();
            let message = format!(
                "{} {}s of `{}` are called `{}`: {}",
                several.len(),
                query.what,
                application.name,
                query.label,
                places.join(", ")
            );
            Err(Failure::step(message)
                .hint("give `role` where the action has it, or close the windows that are not meant"))
        }
    }
}

/// The controls a query means: all that are equally good. Controls that can be seen go before others, then those that can be used, then
/// those of the window that has the keyboard.
///
/// # Errors
/// The application does not answer.
pub fn all(
    client: &mut dyn Client,
    tree: &Tree,
    query: &Query<'_>,
    stop: &Stop<'_>,
) -> Result<Vec<usize>, AccessError> {
    let mut look = Look { client, tree, label: Label::new(query.label), stop };
    let mut ranks: Vec<(u8, Vec<usize>)> = Vec::new();
    for (index, node) in tree.controls() {
        let rank = (query.rank)(node).filter(|_| query.role.is_none_or(|role| role_is(node.role, role)));
        if let Some(rank) = rank {
            match ranks.iter_mut().find(|(other, _)| *other == rank) {
                Some((_, group)) => group.push(index),
                None => ranks.push((rank, vec![index])),
            }
        }
    }
    ranks.sort_by_key(|(rank, _)| *rank);
    let (meant, others): (Vec<_>, Vec<_>) = ranks.into_iter().partition(|(rank, _)| *rank < 2);
    for (ranks, sure) in [(&meant, true), (&meant, false), (&others, true), (&others, false)] {
        for (_, group) in ranks {
            let found = if sure { look.sure(group)? } else { look.likely(group)? };
            if !found.is_empty() {
                return Ok(best(tree, found));
            }
        }
    }
    Ok(Vec::new())
}

/// A control in words: its role and the window it is in.
fn place_in_words(tree: &Tree, index: usize) -> String {
    let role = tree.get(index).map(|node| node.role).unwrap_or_default();
    match tree.window_of(index).map(|window| plain(&window.name)) {
        Some(window) if !window.is_empty() => format!("a {role} in the window `{window}`"),
        Some(_) | None => format!("a {role}"),
    }
}

/// Whether a role is the one a macro means: AT-SPI's names, with `-` or `_` for a blank too, and its older name of buttons.
fn role_is(role: &str, wanted: &str) -> bool {
    let wanted = wanted.trim().to_lowercase().replace(['-', '_'], " ");
    let wanted = if wanted == "push button" { "button" } else { wanted.as_str() };
    role == wanted || (wanted == "entry" && role == "text")
}

struct Look<'a, 's> {
    client: &'a mut dyn Client,
    tree: &'a Tree,
    label: Label,
    stop: &'a Stop<'s>,
}

impl Look<'_, '_> {
    /// By what the control itself or its application says: its name, or a label that is declared to be its.
    fn sure(&mut self, group: &[usize]) -> Result<Vec<usize>, AccessError> {
        let tree = self.tree;
        let named: Vec<_> = self.filter(group, |node| &node.name);
        if !named.is_empty() {
            return Ok(named);
        }
        let labels = self.label_widgets();
        let targets = self.client.labelled(&self.objects(&labels), self.stop)?;
        let declared: Vec<_> = targets
            .iter()
            .flatten()
            .filter_map(|object| tree.index_of(object))
            .filter(|index| group.contains(index))
            .collect();
        if !declared.is_empty() || labels.is_empty() {
            return Ok(declared);
        }
        let silent: Vec<_> = self.unnamed(group);
        let theirs = self.client.labels(&self.objects(&silent), self.stop)?;
        let of_ours = |list: &Vec<Object>| list.iter().any(|object| labels.iter().any(|label| self.is(*label, object)));
        Ok(silent.iter().zip(&theirs).filter(|(_, list)| of_ours(list)).map(|(index, _)| *index).collect())
    }

    /// By what else tells: the label beside it, its description, and for a control without any of these its role.
    fn likely(&mut self, group: &[usize]) -> Result<Vec<usize>, AccessError> {
        let beside = self.beside(group)?;
        if !beside.is_empty() {
            return Ok(beside);
        }
        let described = self.filter(group, |node| &node.description);
        if !described.is_empty() {
            return Ok(described);
        }
        Ok(self
            .unnamed(group)
            .into_iter()
            .filter(|index| self.tree.get(*index).is_some_and(|node| self.label.is(node.role)))
            .collect())
    }

    /// The unnamed controls that stand right of a label with this text, or else under it, nearest first found.
    fn beside(&mut self, group: &[usize]) -> Result<Vec<usize>, AccessError> {
        let labels: Vec<_> = self.label_widgets().into_iter().filter(|index| self.showing(*index)).collect();
        if labels.is_empty() {
            return Ok(Vec::new());
        }
        let controls: Vec<_> = self.unnamed(group).into_iter().filter(|index| self.showing(*index)).collect();
        let label_areas = self.client.areas(&self.objects(&labels), self.stop)?;
        let areas = self.client.areas(&self.objects(&controls), self.stop)?;
        let mut found = Vec::new();
        for (label, label_area) in labels.iter().zip(label_areas) {
            let window = self.tree.window_of(*label).map(|window| &window.object);
            let near = controls.iter().zip(&areas).filter_map(|(control, area)| {
                let same = self.tree.window_of(*control).map(|window| &window.object) == window;
                Some((distance(label_area?, (*area).filter(|_| same)?)?, *control))
            });
            found.extend(near.min().map(|(_, control)| control));
        }
        found.dedup();
        Ok(found)
    }

    fn label_widgets(&self) -> Vec<usize> {
        let labels = self.tree.controls().filter(|(_, node)| matches!(node.role, "label" | "static"));
        let ours = labels.filter(|(_, node)| self.label.is(&node.name)).map(|(index, _)| index);
        ours.take(MAX_ASKED).collect()
    }

    fn unnamed(&self, group: &[usize]) -> Vec<usize> {
        let unnamed = group.iter().copied().filter(|index| self.tree.get(*index).is_some_and(may_be_labelled));
        unnamed.take(MAX_ASKED).collect()
    }

    fn filter(&self, group: &[usize], text: impl Fn(&Node) -> &String) -> Vec<usize> {
        group
            .iter()
            .copied()
            .filter(|index| self.tree.get(*index).is_some_and(|node| self.label.is(text(node))))
            .collect()
    }

    fn showing(&self, index: usize) -> bool {
        self.tree.get(index).is_some_and(|node| node.states.has(State::Showing))
    }

    fn is(&self, index: usize, object: &Object) -> bool {
        self.tree.get(index).is_some_and(|node| node.object == *object)
    }

    fn objects(&self, indices: &[usize]) -> Vec<Object> {
        indices.iter().filter_map(|index| self.tree.get(*index)).map(|node| node.object.clone()).collect()
    }
}

/// Whether a control is one that gets its label from elsewhere; a combo box may give what is chosen in it as its name.
fn may_be_labelled(node: &Node) -> bool {
    let container = matches!(
        node.role,
        "application"
            | "filler"
            | "panel"
            | "label"
            | "static"
            | "scroll bar"
            | "separator"
            | "scroll pane"
            | "tool bar"
            | "status bar"
            | "frame"
    );
    !container && (node.name.trim().is_empty() || node.role == "combo box")
}

/// How far a control is from a label that may be its: right of it on the same row, or close under it.
fn distance(label: Area, control: Area) -> Option<i64> {
    let (label_right, label_bottom) = (right(label), bottom(label));
    let middle = i64::from(label.y) + i64::from(label.height) / 2;
    let same_row = (i64::from(control.y)..bottom(control)).contains(&middle);
    if same_row && i64::from(control.x) + i64::from(control.width) / 2 >= label_right {
        return Some((i64::from(control.x) - label_right).max(0));
    }
    let gap = i64::from(control.y) - label_bottom;
    let overlaps = i64::from(control.x) < label_right && right(control) > i64::from(label.x);
    let close = (-2..=i64::from(label.height)).contains(&gap);
    // One on the same row goes first.
    (overlaps && close).then_some(100_000 + gap)
}

fn right(area: Area) -> i64 {
    i64::from(area.x) + i64::from(area.width)
}

fn bottom(area: Area) -> i64 {
    i64::from(area.y) + i64::from(area.height)
}

fn best(tree: &Tree, found: Vec<usize>) -> Vec<usize> {
    let score = |index: &usize| {
        let states = tree.get(*index).map(|node| node.states).unwrap_or_default();
        let active = tree.window_of(*index).is_some_and(|window| window.states.has(State::Active));
        (states.has(State::Showing), states.usable(), active)
    };
    let most = found.iter().map(score).max();
    found.into_iter().filter(|index| Some(score(index)) == most).collect()
}

fn missing(application: &Application, tree: &Tree, query: &Query<'_>) -> Failure {
    let named = |(_, node): &(usize, &Node)| (query.rank)(node) == Some(0) && !node.name.trim().is_empty();
    let mut names: Vec<_> = tree.controls().filter(named).map(|(_, node)| format!("`{}`", plain(&node.name))).collect();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    let more = names.len() > MAX_LISTED;
    names.truncate(MAX_LISTED);
    let there = match names.as_slice() {
        _ if tree.nodes.len() < 2 => "it exposes no accessible controls".to_owned(),
        [] => "it has none with a name".to_owned(),
        names => format!("it has {}{}", names.join(", "), if more { " and more" } else { "" }),
    };
    let role = query.role.map(|role| format!(" of role `{role}`")).unwrap_or_default();
    let cut = if tree.left_out.is_empty() {
        String::new()
    } else {
        let parts: Vec<_> = tree.left_out.iter().map(ToString::to_string).collect();
        format!(" (not looked at: {})", parts.join(", "))
    };
    Failure::step(format!("`{}` has no {}{role} called `{}`: {there}{cut}", application.name, query.what, query.label))
        .hint("`get_controls` lists the roles and names there are")
}

#[cfg(test)]
mod tests {
    use crate::accessibility::client::Area;
    use crate::accessibility::find::{distance, role_is};

    const LABEL: Area = Area { x: 10, y: 100, width: 60, height: 20 };

    #[test]
    fn a_control_beside_a_label_is_nearer_than_one_under_it() {
        let beside = distance(LABEL, Area { x: 80, y: 95, width: 200, height: 30 }).unwrap();
        let under = distance(LABEL, Area { x: 10, y: 125, width: 200, height: 30 }).unwrap();
        assert!(beside < under);
        assert_eq!(distance(LABEL, Area { x: 80, y: 300, width: 200, height: 30 }), None);
        assert_eq!(distance(LABEL, Area { x: 0, y: 95, width: 8, height: 30 }), None);
        assert_eq!(distance(LABEL, Area { x: 10, y: 60, width: 200, height: 30 }), None);
        assert_eq!(distance(LABEL, Area { x: i32::MAX, y: 95, width: i32::MAX, height: 30 }), Some(2_147_483_577));
    }

    #[test]
    fn roles_have_their_usual_spellings() {
        assert!(
            role_is("button", "push button") && role_is("button", "Push-Button") && role_is("check box", "check_box")
        );
        assert!(role_is("text", "entry") && !role_is("text", "label") && !role_is("toggle button", "button"));
    }
}
