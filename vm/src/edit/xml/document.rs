//! A parsed document with what the parser does not keep: names as written, exact ranges, masked references.

use std::ops::Range;

use roxmltree::{Document, Node, NodeId};

use crate::edit::xml::error::XmlEditError;
use crate::edit::xml::mask::Reference;
use crate::edit::xml::tag::{self, Tag};

/// A document and its text.
pub struct Xml<'d> {
    /// The tree.
    pub tree: &'d Document<'d>,
    /// The original text; ranges in the tree are ranges in it.
    pub text: &'d str,
    /// The references the tree does not show.
    pub references: &'d [Reference],
    /// What stands before the text in the file, in bytes.
    pub skipped: usize,
}

impl<'d> Xml<'d> {
    /// The node with the number `id`, when there is one.
    pub fn node(&self, id: u32) -> Option<Node<'d, 'd>> {
        self.tree.get_node(NodeId::new(id))
    }

    /// The start tag of `element`.
    pub fn tag(&self, element: Node) -> Tag {
        tag::cut(self.text, element.range().start)
    }

    /// The content of an element whose start tag is `tag`: empty and after the tag when it is `<a/>`.
    pub fn content(&self, element: Node, tag: &Tag) -> Range<usize> {
        let end = element.range().end;
        if tag.is_empty {
            return end..end;
        }
        let close = self.text.get(tag.end..end).and_then(|rest| rest.rfind("</")).map_or(end, |at| tag.end + at);
        tag.end..close
    }

    /// The namespace of `element`; `xmlns=""` means none.
    pub fn namespace(&self, element: Node<'d, 'd>) -> Option<&'d str> {
        element.tag_name().namespace().filter(|uri| !uri.is_empty())
    }

    /// The name at `start` as written, prefix included.
    pub fn name_at(&self, start: usize) -> &'d str {
        let rest = self.text.get(start..).unwrap_or("");
        let end = rest.bytes().position(|b| tag::is_space(b) || matches!(b, b'=' | b'>' | b'/')).unwrap_or(rest.len());
        &rest[..end]
    }

    /// The string value of a node that is no attribute (section 5 of the XPath recommendation).
    pub fn string_value(&self, node: Node<'d, 'd>) -> Result<String, XmlEditError> {
        if node.is_element() || node.is_root() {
            self.refuse_references(node.range(), false)?;
            return Ok(node.descendants().filter(Node::is_text).filter_map(|text| text.text()).collect());
        }
        if node.is_text() {
            self.refuse_references(self.text_range(node), false)?;
        }
        Ok(node.text().or_else(|| node.pi().map(|pi| pi.value.unwrap_or(""))).unwrap_or("").to_owned())
    }

    /// Fails when a masked reference lies in `range`: in an attribute's value there, or in text there.
    pub fn refuse_references(&self, range: Range<usize>, in_attribute: bool) -> Result<(), XmlEditError> {
        let first = self.references.partition_point(|reference| reference.range.start < range.start);
        let inside = self.references[first..].iter().take_while(|reference| reference.range.start < range.end);
        match inside.clone().find(|reference| reference.in_attribute == in_attribute) {
            Some(found) => {
                Err(XmlEditError::Entity { name: found.name.clone(), offset: self.skipped + found.range.start })
            }
            None => Ok(()),
        }
    }

    /// All of a text node; the parser's range ends early when text and CDATA sections meet.
    fn text_range(&self, text: Node) -> Range<usize> {
        let start = text.range().start;
        let parent_end = || text.parent().map_or(self.text.len(), |parent| parent.range().end);
        start..text.next_sibling().map_or_else(parent_end, |next| next.range().start)
    }
}
