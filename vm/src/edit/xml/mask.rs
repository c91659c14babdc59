//! A copy of the text, byte for byte as long, in which the parser finds no DTD and nothing to expand.
//!
//! The document type declaration becomes blanks and every reference to an entity of the document's own becomes question
//! marks, remembered with its place. So nothing is ever expanded, no file or address named in a DTD is ever opened, and
//! positions in the copy are positions in the file. Default values and types of attributes from a DTD do not apply.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use crate::edit::xml::error::XmlEditError;
use crate::edit::xml::tag::{self, is_space};

/// The most comparisons of names the parser may be made to do; it compares the attributes of a tag with each other and
/// carries all namespaces in scope along.
const MAX_COMPARISONS: usize = 200_000_000;

/// What the parser reads instead of the document.
#[derive(Debug)]
pub struct Masked<'t> {
    /// The text, equal in length to the original.
    pub text: Cow<'t, str>,
    /// The masked references in document order.
    pub references: Vec<Reference>,
}

/// A masked reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// From `&` to `;`.
    pub range: Range<usize>,
    /// The entity's name.
    pub name: String,
    /// Whether it stands in an attribute's value rather than in text.
    pub in_attribute: bool,
}

/// Masks `text`.
pub fn mask(text: &str) -> Result<Masked<'_>, XmlEditError> {
    let mut scan = Scan { text, doctype: None, references: Vec::new(), prefixes: HashSet::new(), comparisons: 0 };
    scan.run()?;
    let Scan { doctype, references, .. } = scan;
    let Some(doctype) = doctype else {
        return Ok(Masked { text: Cow::Borrowed(text), references });
    };
    let mut bytes = text.as_bytes().to_vec();
    bytes[doctype].iter_mut().filter(|byte| !is_space(**byte)).for_each(|byte| *byte = b' ');
    for reference in &references {
        bytes[reference.range.clone()].fill(b'?');
    }
    // Whole characters were replaced by ASCII; a lossy conversion has nothing to lose.
    let masked =
        String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    Ok(Masked { text: Cow::Owned(masked), references })
}

struct Scan<'t> {
    text: &'t str,
    doctype: Option<Range<usize>>,
    references: Vec<Reference>,
    prefixes: HashSet<&'t str>,
    comparisons: usize,
}

impl<'t> Scan<'t> {
    fn run(&mut self) -> Result<(), XmlEditError> {
        let mut at = 0;
        let mut in_prolog = true;
        while let Some(found) = find(self.text, at, |b| b == b'<' || b == b'&') {
            let rest = &self.text.as_bytes()[found..];
            at = match rest {
                [b'&', ..] => self.reference(found, self.text.len(), false),
                [b'<', b'!', b'-', b'-', ..] => past(self.text, found + 4, "-->"),
                [b'<', b'?', ..] => past(self.text, found + 2, "?>"),
                [b'<', b'/', ..] => found + 2,
                _ if rest.starts_with(b"<![CDATA[") => past(self.text, found + 9, "]]>"),
                _ if rest.starts_with(b"<!DOCTYPE") && in_prolog && self.doctype.is_none() => {
                    let end = doctype_end(self.text, found)?;
                    self.doctype = Some(found..end);
                    end
                }
                [b'<', b'!', ..] => found + 2,
                _ => {
                    in_prolog = false;
                    self.tag(found)?
                }
            };
        }
        Ok(())
    }

    fn tag(&mut self, start: usize) -> Result<usize, XmlEditError> {
        let tag = tag::cut(self.text, start);
        let before = self.prefixes.len();
        let mut declares = false;
        for attribute in &tag.attributes {
            let name = &self.text[attribute.name.clone()];
            if name.starts_with("xmlns") {
                declares = true;
                self.prefixes.insert(name);
            }
            let mut at = attribute.value.start;
            while let Some(found) = find(&self.text[..attribute.value.end], at, |b| b == b'&') {
                at = self.reference(found, attribute.value.end, true);
            }
        }
        let scope = self.prefixes.len().max(before);
        let attributes = tag.attributes.len();
        let cost = attributes.saturating_mul(attributes + scope)
            + scope
            + if declares { scope.saturating_mul(scope) } else { 0 };
        self.comparisons = self.comparisons.saturating_add(cost);
        if self.comparisons > MAX_COMPARISONS {
            return Err(XmlEditError::TooComplex { what: "it has too many attributes or namespaces on its elements" });
        }
        Ok(tag.end)
    }

