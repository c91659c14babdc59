//! What a model says beside its decision: what it makes of the screen.

use serde_json::{Map, Value as Json};

use crate::backends::gui_agent::decision::{Decision, known, read};
use crate::backends::gui_agent::scale::Scale;
use crate::model::REASON;

/// Most characters of a reason that are kept.
const LONGEST: usize = 500;

/// A whole answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// What to do next.
    pub decision: Decision,
    /// Whether the end state is reached, if that was said.
    pub reached: Option<bool>,
    /// Whether the last action was right, if that was said.
    pub right: Option<bool>,
    /// Why, in the model's words.
    pub reason: Option<String>,
}

impl Reply {
    /// Reads an answer to "what next".
    ///
    /// # Errors
    /// It is none, in words that follow "the model's answer".
    pub fn next(object: &Map<String, Json>, scale: &Scale) -> Result<Self, String> {
        Ok(Self {
            decision: read(object, scale)?,
            reached: flag(object, "end_state_reached")?,
            right: flag(object, "last_action_right")?,
            reason: reason(object),
        })
    }
}

/// Reads an answer to "is it reached".
///
/// # Errors
/// It does not say so.
pub fn judgement(object: &Map<String, Json>) -> Result<(bool, Option<String>), String> {
    known(object)?;
    let reached = flag(object, "end_state_reached")?.ok_or("does not say whether the end state is reached")?;
    Ok((reached, reason(object)))
}

/// `true`, `false`, or nothing; a word in their place could mean anything.
fn flag(object: &Map<String, Json>, name: &str) -> Result<Option<bool>, String> {
    match object.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Bool(value)) => Ok(Some(*value)),
        Some(Json::Number(_) | Json::String(_) | Json::Array(_) | Json::Object(_)) => {
            Err(format!("has `{name}` that is neither true nor false"))
        }
    }
}

fn reason(object: &Map<String, Json>) -> Option<String> {
    let text = object.get(REASON).and_then(Json::as_str)?.trim();
    (!text.is_empty()).then(|| text.chars().take(LONGEST).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::backends::gui_agent::reply::judgement;

    #[test]
    fn only_true_is_true() {
        let judged = |json: serde_json::Value| judgement(json.as_object().unwrap()).map(|(reached, _)| reached);
        assert_eq!(judged(json!({"end_state_reached": true})), Ok(true));
        assert_eq!(judged(json!({"end_state_reached": false, "reason": "no"})), Ok(false));
        for vague in [
            json!({}),
            json!({"end_state_reached": null}),
            json!({"end_state_reached": "true"}),
            json!({"end_state_reached": 1}),
            json!({"end_state_reached": true, "unless": "it is not"}),
        ] {
            assert!(judged(vague.clone()).is_err(), "{vague}");
        }
    }
}
