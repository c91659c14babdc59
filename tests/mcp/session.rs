//! One session with the server, message by message.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde_json::{Value, json};

use crate::harness::{Call, Outcome, Place, finish};
use crate::witness::SOON;

/// A server, and the lines it writes.
pub struct Session {
    pub child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// What a request says of itself where there is no handshake.
pub fn modern(version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

impl Session {
    /// A server in a folder.
    pub fn new(place: &Place, words: &[&str]) -> Self {
        Self::of(place.call(&[&["mcp"], words].concat()))
    }

    /// A server that was prepared.
    pub fn of(call: Call<'_>) -> Self {
        let mut child = call.start();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Self { child, stdin, lines }
    }

    /// The same after a handshake.
    pub fn opened(place: &Place, words: &[&str]) -> Self {
        let mut session = Self::new(place, words);
        session.shake();
        session
    }

    /// Does the handshake.
    pub fn shake(&mut self) {
        let about = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let answer = self.ask("initialize", about);
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        self.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
    }

    /// Writes a line.
    pub fn write(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line.as_bytes()).unwrap();
        stdin.write_all(b"\n").unwrap();
    }

    /// Sends a request; its id is its method.
    pub fn send(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params}).to_string());
    }

    /// The next message; each line must be one.
    pub fn next(&self) -> Value {
        let line = self.lines.recv_timeout(SOON).expect("a message");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// Sends a request and gives its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(method, params);
        loop {
            let message = self.next();
            if message["id"] == method {
                return message;
            }
        }
    }

    /// The document of a call, and whether it is an error.
    pub fn call(&mut self, name: &str, arguments: Value) -> (Value, bool) {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": arguments}));
        let result = &answer["result"];
        (result["structuredContent"].clone(), result["isError"].as_bool().unwrap_or_else(|| panic!("{answer}")))
    }

    /// Closes standard input.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end; standard output is what was not taken yet.
    pub fn end(mut self) -> Outcome {
        self.close();
        // The lines are read already.
        self.child.stdout = Some(closed());
        let mut outcome = finish(self.child);
        outcome.stdout = self.lines.iter().map(|line| line + "\n").collect();
        outcome
    }
}

fn closed() -> std::process::ChildStdout {
    let mut child = std::process::Command::new("true").stdout(std::process::Stdio::piped()).spawn().unwrap();
    child.wait().unwrap();
    child.stdout.take().unwrap()
}
