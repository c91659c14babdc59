//! The HTTP below async-openai: one request, one reply, and the reply judged before anybody reads it.
//!
//! No redirect is followed, so that the key goes to the server it is for and to no other. Nothing is sent again from here.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use reqwest::header::{HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use serde_json::Value;
use tower_service::Service;

use crate::model::address::shown;
use crate::model::error::{ModelError, NotAnswer, begin, looks_like_page};
use crate::model::key::Key;
use crate::model::settings::Settings;

/// The most bytes of an answer.
const MOST: usize = 4 << 20;
/// The most bytes that are read of any other reply.
const MOST_OTHER: usize = 64 << 10;

/// Sends requests.
#[derive(Clone)]
pub struct Transport {
    http: Client,
    key: Key,
}

impl Transport {
    /// A transport by plain HTTP, or with TLS, for which the certificates of the system are read. No reply is shown with the key in it.
    ///
    /// # Errors
    /// TLS has no certificates to trust.
    pub fn new(settings: &Settings) -> Result<Self, ModelError> {
        // Another provider that is there already serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            // Between two questions nobody looks after an open connection.
            .pool_max_idle_per_host(0)
            .referer(false)
            .user_agent(concat!("macrocli/", env!("CARGO_PKG_VERSION")));
        if settings.address.is_plain() {
            builder = builder.tls_certs_only([]);
        }
        let http = builder.build().map_err(|error| ModelError::Client(words(error)))?;
        Ok(Self { http, key: settings.key.clone() })
    }
}

impl Service<HttpRequestFactory> for Transport {
    type Response = Response;
    type Error = OpenAIError;
    type Future = Pin<Box<dyn Future<Output = Result<Response, OpenAIError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), OpenAIError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: HttpRequestFactory) -> Self::Future {
        let Self { http, key } = self.clone();
        Box::pin(async move {
            let request = request.build().await?;
            let reply = http.execute(request).await.map_err(|error| ModelError::Unreachable(words(error)));
            match reply {
                Ok(reply) => judged(reply, &key).await,
                Err(error) => Err(error),
            }
            .map_err(|error| OpenAIError::Boxed(Box::new(error)))
        })
    }
}

/// A reply that is JSON of a model, as a whole; any other is an error.
async fn judged(reply: Response, key: &Key) -> Result<Response, ModelError> {
    let code = reply.status();
    let status = code.to_string();
    if code.is_redirection() {
        let to = location(&reply);
        let begin = begin(&key.mask(&read(reply, MOST_OTHER).await.text()));
        return Err(ModelError::Redirected { status, to, begin });
    }
    if !code.is_success() {
        let retry_after = retry_after(code, reply.headers());
        let reply = key.mask(&read(reply, MOST_OTHER).await.text());
        return Err(ModelError::Status { status, code: code.as_u16(), reply, retry_after });
    }
    let stream = content_type(reply.headers()).starts_with("text/event-stream");
    let body = if stream { read(reply, MOST_OTHER).await } else { read(reply, MOST).await };
    let no = |what| Err(ModelError::NoAnswer { status: status.clone(), what, begin: begin(&key.mask(&body.text())) });
    if stream {
        return no(NotAnswer::Stream);
    }
    match body.end {
        End::Whole => {}
        End::Cut => return no(NotAnswer::Cut),
        End::TooLong => return no(NotAnswer::TooLong),
    }
    match serde_json::from_slice::<Value>(&body.bytes) {
        Ok(json) if json.get("error").is_some_and(|error| !error.is_null()) => no(NotAnswer::Error),
        Ok(json) if json.get("choices").is_none() => no(NotAnswer::Json),
        Ok(_) => Ok(http::Response::new(body.bytes).into()),
        Err(_) if looks_like_page(&body.text()) => no(NotAnswer::Page),
        Err(_) if body.bytes.starts_with(b"data:") => no(NotAnswer::Stream),
        Err(_) => no(NotAnswer::Text),
    }
}

/// What was read of a body.
struct Body {
    bytes: Vec<u8>,
    end: End,
}

/// How reading ended.
#[derive(Clone, Copy)]
enum End {
    Whole,
    Cut,
    TooLong,
}

impl Body {
    fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

async fn read(mut reply: Response, most: usize) -> Body {
    let mut bytes = Vec::new();
    loop {
        match reply.chunk().await {
            Ok(Some(chunk)) if bytes.len() + chunk.len() > most => {
                bytes.extend_from_slice(&chunk[..most - bytes.len()]);
                return Body { bytes, end: End::TooLong };
            }
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return Body { bytes, end: End::Whole },
            Err(_) => return Body { bytes, end: End::Cut },
        }
    }
}

fn content_type(headers: &HeaderMap) -> String {
    let value = headers.get(reqwest::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.unwrap_or_default().trim().to_ascii_lowercase()
}

/// Where a reply sends, without what may be secret in it.
fn location(reply: &Response) -> String {
    let to = reply.headers().get(LOCATION).and_then(|value| value.to_str().ok());
    let to = to.and_then(|to| reply.url().join(to).ok());
    to.as_ref().map_or_else(|| "nowhere".to_owned(), |to: &Url| shown(to))
}

/// How long a busy server asks to wait, in seconds or until a date of HTTP. What is neither is taken for a moment.
fn retry_after(code: StatusCode, headers: &HeaderMap) -> Option<Duration> {
    let busy = matches!(code, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
    let text = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()).filter(|_| busy)?;
    Some(wait(text.trim(), SystemTime::now()))
}

fn wait(text: &str, now: SystemTime) -> Duration {
    match (text.parse(), httpdate::parse_http_date(text)) {
        (Ok(seconds), _) => Duration::from_secs(seconds),
        // A date that is over is no reason to wait.
        (Err(_), Ok(date)) => date.duration_since(now).unwrap_or_default(),
        (Err(_), Err(_)) => Duration::from_secs(1),
    }
}

/// An error of HTTP with its causes, without the address, which may hold secrets.
fn words(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut words = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        let text = inner.to_string();
        if !words.contains(&text) {
            words.push_str(": ");
            words.push_str(&text);
        }
        cause = inner.source();
    }
    words
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use crate::model::transport::wait;

    #[test]
    fn a_server_says_how_long_or_until_when() {
        // 784111777 seconds after the beginning of 1970, as RFC 9110 has it.
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_767);
        for (text, seconds) in [
            ("7", 7),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 10),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 10),
            ("Sun, 06 Nov 1994 08:49:00 GMT", 0),
            ("soon", 1),
            ("-1", 1),
        ] {
            assert_eq!(wait(text, now), Duration::from_secs(seconds), "{text}");
        }
    }
}
