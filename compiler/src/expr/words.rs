//! A command written as one string, cut into arguments before any value is filled in: one value is always part of
//! one argument, whatever characters it has.
//!
//! Words are split as a POSIX shell splits them: at blanks, with `'…'`, `"…"` and backslashes. No shell runs, though,
//! so what only a shell could do is refused where it is not quoted: pipes, redirections, `&`, `;`, backticks, `$(…)` and
//! assignments before the program. Globs, `~`, `$name` and `#` have no meaning and are passed on as they are.

use std::ops::Range;

use thiserror::Error;

use crate::expr::template::{Part, Template};

/// Why a command cannot be split. Places are bytes of the scalar's text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WordsError {
    /// No word, or an empty program name.
    #[error("the command is empty")]
    Empty,
    /// A quote that is not closed, or a backslash with nothing behind it.
    #[error("`{quote}` is not closed")]
    Unbalanced {
        /// The quote or backslash.
        quote: char,
        /// Its place.
        at: usize,
    },
    /// Something only a shell understands.
    #[error("`{text}` means something to a shell only, and no shell runs this command")]
    Shell {
        /// What was found.
        text: &'static str,
        /// Its place.
        at: usize,
    },
    /// `FOO=1 program`.
    #[error("`{name}=…` is not a program")]
    Assignment {
        /// The variable.
        name: String,
    },
    /// A backslash before `${`.
    #[error("a backslash does not make `${{` literal")]
    Escaped {
        /// The place of the backslash.
        at: usize,
    },
    /// The text uses every character that could stand for an expression while it is split.
    #[error("the command has too many private-use characters")]
    Characters,
}

impl WordsError {
    /// The bytes of the text it is about, when it is less than all of it.
    pub fn place(&self) -> Option<Range<usize>> {
        match self {
            Self::Unbalanced { quote, at } => Some(*at..*at + quote.len_utf8()),
            Self::Shell { text, at } => Some(*at..*at + text.len()),
            Self::Escaped { at } => Some(*at..*at + 1),
            Self::Empty | Self::Assignment { .. } | Self::Characters => None,
        }
    }

    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::Empty => "name the program to run: `[program, argument]`".to_owned(),
            Self::Unbalanced { quote: '\\', .. } => {
                "write `\\\\` for a backslash, or write the command as a list".to_owned()
            }
            Self::Unbalanced { .. } => {
                "close the quote, or write the command as a list: `[program, argument]`".to_owned()
            }
            Self::Shell { text, .. } => {
                format!("quote it (`'{text}'`) to pass it on, or run a shell: `[sh, -c, \"…\"]`")
            }
            Self::Assignment { name } => format!("set variables with `env: {{{name}: …}}`"),
            Self::Escaped { .. } => "write `$${` for a literal `${`".to_owned(),
            Self::Characters => "write the command as a list: `[program, argument]`".to_owned(),
        }
    }
}

/// The arguments of the command `template`, the program first. An argument may be empty, the program may not.
pub fn split(template: &Template) -> Result<Vec<Template>, WordsError> {
    let sentinel = sentinel(template)?;
    let mut shell = Shell { state: State::Plain, line: String::new(), sentinel };
    let mut start = 0;
    for part in &template.parts {
        match part {
            Part::Text(text) => shell.text(text, start)?,
            Part::Expr { range, .. } => {
                shell.expression()?;
                start = range.end;
            }
        }
    }
    let line = shell.finish()?;
    let words = shlex::split(&line).ok_or(WordsError::Empty)?;
    let mut exprs = template.parts.iter().filter(|part| matches!(part, Part::Expr { .. }));
    let words: Vec<Template> = words.iter().map(|word| filled(word, sentinel, &mut exprs)).collect();
    match words.first() {
        None => Err(WordsError::Empty),
        Some(program) if program.parts.is_empty() => Err(WordsError::Empty),
        Some(program) => match assignment(program) {
            Some(name) => Err(WordsError::Assignment { name: name.to_owned() }),
            None => Ok(words),
        },
    }
}

