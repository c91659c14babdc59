//! AT-SPI over D-Bus: the accessibility of Linux desktops.
//!
//! Applications answer from their own main loops, so every call is bounded by the step's deadline and interrupt, and calls that do not
//! depend on each other are under way at once. Interfaces and numbers are those of `at-spi2-core`, whose XML files describe them.

mod act;
mod applications;
mod bus;
mod cache;
mod call;
mod control;
mod process;
mod wake;
mod walk;
mod watch;

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;
use zbus::Connection;

use crate::accessibility::at_spi::wake::raised;
use crate::accessibility::at_spi::watch::Watch;
use crate::accessibility::client::{
    Acted, Action, Application, Applications, Area, Client, Event, Kind, Object, Patience,
};
use crate::accessibility::error::AccessError;
use crate::accessibility::tree::{Limits, States, Tree};
use crate::stop::Stop;

/// A connection to the accessibility bus.
pub struct AtSpi {
    // Before the runtime, which it needs to end.
    watch: Option<Watch>,
    conn: Connection,
    /// The applications that were seen, in words, by their connections.
    known: HashMap<String, String>,
    /// How long the applications were waited for that did not answer, by their connections.
    silent: HashMap<String, Duration>,
    runtime: Runtime,
}

impl AtSpi {
    /// Connects, and turns accessibility on for the session where it is off.
    ///
    /// # Errors
    /// [`AccessError::Absent`], or `stop` came first.
    pub fn open(stop: &Stop<'_>) -> Result<Self, AccessError> {
        let runtime = Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.map_err(|error| AccessError::Refused(format!("no event loop: {error}")))?;
        let conn = bounded(&runtime, stop, async {
            let conn = bus::connect().await?;
            watch::awaken(&conn).await;
            Ok(conn)
        })?;
        Ok(Self { watch: None, conn, known: HashMap::new(), silent: HashMap::new(), runtime })
    }

    /// Does `work`, which asks the application that owns `object`.
    fn ask<T>(
        &self,
        object: &Object,
        stop: &Stop<'_>,
        work: impl Future<Output = Result<T, AccessError>>,
    ) -> Result<T, AccessError> {
        let words = || self.known.get(&object.owner).cloned().unwrap_or_else(|| "the application".to_owned());
        match bounded(&self.runtime, stop, work) {
            Err(AccessError::Ended(_)) => Err(AccessError::Ended(words())),
            Err(AccessError::Stopped(_)) if stop.interrupt().raised().is_none() => {
                Err(AccessError::Silent { application: words(), limit: stop.failure().message })
            }
            other => other,
        }
    }

    fn ask_first<T>(
        &self,
        objects: &[Object],
        stop: &Stop<'_>,
        work: impl Future<Output = Result<Vec<T>, AccessError>>,
    ) -> Result<Vec<T>, AccessError> {
        objects.first().map_or_else(|| Ok(Vec::new()), |first| self.ask(first, stop, work))
    }
}

/// Runs `work` until it is done, the deadline passes or the interrupt is raised.
fn bounded<T>(
    runtime: &Runtime,
    stop: &Stop<'_>,
    work: impl Future<Output = Result<T, AccessError>>,
) -> Result<T, AccessError> {
    runtime.block_on(async {
        tokio::select! {
            biased;
            () = raised(stop.interrupt()) => Err(stop.failure().into()),
            done = work => done,
            () = past(stop) => Err(stop.failure().into()),
        }
    })
}

async fn past(stop: &Stop<'_>) {
    match stop.deadline().instant() {
        Some(instant) => tokio::time::sleep_until(instant.into()).await,
        None => std::future::pending().await,
    }
}

impl Client for AtSpi {
    fn applications(
        &mut self,
        wanted: &dyn Fn(&str) -> bool,
        patience: Patience,
        stop: &Stop<'_>,
    ) -> Result<Applications, AccessError> {
        let found = bounded(&self.runtime, stop, applications::list(&self.conn, wanted, patience, &mut self.silent))?;
        let all = found.answering.iter().chain(&found.silent);
        self.known = all.map(|application| (application.object.owner.clone(), application.words())).collect();
        Ok(found)
    }

    fn tree(&mut self, application: &Application, limits: Limits, stop: &Stop<'_>) -> Result<Tree, AccessError> {
        self.ask(&application.object, stop, walk::tree(&self.conn, application, limits))
    }

    fn acts_within(&mut self, application: &Application, stop: &Stop<'_>) -> Result<bool, AccessError> {
        self.ask(&application.object, stop, applications::acts_within(&self.conn, &application.object))
    }

    fn states(&mut self, object: &Object, stop: &Stop<'_>) -> Result<States, AccessError> {
        self.ask(object, stop, control::states(&self.conn, object))
    }

    fn name(&mut self, object: &Object, stop: &Stop<'_>) -> Result<String, AccessError> {
        self.ask(object, stop, control::name(&self.conn, object))
    }

