//! What was decided and done so far, and how a step tells it.

use spec::value::{Dict, Value};

use crate::backends::gui_agent::decision::Decision;
use crate::failure::Failure;

/// What a step leaves behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The last action.
    pub action: Dict,
    /// Whether the end was reached.
    pub done: bool,
    /// Every try.
    pub tries: Vec<Value>,
}

/// One decision, and what became of it.
#[derive(Clone, Debug)]
pub struct Try {
    /// What was decided.
    pub decision: Decision,
    /// Whether it was done.
    pub taken: bool,
    /// Why, in the model's words.
    pub reason: Option<String>,
    /// What was judged of the screen after it.
    pub judgement: Option<Judgement>,
    /// Whether it comes from the cache.
    pub cached: bool,
    /// Whether it was undone.
    pub undone: bool,
}

/// What was judged of the screen after an action.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// Whether the end state is reached.
    pub reached: Option<bool>,
    /// Whether the action did what it should.
    pub right: Option<bool>,
    /// Why, in the model's words.
    pub reason: Option<String>,
}

/// All tries of a step.
#[derive(Clone, Debug, Default)]
pub struct Tries(pub Vec<Try>);

impl Tries {
    /// Whether anything was done.
    pub fn any_taken(&self) -> bool {
        self.0.iter().any(|one| one.taken)
    }

    /// Notes what was judged of the screen after the last try.
    pub fn judge(&mut self, judgement: Judgement) {
        if let Some(last) = self.0.last_mut() {
            last.judgement = Some(judgement);
        }
    }

    /// The lines a model is told of what was done.
    pub fn history(&self) -> Vec<String> {
        self.0.iter().zip(1..).map(|(one, number)| one.line(number)).collect()
    }

    /// As outputs of a success, in which every text went through `mask`: what was done had the key's characters, what is shown has not.
    pub fn outcome(&self, mask: &dyn Fn(&str) -> String) -> Outcome {
        let tries = self.values().into_iter().map(|value| masked(value, mask)).collect();
        Outcome { action: masked_dict(self.last(), mask), done: true, tries }
    }

    /// A failure with what was done before it, masked likewise.
    pub fn fail(&self, failure: Failure, mask: &dyn Fn(&str) -> String) -> Failure {
        if self.0.is_empty() {
            return failure;
        }
        let Outcome { action, tries, .. } = self.outcome(mask);
        let failure = failure.partial("action", Value::Dict(action)).partial("done", Value::Boolean(false));
        failure.partial("tries", Value::List(tries))
    }

    fn last(&self) -> Dict {
        self.0.last().map(Try::action).unwrap_or_default()
    }

    fn values(&self) -> Vec<Value> {
        self.0.iter().map(Try::value).collect()
    }
}

impl Try {
    fn action(&self) -> Dict {
        let mut action = self.decision.to_dict();
        action.insert("taken".to_owned(), Value::Boolean(self.taken));
        action
    }

    fn value(&self) -> Value {
        let judgement = self.judgement.as_ref().map_or(Value::Null, Judgement::value);
        let entries = [
            ("action", Value::Dict(self.action())),
            ("reason", text(self.reason.as_ref())),
            ("judgement", judgement),
            ("cached", Value::Boolean(self.cached)),
            ("undone", Value::Boolean(self.undone)),
        ];
        Value::Dict(entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    fn line(&self, number: usize) -> String {
        let action = crate::json_text::to_json(&Value::Dict(self.decision.to_dict()));
        let mut line = format!("{number}. {action}");
        if let Some(reason) = &self.reason {
            line.push_str(&format!(" ({reason})"));
        }
        match &self.judgement {
            Some(Judgement { right: Some(false), .. }) if self.undone => {
                line.push_str(" - that was wrong, and was undone")
            }
            Some(Judgement { right: Some(false), .. }) => line.push_str(" - that was wrong"),
            Some(Judgement { reached: Some(false), reason: Some(reason), .. }) => {
                line.push_str(&format!(" - the end state is not reached: {reason}"));
            }
            Some(Judgement { reached: Some(false), .. }) => line.push_str(" - the end state is not reached"),
            Some(_) | None => {}
        }
        line
    }
}

impl Judgement {
    fn value(&self) -> Value {
        let flag = |flag: Option<bool>| flag.map_or(Value::Null, Value::Boolean);
        let entries =
            [("reached", flag(self.reached)), ("right", flag(self.right)), ("reason", text(self.reason.as_ref()))];
        Value::Dict(entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }
}

fn masked(value: Value, mask: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(mask(&text)),
        Value::List(items) => Value::List(items.into_iter().map(|item| masked(item, mask)).collect()),
        Value::Dict(entries) => Value::Dict(masked_dict(entries, mask)),
        Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::Number(_) => value,
    }
}

fn masked_dict(entries: Dict, mask: &dyn Fn(&str) -> String) -> Dict {
    // Not the name of an action, which is a word of ours.
    entries
        .into_iter()
        .map(|(name, value)| match (name.as_str(), &value) {
            ("action", Value::String(_)) => (name, value),
            _ => {
                let value = masked(value, mask);
                (name, value)
            }
        })
        .collect()
}

fn text(text: Option<&String>) -> Value {
    text.map_or(Value::Null, |text| Value::String(text.clone()))
}

#[cfg(test)]
mod tests {
    use crate::backends::gui_agent::decision::Decision;
    use crate::backends::gui_agent::tries::{Tries, Try};
    use crate::failure::Failure;

    #[test]
    fn what_is_shown_is_masked_and_what_is_done_is_not() {
        let decision = Decision::Type("ollama run x".to_owned());
        let one = Try { decision, taken: true, reason: None, judgement: None, cached: false, undone: false };
        let tries = Tries(vec![one]);
        let mask = |text: &str| text.replace("ollama", "***").replace("type", "***");
        let outcome = tries.outcome(&mask);
        let shown = format!("{outcome:?} {:?}", tries.fail(Failure::step("no"), &mask));
        assert!(shown.contains("*** run x") && !shown.contains("ollama"), "{shown}");
        assert!(shown.contains("String(\"type\")"), "the name of an action is no text of the model's: {shown}");
        assert!(matches!(&tries.0[0].decision, Decision::Type(text) if text == "ollama run x"));
    }
}
