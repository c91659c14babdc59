//! The events of the connection: read in one place, and noted for whom they concern.

use x11rb::connection::Connection;
use x11rb::protocol::Event;

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::failure::Failure;
use crate::stop::Stop;

impl X11 {
    /// Takes in every event that is there, without waiting.
    pub(super) fn take_events(&mut self) -> Result<(), DesktopError> {
        while let Some(event) = self.conn.poll_for_event()? {
            self.note(&event);
        }
        Ok(())
    }

    /// Sends what is queued and sleeps until at least one event came, and takes in all that are there.
    ///
    /// # Errors
    /// `stop` came first, as it says; or the connection is lost.
    pub(super) fn wait_events(&mut self, stop: &Stop<'_>) -> Result<(), DesktopError> {
        self.wait_any().map_err(|error| stop.check().map_or_else(Failure::into, |()| error))
    }

    /// The same, with the limit that the connection has now.
    pub(super) fn wait_any(&mut self) -> Result<(), DesktopError> {
        self.conn.flush()?;
        self.conn.stream().expect_events(true);
        let event = self.conn.wait_for_event();
        self.conn.stream().expect_events(false);
        let event = event?;
        self.note(&event);
        self.take_events()
    }

    /// Each part takes what concerns it. Errors of requests without a reply concern none: what must not fail is checked where it is asked.
    fn note(&mut self, event: &Event) {
        self.input.note(event);
        self.pixels.note(event, self.root);
        self.windows.note(event, self.root);
    }
}
