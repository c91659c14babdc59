//! Values and where they were written.

use crate::source::SourceMap;
use crate::yaml::schema::{self, Resolved};
use crate::yaml::tag::{self, CoreTag};
use spec::span::{Span, Spanned};
use std::borrow::Cow;
use std::ops::Range;

/// A value of the tree, whose texts are parts of the source where they stand there as they are. What an alias names, or a merge brings in, keeps the place of its definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'t> {
    /// The written value: with quotes and brackets, without anchor and tag; empty for a value that was left out. The
    /// text of a block scalar begins on the line after its `|` or `>`.
    pub span: Span,
    /// The value.
    pub kind: Kind<'t>,
}

/// The three shapes of YAML.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind<'t> {
    /// One text, number, boolean or null.
    Scalar(Scalar<'t>),
    /// Values in order.
    List(Vec<Node<'t>>),
    /// Keys with their values in written order; no key is there twice.
    Map(Vec<Entry<'t>>),
}

/// One key of a mapping with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'t> {
    /// The key: as written when unquoted, otherwise decoded. Its span has the quotes.
    pub key: Spanned<Cow<'t, str>>,
    /// The value.
    pub value: Node<'t>,
}

/// A leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar<'t> {
    /// The decoded text; for an unquoted scalar on one line this is how it is written.
    pub text: Cow<'t, str>,
    /// Neither quoted nor a block scalar.
    pub plain: bool,
    /// The source at `content_start` is `text`, byte for byte.
    pub verbatim: bool,
    /// Where the text begins in the source, in bytes: after the opening quote, or the first character of a block.
    pub content_start: u32,
    /// An explicit tag, already checked against the text.
    pub tag: Option<CoreTag>,
}

impl Entry<'_> {
    /// The key, to be kept.
    pub fn name(&self) -> Spanned<String> {
        Spanned::new(self.key.node.clone().into_owned(), self.key.span)
    }
}

impl Scalar<'_> {
    /// What the scalar stands for under the core schema, or under its tag.
    pub fn resolve(&self) -> Resolved<'_> {
        match self.tag {
            Some(tag) => tag::apply(tag, &self.text).unwrap_or(Resolved::Str(&self.text)),
            None if self.plain => schema::resolve(&self.text),
            None => Resolved::Str(&self.text),
        }
    }
}

impl<'t> Node<'t> {
    /// The scalar, when it is one.
    pub fn scalar(&self) -> Option<&Scalar<'t>> {
        match &self.kind {
            Kind::Scalar(scalar) => Some(scalar),
            Kind::List(_) | Kind::Map(_) => None,
        }
    }

    /// The items, when it is a list.
    pub fn list(&self) -> Option<&[Node<'t>]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            Kind::Scalar(_) | Kind::Map(_) => None,
        }
    }

    /// The entries, when it is a mapping.
    pub fn map(&self) -> Option<&[Entry<'t>]> {
        match &self.kind {
            Kind::Map(entries) => Some(entries),
            Kind::Scalar(_) | Kind::List(_) => None,
        }
    }

    /// Whether it is null: left out, `~` or `null`.
    pub fn is_null(&self) -> bool {
        self.scalar().is_some_and(|scalar| scalar.resolve() == Resolved::Null)
    }

    /// What the value is, for messages: `mapping`, `list`, `text`, `null`, `boolean`, `integer` or `number`.
    pub fn kind_name(&self) -> &'static str {
        match &self.kind {
            Kind::Map(_) => "mapping",
            Kind::List(_) => "list",
            Kind::Scalar(scalar) => match scalar.resolve() {
                Resolved::Null => "null",
                Resolved::Bool(_) => "boolean",
                Resolved::Int(_) | Resolved::BigInt(_) => "integer",
                Resolved::Float(_) | Resolved::NonFinite(_) => "number",
                Resolved::Str(_) => "text",
            },
        }
    }

    /// The kind in a sentence: "a mapping", "an integer", "null".
    pub fn phrase(&self) -> String {
        match self.kind_name() {
            "null" => "null".to_owned(),
            "integer" => "an integer".to_owned(),
            name => format!("a {name}"),
        }
    }

    /// The best place in the source for `range`, given in bytes of the decoded text of a scalar.
    ///
    /// Exact for a verbatim scalar. Where escapes or folded lines lie between, the same characters are looked for in the
    /// source; when they are not there as such, or the node is no scalar, the place is the whole node.
    pub fn span_of(&self, sources: &SourceMap, range: Range<usize>) -> Span {
        let Kind::Scalar(scalar) = &self.kind else { return self.span };
        let end = range.end.min(scalar.text.len());
        let start = range.start.min(end);
        if scalar.verbatim {
            let base = scalar.content_start as usize;
            return Span::new(self.span.file, base + start..base + end);
        }
        self.search(sources, &scalar.text, start..end).unwrap_or(self.span)
    }

    /// The occurrence in the source that has as many equal ones before it as the range has in the decoded text.
    fn search(&self, sources: &SourceMap, text: &str, range: Range<usize>) -> Option<Span> {
        let wanted = text.get(range.clone()).filter(|wanted| !wanted.is_empty())?;
        let before = text.get(..range.start)?.matches(wanted).count();
        let (at, _) = sources.text(self.span).match_indices(wanted).nth(before)?;
        let start = self.span.start as usize + at;
        Some(Span::new(self.span.file, start..start + wanted.len()))
    }
}
