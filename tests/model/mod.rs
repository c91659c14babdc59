//! A model's server on this machine: it plays replies in order, and keeps what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::display::Display;
use crate::harness::{Call, Place};

/// A server; its thread ends with the tests.
pub struct Model {
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// A request.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The path with its query.
    pub path: String,
    /// Names in small letters, and values.
    pub headers: Vec<(String, String)>,
    /// The document.
    pub body: Value,
}

/// What is played.
#[derive(Clone, Debug)]
pub enum Play {
    /// A reply as it goes over the line; then the connection ends.
    Bytes(Vec<u8>),
    /// Nothing, for so long.
    Silence(Duration),
}

/// A model's answer with this text.
pub fn says(text: &str) -> Play {
    completion(json!({"role": "assistant", "content": text}), "stop")
}

/// A model's answer with this object.
pub fn decides(object: Value) -> Play {
    says(&object.to_string())
}

/// A completion with this message.
pub fn completion(message: Value, reason: &str) -> Play {
    let document = json!({"id": "1", "object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": reason}]});
    reply("200 OK", "Content-Type: application/json\r\n", &document.to_string())
}

/// A reply with more headers, each ending its line.
pub fn reply(status: &str, headers: &str, body: &str) -> Play {
    Play::Bytes(format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

/// A reply as it goes over the line.
pub fn raw(text: &str) -> Play {
    Play::Bytes(text.as_bytes().to_vec())
}

impl Model {
    /// A server that plays these replies in order, and the last one again and again.
    pub fn playing(plays: Vec<Play>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Some(request) = stream.ok().and_then(read) else { continue };
                let (mut stream, request) = request;
                let number = {
                    let mut log = log.lock().unwrap();
                    log.push(request);
                    log.len() - 1
                };
                let play = plays[number.min(plays.len() - 1)].clone();
                thread::spawn(move || match play {
                    Play::Bytes(bytes) => drop(stream.write_all(&bytes)),
                    Play::Silence(time) => thread::sleep(time),
                });
            }
        });
        Self { port, asked }
    }

    /// Its host and port.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Its base URL, as most people write it.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.host())
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// A call of macrocli that asks this server, on a display.
    pub fn call<'p>(&self, display: &Display, place: &'p Place, words: &[&str]) -> Call<'p> {
        let call = display.call(place, words);
        call.env("MACROCLI_MODEL", "eyes").env("MACROCLI_BASE_URL", &self.url())
    }
}

impl Asked {
    /// A header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// All words of it.
    pub fn words(&self) -> String {
        let messages = self.body["messages"].as_array().unwrap();
        let mut words = vec![messages[0]["content"].as_str().unwrap().to_owned()];
        words.extend(self.parts().iter().filter_map(|part| part["text"].as_str()).map(str::to_owned));
        words.join("\n")
    }

    /// Its images, as PNG files.
    pub fn images(&self) -> Vec<Vec<u8>> {
        let urls = self.parts();
        let urls = urls.iter().filter_map(|part| part["image_url"]["url"].as_str());
        urls.map(|url| BASE64_STANDARD.decode(url.strip_prefix("data:image/png;base64,").unwrap()).unwrap()).collect()
    }

    /// The width and height of its images.
    pub fn sizes(&self) -> Vec<(u32, u32)> {
        let size = |bytes: Vec<u8>| {
            let reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
            (reader.info().width, reader.info().height)
        };
        self.images().into_iter().map(size).collect()
    }

    fn parts(&self) -> Vec<Value> {
        self.body["messages"][1]["content"].as_array().unwrap().clone()
    }
}

fn read(stream: TcpStream) -> Option<(TcpStream, Asked)> {
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, value)| value.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Some((reader.into_inner(), Asked { path, headers, body }))
}
