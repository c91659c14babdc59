//! What a model answered, read off a chat completion.

use serde_json::{Map, Value};

use crate::model::error::{ModelError, NotAnswer, begin};
use crate::model::key::Key;
use crate::model::object::the_object;

/// The object a completion holds, whether as text or as the arguments of a tool that is called as the form of the answer is. What is shown of it
/// in an error is without the key.
///
/// # Errors
/// It is no completion, the model refuses or calls another tool, its answer was cut, or it is not one object.
pub fn object(completion: &Value, form: &str, key: &Key) -> Result<Map<String, Value>, ModelError> {
    // Masked before it is cut: half a key is a part of it still.
    let begin = |text: &str| begin(&key.mask(text));
    let none = || ModelError::NoAnswer {
        status: "200 OK".to_owned(),
        what: NotAnswer::Json,
        begin: begin(&key.mask_all(completion.clone()).to_string()),
    };
    let choice = completion.get("choices").and_then(|choices| choices.get(0)).ok_or_else(none)?;
    let message = choice.get("message").filter(|message| message.is_object()).ok_or_else(none)?;
    let text = text_of(message);
    let reason = choice.get("finish_reason").and_then(Value::as_str).unwrap_or_default();
    if let Some(refusal) = message.get("refusal").and_then(Value::as_str).filter(|text| !text.trim().is_empty()) {
        return Err(ModelError::Refused(begin(refusal)));
    }
    if let Some(other) = calls(message).iter().find_map(|call| other_tool(call, form)) {
        return Err(ModelError::Tool(key.mask(other).chars().take(40).collect()));
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
    let arguments = |call: &Value| match call.get("function").and_then(|function| function.get("arguments")) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(object @ Value::Object(_)) => Some(object.to_string()),
        Some(_) | None => None,
    };
    let called: Vec<String> = calls(message).iter().filter_map(arguments).collect();
    if !called.is_empty() {
        return Some(called.join("\n"));
    }
    match message.get("content")? {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => Some(parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

fn calls(message: &Value) -> &[Value] {
    message.get("tool_calls").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The name of a tool that is called and was not offered. A call without a name is taken for the one there is.
fn other_tool<'a>(call: &'a Value, form: &str) -> Option<&'a str> {
    match call.get("function").and_then(|function| function.get("name"))? {
        Value::Null => None,
        Value::String(name) => (name != form).then_some(name),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => Some("?"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use crate::model::error::ModelError;
    use crate::model::key::Key;

    fn object(completion: &Value) -> Result<Map<String, Value>, ModelError> {
        crate::model::answer::object(completion, "act", &Key::new("sk-secret"))
    }

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
    fn no_tool_is_called_that_was_not_offered() {
        for name in [json!("run_shell"), json!(""), json!(7)] {
            let call = json!({"function": {"name": name, "arguments": "{\"action\":\"done\"}"}});
            let reply = completion(json!({"content": "{\"action\":\"done\"}", "tool_calls": [call]}), "tool_calls");
            assert!(matches!(object(&reply), Err(ModelError::Tool(_))), "{reply}");
        }
    }

    #[test]
    fn what_is_shown_is_masked_before_it_is_cut() {
        let long = format!("{} sk-secret", "x".repeat(193));
        for reply in [completion(json!({"content": long}), "stop"), completion(json!({"refusal": long}), "stop")] {
            let message = object(&reply).unwrap_err().to_string();
            assert!(message.contains("***") && !message.contains("sk-"), "{message}");
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
