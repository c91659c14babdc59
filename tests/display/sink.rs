//! A window that keeps what reaches it: a Tk text field or canvas whose content and events can be read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use crate::display::Display;
use crate::witness::eventually;

/// A window whose content can be read.
#[derive(Debug)]
pub struct Sink {
    file: PathBuf,
}

impl Sink {
    /// A text field that fills a window; `geometry` is as in `400x300+20+20`.
    pub fn text_field(display: &mut Display, title: &str, geometry: &str) -> Self {
        Self::open(display, title, geometry, "text")
    }

    /// A white canvas that fills a window.
    pub fn canvas(display: &mut Display, title: &str, geometry: &str) -> Self {
        Self::open(display, title, geometry, "canvas")
    }

    /// The text in it now.
    pub fn text(&self) -> String {
        self.state()["text"].as_str().unwrap().to_owned()
    }

    /// Waits until the text is this; fails with what it is.
    pub fn becomes(&self, text: &str) {
        let began = std::time::Instant::now();
        while self.text() != text {
            assert!(began.elapsed() < crate::witness::SOON, "found {:?}, not {text:?}", self.text());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    /// The events so far of these types, as `[type, x, y, button]` and more.
    pub fn events(&self, types: &[&str]) -> Vec<Value> {
        let state = self.state();
        let all = state["events"].as_array().unwrap();
        all.iter().filter(|event| types.contains(&event["type"].as_str().unwrap())).cloned().collect()
    }

    /// Waits until it has the keyboard.
    pub fn has_focus(&self) {
        eventually("the keyboard", || (self.state()["focus"] == true).then_some(()));
    }

    /// What it wrote last.
    pub fn state(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(&self.file).unwrap()).unwrap()
    }

    fn open(display: &mut Display, title: &str, geometry: &str, kind: &str) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/display/sink.py");
        let file = display.home().join(format!("sink-{}", display.next()));
        let child = display
            .command(python())
            .arg(script)
            .arg(&file)
            .args([title, geometry, kind])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        display.adopt(child);
        eventually("a window", || file.exists().then_some(()));
        Self { file }
    }
}

/// A Python with Tk: the one on the path may be another than Debian's.
pub fn python() -> &'static str {
    let works = std::process::Command::new("python3").args(["-c", "import tkinter"]).stderr(Stdio::null()).status();
    if works.is_ok_and(|status| status.success()) { "python3" } else { "/usr/bin/python3" }
}
