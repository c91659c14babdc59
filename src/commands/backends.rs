//! `backends`: which there are, and whether they can be used here.

use serde_json::{Map, Value, json};
use spec::action::{Action, Backend, Presence};
use vm::json_text::to_json;
use vm::world::Availability;

use crate::commands::Context;
use crate::engine;
use crate::exit::Exit;
use crate::print::table::table;
use crate::trouble::Trouble;

/// Shows the backends, by falling priority.
pub fn backends(context: &Context<'_>) -> Result<Exit, Trouble> {
    let found = engine::availability().map_err(Trouble::io)?;
    let mut document: Map<String, Value> = found
        .into_iter()
        .map(|(backend, availability)| (backend.name().to_owned(), entry(backend, availability)))
        .collect();
    document.insert("recovery".to_owned(), recovery());
    if context.screen.json {
        context.screen.document(&document);
        return Ok(Exit::OK);
    }
    let row = |(name, entry): (&String, &Value)| {
        let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        let state = if entry["available"] == true { "available".to_owned() } else { text("reason") };
        let actions: Vec<&str> =
            entry["actions"].as_array().into_iter().flatten().filter_map(|action| action["name"].as_str()).collect();
        vec![name.clone(), entry["priority"].to_string(), state, text("install_hint"), actions.join(" ")]
    };
    let rows: Vec<Vec<String>> = document.iter().map(row).collect();
    context.screen.out(&table(&["NAME", "PRIORITY", "STATE", "HINT", "ACTIONS"], &rows));
    Ok(Exit::OK)
}

fn entry(backend: Backend, availability: Availability) -> Value {
    let mut entry = json!({"name": backend.name(), "priority": backend.priority()});
    match availability {
        Availability::Available => entry["available"] = true.into(),
        Availability::Unavailable { reason, install_hint } => {
            entry["available"] = false.into();
            entry["reason"] = reason.into();
            if let Some(hint) = install_hint {
                entry["install_hint"] = hint.into();
            }
        }
    }
    entry["description"] = backend.doc().trim().into();
    entry["actions"] = backend.actions().iter().map(|found| action(*found)).collect();
    entry
}

/// Recovery is control flow around other actions: it is always there.
fn recovery() -> Value {
    let action = |name: &str, doc: &str| json!({"name": name, "description": doc});
    json!({
        "name": "recovery",
        "priority": 10,
        "available": true,
        "description": "Tries an action again, and perhaps with another backend.",
        "actions": [
            action("retry", "Tries the nested step again after pauses."),
            action("retry_with_fallback", "Tries the nested step again, then with the fallback backend."),
        ],
    })
}

fn action(action: Action) -> Value {
    let parameter = |parameter: &spec::action::Parameter| {
        let mut entry = json!({
            "name": parameter.name,
            "type": parameter.shape.expected(),
            "required": parameter.presence == Presence::Required,
        });
        match parameter.presence {
            Presence::Required | Presence::Optional | Presence::Filled => {}
            Presence::Default(literal) => entry["default"] = to_json(&literal.value()),
            Presence::Same(other) => entry["same_as"] = other.into(),
        }
        entry["description"] = parameter.doc.trim().into();
        entry
    };
    let output = |output: &spec::action::Output| json!({"name": output.name, "type": output.ty.name(), "always": !output.maybe, "description": output.doc.trim()});
    json!({
        "name": action.name(),
        "description": action.doc().trim(),
        "parameters": action.parameters().iter().filter(|one| one.presence != Presence::Filled).map(parameter).collect::<Value>(),
        "outputs": action.outputs().iter().map(output).collect::<Value>(),
    })
}
