//! `macros_search`: macros by words.

use rmcp::model::{CallToolResult, Tool};
use serde_json::{Value, json};

use crate::mcp::catalogue::Entry;
use crate::mcp::schema::Object;
use crate::mcp::state::State;
use crate::mcp::{reply, tools};
use crate::trouble::Trouble;

/// How many are shown when the call does not say.
const LIMIT: i64 = 20;
/// How many can be shown.
const MOST: i64 = 200;

/// The tool.
pub fn tool() -> Tool {
    tools::looking(
        "macros_search",
        "Search macros",
        "Finds macros by words in their names, tags and descriptions, the best first. Without words: all macros.",
        json!({
            "query": {"type": "string", "description": "Words that must all occur.", "default": ""},
            "limit": {"type": "integer", "minimum": 1, "maximum": MOST, "default": LIMIT},
        }),
        json!({
            "total": {"type": "integer", "description": "How many were found."},
            "macros": {"type": "array", "items": {"type": "object"}},
        }),
    )
}

/// Searches.
pub async fn call(state: &State, arguments: &Object) -> Result<CallToolResult, Trouble> {
    tools::only(arguments, &["query", "limit"])?;
    let query = tools::text(arguments, "query")?.unwrap_or_default().to_lowercase();
    let limit = tools::integer(arguments, "limit", 1, MOST)?.unwrap_or(LIMIT);
    let words: Vec<&str> = query.split_whitespace().collect();
    let catalogue = state.fresh().await?;
    let mut found: Vec<(u32, &Entry)> =
        catalogue.entries.values().filter_map(|entry| Some((rank(entry, &words)?, entry))).collect();
    found.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.tool.name.cmp(&other.tool.name)));
    let shown = found.iter().take(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(reply::done(json!({
        "schema": "macrocli.search/1", "total": found.len(), "macros": shown.map(|(_, entry)| one(entry)).collect::<Value>(),
    })))
}

/// How well it fits; `None` when a word does not occur.
fn rank(entry: &Entry, words: &[&str]) -> Option<u32> {
    let name = entry.name.to_lowercase();
    let description = entry.tool.description.as_deref().unwrap_or_default().to_lowercase();
    let weigh = |word: &&str| {
        if name == **word {
            Some(16)
        } else if name.contains(*word) {
            Some(8)
        } else if entry.tags.iter().any(|tag| tag.to_lowercase() == **word) {
            Some(4)
        } else if entry.tags.iter().any(|tag| tag.to_lowercase().contains(*word)) {
            Some(2)
        } else {
            description.contains(*word).then_some(1)
        }
    };
    words.iter().map(weigh).try_fold(0u32, |sum, weight| Some(sum.saturating_add(weight?)))
}

fn one(entry: &Entry) -> Value {
    let parameters = entry.tool.input_schema["properties"].as_object().into_iter().flat_map(|all| all.keys());
    json!({
        "name": entry.name, "tool": entry.tool.name, "description": entry.tool.description, "tags": entry.tags,
        "parameters": parameters.collect::<Vec<_>>(),
    })
}
