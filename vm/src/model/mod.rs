//! Asking a vision model: one question with images, one answer as a JSON object, over any server that speaks OpenAI's chat completions.
//!
//! async-openai writes the request and reads the answer; the HTTP below it is `transport/`, which judges every reply before it is read:
//! status, redirects, pages, event streams, size. Nothing here outlives a [`Stop`](crate::stop::Stop), and the key is shown nowhere.

mod address;
mod answer;
mod client;
mod config;
mod error;
mod key;
mod object;
mod question;
mod settings;
mod size;
mod transport;
mod wait;

pub use crate::model::client::Client;
pub use crate::model::error::ModelError;
pub use crate::model::object::{ObjectError, the_object};
pub use crate::model::question::{Part, Question, REASON};
pub use crate::model::settings::{Given, Needs, Settings, SettingsError};
pub use crate::model::size::sent_size;
