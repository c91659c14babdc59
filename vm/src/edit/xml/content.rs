//! The text of an element without child elements.

use std::ops::Range;

use roxmltree::Node;

use crate::edit::xml::document::Xml;
use crate::edit::xml::error::XmlEditError;
use crate::edit::xml::tag;
use crate::edit::xml::{Edit, escape};

/// What makes `value` the text of `element`; empty when it is.
///
/// Between comments and processing instructions the text is in several runs: the first one with more than white space
/// takes the value, the others become empty.
pub fn edits(xml: &Xml, element: Node, value: &str) -> Result<Vec<Edit>, XmlEditError> {
    let start = element.range().start;
    if element.children().any(|child| child.is_element()) {
        let element = xml.name_at(start + 1).to_owned();
        return Err(XmlEditError::ChildElements { element, offset: xml.skipped + start });
    }
    let old: String = element.children().filter(Node::is_text).filter_map(|text| text.text()).collect();
    if old == value && xml.refuse_references(element.range(), false).is_ok() {
        return Ok(Vec::new());
    }
    let tag = xml.tag(element);
    let text = escape::content(value);
    if tag.is_empty {
        let name = &xml.text[tag.name.clone()];
        return Ok(vec![Edit { range: tag.end - "/>".len()..tag.end, text: format!(">{text}</{name}>") }]);
    }
    let runs = runs(element, xml.content(element, &tag));
    let is_blank = |run: &Range<usize>| xml.text.as_bytes()[run.clone()].iter().copied().all(tag::is_space);
    let chosen = runs.iter().position(|run| !is_blank(run)).or_else(|| runs.iter().position(|run| !run.is_empty()));
    let chosen = chosen.unwrap_or(0);
    let edit = |(index, range)| Edit { range, text: if index == chosen { text.clone() } else { String::new() } };
    Ok(runs.into_iter().enumerate().map(edit).collect())
}

/// The parts of `content` between the children that are no text; at least one, perhaps empty.
fn runs(element: Node, content: Range<usize>) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut at = content.start;
    for child in element.children().filter(|child| !child.is_text()) {
        runs.push(at..child.range().start);
        at = child.range().end;
    }
    runs.push(at..content.end);
    runs
}
