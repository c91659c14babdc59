//! Why a model could not be asked, or what is wrong with its answer.

use std::time::Duration;

use thiserror::Error;

use crate::failure::{Failure, FailureKind, ModelFault};
use crate::model::object::ObjectError;

/// Most characters of a reply that a message shows.
const SHOWN: usize = 200;

/// Why a model could not be asked, or what is wrong with its answer. Texts of servers are shown as far as their first 200 characters.
#[derive(Debug, Error)]
pub enum ModelError {
    /// No connection, or it broke before there was an answer.
    #[error("the model's server cannot be reached: {0}")]
    Unreachable(String),
    /// A status that is no success.
    #[error("the model's server answers with status {status}: {}", begin(.reply))]
    Status {
        /// The status with its words, as `404 Not Found`.
        status: String,
        /// Its number.
        code: u16,
        /// The reply, as far as it was read.
        reply: String,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// A reply that sends elsewhere.
    #[error("the model's server answers with status {status} and sends to `{to}`, which is not followed: {begin}")]
    Redirected {
        /// The status with its words.
        status: String,
        /// Where it sends, without a query.
        to: String,
        /// How the reply begins.
        begin: String,
    },
    /// A success that is no answer of a model.
    #[error("the model's server answers with status {status} and {what}: {begin}")]
    NoAnswer {
        /// The status with its words.
        status: String,
        /// What it is instead.
        what: NotAnswer,
        /// How the reply begins.
        begin: String,
    },
    /// The model refuses.
    #[error("the model refuses: {0}")]
    Refused(String),
    /// The answer was cut at its limit of tokens.
    #[error("the model's answer was cut at its limit of tokens: {0}")]
    Truncated(String),
    /// The answer is not the one JSON object that was asked for.
    #[error("the model's answer cannot be used, {reason}: {begin}")]
    BadReply {
        /// Why.
        reason: ObjectError,
        /// How it begins.
        begin: String,
    },
    /// Something that would be done has the key in it.
    #[error("the model's answer holds the key, in `{0}`; nothing was done")]
    HoldsKey(String),
    /// A tool is called that was not offered.
    #[error("the model calls the tool `{0}`, which was not offered; nothing was done")]
    Tool(String),
    /// The client itself failed.
    #[error("the model cannot be asked: {0}")]
    Client(String),
}

/// What a server sends in place of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotAnswer {
    /// An error in JSON.
    #[error("an error")]
    Error,
    /// A page for browsers.
    #[error("a page of HTML")]
    Page,
    /// A stream of events.
    #[error("a stream of events, which was not asked for")]
    Stream,
    /// JSON without an answer.
    #[error("JSON that is no answer of a model")]
    Json,
    /// Anything else.
    #[error("text that is no answer of a model")]
    Text,
    /// A reply that breaks off.
    #[error("a reply that breaks off")]
    Cut,
    /// A reply beyond the limit.
    #[error("more bytes than any answer has")]
    TooLong,
}

impl ModelError {
    fn fault(&self) -> ModelFault {
        match self {
            Self::Unreachable(_) | Self::Client(_) => ModelFault::Unreachable,
            Self::Status { .. } => ModelFault::Status,
            Self::Redirected { .. } => ModelFault::Redirected,
            Self::NoAnswer { .. } => ModelFault::NoAnswer,
            Self::Refused(_) => ModelFault::Refused,
            Self::Truncated(_) => ModelFault::Truncated,
            Self::BadReply { .. } | Self::HoldsKey(_) | Self::Tool(_) => ModelFault::BadReply,
        }
    }

    fn hint(&self) -> Option<String> {
        const VERSION: &str =
            "check the base URL: with most servers it ends with `/v1`, as in `http://127.0.0.1:8080/v1`";
        match self {
            Self::Unreachable(_) => Some("check the base URL, that the server runs, and the proxy settings".to_owned()),
            Self::Status { code: 404 | 405, .. } | Self::NoAnswer { what: NotAnswer::Page, .. } => {
                Some(VERSION.to_owned())
            }
            Self::Status { reply, .. } if looks_like_page(reply) => Some(VERSION.to_owned()),
            Self::Status { code: 401 | 403, .. } => {
                Some(format!("check the key: `api_key`, or {} in the environment", spec::variable::API_KEY))
            }
            Self::Status { retry_after: Some(wait), .. } => {
                Some(format!("the server asks to wait for {} s; give the step a longer timeout", wait.as_secs()))
            }
            Self::Redirected { .. } => Some("give the address it sends to as the base URL, if you trust it".to_owned()),
            Self::NoAnswer { what: NotAnswer::Error, .. } => Some("check the model's name".to_owned()),
            Self::NoAnswer { what: NotAnswer::Stream, .. } => {
                Some("the server must answer requests with `stream: false` as a whole".to_owned())
            }
            Self::NoAnswer {
                what: NotAnswer::Json | NotAnswer::Text | NotAnswer::Cut | NotAnswer::TooLong, ..
            } => Some("check that the server offers OpenAI's chat completions".to_owned()),
            Self::Truncated(_) => Some("use a model that thinks less, or a server with a larger limit".to_owned()),
            Self::Client(reason) if reason.contains("CA certificates") => {
                Some("install the certificates of the system: the package `ca-certificates`".to_owned())
            }
            Self::Status { .. }
            | Self::Refused(_)
            | Self::BadReply { .. }
            | Self::HoldsKey(_)
            | Self::Tool(_)
            | Self::Client(_) => None,
        }
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        let failure = Self::new(FailureKind::Model(error.fault()), error.to_string());
        match error.hint() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

/// Whether a text begins as a page of HTML does.
pub fn looks_like_page(text: &str) -> bool {
    let begin: String = text.trim_start_matches('\u{FEFF}').trim_start().chars().take(15).collect();
    let begin = begin.to_ascii_lowercase();
    begin.starts_with("<!doctype html") || begin.starts_with("<html") || begin.starts_with("<head")
}

/// The first 200 characters of a text, in one line, between backticks; `nothing` when it is blank.
pub fn begin(text: &str) -> String {
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return "nothing".to_owned();
    }
    let shown: String = trimmed.chars().take(SHOWN).map(plain).collect();
    let more = if trimmed.chars().nth(SHOWN).is_some() { "…" } else { "" };
    format!("`{shown}{more}`")
}

#[cfg(test)]
mod tests {
    use crate::failure::{Failure, FailureKind, ModelFault};
    use crate::model::error::{ModelError, NotAnswer, begin};

    #[test]
    fn replies_are_shown_by_their_beginning() {
        assert_eq!(begin(" a\nb\u{1b}c "), "`a b c`");
        assert_eq!(begin(&"ä".repeat(300)), format!("`{}…`", "ä".repeat(200)));
        assert_eq!(begin(" \r\n"), "nothing");
    }

    #[test]
    fn pages_and_missing_paths_get_the_hint_of_the_version() {
        let page = ModelError::NoAnswer { status: "200 OK".to_owned(), what: NotAnswer::Page, begin: begin("<html>") };
        let failure = Failure::from(page);
        assert_eq!(failure.kind, FailureKind::Model(ModelFault::NoAnswer));
        assert_eq!(failure.message, "the model's server answers with status 200 OK and a page of HTML: `<html>`");
        assert!(failure.hint.unwrap().contains("`/v1`"));
        for (code, body) in [(404, "gone"), (502, "<!DOCTYPE html><p>")] {
            let error =
                ModelError::Status { status: code.to_string(), code, reply: body.to_owned(), retry_after: None };
            assert!(Failure::from(error).hint.unwrap().contains("`/v1`"));
        }
    }
}
