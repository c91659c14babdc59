//! What an application tells of many of its controls in one answer.

use std::collections::HashMap;

use zbus::Connection;

use crate::accessibility::at_spi::call::{CallError, Reference, call, object, present};
use crate::accessibility::at_spi::control::{bits, role_name};
use crate::accessibility::at_spi::walk::short;
use crate::accessibility::client::Object;
use crate::accessibility::tree::{Node, State, States};

/// The controls of an application that its bridge has noted. What it says of each is fresh; it may have noted only some, and where it has
/// none this is empty.
#[derive(Debug, Default)]
pub struct Cache {
    nodes: HashMap<String, Node>,
    /// By parent: the places and the controls there.
    children: HashMap<String, Vec<(i32, Object)>>,
}

/// Itself, its application, its parent, its place there, how many children it has, its interfaces, name, role, description and states.
type Item = (Reference, Reference, Reference, i32, i32, Vec<String>, String, u32, String, Vec<u32>);

impl Cache {
    /// Asks for it. GTK answers only once somebody listens to its events.
    ///
    /// # Errors
    /// The application has ended.
    pub async fn read(conn: &Connection, application: &Object) -> Result<Self, CallError> {
        let cache = Object { path: "/org/a11y/atspi/cache".to_owned(), ..application.clone() };
        let items = call::<_, Vec<Item>>(conn, &cache, "org.a11y.atspi.Cache", "GetItems", &()).await;
        let mut all = Self::default();
        for (own, _, parent, place, count, _, name, role, description, states) in present(items)?.unwrap_or_default() {
            let (Some(object), Ok(child_count)) = (object(own), usize::try_from(count)) else { continue };
            all.children.entry(parent.1.to_string()).or_default().push((place, object.clone()));
            let node = Node {
                object: object.clone(),
                role: role_name(role),
                name: short(name),
                description: short(description),
                states: States(bits(&states)),
                child_count,
                parent: None,
                children: Vec::new(),
                depth: 0,
            };
            all.nodes.insert(object.path, node);
        }
        Ok(all)
    }

    /// A control, when it was noted.
    pub fn node(&self, object: &Object) -> Option<Node> {
        self.nodes.get(&object.path).filter(|node| node.object == *object).cloned()
    }

    /// The children of a control in order, when all of them were noted.
    pub fn children(&self, parent: &Node) -> Option<Vec<Object>> {
        let mut children = self.children.get(&parent.object.path)?.clone();
        children.sort_by_key(|(place, _)| *place);
        let places = children.iter().map(|(place, _)| *place);
        let all =
            places.eq(0..i32::try_from(parent.child_count).ok()?) && !parent.states.has(State::ManagesDescendants);
        all.then(|| children.into_iter().map(|(_, object)| object).collect())
    }
}
