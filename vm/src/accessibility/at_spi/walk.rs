//! Reading the tree of an application.

use std::collections::{HashMap, HashSet};

use futures_util::future::join3;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use zbus::Connection;
use zbus::zvariant::OwnedValue;

use crate::accessibility::at_spi::cache::Cache;
use crate::accessibility::at_spi::call::{ACCESSIBLE, CallError, PROPERTIES, Reference, call, object, present};
use crate::accessibility::at_spi::control::{bits, role_name};
use crate::accessibility::client::{Application, Object};
use crate::accessibility::error::AccessError;
use crate::accessibility::tree::{LeftOut, Limits, Node, State, States, Tree};

/// How many calls are under way at once.
const AT_ONCE: usize = 256;

/// Trees of no more levels are read control by control.
const FEW_LEVELS: usize = 3;

/// Most characters of a name or description that are kept.
const MAX_NAME: usize = 4_096;

/// The tree of an application: in one answer what its bridge has noted, and the rest level by level, all calls of a level under way at
/// once, so that it takes two round trips for each level rather than a few for each control.
///
/// # Errors
/// It ended. A control that vanishes meanwhile is left out.
pub async fn tree(conn: &Connection, application: &Application, limits: Limits) -> Result<Tree, AccessError> {
    let root = detail(conn, application.object.clone()).await?;
    // For a few controls it would be more than is needed.
    let whole = limits.depth > FEW_LEVELS;
    let cache = if whole { Cache::read(conn, &application.object).await? } else { Cache::default() };
    let mut walk = Walk { conn, cache, limits, tree: Tree::default(), seen: HashSet::new() };
    walk.seen.insert(root.object.path.clone());
    walk.tree.nodes.push(root);
    let mut level = vec![0];
    while !level.is_empty() {
        level = walk.descend(&level).await?;
    }
    Ok(walk.tree)
}

struct Walk<'a> {
    conn: &'a Connection,
    cache: Cache,
    limits: Limits,
    tree: Tree,
    seen: HashSet<String>,
}

impl Walk<'_> {
    /// Adds the children of these controls and returns them.
    async fn descend(&mut self, level: &[usize]) -> Result<Vec<usize>, CallError> {
        let parents: Vec<usize> = level
            .iter()
            .copied()
            .filter(|index| self.tree.get(*index).is_some_and(|node| node.child_count > 0))
            .collect();
        let depth = level.first().and_then(|index| self.tree.get(*index)).map_or(0, |node| node.depth);
        if parents.is_empty() {
            return Ok(Vec::new());
        }
        if depth >= self.limits.depth {
            self.leave_out(LeftOut::Deeper(self.limits.depth));
            return Ok(Vec::new());
        }
        let (conn, cache, most) = (self.conn, &self.cache, self.limits.children);
        let asked: Vec<_> = parents.iter().filter_map(|index| self.tree.get(*index)).cloned().collect();
        let lists = asked.iter().map(|parent| children(conn, cache, parent, most));
        let lists: Vec<Vec<Object>> = stream::iter(lists).buffered(AT_ONCE).try_collect().await?;
        let mut wanted = Vec::new();
        for (parent, list) in parents.iter().zip(lists) {
            let count = self.tree.get(*parent).map_or(0, |node| node.child_count);
            if count > most {
                let role = self.tree.get(*parent).map(|node| node.role).unwrap_or_default();
                self.leave_out(LeftOut::Children { first: most, count, role });
            }
            for object in list.into_iter().take(most) {
                // An application may show a control of another one as its own, or one twice.
                let own = self.tree.get(0).is_some_and(|root| root.object.owner == object.owner);
                if self.seen.len() >= self.limits.nodes {
                    self.leave_out(LeftOut::More(self.limits.nodes));
                } else if own && self.seen.insert(object.path.clone()) {
                    wanted.push((*parent, object));
                }
            }
        }
        let cache = &self.cache;
        let details = wanted.into_iter().map(async |(parent, object)| {
            let node = match cache.node(&object) {
                Some(node) => Some(node),
                None => present(detail(conn, object).await)?,
            };
            Ok::<_, CallError>((parent, node))
        });
        let details: Vec<(usize, Option<Node>)> = stream::iter(details).buffered(AT_ONCE).try_collect().await?;
        let mut next = Vec::new();
        for (parent, node) in details {
            let index = self.tree.nodes.len();
            if let (Some(node), Some(above)) = (node, self.tree.nodes.get_mut(parent)) {
                above.children.push(index);
                self.tree.nodes.push(Node { parent: Some(parent), depth: depth + 1, ..node });
                next.push(index);
            }
        }
        Ok(next)
    }

    fn leave_out(&mut self, what: LeftOut) {
        if !self.tree.left_out.contains(&what) && self.tree.left_out.len() < 20 {
            self.tree.left_out.push(what);
        }
    }
}

/// The children of a control. A table may have millions, so those that manage theirs are asked for the first few one by one.
async fn children(conn: &Connection, cache: &Cache, parent: &Node, most: usize) -> Result<Vec<Object>, CallError> {
    if let Some(noted) = cache.children(parent) {
        return Ok(noted);
    }
    let many = parent.states.has(State::ManagesDescendants) || parent.child_count > most;
    if !many {
        let list = call::<_, Vec<Reference>>(conn, &parent.object, ACCESSIBLE, "GetChildren", &()).await;
        return Ok(present(list)?.unwrap_or_default().into_iter().filter_map(object).collect());
    }
    let first = 0..i32::try_from(parent.child_count.min(most)).unwrap_or(i32::MAX);
    let each = first.map(async |place| {
        present(call::<_, Reference>(conn, &parent.object, ACCESSIBLE, "GetChildAtIndex", &place).await)
    });
    let list: Vec<Option<Reference>> = stream::iter(each).buffered(AT_ONCE).try_collect().await?;
    Ok(list.into_iter().flatten().filter_map(object).collect())
}

async fn detail(conn: &Connection, object: Object) -> Result<Node, CallError> {
    let (properties, role, states) = join3(
        call::<_, HashMap<String, OwnedValue>>(conn, &object, PROPERTIES, "GetAll", &ACCESSIBLE),
        call::<_, u32>(conn, &object, ACCESSIBLE, "GetRole", &()),
        call::<_, Vec<u32>>(conn, &object, ACCESSIBLE, "GetState", &()),
    )
    .await;
    let mut properties = properties?;
    let mut text =
        |name| properties.remove(name).and_then(|value| String::try_from(value).ok()).map(short).unwrap_or_default();
    let (name, description) = (text("Name"), text("Description"));
    let child_count = properties.remove("ChildCount").and_then(|value| i32::try_from(value).ok()).unwrap_or(0);
    Ok(Node {
        object,
        role: role_name(role?),
        name,
        description,
        states: States(bits(&states?)),
        child_count: usize::try_from(child_count).unwrap_or(0),
        parent: None,
        children: Vec::new(),
        depth: 0,
    })
}

/// Without the blanks around it, which some toolkits put where an accelerator would be.
pub fn short(text: String) -> String {
    let text = text.trim();
    let end = text.char_indices().nth(MAX_NAME).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or_default().to_owned()
}
