//! Steps become events: the clock, the texts and what a click or a drag consists of.

use std::collections::HashMap;
use std::ops::Range;

use spec::artifact::{Event, EventKind, FILE_ANY_AGE, FILE_NEWER};
use spec::grammar::keys::Chord;
use spec::kind::MouseButton;

use crate::assets::recording::content::{Blank, Content, Purpose};

/// Most events of a recording, so that its artifact can be loaded; fewer in tests.
const MAX_EVENTS: usize = if cfg!(test) { 40_000 } else { 4_000_000 };
/// Longest time between two waits, in microseconds: a thousand days, the machine's own limit.
const MAX_TIME_US: u64 = 86_400_000_000_000;
/// Time between two moves of a drag, in microseconds.
const DRAG_STEP_US: u64 = 10_000;
/// Most moves of one drag; longer drags move less often.
const MAX_DRAG_MOVES: u64 = 1_000;

/// A template's place among the texts, its path and where it is written first.
pub type WrittenTemplate = (usize, String, Range<usize>);

/// Marks the place of a blank until all texts are known.
const BLANK: u32 = 1 << 31;

/// What a wait for a file asks of it.
#[derive(Clone, Copy, Debug)]
pub struct FileRule {
    /// How long its size must stay the same, in milliseconds.
    pub stable_ms: i64,
    /// Whether it must be newer than the replay; `None` when the recording does not say.
    pub newer: Option<bool>,
}

/// What came of the steps.
#[derive(Debug)]
pub struct Finished {
    /// The events.
    pub list: Vec<Event>,
    /// Plain texts and the paths of templates.
    pub texts: Vec<String>,
    /// Texts with expressions.
    pub blanks: Vec<Blank>,
    /// The templates among the texts.
    pub templates: Vec<WrittenTemplate>,
}

/// The events of a recording so far.
#[derive(Debug, Default)]
pub struct Events {
    list: Vec<Event>,
    texts: Vec<String>,
    known: HashMap<String, u32>,
    blanks: Vec<Blank>,
    known_blanks: HashMap<(Purpose, String), u32>,
    /// Templates have texts of their own: they get other names when they are packed.
    known_templates: HashMap<String, u32>,
    templates: Vec<WrittenTemplate>,
    clock_us: u64,
    /// Whether the clock has started again and no event is due since.
    restarted: bool,
    step: u32,
}

/// The sentence for [`Events::is_full`].
pub fn full() -> String {
    let days = MAX_TIME_US / 86_400_000_000;
    format!("the recording is too long: it may have {MAX_EVENTS} events, and {days} days between two waits")
}

impl Events {
    /// Begins a step.
    pub fn begin(&mut self, step: usize) {
        self.step = number_of(step);
    }

    /// Whether a limit is passed.
    pub fn is_full(&self) -> bool {
        self.list.len() > MAX_EVENTS || self.clock_us > MAX_TIME_US
    }

    /// A pause after what was added last.
    pub fn pause(&mut self, ms: i64) {
        self.clock_us = self.clock_us.saturating_add(micros(ms));
    }

    /// Moves the pointer.
    pub fn go(&mut self, (x, y): (i32, i32)) {
        self.push(Event { x, y, ..self.event(EventKind::Move) });
    }

    /// Presses or releases a button.
    pub fn press(&mut self, kind: EventKind, button: MouseButton) {
        self.push(Event { button: button.number(), ..self.event(kind) });
    }

    /// Presses and releases a button at once.
    pub fn click(&mut self, button: MouseButton) {
        self.press(EventKind::ButtonDown, button);
        self.press(EventKind::ButtonUp, button);
    }

    /// Drags along a straight line; the clock is then at its end.
    pub fn drag(&mut self, from: (i32, i32), to: (i32, i32), button: MouseButton, duration_ms: i64) {
        let duration = micros(duration_ms);
        let pace = DRAG_STEP_US.max(duration.div_ceil(MAX_DRAG_MOVES));
        let start = self.clock_us;
        self.go(from);
        let duration_ms = number_of(duration_ms);
        self.push(Event { button: button.number(), duration_ms, ..self.event(EventKind::ButtonDown) });
        // A program must see the pointer move while the button is held: there is always a place between.
        let middle = (duration <= pace).then_some(duration / 2);
        let paced = (1..).map(|count| count * pace).take_while(|after| *after < duration);
        for after in middle.into_iter().chain(paced) {
            self.clock_us = start.saturating_add(after);
            let share = if duration == 0 { (1, 2) } else { (after, duration) };
            self.go((between(from.0, to.0, share), between(from.1, to.1, share)));
        }
        self.clock_us = start.saturating_add(duration);
        self.go(to);
        self.press(EventKind::ButtonUp, button);
    }

