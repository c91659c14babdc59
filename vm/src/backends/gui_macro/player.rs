//! Sends the events of a recording when they are due.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use spec::artifact::{Event, EventKind};
use spec::grammar::keys::{Chord, Key, Modifiers};
use spec::kind::MouseButton;
use spec::value::Dict;

use crate::backends::gui_macro::clock::{Clock, Prompt};
use crate::backends::gui_macro::fit::Fit;
use crate::backends::gui_macro::seen::{Seen, look_before};
use crate::backends::gui_macro::timing::Timing;
use crate::backends::gui_macro::wait_file::{FileWait, wait_file};
use crate::backends::gui_macro::wait_image::wait_image;
use crate::backends::gui_macro::wait_window::wait_window;
use crate::desktop::Press;
use crate::failure::{Failure, FailureKind};
use crate::locate::{Scene, Wanted};
use crate::recording::Recording;

/// A recording on its way to the display.
pub struct Player<'a, 's> {
    scene: &'a mut Scene<'s>,
    recording: Recording<'a>,
    fit: Fit,
    speed: f64,
    /// What was at the paths that are waited for when the replay began.
    files_before: HashMap<String, Seen>,
    timing: Timing,
    steps: u32,
    /// Whether there are keys that are pressed without modifiers.
    taps: bool,
}

impl<'a, 's> Player<'a, 's> {
    /// A player before its first event; files count as new when they are others than now.
    pub fn new(scene: &'a mut Scene<'s>, recording: Recording<'a>, fit: Fit, speed: f64) -> Self {
        let events = &recording.stream.events;
        let timing = Timing::with_capacity(events.len());
        let taps = events.iter().any(|event| event.kind == EventKind::Chord && event.modifiers == 0);
        let files = events.iter().filter(|event| event.kind == EventKind::WaitFile).map(|event| recording.text(event));
        let files_before = look_before(files).into_iter().map(|(path, seen)| (path.to_owned(), seen)).collect();
        Self { scene, recording, fit, speed, files_before, timing, steps: 0, taps }
    }

    /// Takes the input lock and sends everything; returns when the display has it.
    ///
    /// # Errors
    /// The first event that could not be sent, or `stop` came first. What was queued may still be sent.
    pub fn play(&mut self) -> Result<(), Failure> {
        self.scene.desktop.take_input(self.scene.stop)?;
        let _prompt = Prompt::begin();
        self.rest()?;
        let mut clock = Clock::start(self.speed, self.scene.stop);
        let stream = self.recording.stream;
        for event in &stream.events {
            self.steps = event.step;
            let due = clock.due(event.at_us);
            let mut now = Instant::now();
            if now < due {
                // Whoever is watching must see what came before the pause. While events are overdue they go out together.
                self.scene.desktop.flush()?;
                now = clock.wait(due, self.scene.desktop.lifeline())?;
            } else {
                clock.check(now)?;
            }
            if is_sent(event.kind) {
                self.timing.note(now.saturating_duration_since(due));
            }
            self.act(event).map_err(|failure| self.placed(event, failure))?;
            if event.kind.restarts_clock() {
                clock.restart();
            }
        }
        self.scene.desktop.finish(self.scene.stop)?;
        self.steps = stream.steps;
        Ok(())
    }

    /// How many steps of the recording are done.
    pub fn steps_executed(&self) -> i64 {
        self.steps.into()
    }

    /// How late events were.
    pub fn timing(&self) -> Dict {
        self.timing.summary()
    }

