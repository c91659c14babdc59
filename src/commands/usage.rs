//! Command lines that are no commands: mistakes, help and version.

use std::ffi::OsString;

use clap::error::{ContextKind, ErrorKind};
use serde_json::json;

use crate::exit::Exit;
use crate::print;
use crate::print::screen::Screen;
use crate::trouble::Trouble;

/// Answers what clap could not make a command of.
pub fn answer(error: &clap::Error, words: &[OsString], screen: &Screen) -> Exit {
    let text = if screen.color { error.render().ansi().to_string() } else { error.render().to_string() };
    let plain = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp if screen.json => {
            screen.document(&json!({"schema": "macrocli.help/1", "help": plain}));
            Exit::OK
        }
        ErrorKind::DisplayVersion if screen.json => {
            screen.document(
                &json!({"schema": "macrocli.version/1", "name": "macrocli", "version": env!("CARGO_PKG_VERSION")}),
            );
            Exit::OK
        }
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            screen.out(&plain);
            Exit::OK
        }
        _ => {
            if screen.json {
                let trouble = trouble(error, &plain);
                screen.document(&if runs(words) {
                    print::run::refused(&trouble, pretends(words), None)
                } else {
                    print::trouble::document(&trouble)
                });
            }
            screen.err(&text);
            Exit::USAGE
        }
    }
}

/// Whether the words mean to run a macro, as far as that can be told: its result has its own keys.
fn runs(words: &[OsString]) -> bool {
    let plain: Vec<&str> = words.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let takes_value = |word: &str| matches!(word, "--session-id" | "--macros" | "--color");
    let mut commands = plain.iter().enumerate().filter(|(at, word)| {
        let is_value = at.checked_sub(1).and_then(|before| plain.get(before)).is_some_and(|before| takes_value(before));
        !word.starts_with('-') && !is_value
    });
    match commands.next().map(|(_, word)| *word) {
        Some("macro") => matches!(commands.next().map(|(_, word)| *word), Some("run" | "dry-run")),
        first => first == Some("run"),
    }
}

fn pretends(words: &[OsString]) -> bool {
    words.iter().any(|word| word == "--dry-run" || word == "dry-run")
}

/// The first paragraph of clap's message, and the suggestions it makes.
fn trouble(error: &clap::Error, plain: &str) -> Trouble {
    let paragraph: Vec<&str> = plain.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let message = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a command is missing".to_owned(),
        _ => paragraph.join(" ").trim_start_matches("error: ").to_owned(),
    };
    let suggested = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let suggestion =
        suggested.into_iter().find_map(|kind| error.get(kind)).map(|name| format!("did you mean `{name}`?"));
    let hint = suggestion
        .unwrap_or_else(|| "`macrocli help` shows the commands, `macrocli help COMMAND` one of them".to_owned());
    Trouble::usage(message).hint(hint)
}
