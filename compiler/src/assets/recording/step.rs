//! One step of a recording.

use std::ops::Range;

use spec::artifact::EventKind;
use spec::grammar::keys::{self, Chord};
use spec::grammar::shown;
use spec::kind::{Button, Confidence, Millis, MouseButton, NonEmpty, Notches, Path, Pixel, Text, Typed};

use crate::assets::json::{self, Node, Shape};
use crate::assets::recording::content::{Content, Purpose};
use crate::assets::recording::events::{Events, FileRule};
use crate::assets::recording::fields::Fields;
use crate::assets::recording::header::Header;
use crate::assets::recording::report::Report;
use crate::assets::recording::step_type::StepType;
use crate::diagnostic::suggest;

/// How long the size of a file must stay the same when the recording does not say, in milliseconds.
const STABLE_MS: i64 = 500;
/// Most bytes of a text in one step.
const MAX_TEXT: usize = 1 << 20;

/// Reads the step `node`, the `index`th from 0, into `events`; mistakes are reported and leave events out.
pub fn read(text: &str, node: &Node<'_>, index: usize, header: &Header, events: &mut Events, report: &mut Report<'_>) {
    if node.shape != Shape::Mapping {
        let message = format!("step {index} must be a mapping with `type`, found {}", node.shape.name());
        report.add(node.range.clone(), message, None);
        return;
    }
    let members = json::members(text, node.range.start).collect();
    let mut fields = Fields::new(format!("step {index}"), members, node.range.clone(), report);
    let delay = fields.optional::<Millis>("delay_ms").map(|(delay, _)| delay);
    let Some((name, range)) = fields.required::<Text>("type") else { return };
    let Some(kind) = StepType::by_name(&name) else {
        let message = format!("unknown step type `{}`", shown(&name));
        fields.wrong(range, &message, Some(suggest::help(&name, StepType::NAMES)));
        return;
    };
    fields.rename(format!("step {index} (`{name}`)"));
    fields.known(kind.fields());
    let mut step = Step { fields, header, events };
    // What a mistake leaves out is not missed: the recording is refused as a whole.
    let _ = step.events_of(kind);
    events.pause(delay.unwrap_or(kind.default_delay_ms()));
}

struct Step<'a, 't, 'r, 'p> {
    fields: Fields<'t, 'r, 'p>,
    header: &'a Header,
    events: &'a mut Events,
}

impl Step<'_, '_, '_, '_> {
    /// Adds the events. `None` after a report.
    fn events_of(&mut self, kind: StepType) -> Option<()> {
        match kind {
            StepType::Click | StepType::DoubleClick => {
                let (place, button) = (self.place("x", "y"), self.button());
                self.events.go(place?);
                self.events.click(button);
                if kind == StepType::DoubleClick {
                    self.events.click(button);
                }
            }
            StepType::Move => {
                let place = self.place("x", "y")?;
                self.events.go(place);
            }
            StepType::Down | StepType::Up => {
                let button = self.button();
                let kind = if kind == StepType::Down { EventKind::ButtonDown } else { EventKind::ButtonUp };
                self.events.press(kind, button);
            }
            StepType::Drag => {
                let (from, to) = (self.place("from_x", "from_y"), self.place("to_x", "to_y"));
                let (button, duration) = (self.button(), self.millis("duration_ms", 200));
                self.events.drag(from?, to?, button, duration);
            }
            StepType::Scroll => {
                if !self.fields.has("dx") && !self.fields.has("dy") {
                    self.fields.missing("dy");
                }
                let (dx, dy) = (self.notches("dx"), self.notches("dy"));
                self.events.scroll(dx, dy);
            }
            StepType::Key => {
                let chord = self.chord()?;
                self.events.key(EventKind::Chord, chord);
            }
            StepType::KeyDown | StepType::KeyUp => {
                let chord = self.single_key()?;
                let kind = if kind == StepType::KeyDown { EventKind::KeyDown } else { EventKind::KeyUp };
                self.events.key(kind, chord);
            }
            StepType::Type => {
                let text = self.text()?;
                self.events.text(text);
            }
            StepType::Sleep => {
                let ms = self.millis("ms", 500);
                self.events.sleep(ms);
            }
            StepType::WaitFile => {
                let path = self.fields.content::<Path>("path", Purpose::File);
                let timeout = self.millis("timeout_ms", 5000);
                let rule = FileRule {
                    stable_ms: self.millis("stable_ms", STABLE_MS),
                    newer: self.fields.boolean("newer_than_start"),
                };
                self.events.wait_file(path?, rule, timeout);
            }
            StepType::WaitWindow => {
                let title = self.fields.content::<NonEmpty>("title_contains", Purpose::Window);
                let timeout = self.millis("timeout_ms", 5000);
                self.events.wait_window(title?, timeout);
            }
            StepType::WaitImage => {
                let (template, timeout) = (self.fields.required::<Path>("template"), self.millis("timeout_ms", 10_000));
                let confidence = self.fields.optional::<Confidence>("confidence").map_or(0.85, |(score, _)| score);
                let (path, range) = template?;
                // At most a million, and never zero, which would accept anything.
                let millionths = ((confidence * 1e6).round() as u32).clamp(1, 1_000_000);
                self.events.wait_image(path, range, millionths, timeout);
            }
        }
        Some(())
    }

