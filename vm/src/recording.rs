//! A recording of the artifact with the values of one step: what is known of a replay before it begins.

use spec::action::arguments;
use spec::artifact::{Event, EventKind, Stream};

use crate::failure::{Failure, FailureKind};
use crate::world::Call;

/// A recording whose blanks are filled.
#[derive(Clone, Copy, Debug)]
pub struct Recording<'a> {
    /// The recording.
    pub stream: &'a Stream,
    /// What fills its blanks, in their order.
    filled: &'a [String],
}

impl<'a> Recording<'a> {
    /// The recording a step replays.
    ///
    /// # Errors
    /// The artifact has no recording of this name; or a text, path or title that was computed cannot be one.
    pub fn find(arguments: &'a arguments::Replay, call: &Call<'a>) -> Result<Self, Failure> {
        let name = &arguments.macro_file;
        let found = call.streams.iter().find(|stream| stream.path == *name);
        let stream = found.ok_or_else(|| wrong(format!("the artifact has no recording `{name}`")))?;
        let filled = arguments.texts.as_deref().unwrap_or_default();
        if filled.len() != stream.blanks.len() {
            let (blanks, given) = (stream.blanks.len(), filled.len());
            let message = format!("the recording `{name}` has {blanks} blanks, and the step fills {given}");
            return Err(Failure::new(FailureKind::Corrupt, message));
        }
        let recording = Self { stream, filled };
        if !filled.is_empty() {
            stream.events.iter().try_for_each(|event| recording.check(event))?;
        }
        Ok(recording)
    }

    /// The text, path or title of an event; empty when it has none.
    pub fn text(&self, event: &Event) -> &'a str {
        let Some(index) = (event.text as usize).checked_sub(1) else { return "" };
        let plain = self.stream.texts.get(index);
        let blank = || self.filled.get(index.checked_sub(self.stream.texts.len())?);
        plain.or_else(blank).map_or("", String::as_str)
    }

    /// The place of an event in messages.
    pub fn place(&self, event: &Event) -> String {
        format!("step {} of `{}`", event.step, self.stream.path)
    }

    /// Whether a computed text can be what the event takes it for.
    fn check(&self, event: &Event) -> Result<(), Failure> {
        let what = match event.kind {
            EventKind::Text => "text",
            EventKind::WaitFile => "path",
            EventKind::WaitWindow => "title_contains",
            EventKind::Move
            | EventKind::ButtonDown
            | EventKind::ButtonUp
            | EventKind::Chord
            | EventKind::KeyDown
            | EventKind::KeyUp
            | EventKind::Scroll
            | EventKind::Sleep
            | EventKind::WaitImage => return Ok(()),
        };
        let text = self.text(event);
        let fault = if text.contains('\0') {
            "cannot hold a NUL character"
        } else if text.is_empty() && event.kind != EventKind::Text {
            "must not be empty"
        } else {
            return Ok(());
        };
        Err(wrong(format!("{}: `{what}` {fault}", self.place(event))))
    }
}

fn wrong(message: String) -> Failure {
    Failure::new(FailureKind::BadArgument, message)
}
