//! What happens in an application, as it tells.

use std::future::pending;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::try_join_all;
use futures_util::stream::{FuturesUnordered, select_all};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use zbus::message::{Message, Type};
use zbus::zvariant::{OwnedObjectPath, OwnedValue};
use zbus::{Connection, MatchRule, MessageStream};

use crate::accessibility::at_spi::applications::registry;
use crate::accessibility::at_spi::call::{CallError, call};
use crate::accessibility::client::{Event, Kind, Object};
use crate::accessibility::error::AccessError;
use crate::accessibility::tree::State;

/// Events that are kept until they are looked at; more tell nothing new.
const KEPT: usize = 1_024;

/// The events of windows, as the registry calls all of them.
const WINDOWS: &str = "window:";

/// The registry is waited for so long: without its answer there are fewer events, and the waits look again by time.
const ANSWER: Duration = Duration::from_millis(500);

/// Takes note of the events of one application, or of applications that come and go.
pub struct Watch {
    task: JoinHandle<()>,
    events: Receiver<Event>,
    registered: Vec<String>,
}

impl Watch {
    /// Begins to take note; when it returns, the application has been asked to send its events before anything that is asked later.
    ///
    /// # Errors
    /// The bus does not answer.
    pub async fn begin(conn: &Connection, owner: Option<&str>, kinds: &[Kind]) -> Result<Self, AccessError> {
        let rules = kinds.iter().filter_map(|kind| rule(*kind, owner)).chain(owner.map(ended));
        let rules = rules.collect::<Result<Vec<_>, _>>().map_err(CallError::from)?;
        let streams = rules.into_iter().map(|rule| MessageStream::for_match_rule(rule, conn, Some(KEPT)));
        let mut messages = select_all(try_join_all(streams).await.map_err(CallError::from)?);
        let registered: Vec<String> =
            kinds.iter().filter(|_| owner.is_some()).filter_map(|kind| event_type(*kind)).collect();
        let _ = timeout(ANSWER, ask(conn, "RegisterEvent", &registered)).await;
        let (sender, receiver) = channel(KEPT);
        let owner = owner.map(str::to_owned);
        // Messages must be taken as they come: what is not taken holds up the answers behind it.
        let task = tokio::spawn(async move {
            while let Some(message) = messages.next().await {
                // When there are too many, the ones that are kept tell enough, and reading more would only cost time.
                let Ok(room) = sender.try_reserve() else { continue };
                if let Some(event) = message.ok().and_then(|message| read(&message, owner.as_deref())) {
                    room.send(event);
                }
            }
        });
        Ok(Self { task, events: receiver, registered })
    }

    /// The next event; `None` when there will be none.
    pub async fn next(&mut self) -> Option<Event> {
        self.events.recv().await
    }

    /// Waits for anything, and forgets it with all that has come.
    pub async fn any(&mut self) {
        if self.next().await.is_none() {
            return pending().await;
        }
        while self.events.try_recv().is_ok() {}
    }

    /// Takes note no more, and asks for no events. Waits for no answer longer than a moment.
    pub async fn end(self, conn: &Connection) {
        self.task.abort();
        let end = async {
            ask(conn, "DeregisterEvent", &self.registered).await;
            // The registry takes the events of a kind off with the kind.
            if self.registered.iter().any(|event| event == WINDOWS) {
                awaken(conn).await;
            }
        };
        let _ = timeout(Duration::from_millis(200), end).await;
    }
}

/// Listens to an event that is rare, for as long as the connection lasts: bridges prepare their answers only for those who listen.
pub async fn awaken(conn: &Connection) {
    ask(conn, "RegisterEvent", &["window:create".to_owned()]).await;
}

/// Asks the registry for the events, or for no more of them.
async fn ask(conn: &Connection, method: &str, events: &[String]) {
    let registry = Object { path: "/org/a11y/atspi/registry".to_owned(), ..registry() };
    let calls: FuturesUnordered<_> =
        events.iter().map(|event| call::<_, ()>(conn, &registry, "org.a11y.atspi.Registry", method, event)).collect();
    calls.collect::<Vec<_>>().await;
}

