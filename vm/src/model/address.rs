//! Where a model's server is asked: from a base URL in any of its usual forms to the one address of chat completions.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;

use crate::model::settings::SettingsError;
use crate::server;

/// The path of the interface below a base URL.
const CHAT: &str = "/chat/completions";
/// The version that a bare host means.
const VERSION: &str = "/v1";

/// The address of chat completions. It prints without user, password, query and fragment, which may be secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Url);

impl Address {
    /// The address a base URL means: `/v1` is added to a bare host, `/chat/completions` unless it is there already; a query stays.
    ///
    /// # Errors
    /// It is no URL of `http` or `https`.
    pub fn of(base: &str) -> Result<Self, SettingsError> {
        let mut url = server::parse(base).map_err(|error| SettingsError::Address { reason: error.to_string() })?;
        let path = url.path().trim_end_matches('/').to_owned();
        let path = match path.as_str() {
            "" => format!("{VERSION}{CHAT}"),
            path if path.ends_with(CHAT) => path.to_owned(),
            path => format!("{path}{CHAT}"),
        };
        url.set_path(&path);
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// The whole address.
    pub fn url(&self) -> &str {
        self.0.as_str()
    }

    /// Whether it is asked without TLS.
    pub fn is_plain(&self) -> bool {
        self.0.scheme() == "http"
    }

    /// Whether the server is on this machine: `localhost`, 127.0.0.0/8 or `::1`.
    pub fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.0))
    }
}

/// A URL without what may be secret in it.
pub fn shown(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}{}", url.scheme(), url.host_str().unwrap_or_default(), url.path())
}

#[cfg(test)]
mod tests {
    use crate::model::address::Address;

    #[test]
    fn every_form_of_a_base_url_means_one_path() {
        for base in
            ["http://h:1", "http://h:1/", "http://h:1/v1", " http://h:1/v1/\n", "http://h:1/v1/chat/completions"]
        {
            assert_eq!(Address::of(base).unwrap().url(), "http://h:1/v1/chat/completions", "{base}");
        }
        let query = Address::of("http://h/v1?api-version=1#x").unwrap();
        assert_eq!(query.url(), "http://h/v1/chat/completions?api-version=1");
        assert_eq!(query.to_string(), "http://h/v1/chat/completions");
        assert_eq!(Address::of("https://h/v1beta/openai/").unwrap().url(), "https://h/v1beta/openai/chat/completions");
        let full = Address::of("http://h/v1/chat/completions/?a=b").unwrap();
        assert_eq!(full.url(), "http://h/v1/chat/completions?a=b");
    }

    #[test]
    fn what_may_be_secret_is_not_shown() {
        let address = Address::of("http://me:secret@h:8/v1?key=secret").unwrap();
        assert!(address.url().contains("me:secret@h") && address.url().ends_with("?key=secret"));
        assert_eq!(address.to_string(), "http://h:8/v1/chat/completions");
    }

    #[test]
    fn what_is_no_server_is_refused() {
        for base in ["", "127.0.0.1:8080/v1", "localhost:1/v1", "file:///v1", "http://", "ftp://h/"] {
            assert!(Address::of(base).is_err(), "{base}");
        }
    }
}
