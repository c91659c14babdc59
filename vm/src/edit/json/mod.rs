//! Edits of JSON documents, with or without comments and trailing commas, that leave every other byte as it was.
//!
//! A path is a list of keys; in a list, a segment is an index from 0. Rules where the format leaves a choice:
//! - A key that is written twice means its last value, for `get` and `set`; `delete` refuses it.
//! - `null` is a scalar: `set` does not replace it by an object on the way to a deeper key.
//! - `set` creates missing objects on the way, never lists; the index after the last item of a list appends.
//! - `set` to a value of the same kind and meaning changes nothing (`1E5` is `100000.0`, but not `100000`); the order of
//!   keys has no meaning.
//! - `delete` of what is not there changes nothing. The rest of a deleted line goes with it when that is a comment.
//! - A new key goes after the last one, on a line of its own where the last one has its own.

mod error;
mod insert;
mod lex;
mod locate;
mod read;
mod remove;
mod scan;
mod splice;
mod style;
mod write;

#[cfg(test)]
mod tests;

use spec::value::{Dict, Value};

pub use crate::edit::json::error::JsonEditError;
use crate::edit::json::error::show;
use crate::edit::json::insert::{Entry, is_multi_line};
use crate::edit::json::lex::Document;
use crate::edit::json::locate::{Located, locate, missing};
use crate::edit::json::scan::{Kind, Node, check};
use crate::edit::json::splice::Splice;
use crate::edit::json::style::{line_indentation, style};
use crate::edit::json::write::Layout;

/// How deep lists and objects may nest; the limit of `serde_json`.
pub const DEPTH: usize = 127;

/// A document after an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The whole document.
    pub bytes: Vec<u8>,
    /// Whether a byte differs.
    pub changed: bool,
}

/// The value at `path`; the whole document when `path` is empty.
///
/// # Errors
/// The document is damaged, the path does not exist, or the value cannot be held (see [`JsonEditError`]).
pub fn get(text: &[u8], path: &[String]) -> Result<Value, JsonEditError> {
    let document = Document::new(text)?;
    let root = check(&document)?;
    let located = locate(&document, &root, path)?;
    match found(&root, &located, path) {
        Some(node) => read::value(&document, node.range.clone()),
        None => Err(missing(&document, &located, path)),
    }
}

/// The document with `value` at `path`; the whole document's value when `path` is empty.
///
/// # Errors
/// The document is damaged, or the path leads through a scalar or beyond a list (see [`JsonEditError`]).
pub fn set(text: &[u8], path: &[String], value: &Value) -> Result<Edited, JsonEditError> {
    let document = Document::new(text)?;
    let root = check(&document)?;
    if path.len() > DEPTH || !write::fits(value, DEPTH - path.len()) {
        return Err(JsonEditError::WouldBeTooDeep { path: show(path), limit: DEPTH });
    }
    let located = locate(&document, &root, path)?;
    let splices = match found(&root, &located, path) {
        Some(node) if holds(&document, node, value) => Vec::new(),
        Some(node) => vec![replacement(&document, &located, node, value)],
        None => addition(&document, &located, path, value)?,
    };
    Ok(edited(text, &document, &splices))
}

/// The document without what is at `path`.
///
/// # Errors
/// The document is damaged, is a scalar, or holds the key twice; or the path is empty (see [`JsonEditError`]).
pub fn delete(text: &[u8], path: &[String]) -> Result<Edited, JsonEditError> {
    let document = Document::new(text)?;
    let root = check(&document)?;
    if path.is_empty() {
        return Err(JsonEditError::EmptyPath);
    }
    let located = locate(&document, &root, path)?;
    let splices = match located.chain.last() {
        Some(container) if located.found == path.len() => {
            if let (true, Some(target)) = (container.duplicate, &container.target) {
                let position = document.position(target.start());
                return Err(JsonEditError::Duplicate { position, path: show(path) });
            }
            remove::remove(&document, container)?
        }
        Some(_) | None => Vec::new(),
    };
    Ok(edited(text, &document, &splices))
}

fn found<'l>(root: &'l Node, located: &'l Located, path: &[String]) -> Option<&'l Node> {
    if path.is_empty() {
        return Some(root);
    }
    let target = located.chain.last().and_then(|container| container.target.as_ref());
    target.filter(|_| located.found == path.len()).map(|child| &child.value)
}

fn edited(bytes: &[u8], document: &Document<'_>, splices: &[Splice]) -> Edited {
    let bytes = splice::apply(bytes, document, splices);
    Edited { bytes, changed: !splices.is_empty() }
}

/// Whether the document already has `wanted` at `node`.
fn holds(document: &Document<'_>, node: &Node, wanted: &Value) -> bool {
    let kind = match wanted {
        Value::Null => Kind::Null,
        Value::Boolean(_) => Kind::Boolean,
        Value::Integer(_) | Value::Float(_) | Value::Number(_) => Kind::Number,
        Value::String(_) => Kind::String,
        Value::List(_) => Kind::List,
        Value::Dict(_) => Kind::Object,
    };
    kind == node.kind && read::value(document, node.range.clone()).is_ok_and(|present| same(&present, wanted))
}

/// Equality that tells minus zero from zero.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Float(left), Value::Float(right)) => left.to_bits() == right.to_bits(),
        (Value::Number(left), Value::Number(right)) => left == right || crate::json_text::same_decimal(left, right),
        (Value::List(left), Value::List(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Dict(left), Value::Dict(right)) => {
            let entry = |(key, left)| right.get(key).is_some_and(|right| same(left, right));
            left.len() == right.len() && left.iter().all(entry)
        }
        (left, right) => left == right,
    }
}

fn replacement(document: &Document<'_>, located: &Located, node: &Node, value: &Value) -> Splice {
    let style = style(document, &located.chain);
    let old = &document.text[node.range.clone()];
    let container = matches!(node.kind, Kind::List | Kind::Object);
    // A list on one line stays on one line; elsewhere the lines around the value decide.
    let multi_line = match located.chain.last() {
        _ if container && old.contains(['\n', '\r']) => true,
        Some(_) if container && old.len() > 2 => false,
        Some(around) => is_multi_line(document, around),
        None => true,
    };
    let base = line_indentation(document.text, node.range.start);
    let layout = if multi_line { Layout::Lines(base) } else { Layout::Line };
    Splice { range: node.range.clone(), text: write::value(value, &style, layout) }
}

fn addition(
    document: &Document<'_>,
    located: &Located,
    path: &[String],
    value: &Value,
) -> Result<Vec<Splice>, JsonEditError> {
    let rest = &path[located.found..];
    let (Some(container), Some((segment, deeper)), None) = (located.chain.last(), rest.split_first(), located.blocked)
    else {
        return Err(missing(document, located, path));
    };
    let nested;
    let value = if deeper.is_empty() {
        value
    } else {
        nested = deeper.iter().rev().fold(value.clone(), |inner, key| {
            let mut object = Dict::new();
            object.insert(key.clone(), inner);
            Value::Dict(object)
        });
        &nested
    };
    let key = match container.node.kind {
        Kind::List if locate::index(segment) == Some(container.count) => None,
        Kind::List => return Err(missing(document, located, path)),
        Kind::Object | Kind::Null | Kind::Boolean | Kind::Number | Kind::String => Some(segment.as_str()),
    };
    let style = style(document, &located.chain);
    insert::insert(document, &located.chain, &style, &Entry { key, value })
}
