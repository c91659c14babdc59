//! What a model may decide: the actions there are, read strictly. Nothing is done that is not written here.

use std::time::Duration;

use serde_json::{Map, Value as Json};
use spec::grammar::keys::{self, Chord};
use spec::grammar::nearest::nearest;
use spec::kind::MouseButton;
use spec::value::{Dict, Value};

use crate::backends::gui_agent::scale::Scale;
use crate::desktop::Point;
use crate::model::REASON;

/// The actions a model may name.
pub const ACTIONS: [&str; 9] =
    ["click", "double_click", "right_click", "drag", "type", "hotkey", "scroll", "wait", "done"];

/// The members an answer may have, whichever action it names.
pub const MEMBERS: [&str; 16] = [
    REASON,
    "last_action_right",
    "end_state_reached",
    "action",
    "x",
    "y",
    "button",
    "from_x",
    "from_y",
    "to_x",
    "to_y",
    "duration_ms",
    "text",
    "keys",
    "dy",
    "ms",
];

/// The longest drag and wait, in milliseconds.
pub const LONGEST_MS: u64 = 10_000;
/// The most notches of a wheel.
pub const MOST_NOTCHES: i32 = 100;
/// The most characters to type at once.
pub const MOST_CHARACTERS: usize = 4000;

/// How long a drag and a wait take when the model does not say.
const DRAG_MS: u64 = 300;
const WAIT_MS: u64 = 1000;

/// What a model decided. Places are pixels of the screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// A click, or a double click.
    Click {
        /// Where.
        at: Point,
        /// With which button.
        button: MouseButton,
        /// Whether twice.
        double: bool,
    },
    /// A drag with the left button.
    Drag {
        /// From where.
        from: Point,
        /// To where.
        to: Point,
        /// How long it takes.
        duration: Duration,
    },
    /// Text for whatever has the focus.
    Type(String),
    /// A key chord.
    Hotkey(Chord),
    /// Notches of the wheel at a place; negative is down.
    Scroll {
        /// Where.
        at: Point,
        /// How many.
        dy: i32,
    },
    /// A pause.
    Wait(Duration),
    /// Nothing: the model says that the end is reached.
    Done,
}

/// Reads a decision.
///
/// # Errors
/// It names no action there is, misses something that the action needs, or has something no action takes: in words that follow "the
/// model's answer".
pub fn read(reply: &Map<String, Json>, scale: &Scale) -> Result<Decision, String> {
    known(reply)?;
    let fields = Fields { reply, scale };
    let name = fields.text("action")?;
    match name {
        "click" => fields.click(fields.button()?, false),
        "double_click" => fields.click(fields.button()?, true),
        "right_click" => fields.click(MouseButton::Right, false),
        "drag" => Ok(Decision::Drag {
            from: fields.place("from_x", "from_y")?,
            to: fields.place("to_x", "to_y")?,
            duration: fields.millis("duration_ms", DRAG_MS)?,
        }),
        "type" => fields.typed(),
        "hotkey" => fields.hotkey(),
        "scroll" => Ok(Decision::Scroll { at: fields.place("x", "y")?, dy: fields.notches()? }),
        "wait" => Ok(Decision::Wait(fields.millis("ms", WAIT_MS)?)),
        "done" => Ok(Decision::Done),
        other => Err(unknown(other)),
    }
}

/// Whether an answer has only members there are.
///
/// # Errors
/// The first it has that there is not, in words that follow "the model's answer".
pub fn known(reply: &Map<String, Json>) -> Result<(), String> {
    match reply.keys().find(|name| !MEMBERS.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let near = nearest(name, MEMBERS).map(|near| format!("; did it mean `{near}`?")).unwrap_or_default();
            let name: String = name.chars().take(40).collect();
            Err(format!("has the unknown member `{name}`{near}"))
        }
    }
}

fn unknown(name: &str) -> String {
    let near = nearest(name, ACTIONS).map(|near| format!("; did it mean `{near}`?")).unwrap_or_default();
    let name: String = name.chars().take(40).collect();
    format!("names the unknown action `{name}`{near} allowed: {}", ACTIONS.join(", "))
}

/// What an object has.
struct Fields<'a> {
    reply: &'a Map<String, Json>,
    scale: &'a Scale,
}

