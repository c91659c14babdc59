//! A question to a model, and the request that asks it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};

/// The most tokens of an answer; models that think need most of them for that.
const MOST_TOKENS: u32 = 8192;

/// The member of an answer in which a model explains it: it is shown, and nothing is done by it.
pub const REASON: &str = "reason";

/// A question whose answer is one JSON object.
#[derive(Clone, Debug)]
pub struct Question {
    /// The model's part in it, and the rules.
    pub system: String,
    /// What is asked, in order.
    pub parts: Vec<Part>,
    /// A name for the form of the answer: letters and `_`. A model that calls a tool of this name answers as well.
    pub form: &'static str,
    /// The form of the answer as a JSON schema; it is asked for, and the answer must be checked all the same.
    pub schema: Value,
}

/// A part of a question.
#[derive(Clone, Debug)]
pub enum Part {
    /// Words.
    Text(String),
    /// An image as the bytes of a PNG file.
    Png(Vec<u8>),
}

/// What a server turned out not to take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// `max_completion_tokens` in place of `max_tokens`.
    pub completion_tokens: bool,
    /// No `response_format`.
    pub formless: bool,
}

impl Dialect {
    /// What to leave out after a server has said that it does not take something; `None` when nothing can be left out for that.
    pub fn after(self, refusal: &str) -> Option<Self> {
        let refusal = refusal.to_ascii_lowercase();
        if !self.completion_tokens && refusal.contains("max_tokens") {
            return Some(Self { completion_tokens: true, ..self });
        }
        let form = ["response_format", "json_schema", "schema"].iter().any(|word| refusal.contains(word));
        (form && !self.formless).then_some(Self { formless: true, ..self })
    }
}

/// The body of the request, as OpenAI's chat completions have it.
pub fn body(question: &Question, model: &str, dialect: Dialect) -> Value {
    let parts: Vec<Value> = question.parts.iter().map(part).collect();
    let mut body = Map::new();
    let mut put = |key: &str, value: Value| body.insert(key.to_owned(), value);
    put("model", model.into());
    put("stream", false.into());
    put(if dialect.completion_tokens { "max_completion_tokens" } else { "max_tokens" }, MOST_TOKENS.into());
    put("messages", json!([{"role": "system", "content": question.system}, {"role": "user", "content": parts}]));
    if !dialect.formless {
        let form = json!({"name": question.form, "strict": true, "schema": question.schema});
        put("response_format", json!({"type": "json_schema", "json_schema": form}));
    }
    Value::Object(body)
}

fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Png(bytes) => {
            let url = format!("data:image/png;base64,{}", BASE64_STANDARD.encode(bytes));
            json!({"type": "image_url", "image_url": {"url": url, "detail": "high"}})
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::question::{Dialect, Part, Question, body};

    #[test]
    fn a_body_has_words_images_and_the_form_of_the_answer() {
        let parts = vec![Part::Text("what".to_owned()), Part::Png(vec![1, 2, 3])];
        let question = Question { system: "s".to_owned(), parts, form: "f", schema: json!({"type": "object"}) };
        let whole = body(&question, "m", Dialect::default());
        assert_eq!(
            (&whole["model"], &whole["stream"], &whole["max_tokens"]),
            (&json!("m"), &json!(false), &json!(8192))
        );
        assert_eq!(whole["messages"][1]["content"][1]["image_url"]["url"], "data:image/png;base64,AQID");
        assert_eq!(whole["response_format"]["json_schema"]["name"], "f");
        let other = Dialect { completion_tokens: true, formless: true };
        let plain = body(&question, "m", other);
        assert_eq!(plain["max_completion_tokens"], 8192);
        assert!(plain.get("max_tokens").is_none() && plain.get("response_format").is_none());
    }

    #[test]
    fn each_thing_is_left_out_once() {
        let first =
            Dialect::default().after("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'").unwrap();
        assert_eq!(first, Dialect { completion_tokens: true, formless: false });
        assert_eq!(first.after("unsupported: max_tokens"), None);
        assert_eq!(
            first.after("Response_Format is unknown"),
            Some(Dialect { completion_tokens: true, formless: true })
        );
        assert_eq!(Dialect::default().after("no such model"), None);
    }
}
