//! The one JSON object in what a model writes, whatever it writes around it.
//!
//! Models wrap their answers in sentences, in code fences, in lists and in thoughts. What counts is the one object outside of
//! `<think>…</think>`. An answer with two different objects, or with something that begins as an object and is none (typographic quotes, cut
//! off), is refused as a whole: to act on a part of it would be a guess.

use serde_json::{Deserializer, Map, Value};
use thiserror::Error;

use crate::json_text::repeated_key;

/// The names of the marks around thoughts.
const THOUGHTS: [&str; 2] = ["think", "thinking"];

/// The typographic quotes that take the place of `"`.
const CURLY: [char; 4] = ['\u{201C}', '\u{201D}', '\u{201E}', '\u{2018}'];

/// Why a text has no one JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ObjectError {
    /// There is none.
    #[error("it has no JSON object")]
    None,
    /// There are several that say different things.
    #[error("it has two different JSON objects")]
    Several,
    /// Something begins as an object and is none.
    #[error("its JSON object is broken: {0}")]
    Broken(String),
    /// A key is there twice.
    #[error("its JSON object has `{0}` twice")]
    Twice(String),
}

/// The one object in a text. The same object twice counts once; objects without members do not count.
///
/// # Errors
/// There is none, or it is not clear which it is.
pub fn the_object(text: &str) -> Result<Map<String, Value>, ObjectError> {
    let mut found: Option<Map<String, Value>> = None;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '<']) {
        let here = &rest[at..];
        if let Some(end) = thoughts_begun(here) {
            rest = &here[end..];
            continue;
        }
        if let Some(end) = thoughts_ended(here) {
            // They began before the text did, or before what the server shows of it.
            found = None;
            rest = &here[end..];
            continue;
        }
        if !is_object(here) {
            rest = &here[1..];
            continue;
        }
        let (object, end) = read(here)?;
        rest = &here[end..];
        if object.is_empty() {
            continue;
        }
        match &found {
            Some(first) if *first != object => return Err(ObjectError::Several),
            Some(_) => {}
            None => found = Some(object),
        }
    }
    found.ok_or(ObjectError::None)
}

/// The bytes of thoughts that begin here; without an end they go on to the end of the text.
fn thoughts_begun(text: &str) -> Option<usize> {
    THOUGHTS.iter().find_map(|name| {
        text.starts_with(&format!("<{name}>")).then(|| {
            let end = format!("</{name}>");
            text.find(&end).map_or(text.len(), |at| at + end.len())
        })
    })
}

/// The bytes of a mark that ends thoughts.
fn thoughts_ended(text: &str) -> Option<usize> {
    THOUGHTS.iter().map(|name| format!("</{name}>")).find(|mark| text.starts_with(mark.as_str())).map(|mark| mark.len())
}

/// Whether what begins with a brace means to be an object: a name or the other brace follows. Anything else is a sentence with braces.
fn is_object(text: &str) -> bool {
    let inside = text.strip_prefix('{').map(str::trim_start);
    inside.is_some_and(|inside| inside.is_empty() || inside.starts_with(['"', '}']) || inside.starts_with(CURLY))
}

/// The object a text begins with, and how many bytes it has.
fn read(text: &str) -> Result<(Map<String, Value>, usize), ObjectError> {
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    match values.next() {
        Some(Ok(Value::Object(object))) => {
            let end = values.byte_offset();
            match repeated_key(&text.as_bytes()[..end]) {
                Some((_, key)) => Err(ObjectError::Twice(key)),
                None => Ok((object, end)),
            }
        }
        Some(Err(error)) if error.is_eof() => Err(ObjectError::Broken("it is cut off".to_owned())),
        Some(Err(error)) => Err(ObjectError::Broken(error.to_string())),
        // What begins with a brace is an object or an error.
        Some(Ok(_)) | None => Err(ObjectError::None),
    }
}

#[cfg(test)]
mod tests {
    use crate::model::object::{ObjectError, the_object};

    const CLICK: &str = r#"{"action":"click","x":10,"y":20}"#;

    fn clicks(text: &str) {
        let expected = serde_json::from_str::<serde_json::Value>(CLICK).unwrap();
        assert_eq!(the_object(text).as_ref(), Ok(expected.as_object().unwrap()), "{text}");
    }

    #[test]
    fn what_stands_around_the_object_does_not_count() {
        clicks(CLICK);
        clicks(&format!("```json\n{CLICK}\n```"));
        clicks(&format!("I think {{maybe}} so: {CLICK} ok}}"));
        clicks(&format!("<think>{{\"action\":\"quit\"}}</think>{CLICK}"));
        clicks(&format!("{{\"action\":\"quit\"}}</think>\n{CLICK}"));
        clicks(&format!("[{CLICK}]"));
        clicks(&format!("{CLICK} or, again: {CLICK}, and {{}}"));
        clicks(&format!("{CLICK}<thinking>{{\"action\":\"done\"}}"));
        clicks(&format!("1 < 2 <b>{CLICK}</b>"));
    }

    #[test]
    fn braces_and_fences_in_texts_are_text() {
        for text in ["}", "```", "{\"a\":1}", "<think>x</think>", "a } ``` \\\" {"] {
            let object = serde_json::json!({"action": "type", "text": text});
            let wrapped = format!("Sure:\n```json\n{object}\n```\n");
            assert_eq!(the_object(&wrapped).as_ref(), Ok(object.as_object().unwrap()), "{text}");
        }
    }

    #[test]
    fn what_is_not_clear_is_refused() {
        assert_eq!(the_object(&format!("{CLICK}{{\"action\":\"done\"}}")), Err(ObjectError::Several));
        assert_eq!(the_object(&format!("[{CLICK},{{\"action\":\"done\"}}]")), Err(ObjectError::Several));
        let broken = |text: &str| assert!(matches!(the_object(text), Err(ObjectError::Broken(_))), "{text}");
        broken(r#"{"action":"cl"#);
        broken("{");
        broken("{“action”: “click”, “x”: 10, “y”: 20}");
        broken("{\"action\": “click”}");
        broken(&format!("{{\"steps\": [{CLICK}, {{\"act"));
        broken(&format!("{{\"a\": {}", "{\"a\": ".repeat(100_000)));
        assert_eq!(the_object(r#"{"action":"click","action":"done"}"#), Err(ObjectError::Twice("action".to_owned())));
        for none in ["", "click (10, 20)", "{maybe}", "{}", "<think>{\"action\":\"done\"}", "{'action': 'done'}"] {
            assert_eq!(the_object(none), Err(ObjectError::None), "{none}");
        }
    }

    #[test]
    fn long_texts_cost_no_more_than_their_length() {
        let begun = std::time::Instant::now();
        assert_eq!(the_object(&"{<".repeat(500_000)), Err(ObjectError::None));
        assert_eq!(the_object(&"<think></think>{}".repeat(100_000)), Err(ObjectError::None));
        assert!(begun.elapsed().as_secs() < 20);
    }
}
