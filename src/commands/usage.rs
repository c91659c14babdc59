//! Command lines that are no commands: mistakes, help and version.

use std::ffi::OsString;

use clap::error::{ContextKind, ErrorKind};
use serde_json::json;

use crate::exit::Exit;
use crate::identity::Identity;
use crate::print;
use crate::print::screen::Screen;
use crate::trouble::Trouble;

/// Answers what clap could not make a command of.
pub fn answer(error: &clap::Error, words: &[OsString], screen: &Screen) -> Exit {
    let text = if screen.color { error.render().ansi().to_string() } else { error.render().to_string() };
    let plain = error.render().to_string();
    let (help, version) = (error.kind() == ErrorKind::DisplayHelp, error.kind() == ErrorKind::DisplayVersion);
    if help || version {
        match (screen.json, help) {
            (true, true) => screen.document(&json!({"schema": "macrocli.help/1", "help": plain})),
            (true, false) => screen.document(&json!({
                "schema": "macrocli.version/1", "name": "macrocli", "version": env!("CARGO_PKG_VERSION"),
            })),
            (false, _) => screen.out(&plain),
        }
        return Exit::OK;
    }
    if screen.json {
        let trouble = trouble(error, &plain);
        screen.document(&if runs(words) {
            print::run::refused(&trouble, pretends(words), &Identity::new(None))
        } else {
            print::trouble::document(&trouble)
        });
    }
    screen.err(&text);
    Exit::USAGE
}

/// The words as clap takes them: behind `help` stand only commands.
pub fn words(words: &[OsString]) -> Vec<OsString> {
    let help = commands(words).first() == Some(&"help");
    words.iter().filter(|word| !(help && *word == "--json")).cloned().collect()
}

/// Whether the words name no command and ask for no help.
pub fn is_bare(words: &[OsString]) -> bool {
    let asks = |word: &OsString| matches!(word.to_str(), None | Some("-h" | "--help" | "-V" | "--version"));
    commands(words).is_empty() && !words.iter().skip(1).any(asks)
}

/// Whether the words mean to run a macro, as far as that can be told: its result has its own keys.
fn runs(words: &[OsString]) -> bool {
    match commands(words).as_slice() {
        ["macro", verb, ..] => matches!(*verb, "run" | "dry-run"),
        [first, ..] => *first == "run",
        [] => false,
    }
}

/// The words that are neither flags nor values of flags.
fn commands(words: &[OsString]) -> Vec<&str> {
    let plain: Vec<&str> = words.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let takes_value = |word: &&str| matches!(*word, "--session-id" | "--macros" | "--color");
    let is_value = |at: usize| at.checked_sub(1).and_then(|before| plain.get(before)).is_some_and(takes_value);
    let commands = plain.iter().enumerate().filter(|(at, word)| !word.starts_with('-') && !is_value(*at));
    commands.map(|(_, word)| *word).collect()
}

fn pretends(words: &[OsString]) -> bool {
    words.iter().any(|word| word == "--dry-run" || word == "dry-run")
}

/// The first paragraph of clap's message, and the suggestions it makes.
fn trouble(error: &clap::Error, plain: &str) -> Trouble {
    let paragraph: Vec<&str> = plain.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let message = if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        "a command is missing".to_owned()
    } else {
        paragraph.join(" ").trim_start_matches("error: ").to_owned()
    };
    let suggested = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let suggestion =
        suggested.into_iter().find_map(|kind| error.get(kind)).map(|name| format!("did you mean `{name}`?"));
    let hint = suggestion
        .unwrap_or_else(|| "`macrocli help` shows the commands, `macrocli help COMMAND` one of them".to_owned());
    Trouble::usage(message).hint(hint)
}
