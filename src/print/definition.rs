//! A macro as written, as JSON: every key in its full form.

use compiler::ast::{
    Body, Condition, ConditionKind, Definition, Limit, Output, OutputValue, Parameter, Scalar, Step, Written,
};
use serde_json::{Map, Value, json};
use spec::span::Spanned;
use vm::json_text::to_json;

/// The document of `info`; `source_path` is null for a bundled macro.
pub fn info(definition: &Definition, source_path: Option<&str>) -> Value {
    let mut info = json!({
        "name": definition.name.node,
        "version": definition.version,
        "description": definition.description,
        "parameters": parameters(definition),
        "preconditions": conditions(&definition.preconditions),
        "steps": steps(&definition.steps),
        "postconditions": conditions(&definition.postconditions),
        "outputs": definition.outputs.iter().map(output).collect::<Value>(),
        "tags": definition.tags,
        "composable": definition.composable,
        "agent_hints": hints(definition),
        "source_path": source_path,
    });
    if !definition.finally.is_empty() {
        info["finally"] = steps(&definition.finally);
    }
    if let Some(timeout) = definition.timeout_us {
        info["timeout_ms"] = millis(timeout);
    }
    match &definition.limit {
        Some(Limit::Duration(scalar)) => info["timeout"] = text_or_literal(scalar),
        Some(Limit::Millis(scalar)) => info["timeout_ms"] = text_or_literal(scalar),
        None => {}
    }
    info
}

/// An entry of `list`.
pub fn listed(definition: &Definition) -> Value {
    json!({
        "name": definition.name.node,
        "version": definition.version,
        "description": definition.description,
        "tags": definition.tags,
        "parameters": definition.parameters.iter().map(|parameter| parameter.name.node.as_str()).collect::<Vec<_>>(),
    })
}

/// A value as it is written; texts with expressions stay texts.
pub fn written(value: &Written) -> Value {
    match value {
        Written::Scalar(scalar) => text_or_literal(scalar),
        Written::List(items, _) => items.iter().map(written).collect(),
        Written::Map(entries, _) => mapping(entries),
    }
}

fn text_or_literal(scalar: &Scalar) -> Value {
    if scalar.template.is_constant() { to_json(&scalar.literal) } else { scalar.template.to_string().into() }
}

fn mapping(entries: &[(Spanned<String>, Written)]) -> Value {
    Value::Object(entries.iter().map(|(key, value)| (key.node.clone(), written(value))).collect())
}

fn hints(definition: &Definition) -> Value {
    let hints = to_json(&definition.agent_hints);
    if hints.is_null() { json!({}) } else { hints }
}

fn parameters(definition: &Definition) -> Value {
    let entry = |parameter: &Parameter| (parameter.name.node.clone(), self::parameter(parameter));
    Value::Object(definition.parameters.iter().map(entry).collect())
}

fn parameter(parameter: &Parameter) -> Value {
    let mut entry = json!({
        "type": parameter.ty.name(),
        "required": parameter.required,
        "default": parameter.default.as_ref().map(|value| to_json(&value.node)),
        "description": parameter.description,
        "example": parameter.example.as_ref().map(|value| to_json(&value.node)),
    });
    if parameter.secret {
        entry["secret"] = true.into();
    }
    if !parameter.choices.is_empty() {
        entry["enum"] = parameter.choices.iter().map(|value| to_json(&value.node)).collect();
    }
    for (key, bound) in [("min", &parameter.min), ("max", &parameter.max)] {
        if let Some(bound) = bound {
            entry[key] = to_json(&bound.node);
        }
    }
    entry
}

fn conditions(conditions: &[Condition]) -> Value {
    conditions.iter().map(condition).collect()
}

/// The reader of YAML bounds how deep conditions are nested.
fn condition(condition: &Condition) -> Value {
    match &condition.kind {
        ConditionKind::Test(test, arguments) => {
            let args = match arguments.as_slice() {
                [one] => written(one),
                several => several.iter().map(written).collect(),
            };
            json!({"type": test.name(), "args": args})
        }
        ConditionKind::Not(inner) => json!({"type": "not", "args": self::condition(inner)}),
        ConditionKind::Any(inner) => json!({"type": "any", "args": conditions(inner)}),
        ConditionKind::All(inner) => json!({"type": "all", "args": conditions(inner)}),
    }
}

fn steps(steps: &[Step]) -> Value {
    steps.iter().map(step).collect()
}

fn step(step: &Step) -> Value {
    let mut entry = Map::new();
    entry.insert("id".to_owned(), step.id.node.clone().into());
    let body = match &step.body {
        Body::Action(call) => {
            json!({"backend": call.backend.node, "action": call.action.node, "params": mapping(&call.params)})
        }
        Body::Recovery(recovery) => {
            let action = if recovery.fallback.is_some() { "retry_with_fallback" } else { "retry" };
            let nested = &recovery.step;
            let mut params = json!({
                "step": {"backend": nested.backend.node, "action": nested.action.node, "params": mapping(&nested.params)},
            });
            if let Some(fallback) = &recovery.fallback {
                params["fallback_backend"] = fallback.node.as_str().into();
            }
            json!({"backend": "recovery", "action": action, "params": params})
        }
        Body::Call { name, with } => json!({"macro": name.node, "with": mapping(with)}),
        // Only of a definition with errors, which is not shown.
        Body::Broken(_) => Value::Null,
    };
    if let Value::Object(body) = body {
        entry.extend(body);
    }
    let mut put = |key: &str, value: Value| drop(entry.insert(key.to_owned(), value));
    if let Some(when) = &step.when {
        put("when", text_or_literal(when));
    }
    if let Some(items) = &step.for_each {
        put("for_each", written(items));
    }
    if let Some(timeout) = step.timeout_us {
        put("timeout_ms", millis(timeout));
    }
    match &step.limit {
        Some(Limit::Duration(scalar)) => put("timeout", text_or_literal(scalar)),
        Some(Limit::Millis(scalar)) => put("timeout_ms", text_or_literal(scalar)),
        None => {}
    }
    if let Some(on_failure) = step.on_failure {
        put("on_failure", on_failure.name().into());
    }
    if let Some(retry) = &step.retry {
        let backoff: Value = retry.node.backoff_us.iter().map(|pause| millis(*pause)).collect();
        put("retry_policy", json!({"max_retries": retry.node.retries, "backoff_ms": backoff}));
    }
    for computed in &step.computed {
        put(computed.key.node, written(&computed.value));
    }
    if let Some(verify) = &step.verify {
        put("verify", json!({"conditions": conditions(&verify.conditions), "within_ms": millis(verify.within.node)}));
    }
    if !step.expose.is_empty() {
        put("expose", names(&step.expose));
    }
    Value::Object(entry)
}

fn output(output: &Output) -> Value {
    let (key, value) = match &output.value {
        OutputValue::Path(path) => ("path", text_or_literal(path)),
        OutputValue::Value(value) => ("value", written(value)),
    };
    let mut entry = json!({"name": output.name.node, key: value, "description": output.description});
    if !output.expose.is_empty() {
        entry["expose"] = names(&output.expose);
    }
    entry
}

fn names(names: &[Spanned<String>]) -> Value {
    names.iter().map(|name| name.node.as_str()).collect()
}

/// Microseconds as milliseconds: a whole number where it is one.
pub fn millis(us: u64) -> Value {
    if us.is_multiple_of(1000) { (us / 1000).into() } else { (us as f64 / 1000.0).into() }
}
