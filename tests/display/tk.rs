//! A Tk program of a few lines, written in the test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::display::{Display, python};
use crate::witness::eventually;

/// A Tk program that runs.
#[derive(Debug)]
pub struct Tk {
    file: PathBuf,
    /// Its process.
    pub pid: u32,
}

impl Tk {
    /// Starts a program; see `tk.py` for what its code has.
    pub fn run(display: &mut Display, code: &str) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/display/tk.py");
        let file = display.home().join(format!("tk-{}", display.next()));
        let mut command = display.command(python());
        command.arg(script).arg(&file).arg(code).stdout(Stdio::null());
        let child = command.spawn().unwrap();
        let pid = child.id();
        display.adopt(child);
        let tk = Self { file, pid };
        tk.says("ready");
        tk
    }

    /// A window of this title.
    pub fn titled(display: &mut Display, title: &str) -> Self {
        Self::run(display, &format!("root.title({title:?})"))
    }

    /// What it has said, line by line.
    pub fn said(&self) -> Vec<String> {
        fs::read_to_string(&self.file).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    /// Waits until it has said a line.
    pub fn says(&self, line: &str) {
        eventually(line, || self.said().iter().any(|said| said == line).then_some(()));
    }
}
