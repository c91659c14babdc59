//! What happens in an application, as it tells.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use zbus::message::{Message, Type};
use zbus::zvariant::{OwnedObjectPath, OwnedValue};
use zbus::{Connection, MatchRule, MessageStream};

use crate::accessibility::at_spi::applications::registry;
use crate::accessibility::at_spi::call::{CallError, call};
use crate::accessibility::client::{Event, Object};
use crate::accessibility::error::AccessError;

/// Events that are kept until they are looked at; more tell nothing new.
const KEPT: usize = 1_024;

/// The events applications are asked to send; they send none that nobody asked for.
const WANTED: [&str; 6] = [
    "object:children-changed",
    "object:property-change",
    "object:selection-changed",
    "object:state-changed",
    "object:text-changed",
    "window:",
];

/// Takes note of the events of one application.
pub struct Watch {
    task: JoinHandle<()>,
    events: Receiver<Event>,
}

impl Watch {
    /// Begins to take note; when it returns, the application has been asked to send its events before anything that is asked later.
    ///
    /// # Errors
    /// The bus does not answer.
    pub async fn begin(conn: &Connection, owner: &str) -> Result<Self, AccessError> {
        let events = MatchRule::builder()
            .msg_type(Type::Signal)
            .sender(owner)
            .and_then(|rule| rule.path_namespace("/org/a11y/atspi"))
            .map_err(CallError::from)?
            .build();
        let end = MatchRule::builder()
            .msg_type(Type::Signal)
            .sender("org.freedesktop.DBus")
            .and_then(|rule| rule.member("NameOwnerChanged"))
            .and_then(|rule| rule.arg(0, owner))
            .map_err(CallError::from)?
            .build();
        let mut events = MessageStream::for_match_rule(events, conn, Some(KEPT)).await.map_err(CallError::from)?;
        let mut end = MessageStream::for_match_rule(end, conn, Some(KEPT)).await.map_err(CallError::from)?;
        listen(conn, "RegisterEvent").await;
        let (sender, receiver) = channel(KEPT);
        // Messages must be taken as they come: what is not taken holds up the answers behind it.
        let task = tokio::spawn(async move {
            loop {
                let event = tokio::select! {
                    message = events.next() => message.map(|message| message.ok().and_then(|message| read(&message))),
                    message = end.next() => message.map(|_| Some(Event::Ended)),
                };
                match event {
                    // When there are too many, the ones that are kept tell enough.
                    Some(Some(event)) => drop(sender.try_send(event)),
                    Some(None) => {}
                    None => return,
                }
            }
        });
        Ok(Self { task, events: receiver })
    }

    /// The next event; `None` when there will be none.
    pub async fn next(&mut self) -> Option<Event> {
        self.events.recv().await
    }

    /// Takes note no more, and asks for no events. Waits for no answer longer than a moment.
    pub async fn end(self, conn: &Connection) {
        self.task.abort();
        let _ = timeout(Duration::from_millis(200), listen(conn, "DeregisterEvent")).await;
    }
}

/// Asks the registry for the events, or for no more of them. Without an answer there are fewer events, and the waits look again by
/// time.
async fn listen(conn: &Connection, method: &str) {
    let registry = Object { path: "/org/a11y/atspi/registry".to_owned(), ..registry() };
    let calls: FuturesUnordered<_> =
        WANTED.iter().map(|event| call::<_, ()>(conn, &registry, "org.a11y.atspi.Registry", method, event)).collect();
    calls.collect::<Vec<_>>().await;
}

fn read(message: &Message) -> Option<Event> {
    let header = message.header();
    let path = header.path()?.to_string();
    let what = header.member()?.to_string();
    // What changed, two numbers, a value, and properties: a map, or the sender in older toolkits.
    let body = message.body();
    type Modern = (String, i32, i32, OwnedValue, std::collections::HashMap<String, OwnedValue>);
    type Older = (String, i32, i32, OwnedValue, (String, OwnedObjectPath));
    let modern = body.deserialize::<Modern>().map(|(detail, ..)| detail);
    let detail = modern.or_else(|_| body.deserialize::<Older>().map(|(detail, ..)| detail)).unwrap_or_default();
    Some(Event::Changed { path, what, detail })
}
