//! Asks questions: again when a server is busy and says when it will not be, and in other words when it does not take ours.

use std::time::Duration;

use async_openai::error::OpenAIError;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::model::answer;
use crate::model::config::Server;
use crate::model::error::{ModelError, begin};
use crate::model::key::Key;
use crate::model::question::{Dialect, Question, REASON, body};
use crate::model::settings::Settings;
use crate::model::transport::Transport;
use crate::model::wait::Loop;
use crate::process::Deadline;
use crate::stop::Stop;

/// How often a busy server is waited for.
const WAITS: u32 = 2;

/// Asks one model. It is made when there is something to ask, and costs an event loop.
pub struct Client {
    settings: Settings,
    openai: async_openai::Client<Server>,
    dialect: Dialect,
    // After what runs on it.
    events: Loop,
}

impl Client {
    /// A client with these settings.
    ///
    /// # Errors
    /// The key cannot be sent, there are no certificates to trust, or the system has no descriptor left.
    pub fn new(settings: Settings) -> Result<Self, Failure> {
        let events = Loop::new().map_err(|error| Failure::from(ModelError::Client(error.to_string())))?;
        let transport = Transport::new(&settings)?;
        let openai = async_openai::Client::with_config(Server::new(&settings)?).with_http_service(transport);
        Ok(Self { settings, openai, dialect: Dialect::default(), events })
    }

    /// What it asks with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Asks, and returns the object that was answered, as it is but for its [`REASON`]: that is only shown, and never with the key. No failure has
    /// the key either.
    ///
    /// # Errors
    /// [`ModelError`] says which; or `stop` came first.
    pub fn ask(&mut self, question: &Question, stop: &Stop<'_>) -> Result<Map<String, Value>, Failure> {
        let mut waits = 0;
        loop {
            let error = match self.send(question, stop)? {
                Ok(object) => return Ok(object),
                Err(error) => error,
            };
            match self.again(&error, &mut waits, stop)? {
                true => {}
                false => return Err(self.masked(error.into())),
            }
        }
    }

    /// One request. The failure is that of `stop`.
    fn send(&self, question: &Question, stop: &Stop<'_>) -> Result<Result<Map<String, Value>, ModelError>, Failure> {
        stop.check()?;
        let body = body(question, &self.settings.model, self.dialect);
        let asked = self.events.run(stop, self.openai.chat().create_byot::<Value, Value>(body))?;
        let answered =
            asked.map_err(own).and_then(|completion| answer::object(&completion, question.form, &self.settings.key));
        Ok(answered.and_then(|object| usable(object, &self.settings.key)))
    }

    /// Whether to ask again, after what had to be changed or waited for.
    fn again(&mut self, error: &ModelError, waits: &mut u32, stop: &Stop<'_>) -> Result<bool, Failure> {
        let ModelError::Status { code, reply, retry_after, .. } = error else { return Ok(false) };
        if matches!(code, 400 | 422)
            && let Some(other) = self.dialect.after(reply)
        {
            self.dialect = other;
            return Ok(true);
        }
        let Some(wait) = retry_after.filter(|_| *waits < WAITS) else { return Ok(false) };
        if stop.deadline().remaining().is_some_and(|left| left <= wait) {
            return Ok(false);
        }
        *waits += 1;
        stop.interrupt().wait_until(Deadline::after(wait.max(Duration::from_millis(100))).min(stop.deadline()));
        stop.check()?;
        Ok(true)
    }

    fn masked(&self, failure: Failure) -> Failure {
        Failure {
            message: self.settings.mask(&failure.message),
            hint: failure.hint.map(|hint| self.settings.mask(&hint)),
            ..failure
        }
    }
}

/// What may be done with an object: nothing that has the key in it. A short key may be any word, and then it stays what the model meant.
fn usable(mut object: Map<String, Value>, key: &Key) -> Result<Map<String, Value>, ModelError> {
    if let Some(reason) = object.get_mut(REASON) {
        *reason = key.mask_all(reason.take());
    }
    match object.iter().find(|(name, value)| key.is_in(value) || key.is_in(&Value::String((*name).clone()))) {
        Some((name, _)) => Err(ModelError::HoldsKey(key.mask(name))),
        None => Ok(object),
    }
}

/// What async-openai hands on is ours, or a request or reply that it cannot make or read.
fn own(error: OpenAIError) -> ModelError {
    let error = match error {
        OpenAIError::Boxed(inner) => match inner.downcast::<ModelError>() {
            Ok(own) => return *own,
            Err(other) => other.to_string(),
        },
        OpenAIError::Reqwest(error) => error.without_url().to_string(),
        OpenAIError::ApiError(_)
        | OpenAIError::JSONDeserialize(..)
        | OpenAIError::FileSaveError(_)
        | OpenAIError::FileReadError(_)
        | OpenAIError::StreamError(_)
        | OpenAIError::InvalidArgument(_) => error.to_string(),
    };
    ModelError::Client(begin(&error))
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use crate::model::client::usable;
    use crate::model::error::ModelError;
    use crate::model::key::Key;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn what_is_done_is_what_was_answered() {
        let typed = object(json!({"action": "type", "text": "ollama run x", "reason": "ollama is asked for"}));
        let found = usable(typed, &Key::new("ollama")).unwrap();
        assert_eq!((&found["text"], &found["reason"]), (&json!("ollama run x"), &json!("*** is asked for")));
        let key = Key::new("sk-0123456789");
        for text in ["echo sk-0123456789", "curl h/?k=sk%2D0123456789"] {
            let typed = object(json!({"action": "type", "text": text, "reason": "x"}));
            assert!(matches!(usable(typed, &key), Err(ModelError::HoldsKey(name)) if name == "text"), "{text}");
        }
        let told = object(json!({"action": "done", "reason": "sk-0123456789"}));
        assert_eq!(usable(told, &key).unwrap()["reason"], "***");
    }
}
