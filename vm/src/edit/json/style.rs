//! How a document is laid out, so that what is added looks like what is there.

use crate::edit::json::lex::Document;
use crate::edit::json::locate::Container;
use crate::edit::json::scan::Child;

/// The layout of new text.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    /// The document's line end.
    pub(crate) newline: &'static str,
    /// One level of indentation.
    pub(crate) unit: String,
    /// Between a key and its value: `:` with the document's spaces.
    pub(crate) colon: String,
    /// Between items on one line: `,` with the document's spaces.
    pub(crate) comma: String,
}

/// The style around the innermost container of `chain`; what it does not show is taken from those around it.
pub(crate) fn style(document: &Document<'_>, chain: &[Container]) -> Style {
    let text = document.text;
    let inwards = || chain.iter().rev().filter_map(|container| Some((container, container.last.as_ref()?)));
    let unit = inwards().find_map(|(container, last)| {
        let own = indentation(text, last)?;
        own.strip_prefix(line_indentation(text, container.node.range.start))
    });
    let tabs = || inwards().any(|(_, last)| indentation(text, last).is_some_and(|own| own.starts_with('\t')));
    let unit = unit.unwrap_or_else(|| if tabs() { "\t" } else { "  " });
    let colon = inwards().find_map(|(_, last)| {
        let between = &text[last.key.as_ref()?.end..last.value.range.start];
        between.trim_matches([' ', '\t']).eq(":").then_some(between)
    });
    let colon = colon.unwrap_or(": ");
    let gap = inwards().find_map(|(container, last)| {
        let gap = &text[last.before..last.start()];
        (container.count > 1 && gap.trim_matches([' ', '\t']).is_empty()).then_some(gap)
    });
    let gap = gap.unwrap_or(if colon.ends_with(':') { "" } else { " " });
    Style { newline: newline(text), unit: unit.to_owned(), colon: colon.to_owned(), comma: format!(",{gap}") }
}

/// The indentation of a child that begins its own line; `None` when it stands on the line of what is before it.
pub(crate) fn indentation<'d>(text: &'d str, child: &Child) -> Option<&'d str> {
    let gap = &text[child.before..child.start()];
    let line = gap.rfind(['\n', '\r'])?;
    Some(leading_space(&gap[line + 1..]))
}

/// The indentation of the line that holds byte `at`.
pub(crate) fn line_indentation(text: &str, at: usize) -> &str {
    leading_space(&text[line_start(text, at)..])
}

/// The first byte of the line that holds byte `at`.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |line| line + 1)
}

/// The first line end of `text`; `\n` when there is none.
pub(crate) fn newline(text: &str) -> &'static str {
    match text.find(['\n', '\r']).map(|at| &text[at..]) {
        Some(rest) if rest.starts_with("\r\n") => "\r\n",
        Some(rest) if rest.starts_with('\r') => "\r",
        Some(_) | None => "\n",
    }
}

fn leading_space(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
