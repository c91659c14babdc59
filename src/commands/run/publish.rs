//! The end of a run: what came of it, for everyone who wants to know.

use serde_json::Value;

use crate::args::EventsTarget;
use crate::commands::Kept;
use crate::events::Events;
use crate::history::{self, Facts};
use crate::identity::Identity;
use crate::print::escape;
use crate::print::screen::Screen;

/// Where the result of one run goes, and what is told before it.
pub struct Outlet {
    /// Standard output and standard error.
    pub screen: Screen,
    /// Which run it is.
    pub identity: Identity,
    /// What programs are told.
    pub events: Option<Events>,
}

impl Outlet {
    /// For a run that begins now.
    pub fn new(screen: &Screen, session: Option<&str>, events: Option<&EventsTarget>) -> Self {
        let identity = Identity::new(session);
        let mute = screen.mute || events == Some(&EventsTarget::Stderr);
        let events = events.map(|target| Events::open(target, &identity));
        Self { screen: Screen { mute, ..*screen }, identity, events }
    }

    /// Adds to the document what could not be told so far, and prints it where a document is wanted.
    pub fn publish(mut self, mut document: Value, facts: Option<Facts>, kept: &Kept) {
        let untold = self.events.as_mut().and_then(Events::trouble);
        untold.iter().for_each(|warning| self.warn(&mut document, warning));
        // Before anything is printed, so that a warning is in the result.
        let unkept = facts.and_then(|facts| history::record(&self.identity, &facts, &document));
        unkept.iter().for_each(|warning| self.warn(&mut document, warning));
        if self.screen.json {
            self.screen.document(&document);
        }
        let late = self.events.take().and_then(|events| events.result(&document));
        late.iter().for_each(|warning| self.tell(warning));
        kept.last.replace(Some(document));
    }

    fn warn(&self, document: &mut Value, warning: &str) {
        if let Some(warnings) = document.get_mut("warnings").and_then(Value::as_array_mut) {
            warnings.push(warning.into());
        }
        if !self.screen.json {
            self.tell(warning);
        }
    }

    fn tell(&self, warning: &str) {
        self.screen.remark(&format!("{}: {}", self.screen.paint("1;33", "warning"), escape::lines(warning)));
    }
}
