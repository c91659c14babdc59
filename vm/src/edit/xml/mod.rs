//! Edits of XML that change only the bytes they must: values of attributes and texts of elements, chosen by XPath 1.0.
//!
//! Quotes, spacing, order, comments, CDATA sections, references, the document type declaration, line ends and a byte
//! order mark stay as they are. Documents are UTF-8. Entities of a DTD are never expanded and nothing outside the given
//! bytes is ever read; attribute defaults and types from a DTD do not apply. Every failure leaves nothing half done,
//! since results are new bytes.

pub mod error;

mod attribute;
mod content;
mod document;
mod escape;
mod mask;
mod source;
mod tag;
mod xpath;

use std::ops::Range;

use roxmltree::{Document, Node, ParsingOptions};
use spec::grammar::xpath as grammar;
use spec::grammar::xpath::ast::{Kind, XPath};

use crate::edit::xml::document::Xml;
use crate::edit::xml::error::XmlEditError;
use crate::edit::xml::source::Source;
use crate::edit::xml::xpath::Item;

/// A document after an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// All bytes of the document; equal to the input when nothing changed.
    pub bytes: Vec<u8>,
    /// How many elements the expression matched.
    pub matched: usize,
    /// Whether any byte differs from the input.
    pub changed: bool,
}

/// The values of the attribute `attr` of the elements `xpath` matches, in document order, as a parser reports them
/// (references resolved, white space normalised). Elements without the attribute are passed over; when none has it,
/// or none matches, that is an error.
pub fn get_attr(text: &[u8], xpath: &str, attr: &str) -> Result<Vec<String>, XmlEditError> {
    let expression = grammar::parse(xpath)?;
    attribute::check_name(attr)?;
    with_document(text, &expression, xpath, |xml| {
        let elements = elements(xml, &expression, xpath)?;
        attribute::values(xml, &elements, xpath, attr)
    })
}

/// Sets the attribute `attr` of every element `xpath` matches to `value`; an element without it gets it as the last one.
pub fn set_attr(text: &[u8], xpath: &str, attr: &str, value: &str) -> Result<Edited, XmlEditError> {
    let expression = grammar::parse(xpath)?;
    attribute::check_name(attr)?;
    escape::check_chars(value)?;
    with_document(text, &expression, xpath, |xml| {
        let elements = elements(xml, &expression, xpath)?;
        let edits = elements.iter().map(|element| attribute::edit(xml, *element, attr, value));
        let edits = edits.filter_map(Result::transpose).collect::<Result<Vec<_>, _>>()?;
        Ok(splice(text, xml.skipped, edits, elements.len()))
    })
}

/// The string values of the nodes `xpath` matches, in document order: all text inside an element, the value of an
/// attribute, the text of a text node or comment.
pub fn get_text(text: &[u8], xpath: &str) -> Result<Vec<String>, XmlEditError> {
    let expression = grammar::parse(xpath)?;
    with_document(text, &expression, xpath, |xml| {
        let items = matches(xml, &expression, xpath)?;
        xpath::string_values(xml, &items, xpath)
    })
}

/// Sets the text of every element `xpath` matches to `value`. Comments and processing instructions inside stay; an
/// element with child elements is an error.
pub fn set_text(text: &[u8], xpath: &str, value: &str) -> Result<Edited, XmlEditError> {
    let expression = grammar::parse(xpath)?;
    escape::check_chars(value)?;
    with_document(text, &expression, xpath, |xml| {
        let elements = elements(xml, &expression, xpath)?;
        let mut edits = Vec::new();
        for element in &elements {
            edits.extend(content::edits(xml, *element, value)?);
        }
        Ok(splice(text, xml.skipped, edits, elements.len()))
    })
}

/// New text for a range of the old one.
struct Edit {
    range: Range<usize>,
    text: String,
}

fn with_document<T>(
    bytes: &[u8],
    expression: &XPath,
    xpath: &str,
    work: impl FnOnce(&Xml) -> Result<T, XmlEditError>,
) -> Result<T, XmlEditError> {
    if expression.kind != Kind::Nodes {
        return Err(XmlEditError::NotNodes { xpath: xpath.to_owned(), kind: expression.kind });
    }
    let Source { text, skipped } = source::read(bytes)?;
    let masked = mask::mask(text)?;
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    let tree = Document::parse_with_options(&masked.text, options)
        .map_err(|error| XmlEditError::Malformed { message: error.to_string() })?;
    work(&Xml { tree: &tree, text, references: &masked.references, skipped })
}

fn matches(xml: &Xml, expression: &XPath, xpath: &str) -> Result<Vec<Item>, XmlEditError> {
    let items = xpath::select(xml, expression, xpath)?;
    if !items.is_empty() {
        return Ok(items);
    }
    let root = xml.tree.root_element().default_namespace();
    let below = |node: &Node| {
        node.is_element()
            && xpath.contains(node.tag_name().name())
            && node.default_namespace().is_some_and(|uri| !uri.is_empty() && Some(uri) != root)
    };
    let inner = xml.tree.descendants().find(below);
    let hint = inner.map_or(String::new(), |node| {
        let name = node.tag_name().name();
        format!("; `{name}` is in a default namespace declared below the root, where only `*[local-name()='{name}']` matches")
    });
    Err(XmlEditError::NoMatch { xpath: xpath.to_owned(), hint })
}

fn elements<'d>(xml: &Xml<'d>, expression: &XPath, xpath: &str) -> Result<Vec<Node<'d, 'd>>, XmlEditError> {
    let refuse = |found| XmlEditError::NotElement { xpath: xpath.to_owned(), found };
    let items = matches(xml, expression, xpath)?;
    let mut elements = Vec::with_capacity(items.len());
    for item in items {
        let Some(node) = xml.node(item.node) else { continue };
        match node.node_type() {
            _ if item.is_attribute() => return Err(refuse("an attribute; match its element and name it in `attr`")),
            roxmltree::NodeType::Element => elements.push(node),
            roxmltree::NodeType::Root => return Err(refuse("the document")),
            roxmltree::NodeType::Text => return Err(refuse("a text")),
            roxmltree::NodeType::Comment => return Err(refuse("a comment")),
            roxmltree::NodeType::PI => return Err(refuse("a processing instruction")),
        }
    }
    Ok(elements)
}

/// `bytes` with `edits`, which do not overlap, applied; their ranges count from `skipped`.
fn splice(bytes: &[u8], skipped: usize, mut edits: Vec<Edit>, matched: usize) -> Edited {
    edits.sort_by_key(|edit| edit.range.start);
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for edit in &edits {
        out.extend_from_slice(&bytes[at..skipped + edit.range.start]);
        out.extend_from_slice(edit.text.as_bytes());
        at = skipped + edit.range.end;
    }
    out.extend_from_slice(&bytes[at..]);
    let changed = out != bytes;
    Edited { bytes: out, matched, changed }
}

#[cfg(test)]
mod tests;