    /// A place on the screen the recording was made on.
    fn place(&mut self, x: &str, y: &str) -> Option<(i32, i32)> {
        let (width, height) = self.header.screen;
        let (x, y) = (self.coordinate(x, width, "wide"), self.coordinate(y, height, "high"));
        Some((x?, y?))
    }

    fn coordinate(&mut self, name: &str, limit: u32, side: &str) -> Option<i32> {
        let (at, range) = self.fields.required::<Pixel>(name)?;
        if at < 0 {
            self.fields.wrong(range, &format!("`{name}` must be at least 0 pixels, found `{at}`"), None);
            return None;
        }
        if limit > 0 && at >= i64::from(limit) {
            let message = format!(
                "`{name}` is outside the screen of the recording, which is {limit} pixels {side}, found `{at}`"
            );
            self.outside(range, &message);
            return None;
        }
        i32::try_from(at).ok()
    }

    fn outside(&mut self, range: Range<usize>, message: &str) {
        let screen = (self.header.screen_range.clone(), "the screen");
        let message = self.fields.sentence(message);
        self.fields.report().add_beside(range, message, None, Some(screen));
    }

    fn button(&mut self) -> MouseButton {
        self.fields.optional::<Button>("button").map_or(MouseButton::Left, |(button, _)| button)
    }

    fn millis(&mut self, name: &str, default: i64) -> i64 {
        self.fields.optional::<Millis>(name).map_or(default, |(ms, _)| ms)
    }

    fn notches(&mut self, name: &str) -> i32 {
        let notches = self.fields.optional::<Notches>(name).map_or(0, |(notches, _)| notches);
        // The kind allows no more.
        i32::try_from(notches).unwrap_or(0)
    }

    fn text(&mut self) -> Option<Content> {
        if let Some((text, range)) = self.fields.optional::<Text>("text")
            && text.len() > MAX_TEXT
        {
            let message = format!("`text` has {} bytes; the text of one step may have {MAX_TEXT}", text.len());
            self.fields.wrong(range, &message, None);
            return None;
        }
        self.fields.content::<Typed>("text", Purpose::Typed)
    }

    /// The chord in `keys`, or in `key` as some recorders write it.
    fn chord(&mut self) -> Option<Chord> {
        let name = if self.fields.has("keys") || !self.fields.has("key") { "keys" } else { "key" };
        if name == "keys"
            && let Some(range) = self.fields.key_of("key")
        {
            self.fields.wrong(range, "`key` and `keys` mean the same", Some("leave one out".to_owned()));
        }
        Some(self.keys(name)?.0)
    }

    fn single_key(&mut self) -> Option<Chord> {
        let (chord, range) = self.keys("key")?;
        if chord.modifiers.is_empty() {
            return Some(chord);
        }
        let help = "write a step for each key, or use a `key` step for the whole chord".to_owned();
        self.fields.wrong(range, &format!("`key` must be one key, found the chord `{chord}`"), Some(help));
        None
    }

    fn keys(&mut self, name: &str) -> Option<(Chord, Range<usize>)> {
        let (text, range) = self.fields.required::<Text>(name)?;
        match keys::parse(&text) {
            Ok(chord) => Some((chord, range)),
            Err(error) => {
                self.fields.wrong(range, &format!("`{name}`: {error}"), Some(error.help()));
                None
            }
        }
    }
}