/// A private-use character the template does not have.
fn sentinel(template: &Template) -> Result<char, WordsError> {
    let private = |c: &char| ('\u{f0000}'..='\u{ffffd}').contains(c);
    let texts = template.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.chars().filter(private)),
        Part::Expr { .. } => None,
    });
    let mut used: Vec<char> = texts.flatten().collect();
    used.sort_unstable();
    used.dedup();
    // The first one that is not at its own place in the sorted list is missing from it.
    let mut candidates = '\u{f0000}'..='\u{ffffd}';
    let mut used = used.into_iter();
    loop {
        let candidate = candidates.next().ok_or(WordsError::Characters)?;
        if used.next() != Some(candidate) {
            return Ok(candidate);
        }
    }
}

#[derive(Clone, Copy)]
enum State {
    Plain,
    /// Inside a quote that began at this byte.
    Single(usize),
    Double(usize),
    /// Behind a backslash at this byte, and whether in double quotes, with the place of their beginning.
    Backslash(usize, Option<usize>),
}

struct Shell {
    state: State,
    /// The text for the splitter.
    line: String,
    sentinel: char,
}

impl Shell {
    /// Takes a text that was written from byte `start` on.
    fn text(&mut self, text: &str, start: usize) -> Result<(), WordsError> {
        // Every `${` of a text was written with one `$` more.
        let mut dollars = 0;
        for (offset, character) in text.char_indices() {
            let at = start + offset + dollars;
            let rest = &text[offset..];
            if rest.starts_with("${") {
                dollars += 1;
            }
            self.state = match self.state {
                State::Plain => self.plain(character, rest, at)?,
                State::Single(from) => {
                    if character == '\'' {
                        State::Plain
                    } else {
                        State::Single(from)
                    }
                }
                State::Double(from) => match character {
                    '"' => State::Plain,
                    '\\' => State::Backslash(at, Some(from)),
                    _ => State::Double(from),
                },
                State::Backslash(_, quote) => quote.map_or(State::Plain, State::Double),
            };
            self.line.push(character);
        }
        Ok(())
    }

    fn plain(&mut self, character: char, rest: &str, at: usize) -> Result<State, WordsError> {
        let shell = |text| Err(WordsError::Shell { text, at });
        match character {
            '\'' => return Ok(State::Single(at)),
            '"' => return Ok(State::Double(at)),
            '\\' => return Ok(State::Backslash(at, None)),
            '|' => return shell("|"),
            '>' => return shell(">"),
            '<' => return shell("<"),
            '&' => return shell("&"),
            ';' => return shell(";"),
            '`' => return shell("`"),
            '$' if rest.starts_with("$(") => return shell("$("),
            // The splitter would drop the rest of the line as a comment.
            '#' => self.line.push('\\'),
            _ => {}
        }
        Ok(State::Plain)
    }

    fn expression(&mut self) -> Result<(), WordsError> {
        if let State::Backslash(at, _) = self.state {
            return Err(WordsError::Escaped { at });
        }
        self.line.push(self.sentinel);
        Ok(())
    }

    fn finish(self) -> Result<String, WordsError> {
        match self.state {
            State::Plain => Ok(self.line),
            State::Single(at) => Err(WordsError::Unbalanced { quote: '\'', at }),
            State::Double(at) | State::Backslash(_, Some(at)) => Err(WordsError::Unbalanced { quote: '"', at }),
            State::Backslash(at, None) => Err(WordsError::Unbalanced { quote: '\\', at }),
        }
    }
}

/// `word` with the next expressions for its sentinels.
fn filled<'a>(word: &str, sentinel: char, exprs: &mut impl Iterator<Item = &'a Part>) -> Template {
    let mut template = Template::default();
    for (index, text) in word.split(sentinel).enumerate() {
        if index > 0 {
            template.parts.extend(exprs.next().cloned());
        }
        template.push_text(text);
    }
    template
}

/// The variable a first word assigns to.
fn assignment(program: &Template) -> Option<&str> {
    let Some(Part::Text(text)) = program.parts.first() else { return None };
    let (name, _) = text.split_once('=')?;
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let fits = !name.is_empty() && name.chars().all(letter) && !name.starts_with(|c: char| c.is_ascii_digit());
    fits.then_some(name)
}
