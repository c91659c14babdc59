//! Attributes: finding one by its name and writing one value.

use roxmltree::{Attribute, Node};
use spec::grammar::xml_name;

use crate::edit::xml::document::Xml;
use crate::edit::xml::error::XmlEditError;
use crate::edit::xml::xpath::prefixes_in_scope;
use crate::edit::xml::{Edit, escape};

/// Refuses what cannot be an attribute's name.
pub fn check_name(attr: &str) -> Result<(), XmlEditError> {
    let reason = match xml_name::split_qname(attr) {
        None => "is not a name of an attribute; write `name` or `prefix:name`",
        Some((None | Some("xmlns"), "xmlns")) | Some((Some("xmlns"), _)) => {
            "declares a namespace and is not an attribute; it cannot be read or set"
        }
        Some(_) => return Ok(()),
    };
    Err(XmlEditError::AttributeName { attr: attr.to_owned(), reason })
}

/// The values of `attr` in those of `elements` that have it.
pub fn values(xml: &Xml, elements: &[Node], xpath: &str, attr: &str) -> Result<Vec<String>, XmlEditError> {
    let mut values = Vec::new();
    let mut undeclared = None;
    for element in elements {
        match find(*element, attr) {
            Ok(Some(found)) => {
                xml.refuse_references(found.range(), true)?;
                values.push(found.value().to_owned());
            }
            Ok(None) => {}
            Err(error) => undeclared = Some(error),
        }
    }
    if !values.is_empty() {
        return Ok(values);
    }
    let missing =
        || XmlEditError::NoAttribute { xpath: xpath.to_owned(), attr: attr.to_owned(), matched: elements.len() };
    Err(undeclared.unwrap_or_else(missing))
}

/// What gives `element` the attribute with that value; `None` when it has it.
pub fn edit(xml: &Xml, element: Node, attr: &str, value: &str) -> Result<Option<Edit>, XmlEditError> {
    let Some(found) = find(element, attr)? else {
        let at = xml.tag(element).insertion();
        let text = format!(" {attr}=\"{}\"", escape::attribute(value, b'"'));
        return Ok(Some(Edit { range: at..at, text }));
    };
    if found.value() == value && xml.refuse_references(found.range(), true).is_ok() {
        return Ok(None);
    }
    let start = found.range().start;
    let written = xml.tag(element).attributes.into_iter().find(|written| written.name.start == start);
    Ok(written.map(|written| {
        let quote = xml.text.as_bytes().get(written.value.end).copied().unwrap_or(b'"');
        Edit { text: escape::attribute(value, quote), range: written.value }
    }))
}

/// The attribute with the expanded name of `attr`; its prefix is resolved where the element stands.
fn find<'d>(element: Node<'d, 'd>, attr: &str) -> Result<Option<Attribute<'d, 'd>>, XmlEditError> {
    let (prefix, local) = xml_name::split_qname(attr).unwrap_or((None, attr));
    let uri = match prefix {
        None => None,
        Some("xml") => Some(roxmltree::NS_XML_URI),
        Some(prefix) => match element.lookup_namespace_uri(Some(prefix)) {
            Some(uri) => Some(uri),
            None => {
                let known = prefixes_in_scope(element);
                return Err(XmlEditError::UndeclaredPrefix { prefix: prefix.to_owned(), known });
            }
        },
    };
    Ok(element.attributes().find(|attribute| attribute.namespace() == uri && attribute.name() == local))
}
