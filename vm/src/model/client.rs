//! Asks questions: again when a server is busy and says when it will not be, and in other words when it does not take ours.

use std::time::Duration;

use async_openai::error::OpenAIError;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::model::answer;
use crate::model::config::Server;
use crate::model::error::{ModelError, begin};
use crate::model::question::{Dialect, Question, body};
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

    /// Asks, and returns the object that was answered. The key is in no text of it and in no failure.
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
        // Before anything is read off it or cut from it.
        Ok(asked.map_err(own).and_then(|completion| answer::object(&self.without_key(completion))))
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

    fn without_key(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.settings.mask(&text)),
            Value::Array(items) => Value::Array(items.into_iter().map(|item| self.without_key(item)).collect()),
            Value::Object(entries) => {
                Value::Object(entries.into_iter().map(|(name, value)| (name, self.without_key(value))).collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value,
        }
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
