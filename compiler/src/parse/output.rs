//! Declared outputs.

use spec::span::Spanned;

use crate::ast::{Output, OutputValue};
use crate::diagnostic::{Code, Diagnostic};
use crate::parse::Context;
use crate::parse::fields::Fields;
use crate::yaml::Node;

const KEYS: &[&str] = &["name", "path", "value", "expose", "description"];

impl Context<'_> {
    /// The list of outputs; two of one name are reported.
    pub fn outputs(&mut self, node: &Node) -> Vec<Output> {
        let items = self.items(node, "outputs");
        let mut outputs: Vec<Output> = Vec::with_capacity(items.len());
        for item in items {
            let Some(output) = self.output(item) else { continue };
            if let Some(first) = outputs.iter().find(|known| known.name.node == output.name.node) {
                let message = format!("two outputs are called `{}`", output.name.node);
                let problem = Diagnostic::new(Code::DuplicateName, output.name.span, message);
                let problem = problem.label(first.name.span, "the first one");
                self.report(problem);
                continue;
            }
            outputs.push(output);
        }
        outputs
    }

    fn output(&mut self, node: &Node) -> Option<Output> {
        let mut fields = Fields::of(self, node, "an output", KEYS)?;
        let name_node = fields.required(self, "name")?;
        let text = self.spelling(name_node, "name");
        if name_node.scalar().is_some() {
            self.check_id(&text, name_node.span, "an output's name");
        }
        let value = match (fields.take("path"), fields.take("value")) {
            (Some(path), None) => OutputValue::Path(self.scalar(path, "path")?),
            (None, Some(value)) => OutputValue::Value(self.written(value)),
            (Some(_), Some(value)) => {
                let problem = Diagnostic::new(Code::ConflictingKeys, value.span, "an output has `path` or `value`");
                self.report(problem.help("`path` is a file that must exist, `value` is anything"));
                return None;
            }
            (None, None) => {
                let problem = Diagnostic::new(Code::MissingKey, node.span, "an output needs `path` or `value`");
                self.report(problem.help("`path` is a file that must exist, `value` is anything"));
                return None;
            }
        };
        let expose = fields.take("expose").map(|node| self.exposed(node)).unwrap_or_default();
        let description =
            fields.given("description").map(|node| self.spelling(node, "description")).unwrap_or_default();
        Some(Output { name: Spanned::new(text, name_node.span), value, expose, description })
    }
}