impl<'a> Fields<'a> {
    /// A member; `null` is none.
    fn get(&self, name: &str) -> Option<&'a Json> {
        self.reply.get(name).filter(|value| !value.is_null())
    }

    fn text(&self, name: &str) -> Result<&'a str, String> {
        match self.get(name) {
            Some(Json::String(text)) => Ok(text),
            Some(other) => Err(format!("has `{name}` that is no text: `{}`", short(other))),
            None => Err(format!("has no `{name}`")),
        }
    }

    fn number(&self, name: &str) -> Result<f64, String> {
        number(self.get(name).ok_or_else(|| format!("has no `{name}`"))?, name)
    }

    /// Two numbers, or one list of two under the first name.
    fn place(&self, x: &str, y: &str) -> Result<Point, String> {
        let (x, y) = match (self.get(x), self.get(y)) {
            (Some(Json::Array(pair)), None) => match pair.as_slice() {
                [first, second] => (number(first, x)?, number(second, x)?),
                _ => return Err(format!("has `{x}` that is no pair of numbers")),
            },
            _ => (self.number(x)?, self.number(y)?),
        };
        self.scale.place(x, y).map_err(|reason| format!("names a place that is not in the image: {reason}"))
    }

    fn click(&self, button: MouseButton, double: bool) -> Result<Decision, String> {
        Ok(Decision::Click { at: self.place("x", "y")?, button, double })
    }

    fn button(&self) -> Result<MouseButton, String> {
        match self.get("button").map(|button| button.as_str().unwrap_or_default()) {
            None | Some("left") => Ok(MouseButton::Left),
            Some("right") => Ok(MouseButton::Right),
            Some("middle") => Ok(MouseButton::Middle),
            Some(_) => Err("has a `button` that is not left, right or middle".to_owned()),
        }
    }

    fn typed(&self) -> Result<Decision, String> {
        let text = self.text("text")?;
        let count = text.chars().count();
        if count == 0 || count > MOST_CHARACTERS {
            return Err(format!("has a `text` of {count} characters; allowed are 1 to {MOST_CHARACTERS}"));
        }
        Ok(Decision::Type(text.to_owned()))
    }

    fn hotkey(&self) -> Result<Decision, String> {
        let text = self.text("keys")?;
        let wrong = |error: keys::KeyError| format!("has `keys` that are no key chord: {error}");
        keys::parse(text).map(Decision::Hotkey).map_err(wrong)
    }

    fn notches(&self) -> Result<i32, String> {
        let dy = self.number("dy")?;
        if dy.fract() != 0.0 || dy == 0.0 || dy.abs() > f64::from(MOST_NOTCHES) {
            return Err(format!("has `dy` {dy}: notches are whole, not 0, and at most {MOST_NOTCHES}"));
        }
        // Whole and small.
        Ok(dy as i32)
    }

    fn millis(&self, name: &str, default: u64) -> Result<Duration, String> {
        let millis = if self.get(name).is_some() { self.number(name)? } else { default as f64 };
        if !(0.0..=LONGEST_MS as f64).contains(&millis) {
            return Err(format!("has `{name}` {millis}: allowed are 0 to {LONGEST_MS} milliseconds"));
        }
        // Neither negative nor large.
        Ok(Duration::from_millis(millis as u64))
    }
}

/// A finite number, or one as text.
fn number(value: &Json, name: &str) -> Result<f64, String> {
    let read = match value {
        Json::Number(number) => number.as_f64(),
        Json::String(text) => spec::kind::float_word(text.trim()),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    };
    read.filter(|number| number.is_finite())
        .ok_or_else(|| format!("has `{name}` that is no number: `{}`", short(value)))
}

fn short(value: &Json) -> String {
    value.to_string().chars().take(60).collect()
}

impl Decision {
    /// Whether Ctrl+Z after it takes it back. What changes nothing has nothing to take back, and Ctrl+Z would take back something else.
    pub fn can_be_undone(&self) -> bool {
        match self {
            Self::Click { .. } | Self::Drag { .. } | Self::Type(_) | Self::Hotkey(_) => true,
            Self::Scroll { .. } | Self::Wait(_) | Self::Done => false,
        }
    }

