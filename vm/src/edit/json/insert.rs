//! A new member or item after the last one, in the style of those before it.

use jsonc_parser::tokens::Token;
use spec::value::Value;

use crate::edit::json::error::JsonEditError;
use crate::edit::json::lex::Document;
use crate::edit::json::locate::Container;
use crate::edit::json::scan::Child;
use crate::edit::json::splice::Splice;
use crate::edit::json::style::{Style, indentation, line_indentation, newline};
use crate::edit::json::write::{self, Layout};

/// What to add: a member when it has a key, else an item.
pub(crate) struct Entry<'a> {
    pub(crate) key: Option<&'a str>,
    pub(crate) value: &'a Value,
}

/// The splices that add `entry` to the innermost container of `chain`.
pub(crate) fn insert(
    document: &Document<'_>,
    chain: &[Container],
    style: &Style,
    entry: &Entry<'_>,
) -> Result<Vec<Splice>, JsonEditError> {
    let Some((container, around)) = chain.split_last() else { return Ok(Vec::new()) };
    match &container.last {
        Some(last) => after(document, last, style, entry),
        None => {
            let root = around.is_empty();
            let lines = root || around.iter().any(|outer| is_multi_line(document, outer));
            into_empty(document, container, style, entry, lines)
        }
    }
}

/// Whether the container's children stand on lines of their own.
pub(crate) fn is_multi_line(document: &Document<'_>, container: &Container) -> bool {
    container.last.as_ref().is_some_and(|last| indentation(document.text, last).is_some())
}

fn after(
    document: &Document<'_>,
    last: &Child,
    style: &Style,
    entry: &Entry<'_>,
) -> Result<Vec<Splice>, JsonEditError> {
    let trailing = last.comma.is_some();
    let Some(indent) = indentation(document.text, last) else {
        let entry = text(entry, style, Layout::Line);
        let comma = style.comma.as_str();
        let text =
            if trailing { format!("{}{entry},", comma.trim_start_matches(',')) } else { format!("{comma}{entry}") };
        return Ok(vec![Splice::insert(last.end(), text)]);
    };
    let entry = text(entry, style, Layout::Lines(indent));
    let line = format!("{}{indent}{entry}", newline(&document.text[last.before..last.start()]));
    let at = after_comments(document, last.end())?;
    Ok(match (trailing, at == last.end()) {
        (true, _) => vec![Splice::insert(at, format!("{line},"))],
        (false, true) => vec![Splice::insert(at, format!(",{line}"))],
        (false, false) => vec![Splice::insert(last.end(), ",".to_owned()), Splice::insert(at, line)],
    })
}

fn into_empty(
    document: &Document<'_>,
    container: &Container,
    style: &Style,
    entry: &Entry<'_>,
    lines: bool,
) -> Result<Vec<Splice>, JsonEditError> {
    let (open, close) = (container.node.range.start + 1, container.node.range.end - 1);
    let inside = &document.text[open..close];
    let broken = inside.contains(['\n', '\r']);
    if !lines && !broken {
        let padding = if inside.trim().is_empty() { inside } else { "" };
        let text = format!("{}{padding}", text(entry, style, Layout::Line));
        return Ok(vec![Splice::insert(close, text)]);
    }
    let base = line_indentation(document.text, container.node.range.start);
    let indent = format!("{base}{}", style.unit);
    let line = format!("{}{indent}{}", style.newline, text(entry, style, Layout::Lines(&indent)));
    let at = after_comments(document, open)?;
    if broken {
        return Ok(vec![Splice::insert(at, line)]);
    }
    Ok(vec![Splice { range: at..close, text: format!("{line}{}{base}", style.newline) }])
}

fn text(entry: &Entry<'_>, style: &Style, layout: Layout<'_>) -> String {
    let value = write::value(entry.value, style, layout);
    match entry.key {
        Some(key) => format!("{}{}{value}", write::quoted(key), style.colon),
        None => value,
    }
}

/// One past the comments that begin on the line of byte `from`; `from` itself when there are none.
pub(crate) fn after_comments(document: &Document<'_>, from: usize) -> Result<usize, JsonEditError> {
    let mut lexer = document.lexer(from..document.text.len());
    let mut end = from;
    while let Some(lexeme) = lexer.next_or_comment()? {
        let comment = matches!(lexeme.token, Token::CommentLine(_) | Token::CommentBlock(_));
        if !comment || document.text[end..lexeme.range.start].contains(['\n', '\r']) {
            break;
        }
        end = lexeme.range.end;
    }
    Ok(end)
}
