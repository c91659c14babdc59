//! What a model wrote: the macro's text, and the parts of the screenshot that become images.

use serde_json::{Map, Value};
use vm::desktop::Rect;
use vm::picture::Picture;

/// The most bytes of a macro that a model writes.
const MOST_TEXT: usize = 64 << 10;
/// The most images.
const MOST_TEMPLATES: usize = 32;
/// The smallest side of an image, in pixels of the screenshot: less is found everywhere.
const SMALLEST: u32 = 4;
/// The most characters of a label.
const LONGEST_LABEL: usize = 40;

/// A macro that was written, not yet judged.
#[derive(Debug)]
pub struct Draft {
    /// The macro's text.
    pub text: String,
    /// The images it may use.
    pub templates: Vec<Template>,
}

/// A part of the screenshot.
#[derive(Debug)]
pub struct Template {
    /// The file's name, in the macro's folder of images.
    pub file: String,
    /// The PNG file.
    pub png: Vec<u8>,
}

impl Draft {
    /// Reads an answer; `sent` is the width and height in which the model saw the screenshot.
    ///
    /// # Errors
    /// It is none, in words that follow "the answer".
    pub fn read(object: &Map<String, Value>, screen: &Picture, sent: (u32, u32)) -> Result<Self, String> {
        let text = object.get("macro").and_then(Value::as_str).ok_or("has no text `macro`")?;
        if text.trim().is_empty() || text.len() > MOST_TEXT {
            return Err(format!("has a `macro` of {} bytes; allowed are 1 to {MOST_TEXT}", text.len()));
        }
        let named = match object.get("templates") {
            None | Some(Value::Null) => &[][..],
            Some(Value::Array(items)) => items,
            Some(_) => return Err("has `templates` that are no list".to_owned()),
        };
        if named.len() > MOST_TEMPLATES {
            return Err(format!("has {} templates; allowed are {MOST_TEMPLATES}", named.len()));
        }
        let mut templates: Vec<Template> = Vec::new();
        for item in named {
            let template = template(item, screen, sent)?;
            if templates.iter().any(|other| other.file == template.file) {
                return Err(format!("has two templates with the label of `{}`", template.file));
            }
            templates.push(template);
        }
        Ok(Self { text: format!("{}\n", text.trim_end()), templates })
    }
}

fn template(item: &Value, screen: &Picture, sent: (u32, u32)) -> Result<Template, String> {
    let label = item.get("label").and_then(Value::as_str).unwrap_or_default();
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if label.is_empty() || label.len() > LONGEST_LABEL || !label.bytes().all(plain) {
        return Err(format!(
            "has a template whose `label` is not made of at most {LONGEST_LABEL} small letters, digits and `_`"
        ));
    }
    let number = |name: &str| {
        let found = item.get(name).and_then(Value::as_f64).filter(|number| number.is_finite());
        found.ok_or_else(|| format!("has the template `{label}` without a number `{name}`"))
    };
    let (x, y, width, height) = (number("x")?, number("y")?, number("width")?, number("height")?);
    let size = screen.size();
    // The casts saturate; what is outside is refused by the cut.
    let along = |at: f64, sent: u32, own: u32| (at * f64::from(own) / f64::from(sent.max(1))).round();
    let (left, right) = (along(x, sent.0, size.0), along(x + width, sent.0, size.0));
    let (top, bottom) = (along(y, sent.1, size.1), along(y + height, sent.1, size.1));
    let part = Rect { x: left as i32, y: top as i32, width: (right - left) as u32, height: (bottom - top) as u32 };
    if left < 0.0 || top < 0.0 || part.width < SMALLEST || part.height < SMALLEST {
        return Err(format!("has the template `{label}` outside of the screenshot, or too small"));
    }
    let cut = screen.cut(part).ok_or_else(|| {
        format!("has the template `{label}` outside of the screenshot, which is {}x{} pixels", sent.0, sent.1)
    })?;
    let png = cut.png().map_err(|error| format!("has the template `{label}`, and {error}"))?;
    Ok(Template { file: format!("{label}.png"), png })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use vm::picture::Picture;

    use crate::assist::draft::Draft;

    fn read(answer: &Value) -> Result<Draft, String> {
        let screen = Picture::on_white(200, 100, &[]);
        Draft::read(answer.as_object().unwrap(), &screen, (100, 50))
    }

    #[test]
    fn parts_are_scaled_to_the_screenshot() {
        let draft = read(
            &json!({"macro": "name: a\n\n", "templates": [{"label": "ok", "x": 90, "y": 40, "width": 10, "height": 10}]}),
        );
        let draft = draft.unwrap();
        assert_eq!((draft.text.as_str(), draft.templates[0].file.as_str()), ("name: a\n", "ok.png"));
        assert_eq!(Picture::from_png(&draft.templates[0].png).unwrap().size(), (20, 20));
    }

    #[test]
    fn what_is_no_draft_is_refused() {
        let part = |label: &str, x: f64, width: f64| json!({"macro": "a", "templates": [{"label": label, "x": x, "y": 0, "width": width, "height": 9}]});
        for answer in [
            json!({}),
            json!({"macro": " "}),
            json!({"macro": ["a"]}),
            json!({"macro": "a".repeat(70_000)}),
            json!({"macro": "a", "templates": {}}),
            json!({"macro": "a", "templates": [{"label": "ok"}]}),
            part("../up", 1.0, 9.0),
            part("Save", 1.0, 9.0),
            part("", 1.0, 9.0),
            part("ok", -5.0, 9.0),
            part("ok", 95.0, 9.0),
            part("ok", 1e300, 9.0),
            part("ok", 1.0, 1.0),
            part("ok", 1.0, -9.0),
        ] {
            assert!(read(&answer).is_err(), "{answer}");
        }
        let one = json!({"label": "ok", "x": 0, "y": 0, "width": 9, "height": 9});
        assert!(read(&json!({"macro": "a", "templates": [one, one]})).is_err());
    }
}
