//! What may follow in a line: from the declaration of the command line, the macros that are found, their parameters, and files.

use clap::{Arg, Command, CommandFactory};
use rustyline::completion::{FilenameCompleter, Pair};
use serde_json::Value;

use crate::args::{Cli, Globals};
use crate::commands::info;
use crate::registry::Registry;

/// Words that are commands here alone.
const OWN: [&str; 3] = ["exit", "help", "last"];

/// Where the word at a place in a line begins, and what it may become.
///
/// # Errors
/// Files cannot be looked for.
pub fn complete(globals: &Globals, line: &str, at: usize) -> rustyline::Result<(usize, Vec<Pair>)> {
    let before = line.get(..at).unwrap_or(line);
    let begin = before.rfind(char::is_whitespace).map_or(0, |space| space + 1);
    let (done, word) = before.split_at(begin);
    let files = || FilenameCompleter::new().complete_path(line, at);
    // In an open quote there is a path or a text of the user's own.
    let Some(done) = shlex::split(done) else { return files() };
    let mut root = Cli::command();
    root.build();
    let place = Place::after(&root, &done);
    let words = match place.flag {
        Some(flag) if matches!(name(flag), "NAME=VALUE" | "NAME=SOURCE") => {
            let target = place.target.as_deref();
            return parameter(globals, target, word).map_or_else(files, |(inside, found)| Ok((begin + inside, found)));
        }
        Some(flag) => values(flag),
        None if word.starts_with('-') => flags(place.command),
        None => place.words(globals, done.is_empty()),
    };
    let found = matching(words, word, " ");
    if found.is_empty() && place.takes_files() { files() } else { Ok((begin, found)) }
}

/// Where a line has come to.
struct Place<'a> {
    command: &'a Command,
    /// The flag whose value comes next.
    flag: Option<&'a Arg>,
    /// How many arguments the command has already.
    positionals: usize,
    /// The first of them.
    target: Option<String>,
}

impl<'a> Place<'a> {
    fn after(root: &'a Command, words: &[String]) -> Self {
        let mut place = Place { command: root, flag: None, positionals: 0, target: None };
        for word in words {
            if place.flag.take().is_some() {
                continue;
            }
            if word.starts_with('-') {
                let flag = place.command.get_arguments().find(|arg| is_called(arg, word));
                place.flag = flag.filter(|flag| flag.get_action().takes_values());
            } else if let Some(verb) = place.command.find_subcommand(word) {
                place.command = verb;
            } else {
                place.positionals += 1;
                place.target.get_or_insert_with(|| word.clone());
            }
        }
        place
    }

    /// The argument that comes next.
    fn positional(&self) -> Option<&'a Arg> {
        let mut all = self.command.get_positionals();
        all.nth(self.positionals).or_else(|| self.command.get_positionals().last())
    }

    fn takes_files(&self) -> bool {
        self.flag.or_else(|| self.positional()).is_some()
    }

    fn words(&self, globals: &Globals, first: bool) -> Vec<String> {
        let mut words: Vec<String> = self.command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
        if first {
            words.extend(OWN.map(str::to_owned));
        }
        if let Some(next) = self.positional() {
            words.extend(values(next));
            if name(next) == "MACRO" {
                words.extend(macros(globals));
            }
        }
        words
    }
}

fn is_called(arg: &Arg, word: &str) -> bool {
    let long = word.strip_prefix("--").is_some_and(|name| arg.get_long() == Some(name));
    let short = arg.get_short().is_some_and(|short| word.strip_prefix('-') == Some(&*short.to_string()));
    long || short
}

fn name(arg: &Arg) -> &str {
    arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str())
}

fn values(arg: &Arg) -> Vec<String> {
    arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
}

fn flags(command: &Command) -> Vec<String> {
    let long = command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(Arg::get_long);
    long.map(|long| format!("--{long}")).collect()
}

fn macros(globals: &Globals) -> Vec<String> {
    let Ok(registry) = Registry::new(globals) else { return Vec::new() };
    registry.candidates().into_iter().filter_map(|candidate| candidate.name.clone()).collect()
}

/// The names of a macro's parameters, or the values that one of them may have and where they begin in the word; nothing when any may be.
fn parameter(globals: &Globals, target: Option<&str>, word: &str) -> Option<(usize, Vec<Pair>)> {
    let info = target.and_then(|target| info::document(&Registry::new(globals).ok()?, target).ok());
    let parameters = info.as_ref().and_then(|info| info["parameters"].as_object());
    let Some((name, value)) = word.split_once('=') else {
        let names = parameters.into_iter().flat_map(|parameters| parameters.keys().cloned()).collect();
        return Some((0, matching(names, word, "=")));
    };
    let declared = parameters?.get(name)?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let choices: Vec<String> = if declared["type"] == "boolean" {
        vec!["true".to_owned(), "false".to_owned()]
    } else {
        declared["enum"].as_array()?.iter().map(text).collect()
    };
    Some((name.len() + 1, matching(choices, value, " ")))
}

fn matching(mut words: Vec<String>, begin: &str, end: &str) -> Vec<Pair> {
    words.retain(|word| word.starts_with(begin));
    words.sort();
    words.dedup();
    words.into_iter().map(|word| Pair { replacement: format!("{word}{end}"), display: word }).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::args::{Cli, Globals};
    use crate::commands::repl::complete::complete;

    fn globals(folder: &std::path::Path) -> Globals {
        let words = ["macrocli", "list", "--macros", folder.to_str().unwrap()];
        Cli::try_parse_from(words).unwrap().globals
    }

    #[test]
    fn what_may_follow_is_offered() {
        let folder = tempfile::tempdir().unwrap();
        let text = "name: zebra\nparameters: {stripes: integer, kind: {type: string, enum: [plain, grevy]}, wild: boolean}\nsteps: []\n";
        std::fs::write(folder.path().join("zebra.yaml"), text).unwrap();
        let globals = globals(folder.path());
        let offered = |line: &str| -> Vec<String> {
            let (begin, found) = complete(&globals, line, line.len()).unwrap();
            found.into_iter().map(|pair| format!("{}{}", &line[..begin], pair.replacement)).collect()
        };
        assert_eq!(offered("insp"), ["inspect "]);
        assert_eq!(offered("ex"), ["exit ", "explain "]);
        assert_eq!(offered("macro dry"), ["macro dry-run "]);
        assert_eq!(offered("session sh"), ["session show "]);
        assert_eq!(offered("run zeb"), ["run zebra "]);
        assert_eq!(offered("--json macro run zeb"), ["--json macro run zebra "]);
        assert_eq!(offered("run --eve"), ["run --events "]);
        assert_eq!(offered("run zebra -p "), ["run zebra -p kind=", "run zebra -p stripes=", "run zebra -p wild="]);
        assert_eq!(offered("run zebra --param kind=g"), ["run zebra --param kind=grevy "]);
        assert_eq!(offered("run zebra -p wild=t"), ["run zebra -p wild=true "]);
        assert_eq!(offered("check --deny "), ["check --deny warnings "]);
        assert_eq!(offered("completions f"), ["completions fish "]);
        assert_eq!(offered("run nothing_like_that"), [""; 0]);
        let path = format!("check {}/zeb", folder.path().display());
        assert_eq!(offered(&path), [format!("{path}ra.yaml")]);
        let path = format!("run zebra -p stripes={}/zeb", folder.path().display());
        assert_eq!(offered(&path), [format!("{path}ra.yaml")]);
    }
}