    fn act(&mut self, event: &Event) -> Result<(), Failure> {
        let stop = self.scene.stop;
        match event.kind {
            EventKind::Move => self.scene.desktop.move_to(self.fit.place(event), stop)?,
            EventKind::ButtonDown => self.scene.desktop.button(button(event), Press::Down, stop)?,
            EventKind::ButtonUp => self.scene.desktop.button(button(event), Press::Up, stop)?,
            EventKind::Chord if event.modifiers == 0 => self.scene.desktop.tap(Key::of_keysym(event.value), stop)?,
            EventKind::Chord => {
                let bits = u8::try_from(event.modifiers).ok();
                let modifiers = bits.and_then(Modifiers::from_bits).unwrap_or(Modifiers::NONE);
                self.scene.desktop.chord(Chord { modifiers, key: Key::of_keysym(event.value) }, stop)?;
                self.rest()?;
            }
            EventKind::KeyDown => self.scene.desktop.key(Key::of_keysym(event.value), Press::Down, stop)?,
            EventKind::KeyUp => self.scene.desktop.key(Key::of_keysym(event.value), Press::Up, stop)?,
            EventKind::Text => {
                self.scene.desktop.type_text(self.recording.text(event), Duration::ZERO, stop)?;
                self.rest()?;
            }
            EventKind::Scroll => self.scene.desktop.scroll(event.x, event.y, stop)?,
            EventKind::Sleep => {}
            EventKind::WaitFile | EventKind::WaitWindow | EventKind::WaitImage => return self.wait(event),
        }
        Ok(())
    }

    /// Prepares the keyboard, so that keys cost nothing when they are due.
    fn rest(&mut self) -> Result<(), Failure> {
        if self.taps {
            self.scene.desktop.rest(self.scene.stop)?;
        }
        Ok(())
    }

    /// A wait within its own time and the replay's.
    fn wait(&mut self, event: &Event) -> Result<(), Failure> {
        // What is waited for may be the effect of what was sent before.
        self.scene.desktop.sync()?;
        let limit = Duration::from_millis(event.duration_ms.into());
        let text = self.recording.text(event);
        match event.kind {
            EventKind::WaitFile => {
                let before = self.files_before.get(text).unwrap_or(&Seen::Absent);
                let wanted = FileWait::of(event, text, before);
                let found = wait_file(&wanted, limit, self.scene.stop, self.scene.desktop.lifeline());
                found.map(|remark| {
                    if let Some(remark) = remark {
                        self.scene.call.warnings.add(format!("{}: {remark}", self.recording.place(event)));
                    }
                })
            }
            EventKind::WaitWindow => wait_window(self.scene.desktop, text, limit, self.scene.stop),
            EventKind::WaitImage => {
                let confidence = f64::from(event.value) / 1e6;
                let wanted = Wanted { image: text, confidence };
                wait_image(self.scene, &wanted, limit)
            }
            EventKind::Move
            | EventKind::ButtonDown
            | EventKind::ButtonUp
            | EventKind::Chord
            | EventKind::KeyDown
            | EventKind::KeyUp
            | EventKind::Text
            | EventKind::Scroll
            | EventKind::Sleep => Ok(()),
        }
    }

    /// A failure with its place in the recording.
    fn placed(&self, event: &Event, failure: Failure) -> Failure {
        let place = self.recording.place(event);
        // After how long a step timed out is said by the machine.
        let bare = failure.kind == FailureKind::Timeout && failure.message.starts_with("timed out after");
        let message = if bare { place } else { format!("{place}: {}", failure.message) };
        match failure.kind {
            FailureKind::Interrupted(_) => failure,
            FailureKind::Step
            | FailureKind::Timeout
            | FailureKind::BadArgument
            | FailureKind::Parameters
            | FailureKind::Unavailable
            | FailureKind::Precondition
            | FailureKind::Postcondition
            | FailureKind::Verification
            | FailureKind::Evaluation
            | FailureKind::Limit
            | FailureKind::Refused
            | FailureKind::Uncertain
            | FailureKind::Model(_)
            | FailureKind::Corrupt => Failure { message, ..failure },
        }
    }
}

/// Whether the display sees something of it.
fn is_sent(kind: EventKind) -> bool {
    match kind {
        EventKind::Move
        | EventKind::ButtonDown
        | EventKind::ButtonUp
        | EventKind::Chord
        | EventKind::KeyDown
        | EventKind::KeyUp
        | EventKind::Text
        | EventKind::Scroll => true,
        EventKind::Sleep | EventKind::WaitFile | EventKind::WaitWindow | EventKind::WaitImage => false,
    }
}

fn button(event: &Event) -> MouseButton {
    // The verifier lets no other number through.
    MouseButton::by_number(event.button).unwrap_or(MouseButton::Left)
}
