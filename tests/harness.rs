//! One call of macrocli in a folder of its own: files, arguments, environment, and what must come of it.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// No call may take longer: a test that hangs must fail instead.
const PATIENCE: Duration = Duration::from_secs(60);

/// A macro that is right and touches nothing.
pub const GOOD: &str = "version: \"1\"\nsteps:\n  - {id: find, action: find_executable, params: {name: sh}}\n";

/// A folder to work in; it is the home folder too. macrocli's own folder is another one.
pub struct Place {
    folder: TempDir,
    own: TempDir,
}

/// A call that is being prepared.
pub struct Call<'a> {
    place: &'a Place,
    command: Command,
    stdin: Vec<u8>,
}

/// What came of a call.
#[derive(Debug)]
pub struct Outcome {
    /// The exit code; -1 after a signal.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Place {
    /// An empty folder.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), own: tempfile::tempdir().unwrap() }
    }

    /// Adds a file, with the folders it is in.
    pub fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        self.write(path, text);
        self
    }

    /// Adds a macro of that name that is right.
    pub fn good(self, path: &str, name: &str) -> Self {
        self.file(path, format!("name: {name}\n{GOOD}"))
    }

    /// Writes a file.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A path in the folder.
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// macrocli's own folder, where its history is.
    pub fn own(&self) -> &Path {
        self.own.path()
    }

    /// The text of a file.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// A call with these words.
    pub fn call(&self, words: &[&str]) -> Call<'_> {
        self.call_as(Path::new(env!("CARGO_BIN_EXE_macrocli")), words)
    }

    /// A call of the program by another path.
    pub fn call_as(&self, program: &Path, words: &[&str]) -> Call<'_> {
        let mut command = Command::new(program);
        command.args(words).current_dir(self.folder.path()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.folder.path()).env("MACROCLI_HOME", self.own.path());
        Call { place: self, command, stdin: Vec::new() }
    }
}

impl Call<'_> {
    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Gives this on standard input.
    pub fn stdin(mut self, text: &str) -> Self {
        self.stdin = text.as_bytes().to_vec();
        self
    }

    /// Starts it with pipes; standard input is still open.
    pub fn start(mut self) -> Child {
        assert!(self.place.folder.path().is_dir());
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.command.spawn().unwrap()
    }

    /// Runs it to its end.
    pub fn run(self) -> Outcome {
        let stdin = self.stdin.clone();
        let mut child = self.start();
        // A program that does not read is no failure of the test.
        let _ = child.stdin.take().unwrap().write_all(&stdin);
        finish(child)
    }

    /// Runs it and expects an exit code.
    pub fn status(self, status: i32) -> Outcome {
        let outcome = self.run();
        assert_eq!(outcome.status, status, "{outcome:#?}");
        outcome
    }
}

/// Waits for the end, within patience.
pub fn finish(mut child: Child) -> Outcome {
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let out = thread::spawn(move || {
        let mut bytes = Vec::new();
        out.read_to_end(&mut bytes).unwrap();
        bytes
    });
    let err = thread::spawn(move || {
        let mut bytes = Vec::new();
        err.read_to_end(&mut bytes).unwrap();
        bytes
    });
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code().unwrap_or(-1);
        }
        if began.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the call does not end");
        }
        thread::sleep(Duration::from_millis(2));
    };
    let text = |thread: thread::JoinHandle<Vec<u8>>| String::from_utf8(thread.join().unwrap()).unwrap();
    Outcome { status, stdout: text(out), stderr: text(err) }
}

impl Outcome {
    /// The one document on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("no single document: {error}\n{self:#?}"))
    }

    /// Standard output is exactly this.
    pub fn stdout(self, text: &str) -> Self {
        assert_eq!(self.stdout, text, "{self:#?}");
        self
    }

    /// Standard output has this in it.
    pub fn says(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "no {text:?} in {self:#?}");
        self
    }

    /// Standard error has this in it.
    pub fn tells(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "no {text:?} in {self:#?}");
        self
    }

    /// Nothing is on standard error.
    pub fn silent(self) -> Self {
        assert_eq!(self.stderr, "", "{self:#?}");
        self
    }
}