    /// As an output: its name and what belongs to it, in pixels of the screen.
    pub fn to_dict(&self) -> Dict {
        let whole = |number: i64| Value::Integer(number);
        let millis = |time: &Duration| whole(i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
        let place = |at: &Point| [("x", whole(at.x.into())), ("y", whole(at.y.into()))];
        let (name, rest): (&str, Vec<(&str, Value)>) = match self {
            Self::Click { at, button, double } => {
                let name = if *double { "double_click" } else { "click" };
                let button = match button {
                    MouseButton::Left => "left",
                    MouseButton::Right => "right",
                    MouseButton::Middle => "middle",
                };
                let button = ("button", Value::String(button.to_owned()));
                (name, place(at).into_iter().chain([button]).collect())
            }
            Self::Drag { from, to, duration } => (
                "drag",
                vec![
                    ("from_x", whole(from.x.into())),
                    ("from_y", whole(from.y.into())),
                    ("to_x", whole(to.x.into())),
                    ("to_y", whole(to.y.into())),
                    ("duration_ms", millis(duration)),
                ],
            ),
            Self::Type(text) => ("type", vec![("text", Value::String(text.clone()))]),
            Self::Hotkey(chord) => ("hotkey", vec![("keys", Value::String(chord.to_string()))]),
            Self::Scroll { at, dy } => ("scroll", place(at).into_iter().chain([("dy", whole((*dy).into()))]).collect()),
            Self::Wait(time) => ("wait", vec![("ms", millis(time))]),
            Self::Done => ("done", Vec::new()),
        };
        let action = ("action".to_owned(), Value::String(name.to_owned()));
        std::iter::once(action).chain(rest.into_iter().map(|(name, value)| (name.to_owned(), value))).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value as Json, json};
    use spec::kind::{CoordinateSpace, MouseButton};

    use crate::backends::gui_agent::decision::{Decision, read};
    use crate::backends::gui_agent::scale::Scale;
    use crate::desktop::{Point, Rect};

    fn decide(reply: Json) -> Result<Decision, String> {
        let area = Rect { x: 0, y: 0, width: 2560, height: 1440 };
        let scale = Scale { area, sent: (1280, 720), space: CoordinateSpace::Image };
        read(reply.as_object().unwrap(), &scale)
    }

    fn click(x: i32, y: i32) -> Result<Decision, String> {
        Ok(Decision::Click { at: Point { x, y }, button: MouseButton::Left, double: false })
    }

    #[test]
    fn coordinates_come_in_several_forms() {
        assert_eq!(decide(json!({"action": "click", "x": 640, "y": 360})), click(1280, 720));
        assert_eq!(decide(json!({"action": "click", "x": "512.0", "y": 10.5, "button": null})), click(1024, 21));
        assert_eq!(decide(json!({"action": "click", "x": [10, 20]})), click(20, 40));
        let drag = json!({"action": "drag", "from_x": [1, 2], "to_x": 3, "to_y": 4, "duration_ms": 50});
        let (from, to) = (Point { x: 2, y: 4 }, Point { x: 6, y: 8 });
        assert_eq!(decide(drag), Ok(Decision::Drag { from, to, duration: Duration::from_millis(50) }));
    }

    #[test]
    fn what_no_action_takes_is_refused() {
        for reply in [
            json!({"action": "rm"}),
            json!({"action": "quit"}),
            json!({"action": null}),
            json!({"action": ["click"], "x": 1, "y": 1}),
            json!({"x": 1, "y": 1}),
            json!({"action": "click"}),
            json!({"action": "click", "x": 5}),
            json!({"action": "click", "x": null, "y": 5}),
            json!({"action": "click", "x": -5, "y": 5}),
            json!({"action": "click", "x": 99999, "y": 5}),
            json!({"action": "click", "x": "NaN", "y": 5}),
            json!({"action": "click", "x": "ten", "y": 5}),
            json!({"action": "click", "x": [1, 2, 3]}),
            json!({"action": "click", "x": [1, 2], "y": 3}),
            json!({"action": "click", "x": 1, "y": 1, "button": "side"}),
            json!({"action": "click", "x": 1, "y": 1, "button": 1}),
            json!({"action": "hotkey", "keys": "ctrl+foo"}),
            json!({"action": "hotkey", "keys": "Return; touch /tmp/t/pwn"}),
            json!({"action": "hotkey", "keys": ""}),
            json!({"action": "hotkey", "keys": ["ctrl", "s"]}),
            json!({"action": "type", "text": null}),
            json!({"action": "type", "text": ""}),
            json!({"action": "type", "text": 5}),
            json!({"action": "type", "text": "x".repeat(4001)}),
            json!({"action": "scroll", "x": 1, "y": 1}),
            json!({"action": "scroll", "x": 1, "y": 1, "dy": 0}),
            json!({"action": "scroll", "x": 1, "y": 1, "dy": 1e9}),
            json!({"action": "wait", "ms": -1}),
            json!({"action": "wait", "ms": 1e300}),
            json!({"action": "drag", "from_x": 1, "from_y": 1, "to_x": 1}),
            json!({"action": "click", "x": 1, "y": 1, "modifiers": "ctrl"}),
            json!({"action": "type", "text": "x", "then": {"action": "hotkey", "keys": "enter"}}),
            json!({"action": "done", "command": null}),
        ] {
            assert!(decide(reply.clone()).is_err(), "{reply}");
        }
        assert_eq!(
            decide(json!({"action": "rm"})).unwrap_err().split(" allowed").next(),
            Some("names the unknown action `rm`")
        );
    }

    #[test]
    fn a_decision_is_told_in_pixels_of_the_screen() {
        let told = |reply| {
            serde_json::to_string(&crate::json_text::to_json(&spec::value::Value::Dict(
                decide(reply).unwrap().to_dict(),
            )))
        };
        let click = told(json!({"action": "right_click", "x": 1, "y": 2})).unwrap();
        assert_eq!(click, r#"{"action":"click","x":2,"y":4,"button":"right"}"#);
        assert_eq!(
            told(json!({"action": "hotkey", "keys": "Ctrl+S"})).unwrap(),
            r#"{"action":"hotkey","keys":"ctrl+s"}"#
        );
        assert_eq!(told(json!({"action": "wait"})).unwrap(), r#"{"action":"wait","ms":1000}"#);
        assert_eq!(told(json!({"action": "done", "reason": "ok"})).unwrap(), r#"{"action":"done"}"#);
    }
}
