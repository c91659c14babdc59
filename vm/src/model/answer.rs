//! What a model answered, read off a chat completion.

use serde_json::{Map, Value};

use crate::model::error::{ModelError, NotAnswer, begin};
use crate::model::object::the_object;

/// The object a completion holds, whether as text or as the arguments of a tool.
///
/// # Errors
/// It is no completion, the model refuses, its answer was cut, or it is not one object.
pub fn object(completion: &Value) -> Result<Map<String, Value>, ModelError> {
    let none = || ModelError::NoAnswer {
        status: "200 OK".to_owned(),
        what: NotAnswer::Json,
        begin: begin(&completion.to_string()),
    };
    let choice = completion.get("choices").and_then(|choices| choices.get(0)).ok_or_else(none)?;
    let message = choice.get("message").filter(|message| message.is_object()).ok_or_else(none)?;
    let text = text_of(message);
    let reason = choice.get("finish_reason").and_then(Value::as_str).unwrap_or_default();
    if let Some(refusal) = message.get("refusal").and_then(Value::as_str).filter(|text| !text.trim().is_empty()) {
        return Err(ModelError::Refused(begin(refusal)));
    }
    match (reason, text) {
        ("content_filter", text) => Err(ModelError::Refused(begin(&text.unwrap_or_default()))),
        ("length", text) => Err(ModelError::Truncated(begin(&text.unwrap_or_default()))),
        (_, None) => Err(none()),
        (_, Some(text)) => the_object(&text).map_err(|reason| ModelError::BadReply { reason, begin: begin(&text) }),
    }
}

/// The words of a message: the arguments of its tool calls, or its content.
fn text_of(message: &Value) -> Option<String> {
    let calls = message.get("tool_calls").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let arguments = |call: &Value| match call.get("function").and_then(|function| function.get("arguments")) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(object @ Value::Object(_)) => Some(object.to_string()),
        Some(_) | None => None,
    };
    let called: Vec<String> = calls.iter().filter_map(arguments).collect();
    if !called.is_empty() {
        return Some(called.join("\n"));
    }
    match message.get("content")? {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => Some(parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::model::answer::object;
    use crate::model::error::ModelError;

    fn completion(message: Value, reason: &str) -> Value {
        json!({"choices": [{"message": message, "finish_reason": reason}]})
    }

    #[test]
    fn content_parts_and_tools_are_read() {
        let done = json!({"action": "done"});
        for message in [
            json!({"content": "ok: {\"action\":\"done\"}"}),
            json!({"content": [{"type": "text", "text": "{\"action\":"}, {"type": "text", "text": "\"done\"}"}]}),
            json!({"content": null, "tool_calls": [{"function": {"name": "act", "arguments": "{\"action\":\"done\"}"}}]}),
            json!({"content": "", "tool_calls": [{"function": {"arguments": {"action": "done"}}}], "refusal": null}),
        ] {
            assert_eq!(Value::Object(object(&completion(message, "stop")).unwrap()), done);
        }
    }

    #[test]
    fn what_is_no_whole_answer_is_an_error() {
        let whole = json!({"content": "{\"action\":\"done\"}"});
        assert!(matches!(object(&completion(whole.clone(), "length")), Err(ModelError::Truncated(_))));
        assert!(matches!(object(&completion(whole, "content_filter")), Err(ModelError::Refused(_))));
        let refusal = json!({"content": "{\"action\":\"done\"}", "refusal": "I will not"});
        assert!(matches!(object(&completion(refusal, "stop")), Err(ModelError::Refused(_))));
        let tools = json!({"tool_calls": [{"function": {"arguments": "{\"action\":\"done\"}"}}, {"function": {"arguments": "{\"action\":\"wait\"}"}}]});
        assert!(matches!(object(&completion(tools, "tool_calls")), Err(ModelError::BadReply { .. })));
        for none in
            [json!({}), json!({"choices": []}), completion(json!({"content": null}), "stop"), json!({"choices": 3})]
        {
            assert!(matches!(object(&none), Err(ModelError::NoAnswer { .. })), "{none}");
        }
    }
}