    /// Turns the wheel.
    pub fn scroll(&mut self, dx: i32, dy: i32) {
        self.push(Event { x: dx, y: dy, ..self.event(EventKind::Scroll) });
    }

    /// Presses or releases keys.
    pub fn key(&mut self, kind: EventKind, chord: Chord) {
        let modifiers = u16::from(chord.modifiers.bits());
        self.push(Event { modifiers, value: chord.key.keysym(), ..self.event(kind) });
    }

    /// Types a text; the clock begins again at its end.
    pub fn text(&mut self, text: Content) {
        let text = self.place(text);
        self.push(Event { text, ..self.event(EventKind::Text) });
    }

    /// Does nothing until a time has passed.
    pub fn sleep(&mut self, ms: i64) {
        self.pause(ms);
        self.push(self.event(EventKind::Sleep));
    }

    /// Waits for a window; the clock begins again at its end.
    pub fn wait_window(&mut self, title: Content, timeout_ms: i64) {
        let text = self.place(title);
        self.push(Event { text, duration_ms: number_of(timeout_ms), ..self.event(EventKind::WaitWindow) });
    }

    /// Waits for a file; the clock begins again at its end.
    pub fn wait_file(&mut self, path: Content, rule: FileRule, timeout_ms: i64) {
        let text = self.place(path);
        let modifiers = match rule.newer {
            Some(true) => FILE_NEWER,
            Some(false) => FILE_ANY_AGE,
            None => 0,
        };
        let (value, duration_ms) = (number_of(rule.stable_ms), number_of(timeout_ms));
        self.push(Event { text, modifiers, value, duration_ms, ..self.event(EventKind::WaitFile) });
    }

    /// Waits for an image with a score of at least `value` millionths.
    pub fn wait_image(&mut self, path: String, range: Range<usize>, value: u32, timeout_ms: i64) {
        let text = match self.known_templates.get(&path) {
            Some(text) => *text,
            None => {
                self.templates.push((self.texts.len(), path.clone(), range));
                let text = self.add_text(path.clone());
                self.known_templates.insert(path, text);
                text
            }
        };
        self.push(Event { text, value, duration_ms: number_of(timeout_ms), ..self.event(EventKind::WaitImage) });
    }

    /// The events with their texts and templates; a pause after the last step is kept.
    pub fn finish(mut self) -> Finished {
        let last = if self.restarted { Some(0) } else { self.list.last().map(|event| event.at_us) };
        if last.is_some_and(|last| last < self.clock_us) {
            self.push(self.event(EventKind::Sleep));
        }
        let before = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        for event in &mut self.list {
            if event.text & BLANK != 0 {
                event.text = before.saturating_add(event.text & !BLANK);
            }
        }
        Finished { list: self.list, texts: self.texts, blanks: self.blanks, templates: self.templates }
    }

    fn push(&mut self, event: Event) {
        self.restarted = event.kind.restarts_clock();
        if self.restarted {
            self.clock_us = 0;
        }
        self.list.push(event);
    }

    /// An event that is due now, with nothing else said.
    fn event(&self, kind: EventKind) -> Event {
        Event {
            at_us: self.clock_us,
            kind,
            button: 0,
            modifiers: 0,
            x: 0,
            y: 0,
            value: 0,
            text: 0,
            step: self.step,
            duration_ms: 0,
        }
    }

    /// Where a text is, as events say it; that of a blank is marked.
    fn place(&mut self, text: Content) -> u32 {
        match text {
            Content::Plain(text) => self.intern(text),
            Content::Blank(blank) => {
                let key = (blank.purpose, blank.text.clone());
                if let Some(known) = self.known_blanks.get(&key) {
                    return *known;
                }
                self.blanks.push(blank);
                let index = BLANK | number_of(self.blanks.len());
                self.known_blanks.insert(key, index);
                index
            }
        }
    }

    fn intern(&mut self, text: String) -> u32 {
        if let Some(known) = self.known.get(&text) {
            return *known;
        }
        let index = self.add_text(text.clone());
        self.known.insert(text, index);
        index
    }

    /// Adds a text and returns its index plus one.
    fn add_text(&mut self, text: String) -> u32 {
        self.texts.push(text);
        number_of(self.texts.len())
    }
}

fn number_of(count: impl TryInto<u32>) -> u32 {
    count.try_into().unwrap_or(u32::MAX)
}

fn micros(ms: i64) -> u64 {
    u64::try_from(ms).unwrap_or(0).saturating_mul(1000)
}

/// The pixel a share of the way from one coordinate to another, rounded to the nearest.
fn between(from: i32, to: i32, (part, whole): (u64, u64)) -> i32 {
    let exact = f64::from(from) + (f64::from(to) - f64::from(from)) * (part as f64 / whole as f64);
    exact.round() as i32
}
