//! `repl`: command lines one after another, from a line editor or from standard input.

mod complete;
mod editor;
mod last;
mod lines;
mod secretive;

use std::ffi::OsString;
use std::io::{IsTerminal, stdin, stdout};

use crate::args::MessageFormat;
use crate::commands::repl::editor::Editor;
use crate::commands::repl::lines::{Lines, Next};
use crate::commands::{Context, Kept, call};
use crate::engine;
use crate::exit::Exit;
use crate::print;
use crate::trouble::Trouble;

const HELP: &str = "
Here also:
  last             the result of the last run; last.output.NAME a part of it
  help [COMMAND]   the commands, or one of them
  exit             as ctrl-d does; ctrl-c stops the macro that runs
";

/// The number of the signal that ctrl-c sends.
const CTRL_C: i32 = 2;

/// Takes lines until there are no more. Mistakes and failures end nothing; the exit code is that of the last line, or 0 on a terminal.
pub fn repl(context: &Context<'_>) -> Result<Exit, Trouble> {
    if context.kept.interactive {
        return Err(Trouble::usage("this is the REPL already"));
    }
    let kept = Kept { interactive: true, ..Kept::default() };
    let mut conversation = Conversation { context, kept, exit: Exit::OK };
    if stdin().is_terminal() && stdout().is_terminal() {
        let mut editor = Editor::new(context.globals)?;
        let greeting = format!("macrocli {}: `help` shows the commands, ctrl-d ends", env!("CARGO_PKG_VERSION"));
        context.screen.remark(&greeting);
        conversation.converse(&mut editor)?;
        return Ok(Exit::OK);
    }
    conversation.read(&mut Lines)?;
    Ok(conversation.exit)
}

struct Conversation<'a> {
    context: &'a Context<'a>,
    kept: Kept,
    /// What became of the last line.
    exit: Exit,
}

impl Conversation<'_> {
    fn converse(&mut self, editor: &mut Editor<'_>) -> Result<(), Trouble> {
        while let Some(line) = editor.line()? {
            let goes_on = self.line(&line);
            editor.keep(&line, self.kept.secretive.take());
            if !goes_on {
                break;
            }
        }
        Ok(())
    }

    fn read(&mut self, lines: &mut Lines) -> Result<(), Trouble> {
        loop {
            match lines.next()? {
                Next::Line(line) if !self.line(&line) => return Ok(()),
                Next::Line(_) => {}
                Next::Bad(reason) => self.refuse(&Trouble::usage(reason)),
                Next::End => return Ok(()),
            }
        }
    }

    /// Does what a line says; whether another one may follow.
    fn line(&mut self, line: &str) -> bool {
        self.kept.secretive.set(secretive::may_give_values(line));
        let Some(words) = shlex::split(line) else {
            self.refuse(&Trouble::usage("a quote is not closed, or a `\\` is the last character"));
            return true;
        };
        match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [] => true,
            ["exit" | "quit"] => false,
            [word] if last::is_path(word) => {
                self.last(word);
                true
            }
            all => self.call(all),
        }
    }

    fn last(&mut self, word: &str) {
        let found = last::part(self.kept.last.borrow().as_ref(), word);
        match found {
            Ok(found) => {
                self.exit = Exit::OK;
                last::show(self.context.screen, &found);
            }
            Err(trouble) => self.refuse(&trouble),
        }
    }

    fn call(&mut self, words: &[&str]) -> bool {
        let line: Vec<OsString> = ["macrocli"].iter().chain(words).map(OsString::from).collect();
        engine::listen();
        self.exit = call(&line, Some(self.context.globals), &self.kept);
        let signal = engine::stop_listening();
        if words == ["help"] && !self.context.screen.json {
            self.context.screen.out(HELP);
        }
        // Every other signal means the whole.
        signal.is_none_or(|signal| signal == CTRL_C)
    }

    fn refuse(&mut self, trouble: &Trouble) {
        let screen = self.context.screen;
        if screen.json {
            screen.document(&print::trouble::document(trouble));
        }
        print::trouble::tell(screen, trouble, MessageFormat::Human);
        self.exit = trouble.exit;
    }
}
