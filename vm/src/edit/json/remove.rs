//! A member or item taken out: with its comma, its line when it has one of its own, and the comment behind it there.

use std::ops::Range;

use crate::edit::json::error::JsonEditError;
use crate::edit::json::insert::after_comments;
use crate::edit::json::lex::Document;
use crate::edit::json::locate::Container;
use crate::edit::json::scan::Child;
use crate::edit::json::splice::Splice;
use crate::edit::json::style::{line_start, newline};

/// The splices that remove the target of `container`; none when it has no target.
pub(crate) fn remove(document: &Document<'_>, container: &Container) -> Result<Vec<Splice>, JsonEditError> {
    let text = document.text;
    let Some(target) = &container.target else { return Ok(Vec::new()) };
    let mut ranges = Vec::new();
    if let (None, Some(previous)) = (target.comma, &container.previous)
        && let Some(comma) = previous.comma
    {
        let gap = previous.value.range.end..comma;
        let start = if is_space(&text[gap.clone()]) { gap.start } else { comma };
        ranges.push(start..comma + 1);
    }
    ranges.push(own_range(document, container, target)?);
    if container.count == 1 {
        let inside = container.node.range.start + 1..container.node.range.end - 1;
        let left =
            [&text[inside.start..ranges[0].start.max(inside.start)], &text[ranges[0].end.min(inside.end)..inside.end]];
        if left.iter().all(|part| part.trim().is_empty()) {
            ranges = vec![inside];
        }
    } else {
        ranges = drop_blank_lines(text, ranges);
    }
    Ok(ranges.into_iter().map(|range| Splice { range, text: String::new() }).collect())
}

fn own_range(document: &Document<'_>, container: &Container, target: &Child) -> Result<Range<usize>, JsonEditError> {
    let text = document.text;
    let (start, end) = (target.start(), target.end());
    let line = line_start(text, start);
    let begins_line = is_space(&text[line..start]);
    // The next child moves into the place of this one when both begin on one line, or when only space is between.
    if let Some(next) = &container.next
        && is_space_or_lines(&text[end..next.start()])
        && (!begins_line || !text[end..next.start()].contains(['\n', '\r']))
        && !(text[end..next.start()].contains(['\n', '\r']) && target.before > container.node.range.start + 1)
    {
        return Ok(start..next.start());
    }
    let after = after_comments(document, end)?;
    let rest = skip_space(text, after);
    let ends_line = text[rest..].starts_with(['\n', '\r']);
    if begins_line && ends_line {
        return Ok(line..rest + newline(&text[rest..]).len());
    }
    let before = &text[target.before..start];
    let spaces = if begins_line && container.next.is_none() && is_space_or_lines(before) {
        // The closing bracket stands on this line and moves up.
        before.len()
    } else if begins_line {
        0
    } else {
        before.len() - before.trim_end_matches([' ', '\t']).len()
    };
    Ok(start - spaces..end)
}

/// Widens `ranges` over the lines they leave with nothing but space.
fn drop_blank_lines(text: &str, ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if is_space(&text[last.end..range.start]) => last.end = range.end,
            Some(_) | None => merged.push(range),
        }
    }
    for range in &mut merged {
        let start = line_start(text, range.start);
        let end = skip_space(text, range.end);
        let blank = is_space(&text[start..range.start]) && text[end..].starts_with(['\n', '\r']);
        if blank && !text[..range.end].ends_with(['\n', '\r']) {
            *range = start..end + newline(&text[end..]).len();
        }
    }
    merged
}

fn skip_space(text: &str, from: usize) -> usize {
    from + text[from..].find(|c| c != ' ' && c != '\t').unwrap_or(text.len() - from)
}

fn is_space(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

fn is_space_or_lines(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}
