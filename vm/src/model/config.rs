//! Where and with what async-openai sends requests. Its own configuration would add what the environment holds for OpenAI alone.

use async_openai::config::Config;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use secrecy::SecretString;

use crate::model::error::ModelError;
use crate::model::settings::Settings;

/// One address and perhaps a key.
pub struct Server {
    url: String,
    headers: HeaderMap,
    key: SecretString,
}

impl Server {
    /// What the settings say.
    ///
    /// # Errors
    /// The key has characters no header can have.
    pub fn new(settings: &Settings) -> Result<Self, ModelError> {
        let mut headers = HeaderMap::new();
        if let Some(bearer) = settings.key.bearer() {
            let mut value = HeaderValue::from_str(&bearer)
                .map_err(|_| ModelError::Client("the key has characters that no key has".to_owned()))?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        Ok(Self { url: settings.address.url().to_owned(), headers, key: settings.key.text().into() })
    }
}

impl Config for Server {
    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    /// The address is whole already, with its query.
    fn url(&self, _path: &str) -> String {
        self.url.clone()
    }

    fn query(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    fn api_base(&self) -> &str {
        &self.url
    }

    fn api_key(&self) -> &SecretString {
        &self.key
    }
}
