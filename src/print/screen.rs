//! Where output goes. A reader that has gone away ends nothing but the printing, and remarks that cannot be written end nothing at all.

use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal, Write};

use serde::Serialize;

use crate::args::{Color, Globals};

/// Standard output and standard error, and how to write to them.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// Whether standard output is for one JSON document alone.
    pub json: bool,
    /// Whether standard error takes colours.
    pub color: bool,
    /// Whether remarks and progress are left out.
    pub quiet: bool,
    /// Whether standard error is for something else than text.
    pub mute: bool,
}

impl Screen {
    /// The screen before the command line is understood: what can be told from the words alone.
    pub fn guess(words: &[OsString]) -> Screen {
        let flags = words.iter().skip(1).take_while(|word| *word != "--");
        let json = |word: &OsString| word == "--json" || word.as_encoded_bytes().starts_with(b"--json=");
        Screen { json: flags.into_iter().any(json), color: colors(Color::Auto), quiet: false, mute: false }
    }

    /// The screen the command line asks for.
    pub fn new(globals: &Globals) -> Screen {
        Screen { json: globals.json, color: colors(globals.color), quiet: globals.quiet, mute: false }
    }

    /// Prints the one document of a command.
    pub fn document(&self, document: &impl Serialize) {
        let out = io::stdout();
        let text =
            if out.is_terminal() { serde_json::to_string_pretty(document) } else { serde_json::to_string(document) };
        // Our documents have text keys alone, so that they can always be written.
        if let Ok(text) = text {
            write(out.lock(), format!("{text}\n").as_bytes());
        }
    }

    /// Prints text on standard output.
    pub fn out(&self, text: &str) {
        write(io::stdout().lock(), text.as_bytes());
    }

    /// Prints text for people on standard error. A failure ends nothing: a run would stop in its middle, without its `finally`, and the exit
    /// code and standard output say what came of it.
    pub fn err(&self, text: &str) {
        if !self.mute {
            let _ = io::stderr().lock().write_all(text.as_bytes());
        }
    }

    /// Prints a remark on standard error, unless it is to be quiet.
    pub fn remark(&self, text: &str) {
        if !self.quiet {
            self.err(&format!("{text}\n"));
        }
    }

    /// `text` in the colour of a select graphic rendition code, where colours are wanted.
    pub fn paint(&self, code: &str, text: &str) -> String {
        if self.color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Writes all of it. When the reader has gone away there is nobody to tell and nothing to do; other failures end the process, because a
/// cut document must not look like a success.
fn write(mut to: impl Write, bytes: &[u8]) {
    match to.write_all(bytes).and_then(|()| to.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        Err(error) => {
            // Standard error may be what failed; then this is lost too.
            let _ = writeln!(io::stderr(), "error: cannot write the output: {error}");
            std::process::exit(1);
        }
    }
}

/// Whether standard error takes colours: by the flag, `NO_COLOR`, `CLICOLOR_FORCE`, and by what it is.
fn colors(wanted: Color) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    match wanted {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) => false,
        Color::Auto if set("CLICOLOR_FORCE") => true,
        Color::Auto => io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb"),
    }
}
