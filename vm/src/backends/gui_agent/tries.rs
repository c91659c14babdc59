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

    /// As outputs of a success.
    pub fn outcome(&self) -> Outcome {
        Outcome { action: self.last(), done: true, tries: self.values() }
    }

    /// A failure with what was done before it.
    pub fn fail(&self, failure: Failure) -> Failure {
        if self.0.is_empty() {
            return failure;
        }
        let failure = failure.partial("action", Value::Dict(self.last())).partial("done", Value::Boolean(false));
        failure.partial("tries", Value::List(self.values()))
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

fn text(text: Option<&String>) -> Value {
    text.map_or(Value::Null, |text| Value::String(text.clone()))
}