    fn labelled(&mut self, labels: &[Object], stop: &Stop<'_>) -> Result<Vec<Vec<Object>>, AccessError> {
        self.ask_first(labels, stop, control::related(&self.conn, labels, atspi::RelationType::LabelFor))
    }

    fn labels(&mut self, controls: &[Object], stop: &Stop<'_>) -> Result<Vec<Vec<Object>>, AccessError> {
        self.ask_first(controls, stop, control::related(&self.conn, controls, atspi::RelationType::LabelledBy))
    }

    fn areas(&mut self, controls: &[Object], stop: &Stop<'_>) -> Result<Vec<Option<Area>>, AccessError> {
        self.ask_first(controls, stop, control::areas(&self.conn, controls))
    }

    fn actions(&mut self, object: &Object, stop: &Stop<'_>) -> Result<Vec<Action>, AccessError> {
        self.ask(object, stop, control::actions(&self.conn, object))
    }

    fn act(
        &mut self,
        object: &Object,
        action: i32,
        is_effect: &dyn Fn(&Event) -> bool,
        settle: Duration,
        stop: &Stop<'_>,
    ) -> Result<Acted, AccessError> {
        let mut watch = self.watch.take();
        let work = act::act(&self.conn, object, action, watch.as_mut(), is_effect, settle);
        let done = self.ask(object, stop, work);
        self.watch = watch;
        done
    }

    fn text(&mut self, object: &Object, limit: i32, stop: &Stop<'_>) -> Result<Option<String>, AccessError> {
        self.ask(object, stop, control::text(&self.conn, object, limit))
    }

    fn set_text(&mut self, object: &Object, text: &str, stop: &Stop<'_>) -> Result<Option<bool>, AccessError> {
        self.ask(object, stop, control::set_text(&self.conn, object, text))
    }

    fn value(&mut self, object: &Object, stop: &Stop<'_>) -> Result<Option<f64>, AccessError> {
        self.ask(object, stop, control::value(&self.conn, object))
    }

    fn set_value(&mut self, object: &Object, value: f64, stop: &Stop<'_>) -> Result<(), AccessError> {
        self.ask(object, stop, control::set_value(&self.conn, object, value))
    }

    fn select_child(&mut self, object: &Object, place: i32, stop: &Stop<'_>) -> Result<Option<bool>, AccessError> {
        self.ask(object, stop, control::select_child(&self.conn, object, place))
    }

    fn select_row(&mut self, table: &Object, cell: i32, stop: &Stop<'_>) -> Result<Option<bool>, AccessError> {
        self.ask(table, stop, control::select_row(&self.conn, table, cell))
    }

    fn selected_child(&mut self, object: &Object, stop: &Stop<'_>) -> Result<Option<Object>, AccessError> {
        self.ask(object, stop, control::selected_child(&self.conn, object))
    }

    fn focus(&mut self, object: &Object, stop: &Stop<'_>) -> Result<bool, AccessError> {
        self.ask(object, stop, control::focus(&self.conn, object))
    }

    fn watch(&mut self, object: Option<&Object>, kinds: &[Kind], stop: &Stop<'_>) -> Result<(), AccessError> {
        self.unwatch();
        let begin = Watch::begin(&self.conn, object.map(|object| object.owner.as_str()), kinds);
        self.watch = Some(match object {
            Some(object) => self.ask(object, stop, begin)?,
            None => bounded(&self.runtime, stop, begin)?,
        });
        Ok(())
    }

    fn unwatch(&mut self) {
        if let Some(watch) = self.watch.take() {
            self.runtime.block_on(watch.end(&self.conn));
        }
    }

    fn await_event(
        &mut self,
        is: &dyn Fn(&Event) -> bool,
        limit: Duration,
        stop: &Stop<'_>,
    ) -> Result<bool, AccessError> {
        let Some(watch) = &mut self.watch else { return Ok(false) };
        let come = async {
            while let Some(event) = watch.next().await {
                if is(&event) {
                    return true;
                }
            }
            false
        };
        bounded(&self.runtime, stop, async { Ok(tokio::time::timeout(limit, come).await.unwrap_or(false)) })
    }

    fn await_change(&mut self, rest: Duration, limit: Duration, stop: &Stop<'_>) -> Result<bool, AccessError> {
        let watch = &mut self.watch;
        // The rest is spent in the event loop, where messages are taken: what nobody takes piles up in the bus.
        let change = async {
            sleep(rest).await;
            match watch {
                Some(watch) => watch.any().await,
                None => std::future::pending().await,
            }
        };
        bounded(&self.runtime, stop, async { Ok(tokio::time::timeout(limit, change).await.is_ok()) })
    }
}

impl fmt::Debug for AtSpi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AtSpi").field("known", &self.known).finish_non_exhaustive()
    }
}
