//! Servers by their addresses. Who asks them and who judges whether they may be asked read addresses here, so that both mean the same one.

use reqwest::Url;
use thiserror::Error;

/// Why a text is no address of a server.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ServerError {
    /// It cannot be read.
    #[error("it is no URL: {0}")]
    Malformed(String),
    /// It is of another kind.
    #[error("it does not begin with `http://` or `https://`")]
    Scheme,
    /// There is nobody to ask.
    #[error("it names no host")]
    Hostless,
}

/// An address as the URL standard of WHATWG reads it, without the white space around it.
///
/// # Errors
/// It is no URL of `http` or `https`.
pub fn parse(address: &str) -> Result<Url, ServerError> {
    let url = Url::parse(address.trim()).map_err(|error| ServerError::Malformed(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(ServerError::Scheme);
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(ServerError::Hostless);
    }
    Ok(url)
}

/// The host that is asked, in small letters; an address of IPv6 without its brackets.
pub fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host).to_owned()
}

#[cfg(test)]
mod tests {
    use crate::server::{ServerError, host, parse};

    #[test]
    fn hosts_are_read_as_servers_are_asked() {
        for (address, wanted) in [
            ("https://Example.org/v1", Some("example.org|443")),
            (" http://localhost:8080/v1?x#y\n", Some("localhost|8080")),
            ("http://good.org@evil.org/", Some("evil.org|80")),
            ("http://[::1]:81/", Some("::1|81")),
            ("http://evil.org\\@good.org/", Some("evil.org|80")),
            ("http://127.0.0.1:9911\\@good.org/v1", Some("127.0.0.1|9911")),
            ("http:127.0.0.1:9911/x://good.org/v1", Some("127.0.0.1|9911")),
            ("http:/\\evil.org/x://good.org", Some("evil.org|80")),
            ("http://ev\til.org/", Some("evil.org|80")),
            ("http://0x7f.1/", Some("127.0.0.1|80")),
            ("http://evil.org\\.good.org/", Some("evil.org|80")),
            ("localhost:8080", None),
            ("good.org", None),
            ("http://a b/", None),
            ("http://a:b/", None),
            ("", None),
        ] {
            let found = parse(address).ok();
            let found = found.map(|url| format!("{}|{}", host(&url), url.port_or_known_default().unwrap_or(0)));
            assert_eq!(found.as_deref(), wanted, "{address}");
        }
        assert_eq!(parse("ftp://good.org/"), Err(ServerError::Scheme));
    }
}