    /// Remembers the reference at `start` when it names an entity of the document's own; where to go on.
    fn reference(&mut self, start: usize, limit: usize, in_attribute: bool) -> usize {
        let body = &self.text[start + 1..limit];
        let Some(length) = body.bytes().take(MAX_NAME).position(|b| b == b';') else { return start + 1 };
        let name = &body[..length];
        let end = start + 1 + length + 1;
        let predefined = matches!(name, "amp" | "lt" | "gt" | "quot" | "apos");
        let is_name = matches!(spec::grammar::xml_name::split_qname(name), Some((None, _)));
        // Without a document type declaration there is nothing a name could refer to: the parser reports it.
        if self.doctype.is_some() && is_name && !predefined {
            self.references.push(Reference { range: start..end, name: name.to_owned(), in_attribute });
        }
        if is_name { end } else { start + 1 }
    }
}

/// The longest name of an entity that is looked for, in bytes; keeps a text full of `&` linear.
const MAX_NAME: usize = 256;

/// One past the `>` of the document type declaration at `start`.
fn doctype_end(text: &str, start: usize) -> Result<usize, XmlEditError> {
    let unclosed =
        || XmlEditError::Malformed { message: format!("the document type declaration at byte {start} has no end") };
    let bytes = text.as_bytes();
    let mut at = start + "<!DOCTYPE".len();
    if !bytes.get(at).copied().is_some_and(is_space) {
        return Err(XmlEditError::Malformed { message: format!("expected a space after `<!DOCTYPE` at byte {start}") });
    }
    let mut in_subset = false;
    while let Some(found) = find(text, at, |b| matches!(b, b'"' | b'\'' | b'[' | b']' | b'<' | b'>')) {
        at = match &bytes[found..] {
            [quote @ (b'"' | b'\''), ..] => find(text, found + 1, |b| b == *quote).ok_or_else(unclosed)? + 1,
            [b'[', ..] => {
                in_subset = true;
                found + 1
            }
            [b']', ..] => {
                in_subset = false;
                found + 1
            }
            [b'<', b'!', b'-', b'-', ..] => past(text, found + 4, "-->"),
            [b'<', b'?', ..] => past(text, found + 2, "?>"),
            [b'>', ..] if !in_subset => return Ok(found + 1),
            _ => found + 1,
        };
    }
    Err(unclosed())
}

fn find(text: &str, from: usize, wanted: impl Fn(u8) -> bool) -> Option<usize> {
    text.as_bytes().get(from..)?.iter().position(|b| wanted(*b)).map(|at| from + at)
}

/// One past the next `end`, or the end of the text.
fn past(text: &str, from: usize, end: &str) -> usize {
    text.get(from..).and_then(|rest| rest.find(end)).map_or(text.len(), |at| from + at + end.len())
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn the_dtd_and_its_references_vanish_without_moving_anything() {
        let text = "<!--<!DOCTYPE x>--><!DOCTYPE r [<!-- '> --><!ENTITY é \"]>&a;\">\n<?p ]>?>]><r k='&é;&lt;'>&amp;&a.b;<![CDATA[&a;]]>&#65;<!--&a;--></r>";
        let masked = mask(text).unwrap();
        assert_eq!(masked.text.len(), text.len());
        let names: Vec<_> = masked.references.iter().map(|r| (r.name.as_str(), r.in_attribute)).collect();
        assert_eq!(names, [("é", true), ("a.b", false)]);
        assert!(
            masked.text.ends_with("<r k='????&lt;'>&amp;?????<![CDATA[&a;]]>&#65;<!--&a;--></r>"),
            "{}",
            masked.text
        );
        assert!(masked.text.starts_with("<!--<!DOCTYPE x>-->   "));
    }

    #[test]
    fn without_a_dtd_nothing_is_touched() {
        let masked = mask("<r>&a;</r>").unwrap();
        assert!(masked.references.is_empty() && masked.text == "<r>&a;</r>");
    }

    #[test]
    fn an_unclosed_declaration_is_an_error() {
        for text in ["<!DOCTYPE r", "<!DOCTYPE r [", "<!DOCTYPE r 'x>", "<!DOCTYPEr><r/>"] {
            assert!(mask(text).is_err(), "{text}");
        }
    }
}
