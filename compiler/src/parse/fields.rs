//! A mapping with known keys.

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::parse::Context;
use crate::yaml::{Entry, Node};
use spec::grammar::nearest::nearest;
use spec::span::Span;

/// The entries of a mapping, taken by key.
pub struct Fields<'n> {
    entries: &'n [Entry<'n>],
    unknown: Vec<&'n str>,
    what: &'static str,
    span: Span,
}

impl<'n> Fields<'n> {
    /// The fields of a mapping. Unknown keys are reported, except annotations, which begin with `_` or `x-`.
    ///
    /// `None` when `node` is no mapping, which is reported too.
    pub fn of(context: &mut Context<'_>, node: &'n Node<'n>, what: &'static str, keys: &[&str]) -> Option<Self> {
        let Some(entries) = node.map() else {
            context.wrong_shape(node, &format!("{what} must be a mapping"));
            return None;
        };
        let mut unknown = Vec::new();
        for entry in entries {
            let key = &*entry.key.node;
            if !keys.contains(&key) && !is_annotation(key) {
                let message = format!("`{key}` is not a key of {what}");
                unknown.push(key);
                context
                    .report(Diagnostic::new(Code::UnknownKey, entry.key.span, message).help(suggest::help(key, keys)));
            }
        }
        Some(Self { entries, unknown, what, span: node.span })
    }

    /// The value of a key, when it is there.
    pub fn take(&mut self, key: &str) -> Option<&'n Node<'n>> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The value of a key, when it is there and not null: of keys where nothing is no mistake.
    pub fn given(&mut self, key: &str) -> Option<&'n Node<'n>> {
        self.take(key).filter(|node| !node.is_null())
    }

    /// The entry of a key, when it is there.
    pub fn entry(&self, key: &str) -> Option<&'n Entry<'n>> {
        self.entries.iter().find(|entry| entry.key.node == key)
    }

    /// The value of a key that must be there. When an unknown key was probably meant to be it, that was report enough.
    pub fn required(&mut self, context: &mut Context<'_>, key: &str) -> Option<&'n Node<'n>> {
        let found = self.take(key);
        let misspelt = |unknown: &&str| nearest(unknown, [key]).is_some();
        if found.is_none() && !self.unknown.iter().any(misspelt) {
            // The first line is enough to point at; a whole mapping would underline half the file.
            let span = self.entries.first().map_or(self.span, |entry| entry.key.span);
            let problem = Diagnostic::new(Code::MissingKey, span, format!("{} needs `{key}`", self.what));
            context.report(problem.help_if(hint(key).map(str::to_owned)));
        }
        found
    }

    /// The whole mapping.
    pub fn span(&self) -> Span {
        self.span
    }
}

/// What to write for a key that is missing.
fn hint(key: &str) -> Option<&'static str> {
    match key {
        "action" => Some("name what to do, or call a macro with `macro:`"),
        "steps" => Some("list what to do, or write `steps: []` for a macro of conditions only"),
        _ => None,
    }
}

/// Whether a key is an annotation of a recorder or an editor.
pub fn is_annotation(key: &str) -> bool {
    key.starts_with('_') || key.starts_with("x-")
}
