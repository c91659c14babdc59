//! Values that may hold expressions.

use crate::ast::{Scalar, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::template::{self, Part};
use crate::parse::{Context, scalar};
use crate::yaml::{Kind, Node};

impl Context<'_> {
    /// A value of any shape.
    pub fn written(&mut self, node: &Node) -> Written {
        match &node.kind {
            Kind::Scalar(_) => match self.template(node) {
                Some(scalar) => Written::Scalar(scalar),
                None => Written::List(Vec::new(), node.span),
            },
            Kind::List(items) => Written::List(items.iter().map(|item| self.written(item)).collect(), node.span),
            Kind::Map(entries) => Written::Map(
                entries.iter().map(|entry| (entry.name(), self.written(&entry.value))).collect(),
                node.span,
            ),
        }
    }

    /// A scalar that must be one.
    pub fn scalar(&mut self, node: &Node, key: &str) -> Option<Scalar> {
        let scalar = self.template(node);
        if scalar.is_none() {
            self.wrong_shape(node, &format!("`{key}` must be a single value"));
        }
        scalar
    }

    fn template(&mut self, node: &Node) -> Option<Scalar> {
        let scalar = node.scalar()?;
        let (template, errors) = template::parse(&scalar.text);
        // `$${` is shorter in the template than in the source, which shifts what comes after it.
        let exact = scalar.verbatim && !scalar.text.contains("$${");
        let start = exact.then_some(scalar.content_start);
        let sound = errors.is_empty();
        for error in errors {
            let span = node.span_of(self.sources, error.range);
            self.report(Diagnostic::new(Code::BadExpression, span, error.message).help_if(error.help));
        }
        let place = |part: &Part| match part {
            Part::Text(_) => node.span,
            Part::Expr { range, .. } => node.span_of(self.sources, range.clone()),
        };
        let parts = template.parts.iter().map(place).collect();
        Some(Scalar { template, literal: scalar::literal(scalar), start, parts, sound, span: node.span })
    }
}
