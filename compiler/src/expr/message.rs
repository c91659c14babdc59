//! A parser's error as a plain sentence.

use chumsky::error::{Rich, RichPattern, RichReason};
use spec::grammar::name::is_keyword;
use spec::grammar::shown;

use crate::expr::template::TemplateError;

/// `error` about `written`, which begins at byte `base` of the scalar's text. A custom error is the message and, behind
/// a line break, the help.
pub fn plain(error: &Rich<'_, char>, written: &str, base: usize) -> TemplateError {
    let span = error.span();
    let start = span.start.min(written.len());
    match error.reason() {
        RichReason::Custom(text) => {
            let (message, help) =
                text.split_once('\n').map_or((text.as_str(), None), |(text, help)| (text, Some(help)));
            // Blanks around what was recognised do not belong to the mistake.
            let text = &written[start..span.end.clamp(start, written.len())];
            let start = start + (text.len() - text.trim_start().len());
            let end = start + text.trim().len();
            TemplateError {
                range: base + start..base + end,
                message: message.to_owned(),
                help: help.map(str::to_owned),
            }
        }
        RichReason::ExpectedFound { expected, .. } => {
            let found = found(&written[start..]);
            let expected = expectation(expected);
            let what = if found.is_empty() { "the end".to_owned() } else { format!("`{}`", shown(found)) };
            let help = match found.chars().next() {
                _ if found == "not" => Some("put the negation in parentheses: `a == (not b)`"),
                _ if is_keyword(found) => Some("the word is an operator or a value and cannot be a name"),
                Some('$') => Some("inside `${…}` a name stands without `$` and braces: `${a + b}`"),
                Some('?') => Some("there is no `a ? b : c`; use `when:` on a step, or `${a:-b}`"),
                Some('{' | '}') => Some("quote text that holds braces"),
                _ => None,
            };
            TemplateError {
                range: base + start..base + start + found.len(),
                message: format!("expected {expected}, found {what}"),
                help: help.map(str::to_owned),
            }
        }
    }
}

/// The word or the character `rest` begins with.
fn found(rest: &str) -> &str {
    let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let character = rest.chars().next().map_or(0, char::len_utf8);
    &rest[..word.max(character)]
}

fn expectation(expected: &[RichPattern<'_, char>]) -> String {
    let mut names: Vec<String> = expected.iter().filter_map(pattern).collect();
    names.sort();
    names.dedup();
    match names.split_last() {
        None => "something else".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
    }
}

fn pattern(pattern: &RichPattern<'_, char>) -> Option<String> {
    match pattern {
        // Blanks may stand nearly everywhere; nobody misses one.
        RichPattern::Token(character) if character.is_whitespace() => None,
        // Every quote has its partner, or the text would not have come this far; a second one would only be a literal quote.
        RichPattern::Token(character) if matches!(**character, '\'' | '"') => None,
        RichPattern::Token(character) => Some(format!("`{}`", **character)),
        RichPattern::Label(label) => Some(label.to_string()),
        RichPattern::Identifier(word) => Some(format!("`{word}`")),
        RichPattern::EndOfInput => Some("the end".to_owned()),
        RichPattern::Any | RichPattern::SomethingElse => None,
        // The enum may grow in a later version of the crate.
        _ => None,
    }
}
