//! What all requests of a session share.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use tokio::sync::watch::Receiver;
use tokio::sync::{Mutex, Semaphore};
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use crate::mcp::ServerSettings;
use crate::mcp::catalogue::{self, Catalogue};
use crate::mcp::runs::Runs;
use crate::mcp::watch;
use crate::print::escape;
use crate::registry::Registry;
use crate::trouble::Trouble;

/// What all requests of a session share.
pub struct State {
    /// How the server works.
    pub settings: ServerSettings,
    /// One permit for each run that may be under way.
    pub permits: Semaphore,
    /// The runs.
    pub runs: Runs,
    /// Cancelled when the server is to end.
    pub closing: CancellationToken,
    /// Whether the client of a session with a handshake is told of changes.
    pub tells: AtomicBool,
    catalogue: Mutex<Option<Arc<Catalogue>>>,
    changes: OnceLock<Receiver<()>>,
}

impl State {
    /// A server that has done nothing yet.
    pub fn new(settings: ServerSettings) -> Self {
        let permits = Semaphore::new(usize::from(settings.jobs));
        Self {
            settings,
            permits,
            runs: Runs::default(),
            closing: CancellationToken::new(),
            tells: AtomicBool::new(false),
            catalogue: Mutex::default(),
            changes: OnceLock::new(),
        }
    }

    /// Tells when a folder of macros has changed; nobody looks before the first call.
    pub fn changes(&self) -> Receiver<()> {
        let begin = || watch::begin(self.settings.globals.clone(), self.closing.clone());
        let mut changes = self.changes.get_or_init(begin).clone();
        changes.mark_unchanged();
        changes
    }

    /// The macros as they were when they were last read.
    ///
    /// # Errors
    /// They were never read and cannot be.
    pub async fn known(&self) -> Result<Arc<Catalogue>, Trouble> {
        if let Some(catalogue) = &*self.catalogue.lock().await {
            return Ok(Arc::clone(catalogue));
        }
        self.fresh().await
    }

    /// The macros as they are now. What cannot be offered is said on standard error, once.
    ///
    /// # Errors
    /// The folders cannot be read.
    pub async fn fresh(&self) -> Result<Arc<Catalogue>, Trouble> {
        let mut known = self.catalogue.lock().await;
        let (globals, screen) = (self.settings.globals.clone(), self.settings.screen);
        let read = spawn_blocking(move || Registry::new(&globals).map(|registry| catalogue::read(&registry, &screen)));
        let new = read.await.map_err(|_| Trouble::bug("the macros could not be read"))??;
        let said = known.as_ref().map(|old| old.problems.clone()).unwrap_or_default();
        new.problems.iter().filter(|problem| !said.contains(problem)).for_each(|problem| self.warn(problem));
        let new = Arc::new(new);
        *known = Some(Arc::clone(&new));
        Ok(new)
    }

    /// Says something on standard error.
    pub fn warn(&self, text: &str) {
        let screen = &self.settings.screen;
        screen.remark(&format!("{}: {}", screen.paint("1;33", "warning"), escape::line(text)));
    }
}
