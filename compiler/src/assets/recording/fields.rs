//! The fields of one mapping: each known, there once, and of its type.

use std::ops::Range;

use spec::kind::{Kind, Shape as KindShape};
use spec::value::Value;

use crate::assets::json::{Member, Node, Shape};
use crate::assets::recording::content::{self, Content, Purpose};
use crate::assets::recording::report::Report;
use crate::diagnostic::suggest;

/// The fields of a mapping while they are read.
pub struct Fields<'t, 'r, 'p> {
    /// What the mapping is called in messages.
    owner: String,
    members: Vec<Member<'t>>,
    /// Where a missing field is reported.
    place: Range<usize>,
    report: &'r mut Report<'p>,
}

impl<'t, 'r, 'p> Fields<'t, 'r, 'p> {
    /// Drops annotations and fields that are there already, which is reported.
    pub fn new(
        owner: impl Into<String>,
        members: Vec<Member<'t>>,
        place: Range<usize>,
        report: &'r mut Report<'p>,
    ) -> Self {
        let mut fields = Self { owner: owner.into(), members: Vec::new(), place, report };
        for member in members {
            let first = fields.members.iter().find(|known| known.key == member.key);
            if let Some(first) = first.map(|first| first.key_range.clone()) {
                let message = format!("{}: `{}` is there twice", fields.owner, spec::grammar::shown(&member.key));
                fields.report.add_beside(member.key_range, message, None, Some((first, "first here")));
            } else if !member.key.starts_with('_') && !member.key.starts_with("x-") {
                fields.members.push(member);
            }
        }
        fields
    }

    /// Where mistakes go.
    pub fn report(&mut self) -> &mut Report<'p> {
        self.report
    }

    /// Gives the mapping another name in messages.
    pub fn rename(&mut self, owner: String) {
        self.owner = owner;
    }

    /// Reports fields that are not among `allowed`.
    pub fn known(&mut self, allowed: &[&str]) {
        for member in &self.members {
            if !allowed.contains(&&*member.key) {
                let message = format!("{}: unknown field `{}`", self.owner, spec::grammar::shown(&member.key));
                self.report.add(member.key_range.clone(), message, Some(suggest::help(&member.key, allowed)));
            }
        }
    }

    /// Whether a field is there.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Reports a field that is missing.
    pub fn missing(&mut self, name: &str) {
        self.report.add(self.place.clone(), format!("{}: `{name}` is missing", self.owner), None);
    }

    /// Reports a mistake in the value of a field.
    pub fn wrong(&mut self, range: Range<usize>, message: &str, help: Option<String>) {
        self.report.add(range, self.sentence(message), help);
    }

    /// A message about the mapping.
    pub fn sentence(&self, message: &str) -> String {
        format!("{}: {message}", self.owner)
    }

    /// A field that must be there, with its place. `None` after a report.
    pub fn required<K: Kind>(&mut self, name: &str) -> Option<(K::Out, Range<usize>)> {
        if !self.has(name) {
            self.missing(name);
        }
        self.optional::<K>(name)
    }

    /// A field, with its place. `None` when it is not there or has the wrong value, which is reported.
    pub fn optional<K: Kind>(&mut self, name: &str) -> Option<(K::Out, Range<usize>)> {
        let Node { shape, range } = self.find(name)?.value.clone();
        let read = match value(&shape, K::SHAPE) {
            Some(value) => K::read(value).map_err(|error| (error.message, error.help)),
            None => Err((format!("must be {}, found {}", K::SHAPE.expected(), shape.name()), quote(&shape, K::SHAPE))),
        };
        match read {
            Ok(value) => Some((value, range)),
            Err((message, help)) => {
                self.wrong(range, &format!("`{name}` {message}"), help);
                None
            }
        }
    }

    /// A text field without NUL, with its place.
    pub fn text(&mut self, name: &str) -> Option<(String, Range<usize>)> {
        let (text, range) = self.optional::<spec::kind::Text>(name)?;
        if text.contains('\0') {
            self.wrong(range, &format!("`{name}` cannot hold a NUL character"), None);
            return None;
        }
        Some((text, range))
    }

    /// A text field that may have expressions in it.
    pub fn content<K: Kind<Out = String>>(&mut self, name: &str, purpose: Purpose) -> Option<Content> {
        let (text, range) = self.required::<K>(name)?;
        if text.contains('\0') {
            self.wrong(range, &format!("`{name}` cannot hold a NUL character"), None);
            return None;
        }
        content::read(purpose, text, range, self.report)
    }

    /// A boolean field. `None` when it is not there or is something else, which is reported.
    pub fn boolean(&mut self, name: &str) -> Option<bool> {
        let Node { shape, range } = self.find(name)?.value.clone();
        match shape {
            Shape::Boolean(truth) => return Some(truth),
            Shape::Null | Shape::Number(_) | Shape::Text(_) | Shape::List | Shape::Mapping => {
                self.wrong(range, &format!("`{name}` must be true or false, found {}", shape.name()), None);
            }
        }
        None
    }

    /// A list that must be there.
    pub fn list(&mut self, name: &str) -> Option<Node<'t>> {
        let Some(node) = self.find(name).map(|member| member.value.clone()) else {
            self.missing(name);
            return None;
        };
        if node.shape == Shape::List {
            return Some(node);
        }
        self.wrong(node.range, &format!("`{name}` must be a list, found {}", node.shape.name()), None);
        None
    }

    /// The place of a field's key.
    pub fn key_of(&self, name: &str) -> Option<Range<usize>> {
        self.find(name).map(|member| member.key_range.clone())
    }

    fn find(&self, name: &str) -> Option<&Member<'t>> {
        self.members.iter().find(|member| member.key == name)
    }
}

/// The value, when JSON has that type for the shape: a recording is written by programs, so nothing is converted.
fn value(found: &Shape<'_>, wanted: KindShape) -> Option<Value> {
    let number = matches!(wanted, KindShape::Integer | KindShape::Float);
    match found {
        Shape::Number(digits) if number => Some(self::number(digits)),
        Shape::Text(text) if !number => Some(Value::String(text.clone().into_owned())),
        Shape::Null | Shape::Boolean(_) | Shape::Number(_) | Shape::Text(_) | Shape::List | Shape::Mapping => None,
    }
}

fn number(digits: &str) -> Value {
    match (digits.parse::<i64>(), digits.parse::<f64>()) {
        (Ok(whole), _) => Value::Integer(whole),
        (Err(_), Ok(number)) if number.is_finite() => Value::Float(number),
        (Err(_), Ok(_) | Err(_)) => Value::Number(digits.to_owned()),
    }
}

fn quote(found: &Shape<'_>, wanted: KindShape) -> Option<String> {
    match (found, wanted) {
        (Shape::Number(digits), KindShape::Text | KindShape::Path | KindShape::Keys) => {
            Some(format!("put it in quotes: \"{}\"", spec::grammar::shown(digits)))
        }
        (Shape::Text(text), KindShape::Integer | KindShape::Float) if text.parse::<f64>().is_ok() => {
            Some("remove the quotes".to_owned())
        }
        (_, _) => None,
    }
}
