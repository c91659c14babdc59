//! The line editor: keys, completion, and a file of earlier lines, in which no secret is.

use std::path::PathBuf;

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Helper};

use crate::args::Globals;
use crate::commands::repl::complete;
use crate::commands::repl::secretive::names_secrets;
use crate::history::{own_file, private};
use crate::home;
use crate::trouble::Trouble;

/// The file's name in the folder that is macrocli's own.
const FILE: &str = "repl_history";
/// How many lines are kept.
const KEPT: usize = 1000;

/// An editor on the terminal.
pub struct Editor<'a> {
    editor: rustyline::Editor<Completion<'a>, FileHistory>,
    /// Where lines are kept; nowhere when that cannot be.
    file: Option<PathBuf>,
}

impl<'a> Editor<'a> {
    /// An editor that completes what these flags let commands find.
    ///
    /// # Errors
    /// The terminal cannot be used.
    pub fn new(globals: &'a Globals) -> Result<Self, Trouble> {
        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(false);
        let config = config.max_history_size(KEPT).and_then(|config| config.history_ignore_dups(true));
        let config = config.map_err(unusable)?.history_ignore_space(true).build();
        let history = FileHistory::with_config(&config);
        let mut editor = rustyline::Editor::with_history(config, history).map_err(unusable)?;
        editor.set_helper(Some(Completion { globals }));
        let file = file();
        // A file that cannot be read is one without lines.
        let _ = file.as_ref().map(|file| editor.load_history(file));
        Ok(Self { editor, file })
    }

    /// The next line; `None` at the end. Ctrl-c begins a new one.
    ///
    /// # Errors
    /// The terminal has gone away.
    pub fn line(&mut self) -> Result<Option<String>, Trouble> {
        loop {
            match self.editor.readline("macrocli> ") {
                Ok(line) => return Ok(Some(line)),
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(unusable(error)),
            }
        }
    }

    /// Keeps a line for later, unless there may be a secret in it.
    pub fn keep(&mut self, line: &str, secretive: bool) {
        if secretive || names_secrets(line) {
            return;
        }
        // Lines that are not kept are no reason to stop.
        let new = self.editor.add_history_entry(line).unwrap_or(false);
        if let Some(file) = self.file.as_ref().filter(|_| new) {
            let _ = self.editor.append_history(file);
        }
    }
}

fn file() -> Option<PathBuf> {
    let path = private(&home::folder()?).ok()?.join(FILE);
    own_file(&path).is_ok().then_some(path)
}

fn unusable(error: ReadlineError) -> Trouble {
    Trouble::io(format!("the terminal cannot be used: {error}"))
}

/// What the editor asks for at the tab key.
struct Completion<'a> {
    globals: &'a Globals,
}

impl Completer for Completion<'_> {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &rustyline::Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        complete::complete(self.globals, line, pos)
    }
}

impl Hinter for Completion<'_> {
    type Hint = String;
}

impl Highlighter for Completion<'_> {}

impl Validator for Completion<'_> {}

impl Helper for Completion<'_> {}