/// What the registry calls the events of a kind; it tells the applications, which send none that nobody asked for. It sends its own
/// unasked.
fn event_type(kind: Kind) -> Option<String> {
    let event = match kind {
        Kind::Children => "object:children-changed",
        Kind::Properties => "object:property-change",
        Kind::Selection => "object:selection-changed",
        Kind::States => "object:state-changed",
        Kind::State(state) => return Some(format!("object:state-changed:{}", state_name(state))),
        Kind::Text => "object:text-changed",
        Kind::Windows => WINDOWS,
        Kind::Applications => return None,
    };
    Some(event.to_owned())
}

/// The messages of a kind, so that the bus sends no others; none when the kind concerns an application and there is none.
fn rule(kind: Kind, owner: Option<&str>) -> Option<zbus::Result<MatchRule<'static>>> {
    let member = match kind {
        Kind::Children | Kind::Applications => Some("ChildrenChanged"),
        Kind::Properties => Some("PropertyChange"),
        Kind::Selection => Some("SelectionChanged"),
        Kind::States | Kind::State(_) => Some("StateChanged"),
        Kind::Text => Some("TextChanged"),
        Kind::Windows => None,
    };
    let registry = registry();
    let applications = kind == Kind::Applications;
    let sender = if applications { registry.owner } else { owner?.to_owned() };
    let make = || {
        let interface = if member.is_some() { "org.a11y.atspi.Event.Object" } else { "org.a11y.atspi.Event.Window" };
        let mut rule = MatchRule::builder().msg_type(Type::Signal).sender(sender)?.interface(interface)?;
        if let Some(member) = member {
            rule = rule.member(member)?;
        }
        if let Kind::State(state) = kind {
            rule = rule.arg(0, state_name(state))?;
        }
        if applications {
            rule = rule.path(registry.path)?;
        }
        Ok(rule.build())
    };
    Some(make())
}

/// The message that a connection has ended.
fn ended(owner: &str) -> zbus::Result<MatchRule<'static>> {
    let rule = MatchRule::builder().msg_type(Type::Signal).sender("org.freedesktop.DBus")?;
    Ok(rule.member("NameOwnerChanged")?.arg(0, owner.to_owned())?.build())
}

/// The name of a state in events.
fn state_name(state: State) -> &'static str {
    match state {
        State::Active => "active",
        State::Checked => "checked",
        State::Defunct => "defunct",
        State::Editable => "editable",
        State::Enabled => "enabled",
        State::Focusable => "focusable",
        State::Focused => "focused",
        State::Modal => "modal",
        State::Pressed => "pressed",
        State::Selected => "selected",
        State::Sensitive => "sensitive",
        State::Showing => "showing",
        State::Visible => "visible",
        State::ManagesDescendants => "manages-descendants",
    }
}

fn read(message: &Message, owner: Option<&str>) -> Option<Event> {
    let header = message.header();
    let path = header.path()?.to_string();
    let what = header.member()?.to_string();
    if what == "NameOwnerChanged" {
        return Some(Event::Ended);
    }
    if header.sender().map(|sender| sender.as_str()) != owner {
        return Some(Event::Others);
    }
    // What changed, two numbers, a value, and properties: a map, or the sender in older toolkits.
    let body = message.body();
    type Modern = (String, i32, i32, OwnedValue, std::collections::HashMap<String, OwnedValue>);
    type Older = (String, i32, i32, OwnedValue, (String, OwnedObjectPath));
    let modern = body.deserialize::<Modern>().map(|(detail, ..)| detail);
    let detail = modern.or_else(|_| body.deserialize::<Older>().map(|(detail, ..)| detail)).unwrap_or_default();
    Some(Event::Changed { path, what, detail })
}
